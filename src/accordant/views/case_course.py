"""The course of a case in sentences: reasons, arguments, causes, corrections, what it came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ..numbers import joined
from ..resolution.case_state import Case, Proposal
from ..resolution.causes import CAUSES, FIELDS
from ..resolution.records import Evidence
from ..resolution.toolbox import texts_at
from ..resolution.views import CaseView
from ..resolution.words import CaseState, Cause, Outcome, Settled
from .names import cut
from .project_subject import Subject

__all__ = ["course"]

HOW = {
    Outcome.RESCORED_C: "the coder who was inconsistent corrected the answer",
    Outcome.RESCORED_E: "the coder who had made a mistake corrected it",
    Outcome.ARGUED_D: "settled by argument",
    Outcome.REANNOTATED_A: "annotated again after task or guidelines were made clear",
    Outcome.REANNOTATED_B: "annotated again after the coders had aligned on the concept",
    Outcome.DEFERENCE: "settled by deference to one coder, a deviation from the procedure",
    Outcome.CLARIFIED: "settled under the new toolbox, re-annotation being waived",
    Outcome.IMPORTED: "as the imported data say",
}
_GIVEN = (Outcome.RESCORED_C, Outcome.RESCORED_E, Outcome.REANNOTATED_A, Outcome.REANNOTATED_B)
"""Outcomes that are no proposal: every coder's own annotation says so."""
_SETTLED = (CaseState.AGREED, CaseState.UNRESOLVED)
_OVER = (*_SETTLED, CaseState.CLOSED)
_Moment = tuple[int, str]  # number of the event, and a sentence


def course(subject: Subject, case: Case, view: CaseView) -> list[str]:
    """What was said and done in a case, in its order, and what it came to."""
    moments = [
        *_notes(view),
        *_thread(view),
        *_turns(case, view),
        *_causes(view, max((one.seq for one in subject.state.imports), default=0)),
        *_changes(subject, case, view),
        *_proposals(view),
    ]
    return [
        *(text for _, text in sorted(moments, key=lambda moment: moment[0])),
        *_unread(view),
        *_met(subject, view),
        _ending(subject, case, view),
    ]


def _notes(view: CaseView) -> Iterator[_Moment]:
    """What coders wrote with their annotation."""
    for coder, note in view.notes.items():
        about = {"comment": note.comment, "ambiguous": note.source, "not applicable": note.reason}
        told = joined(f"{what} “{text}”" for what, text in about.items() if text)
        if told:
            yield 0, _sentence(f"{coder}, when annotating: {told}")


def _thread(view: CaseView) -> Iterator[_Moment]:
    """Each coder's reason as it was first given, and what was argued since."""
    spoken: set[str] = set()
    for one in view.thread:
        if one.kind not in ("reason given", "remark made") or not one.text:
            continue
        again = one.kind == "reason given" and one.by in spoken
        to = f", on {one.about}" if one.about else ""
        number = "" if view.summary.state in _OVER else f"{one.seq} · "
        marked = joined(f"“{cut(view.text[h.start : h.end], 80)}”" for h in one.highlights)
        told = f"{number}{one.by}{to}{' adds' if again else ''}: “{one.text}”{_by(one.cites)}"
        yield one.seq, _sentence(told) + (f" Marked: {marked}." if marked else "")
        spoken |= {one.by} if one.kind == "reason given" else set()


def _unread(view: CaseView) -> Iterator[str]:
    if view.unread:
        yield f"Reasons of {joined(view.unread)}: shown after you have given yours."
    if {*view.withheld} - {"reason given"}:
        yield "What was proposed and argued: shown after you have given your reason."


def _met(subject: Subject, view: CaseView) -> Iterator[str]:
    """Which consents were given in a meeting, at the keyboard of who led it."""
    given = [one.events.items() for one in view.assessments]
    given += [one.events.items() for one in view.proposals]
    for held in subject.state.meetings:
        names = {name: None for each in given for name, seq in each if held.heard(name, seq)}
        if names:
            told = f"in a meeting led by {held.led_by} on {held.at[:10]}"
            yield f"Consents of {joined(names)} were given {told}."


def _by(cites: Sequence[str]) -> str:
    """What somebody cites, in brackets."""
    return f" ({joined(cites)})" if cites else ""


def _refused(refusals: Mapping[str, str]) -> str:
    return "".join(f"; {coder} refused ({why})" for coder, why in refusals.items())


def _accepted(consents: Sequence[str]) -> str:
    return f", accepted by {joined(consents)}" if consents else ""


def _proposals(view: CaseView) -> Iterator[_Moment]:
    """The outcomes that were proposed, but for those that all accepted: they have an ending."""
    for one in view.proposals:
        if not _agreed_on(one, view):
            which = "proposed" if one.ended else f"proposal {one.seq}"
            who = f"{which} by {one.by}{_accepted(one.consents)}{_refused(one.refusals)}"
            who += ", not accepted by all" if one.ended and not one.refusals else ""
            yield one.seq, _sentence(f"“{one.answer}”{_by(one.cites)}, {who}: {one.text}")


def _agreed_on(one: Proposal, view: CaseView) -> bool:
    """Whether all accepted it: with the last consent the case was agreed."""
    last = max(one.events.values(), default=one.seq)
    next_ = (turn for turn in view.thread if turn.seq > last and turn.kind != "rescored")
    then = next(next_, None)
    return then is not None and (then.kind, then.why) == ("case agreed", one.outcome.value)


def _causes(view: CaseView, imported: int) -> Iterator[_Moment]:
    """Each cause with who proposed and who accepted it; of an import nobody here has said so."""
    for one in view.assessments:
        who = f"proposed by {one.by}{_accepted(one.consents)}"
        if one.told or one.seq < imported:
            who = "so the imported data say"
        elif one.disputed:
            who += f"; disputed, and so the case went on ({one.disputed})"
        elif one.withdrawn:
            who += ", withdrawn"
        elif one.refusals:
            who += _refused(one.refusals)
        elif not one.accepted:
            stands = view.summary.state is CaseState.CAUSE_PROPOSED and one is view.assessments[-1]
            who += f", not accepted by all{f' yet (proposal {one.seq})' if stands else ''}"
        text = f"Cause {one.cause}, {CAUSES[one.cause].label}; {who}."
        yield one.seq, " ".join([text, *_evidence(one.evidence)])


def _evidence(e: Evidence) -> Iterator[str]:
    """What was recorded with a cause, in sentences."""
    for field in FIELDS.values():
        value = getattr(e, field.key)
        if field.each:
            yield from (field.told.format(coder, text) for coder, text in value.items())
        elif value:
            yield field.told.format(value if isinstance(value, str) else joined(value))


def _changes(subject: Subject, case: Case, view: CaseView) -> Iterator[_Moment]:
    """Who changed an answer in the course of the case; without the log only that."""
    rescored = [one for one in view.thread if one.kind == "rescored"]
    changes = subject.history.changes.get(case.number, []) if rescored else []
    if not changes:
        yield from ((one.seq, f"{one.by} changed an answer.") for one in rescored)
    own = (subject.item(case), case.question)
    for c, event in changes:
        where = "" if (c.item, c.question) == own else f" about {c.item}, question {c.question},"
        if c.because == "dependency":
            asked = f"{c.coder} was now asked question {c.question} about {c.item}"
            yield event, f"{asked}, and answered “{c.answer}”."
        else:
            yield event, f"{c.coder} changed the answer{where} to “{c.answer}” ({c.because})."


def _turns(case: Case, view: CaseView) -> Iterator[_Moment]:
    """Where the case waited, was settled for a while, was opened again; consents taken back."""
    for one in view.thread:
        if one.kind == "consent taken back" and one.about:  # of what may be read
            yield one.seq, f"{one.by} took a consent back."
    told = ("case opened", "case returned")
    stood = [one for one in view.thread if one.why or one.kind in told]
    for before, one in pairwise(stood):
        if before.state in _SETTLED and one.state not in _SETTLED:
            past = [p for p in view.proposals if p.seq <= before.seq and p.outcome == before.why]
            past = [p for p in past if _agreed_on(p, view)]
            on = f" on “{past[-1].answer}”" if past else ""
            yield one.seq, f"It had been settled{on} ({before.why})."
        if one.state == CaseState.RETURNED:
            of = f": concept {one.why}" if one.why else ""
            yield one.seq, f"Taken back to the toolbox on {one.at[:10]}{of}."
        elif one.state == CaseState.POSTPONED:
            yield one.seq, _sentence(f"Postponed on {one.at[:10]}: {one.why}")
        elif one.kind == "case reopened":
            yield one.seq, _sentence(f"Opened again on {one.at[:10]}: {one.why}")


def _sentence(text: str) -> str:
    """A text that ends with a full stop, if it does not end with one."""
    return text if text.rstrip("”)").endswith((".", "!", "?", "…")) else f"{text}."


def _ending(subject: Subject, case: Case, view: CaseView) -> str:
    says = f": {_sentence(f'“{case.text}”')}" if case.text else "."
    answer = "no answer" if case.answer is None else f"“{case.answer}”"
    why = next((one.why for one in reversed(view.thread) if one.why), "")
    if case.state is CaseState.AGREED:
        of_concept = case.outcome is Outcome.REANNOTATED_A and case.cause is Cause.A1_CONCEPT
        outcome = Outcome.REANNOTATED_B if of_concept else case.outcome
        how = f", {HOW[outcome]}" if outcome else ""
        if view.lacks and case.outcome in (Outcome.REANNOTATED_A, Outcome.REANNOTATED_B):
            how = ", annotated again"  # perhaps nothing was mended
        lacks = f" No proof of ground truth: {view.lacks}." if view.lacks else ""
        return f"Agreed on {answer}{how}{says}{_cited(subject, case)}{_who(case)}{lacks}"
    if case.settled is Settled.LEFT_DISAGREED:
        return f"Left disagreed, with all answers kept{says}"
    if case.settled is Settled.DICTATOR_DECISION:
        return f"Decided by {case.decided_by} alone for {answer}{says}"
    if case.settled is Settled.DICTATOR_AGGREGATION:
        return f"Settled by aggregation ({case.method}): {answer}."
    if case.state is CaseState.CLOSED:
        return f"Superseded{f': {why}' if why else ''}."
    if case.state is CaseState.POSTPONED:
        return f"Postponed until {case.review_date}{f': {why}' if why else ''}."
    waits = f"; awaited: {joined(view.summary.waits_for)}" if view.summary.waits_for else ""
    return f"Not settled yet: {case.state}{waits}."


def _who(case: Case) -> str:
    """Who agreed: by accepting an answer that was proposed, or by giving it themselves."""
    if not case.consents or case.outcome is Outcome.IMPORTED:
        return ""  # nobody has said so here
    given = "Given now by" if case.outcome in _GIVEN else "Accepted by"
    return f" {given} {joined(case.consents)}."


def _cited(subject: Subject, case: Case) -> str:
    """What a resolution rests on, in the words of the toolbox in force when it was reached."""
    if not case.cites:
        return ""
    texts = texts_at(subject.state, case.epoch, case.toolbox)
    told = joined(f"{id} (“{texts[id]}”)" if texts.get(id) else id for id in case.cites)
    since = texts_at(subject.state, case.epoch, 0)
    old = [id for id in case.cites if id in texts and texts[id] != since.get(id, texts[id])]
    return f" It rests on {told}{f' ({joined(old)}: as worded then)' if old else ''}."
