"""What is known of the disagreements of an imported round: cases, causes, consensus, changes."""

from __future__ import annotations

from msgspec.structs import replace

from ..case_state import Case
from ..cases import CaseAgreed
from ..cells import asked_at
from ..concepts import ConceptWritten
from ..consequences import cases_to_open
from ..corrections import Rescored
from ..disagreement import held
from ..guidelines import GuidelinesWritten
from ..orders import ordered
from ..proposals import CauseTold
from ..records import Answer, Concept, Evidence, Guidelines
from ..round_result import in_order
from ..statement import DeviationRecorded
from ..toolbox import affected, elements, next_version, using
from ..transitions import Moved
from ..words import Cause, Change, Outcome, Step
from .first_round import Cell, Draft, Finished, KnownCase

__all__ = ["cause_of", "tell_outcomes"]

_UNRECORDED = "not recorded in the source"
BY_DEFERENCE = "b settled by deference"
_RETURNING = (Cause.A1_CONCEPT, Cause.A1_TASK, Cause.A2, Cause.B)


def cause_of(letter: str) -> Cause | None:
    """A cause as sources write it; a bare 'a' counts as a2, unclear guidelines.

    Examples
    --------
    >>> cause_of("A"), cause_of("a1-task"), cause_of("c "), cause_of("")
    (<Cause.A2: 'a2'>, <Cause.A1_TASK: 'a1-task'>, <Cause.C: 'c'>, None)
    """
    plain = letter.strip().casefold()
    if not plain:
        return None
    return Cause("a2" if plain == "a" else plain)


def tell_outcomes(draft: Draft, finished: Finished) -> None:
    """A case for each conflict, with the cause and consensus that the source has.

    Nothing is told if it knows neither: then the project stands at the comparison.
    """
    opened = cases_to_open(draft.state)
    if not opened or not (finished.cases or finished.consensus):
        return
    draft.tell(Moved(10, Step.COMPARISON, Step.RESOLUTION, "imported"), *opened)
    known = {case.cell: case for case in finished.cases}
    consensus = _kept(draft, finished)
    for case in list(draft.state.epoch.cases.values()):
        cell = draft.state.items.ids[case.item], case.question
        about = known.get(cell, KnownCase(*cell))
        _cause(draft, case, about, consensus.get(cell))
        if cell in consensus:
            _agreed(draft, case, about, consensus[cell])
    _dependents(draft, consensus)
    _changes(draft, finished)


def _kept(draft: Draft, finished: Finished) -> dict[Cell, Answer]:
    """The consensus, without what it says about questions that it does not ask."""
    found = dict(finished.consensus)
    for question in in_order(list(draft.state.epoch.questions.values())):
        if question.asked_if is None:
            continue
        for cell in [cell for cell in found if cell[1] == question.id]:
            above = found.get((cell[0], question.asked_if.question))
            if above is not None and set(above.labels).isdisjoint(question.asked_if.labels):
                del found[cell]
    return found


def _cause(draft: Draft, case: Case, about: KnownCase, consensus: Answer | None) -> None:
    cause = cause_of(about.cause)
    if cause is None:
        return
    coder = _named_coder(draft, case, about, consensus)
    evidence = Evidence(
        concept=about.concept if cause in (Cause.A1_CONCEPT, Cause.B) else "",
        rule=_UNRECORDED if cause == Cause.A2 else "",
        wording=about.element if cause == Cause.A2 else "",
        knowledge=about.element if cause == Cause.B else "",
        coder=coder if cause in (Cause.C, Cause.E) else "",
        others=about.others,
    )
    draft.tell(CauseTold(case.number, cause, evidence))
    if cause == Cause.B and consensus is not None and not about.concept:
        item = draft.state.items.ids[case.item]
        text = (
            f"case {case.number} ({item}, {case.question}) was settled without aligning a concept"
        )
        draft.tell(DeviationRecorded(BY_DEFERENCE, text, case.number))


def _named_coder(draft: Draft, case: Case, about: KnownCase, consensus: Answer | None) -> str:
    """Who was inconsistent or mistaken: who is named, else who alone gave their answer up."""
    if about.coder:
        return about.coder
    epoch = draft.state.epoch
    codes = held(epoch, case.item, case.question)
    gave_up = [c for c, code in codes.items() if epoch.answers[code] != consensus]
    return gave_up[0] if consensus is not None and len(gave_up) == 1 else ""


def _agreed(draft: Draft, case: Case, about: KnownCase, answer: Answer) -> None:
    epoch, item = draft.state.epoch, draft.state.items.ids[case.item]
    for coder, code in held(epoch, case.item, case.question).items():
        if epoch.answers[code] != answer:
            draft.tell(Rescored(case.number, coder, item, case.question, answer, "imported"))
    cites = _cites(draft, about)
    # The source tells it: consent is what each coder says here.
    draft.tell(CaseAgreed(case.number, answer, Outcome.IMPORTED, cites, (), about.text))


def _cites(draft: Draft, about: KnownCase) -> tuple[str, ...]:
    """What the source cites, where it names an element that the toolbox has."""
    known = elements(draft.state)
    if about.element in known:
        return (about.element,)
    fits = [
        id
        for id, element in known.items()
        if about.concept and (element.kind, element.name) == ("concept", about.concept)
    ]
    return tuple(fits)


def _dependents(draft: Draft, consensus: dict[Cell, Answer]) -> None:
    """Answers of the consensus to dependent questions that it asks of more coders."""
    state, epoch = draft.state, draft.state.epoch
    by_cell = {(c.item, c.question): c for c in epoch.cases.values()}
    for question in in_order(list(epoch.questions.values())):
        if question.asked_if is None:
            continue
        for case in [c for c in by_cell.values() if c.question == question.asked_if.question]:
            cell = state.items.ids[case.item], question.id
            if cell not in consensus or (case.item, question.id) in by_cell:
                continue
            codes = held(epoch, case.item, question.id)
            for coder in asked_at(epoch, case.item, question.id):
                if coder not in codes or epoch.answers[codes[coder]] != consensus[cell]:
                    draft.tell(Rescored(case.number, coder, *cell, consensus[cell], "imported"))


# ------------------------------------------------------------------ what the toolbox became


def _changes(draft: Draft, finished: Finished) -> None:
    """New versions of the toolbox, each with the re-annotation that is owed because of it."""
    for change in finished.changes:
        epoch = draft.state.epoch
        if isinstance(change, Concept):
            version = len(epoch.concepts.get(change.name, [])) + 1
            behind = change.cases or _behind(draft, finished, change.name)
            concept = replace(change, version=version, cases=behind)
            draft.tell(ConceptWritten(concept))
            questions = using(draft.state.epoch, concept)
            _order(draft, f"concept {concept.name}, version {version}", questions, behind)
            continue
        reach = change.change or Change.LOCAL
        old = epoch.guidelines[-1]
        new = _amended(old, change, reach)
        bears = affected(old, new, epoch.task) if epoch.task else ()
        behind = change.cases or _behind(draft, finished, "", bears)
        draft.tell(GuidelinesWritten(replace(new, cases=behind)))
        questions = tuple(epoch.questions) if reach == Change.DRASTIC else bears
        _order(draft, f"guidelines {new.version}", questions, behind)
    if draft.state.epoch.orders:  # what must be annotated again begins with step 1 or 2
        concepts = any(isinstance(change, Concept) for change in finished.changes)
        number, to = (12, Step.ALIGNMENT) if concepts else (11, Step.TASK)
        draft.tell(Moved(number, Step.RESOLUTION, to, "imported: a re-annotation is owed"))


def _behind(
    draft: Draft, finished: Finished, concept: str, questions: tuple[str, ...] = ()
) -> tuple[int, ...]:
    """Cases behind a change: those that name the concept, or a and b about the questions."""
    ids = draft.state.items.ids
    known = {about.cell: about for about in finished.cases}
    found = []
    for case in draft.state.epoch.cases.values():
        about = known.get((ids[case.item], case.question))
        names_it = about is not None and about.concept == concept
        if names_it and case.cause in _RETURNING and (concept or case.question in questions):
            found.append(case.number)
    return tuple(found)


def _amended(old: Guidelines, change: Guidelines, reach: Change) -> Guidelines:
    """The old guidelines with what the change says; rules with the same id are replaced."""
    rules = {rule.id: rule for rule in (*old.rules, *change.rules)}
    return replace(
        change,
        version=next_version(old.version, reach),
        options={**old.options, **change.options},
        ambiguity=change.ambiguity or old.ambiguity,
        rules=tuple(rules.values()),
        text=change.text or old.text,
        change=reach,
    )


def _order(draft: Draft, trigger: str, questions: tuple[str, ...], cases: tuple[int, ...]) -> None:
    state = draft.state
    draft.tell(ordered(state, trigger, questions, None, "", cases, state.ordinal))
