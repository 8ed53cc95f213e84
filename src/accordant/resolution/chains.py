"""The chain of events that leads to one answer, or what the chain lacks.

Equal answers prove nothing. What counts is how the coders' disagreement ended: with a cause that
those concerned accepted, then what this cause asks for (Oortwijn et al. 2021, section 3): the
change of the toolbox that names the case, and blind annotations under it; or everybody's consent to
an outcome that cites the toolbox.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import NoReturn

from .case_state import Assessment, Case, Ending, Proposal, Rescoring
from .causes import CAUSES
from .cells import asked_at, codes_at
from .command import Unmet
from .corrections import OWN
from .disagreement import agreed_but_declined, case_at
from .sentences import listing
from .staleness import is_drastic, open_orders, sent_back, stale_under
from .state import Order, Round, State, Toolbox
from .terms import CaseState, Cause, Outcome
from .toolbox import change_for, reworded


class ProofKind(StrEnum):
    """How a value is proved."""

    BLIND = "blind"
    REANNOTATED = "reannotated"
    RESCORED = "rescored"
    CONSENTED = "consented"
    ANEW = "anew"  # after a drastic change, or since the comparison sent the question back
    OPENLY = "answered openly"  # a question that was asked since its parent was rescored
    NOT_ASKED = "not asked"  # because of the answer to its parent, which has a proof of its own
    ACCEPTED = "imported, accepted"  # as documented, and accepted by the coders in person
    DOCUMENTED = "imported, as documented"
    IMPORTED = "imported"  # and the source does not say how the coders came to agree: no proof
    NONE = "no proof"


@dataclass(frozen=True)
class Link:
    """One step of a chain.

    Parameters
    ----------
    what : str
        What happened.
    events : tuple of int
        Numbers of the events that show it.
    note : str
        The reason that was given, if one was.
    told : bool
        Whether only the source of imported annotations says so.
    imported : bool
        Whether the source says so, and the coders have accepted it in person.
    """

    what: str
    events: tuple[int, ...]
    note: str = ""
    told: bool = False
    imported: bool = False


class Lacking(Exception):  # noqa: N818 (ends a chain; no person sees it)
    """What a chain lacks, and the kind of proof that it is therefore."""

    def __init__(self, code: str, says: str, kind: ProofKind = ProofKind.NONE) -> None:
        super().__init__(says)
        self.unmet, self.kind = Unmet(code, says), kind


def _lacks(code: str, says: str, kind: ProofKind = ProofKind.NONE) -> NoReturn:
    raise Lacking(code, says, kind)


def unsettled(case: Case) -> Lacking | None:
    """What the chain of a case lacks that is neither agreed nor closed."""
    if case.state in (CaseState.AGREED, CaseState.CLOSED):
        return None
    return Lacking("all_cases_agreed", f"case {case.number} is at “{case.state}”")


@dataclass(frozen=True)
class _Word:
    """What makes the answer that a coder holds: a blind round, or a rescoring.

    ``blind`` is the number of the toolbox under which they last answered without knowing others.
    """

    seq: int
    made: int
    blind: int
    source: Round | Rescoring


Words = dict[str, _Word]


def _seq(ending: Ending) -> int:
    return ending.seq


def _rescored(word: _Word, *because: str) -> bool:
    """Whether an answer is a rescoring, for one of some reasons if any are given."""
    return isinstance(word.source, Rescoring) and (not because or word.source.because in because)


class Chains:
    """How each answer of a state came to be; made once for many."""

    def __init__(self, state: State) -> None:
        self.state, self.epoch = state, state.epoch
        self.n_items = state.items.frozen or len(state.items.ids)
        self.closed = [some for some in reversed(self.epoch.rounds) if some.closed_seq]
        self.changes: dict[tuple[int, str, str], list[Rescoring]] = defaultdict(list)
        self.n_changes = 0
        self.after()

    def after(self, _items: Iterable[int] = ()) -> Chains:
        """As they are once something is new about some items."""
        for one in islice(self.epoch.rescorings, self.n_changes, None):
            self.changes[one.item, one.question, one.coder].append(one)
        self.n_changes = len(self.epoch.rescorings)
        self.owed = {o.number: stale_under(self.epoch, o) for o in open_orders(self.state)}
        return self


class Chain:
    """How the answer to one question about one item came to be."""

    def __init__(self, of: Chains, item: int, question: str) -> None:
        self.of, self.state, self.epoch = of, of.state, of.epoch
        self.item, self.question = item, question
        self.case = case_at(of.epoch, item, question)
        self.words: Words = {}

    def followed(self) -> tuple[str, ProofKind, list[Link]]:
        """The answer, the kind of proof, and what happened."""
        if self.case is not None and (lacks := unsettled(self.case)):
            raise lacks
        asked = asked_at(self.epoch, self.item, self.question)
        if not asked:
            return self.not_asked()
        codes = codes_at(self.epoch, self.item, self.question)
        if len(set(codes.values())) > 1:
            _lacks("no_conflict", "the coders hold different answers")
        silent = [coder for coder in asked if coder not in codes]
        if len(codes) < 2 or (
            silent and not agreed_but_declined(self.epoch, self.item, self.question)
        ):
            _lacks("no_incomplete", f"answered by {listing(codes)} only")
        self.words = {coder: self.word(coder) for coder in codes}
        kind, chain, consents = self.settled()
        chain += [self.own(coder, word, consents) for coder, word in self.words.items()]
        chain += self.owed()
        openly = any(_rescored(word, "dependency") for word in self.words.values())
        kind = ProofKind.OPENLY if kind is ProofKind.BLIND and openly else kind
        return str(self.epoch.answers[next(iter(codes.values()))]), kind, chain

    def not_asked(self) -> tuple[str, ProofKind, list[Link]]:
        parent = self.epoch.questions[self.question].asked_if
        if parent is None or not any(self.question in some.questions for some in self.of.closed):
            _lacks("no_incomplete", "no round has asked about it")
        answer, _, chain = Chain(self.of, self.item, parent.question).followed()
        link = Link(f"not asked after {parent.question} “{answer}”", ())
        return "", ProofKind.NOT_ASKED, [link, *chain]

    def word(self, coder: str) -> _Word:
        """What makes the answer that a coder holds now."""
        item, question, closed = self.item, self.question, self.of.closed
        changes = self.of.changes.get((item, question, coder), [])
        last = next((r for r in closed if item in r.sheet.get(question, {}).get(coder, {})), None)
        if last is not None and (not changes or changes[-1].seq < last.closed_seq):
            seq = last.event_of(question, coder, item)
            return _Word(seq, last.toolbox, last.toolbox, last)
        asked = [c.toolbox for c in changes if c.because == "dependency"]
        blind = max([last.toolbox if last is not None else 0, *asked])
        return _Word(changes[-1].seq, changes[-1].toolbox, blind, changes[-1])

    # ------------------------------------------------------------------ how a conflict ended

    def settled(self) -> tuple[ProofKind, list[Link], dict[str, int]]:
        """The kind of proof, the chain so far, and who consented to the answer in which event."""
        case, conflict = self.case, self.epoch.conflicts.get(self.question, {}).get(self.item)
        differed = conflict.since if conflict is not None else 0
        agreement = case.agreement if case is not None else None
        if not differed and agreement is None:
            return ProofKind.BLIND, [], {}
        since = max(differed, case.reopened if case is not None else 0)
        found = [conflict.ended if conflict is not None else None]
        if agreement is not None and agreement.seq >= since:
            found.append(agreement.ending)
        endings = sorted((e for e in found if e is not None and e.seq >= since), key=_seq)
        if not endings:
            _lacks("end.none", f"nothing after event {since} says how the conflict ended")
        for ending in endings[:-1]:  # settled once, and again by a later round or outcome
            try:
                return self.since(since, ending)
            except Lacking:
                continue
        return self.since(since, endings[-1])

    def since(self, since: int, ending: Ending) -> tuple[ProofKind, list[Link], dict[str, int]]:
        """The same, if one event has made answers equal that differed since another."""
        case, again = self.case, ending.how == "round"
        if again and (anew := self.anew(since, ending)):
            return ProofKind.ANEW, [anew], {}
        if case is None:
            _lacks("case.none", f"the answers conflicted (event {since}), and there is no case")
        imported = case.outcome is Outcome.IMPORTED
        cause = self.cause(case, since, ending)
        chain = [self.caused(case, cause)]
        mends = CAUSES[cause.cause].returns_to is not None
        sources = [word.source for word in self.words.values()]
        here = all(isinstance(one, Round) and not one.imported for one in sources)
        if imported and not (mends and here):
            return ProofKind.CONSENTED, [*chain, self.documented(case, cause)], {}
        for order in self.epoch.orders if again and cause.cause in (Cause.C, Cause.E) else ():
            if order.seq > since and order.covers(self.item, self.question):
                link = Link("annotated again, for another change", (order.seq,))
                return ProofKind.REANNOTATED, [*chain, link], {}
        if imported or again:
            chain += self.reannotated(case, cause)
            return ProofKind.REANNOTATED, chain, {}
        if ending.how in ("c", "e"):
            if cause.cause not in (Cause.C, Cause.E):
                _lacks("cause.kind", f"case {case.number} was rescored under cause {cause.cause}")
            return ProofKind.RESCORED, [*chain, self.cited(case, ending.seq, ending.cites)], {}
        if ending.how == "dependency":
            return ProofKind.OPENLY, chain, {}
        more, consents = self.consented(case, cause, ending.seq)
        return ProofKind.CONSENTED, chain + more, consents

    def anew(self, since: int, ending: Ending) -> Link | None:
        """The change after which it was annotated again, whatever had been disputed before."""
        for order in reversed(self.epoch.orders):
            between = since < order.seq < ending.seq and not order.waived
            box = self.state.toolboxes[order.toolbox - 1]
            reaches = between and order.covers(self.item, self.question)
            if not reaches or not reworded(self.state, box, since):
                continue
            if is_drastic(self.state, order):
                what = "everything was annotated again after a drastic change"
                return Link(what, (box.seq, order.seq))
            if back := sent_back(self.epoch, order, self.question, since):
                what = f"annotated again after the comparison sent {self.question} back"
                return Link(what, (back, box.seq, order.seq))
        return None

    def cause(self, case: Case, since: int, ending: Ending) -> Assessment:
        """The cause that was accepted after the answers came to differ, before they were equal."""
        for one in reversed(case.assessments):
            if one.accepted and since < one.accepted_seq <= ending.seq:
                return one
        if case.outcome is Outcome.IMPORTED:
            says = f"the source does not say why coders differed in case {case.number}"
            _lacks("source.cause", says, kind=ProofKind.IMPORTED)
        says = f"case {case.number} ended (event {ending.seq}) without an accepted cause"
        _lacks("cause.none", says)

    def caused(self, case: Case, cause: Assessment) -> Link:
        """The cause, with the consents of those concerned."""
        what = f"case {case.number}: cause {cause.cause} accepted"
        if cause.told:
            return self.told(f"case {case.number}: cause {cause.cause}", cause.seq, cause.asked)
        imported = case.outcome is Outcome.IMPORTED
        if imported and any(n in self.state.for_others for n in cause.events.values()):
            return self.told(what, cause.seq, cause.asked)
        events = self.consents(cause, cause.asked, f"cause {cause.cause}")
        return Link(what, (cause.seq, *events))

    def told(self, what: str, seq: int, coders: Iterable[str]) -> Link:
        """What the source of an import says, and whether the coders have accepted that."""
        accepted = [self.epoch.accepted.get(coder, 0) for coder in coders]
        if accepted and min(accepted) > seq:
            return Link(f"{what}, imported and accepted", (seq, *accepted), imported=True)
        return Link(f"{what}, told by the source", (seq,), told=True)

    def consents(
        self, proposed: Assessment | Proposal, needed: Iterable[str], what: str
    ) -> list[int]:
        """Each consents in person, and to this proposal alone."""
        for person in needed:
            seq = proposed.events.get(person, 0)
            if not seq:
                says = f"{person} has not consented to {what} (event {proposed.seq})"
                _lacks("consent.none", says)
            if seq in self.state.for_others:
                by = self.state.for_others[seq]
                says = f"{by} consented to {what} for {person} (event {seq})"
                _lacks("consent.person", says)
        return [proposed.events[person] for person in needed]

    def documented(self, case: Case, cause: Assessment) -> Link:
        """A source documents a case with a discussion or a citation; a letter alone is none."""
        says = f"case {case.number} was imported under cause {cause.cause}"
        kept = case.agreement
        if kept is None or not (kept.text.strip() or kept.cites):
            says = f"{says}, with neither a discussion nor a citation"
            _lacks("source.text", says, kind=ProofKind.IMPORTED)
        if CAUSES[cause.cause].returns_to is not None:
            says = f"{says}, and not annotated again under a mended toolbox"
            _lacks("source.again", says, ProofKind.IMPORTED)
        came = {coder for some in self.of.closed if some.imported for coder in some.coders}
        coders = [c for c in codes_at(self.epoch, case.item, case.question) if c in came]
        found = self.told(f"case {case.number}: its outcome", kept.seq, coders)
        return Link(found.what, found.events, kept.text, found.told, found.imported)

    def mended(self, case: Case, cause: Assessment) -> tuple[Toolbox, Order]:
        """The change that a cause asks for, and the order that follows from it."""
        box = change_for(self.state, case, cause)
        if isinstance(box, Unmet):
            _lacks(box.guard, box.says)
        order = next((o for o in reversed(self.epoch.orders) if o.toolbox == box.ordinal), None)
        if order is None:
            says = f"nothing was ordered for the change made for case {case.number}"
            _lacks("order.none", says)
        return box, order

    def reannotated(self, case: Case, cause: Assessment) -> list[Link]:
        """A change of the right kind, and blind answers under it of all that it bears on."""
        box, order = self.mended(case, cause)
        if not order.covers(self.item, self.question):
            _lacks("order.scope", f"order {order.number} does not cover it")
        late = [coder for coder, word in self.words.items() if word.made < box.ordinal]
        if late:
            says = f"order {order.number} is not carried out by {listing(late)}"
            _lacks("no_open_order", says)
        if n := self.of.owed.get(order.number, 0):
            _lacks("no_open_order", f"order {order.number} is not carried out: {n:,} annotations")
        what = f"order {order.number} covers it and what else the change reaches"
        changed = Link(f"{box.changed} changed for it", (box.seq,))
        return [changed, Link(what, (order.seq,), order.narrowed)]

    def consented(
        self, case: Case, cause: Assessment, at: int
    ) -> tuple[list[Link], dict[str, int]]:
        """An outcome that all accept, and what the cause asks for besides."""
        done = [p for p in case.proposals if p.consents and p.seq <= at]
        if not done:
            says = f"case {case.number} ended (event {at}) without an outcome that was proposed"
            _lacks("outcome.none", says)
        last, chain, words = done[-1], list[Link](), self.words
        if case.agreement is not None:  # who joined later has annotated blind
            stood = {*case.agreement.consents, *last.events}
            words = {c: w for c, w in words.items() if c in stood}
        if last.outcome is Outcome.DEFERENCE:
            chain.append(Link("b settled by deference, a departure", (last.seq,), last.text))
        elif CAUSES[cause.cause].returns_to is not None:
            chain += self.clarified(case, cause, last, words)
        elif cause.cause in (Cause.C, Cause.E):
            named = words.get(cause.evidence.coder)
            if named is None or not _rescored(named):
                says = f"case {case.number} has cause {cause.cause}, and nobody rescored"
                _lacks("cause.kind", says)
        else:
            reasons = [case.reasons[c] for c in words if c in case.reasons]
            if len(reasons) < len(words) or not all(reason.cites for reason in reasons):
                says = f"not every coder of case {case.number} gave a reason that cites the toolbox"
                _lacks("reason.cites", says)
            chain.append(Link("a reason of each", tuple(reason.seq for reason in reasons)))
        events = self.consents(last, words, f"“{last.answer}”")
        what, sources = "outcome consented to by each", [w.source for w in self.words.values()]
        later = [s for s in sources if isinstance(s, Round) and s.closed_seq > at]
        if len(later) == len(sources):
            n = listing(sorted({some.number for some in later}))
            what = f"outcome “{last.answer}” consented to by each, before round {n}"
        chain.append(Link(what, (last.seq, *events)))
        consents = dict(zip(words, events, strict=True))
        return [*chain, self.cited(case, last.seq, last.cites)], consents

    def clarified(self, case: Case, cause: Assessment, last: Proposal, words: Words) -> list[Link]:
        """Under a or b, what all accept counts where annotating again was waived with a reason."""
        box, order = self.mended(case, cause)
        late = [c for c, word in words.items() if word.blind < box.ordinal]
        if not order.waived and order.covers(self.item, self.question) and late:
            says = f"order {order.number} is not carried out by {listing(late)}"
            _lacks("no_open_order", says)
        if box.seq > last.seq:
            says = f"the outcome of case {case.number} was proposed before the toolbox was mended"
            _lacks("change.late", says)
        seqs = (order.seq, order.waived_seq) if order.waived else (order.seq,)
        what = f"order {order.number}{' waived' if order.waived else ''}"
        changed = Link(f"{box.changed} changed for it", (box.seq,))
        return [changed, Link(what, seqs, order.waived)]

    def cited(self, case: Case, at: int, cites: Sequence[str]) -> Link:
        """What of the toolbox justifies the outcome."""
        kept = case.agreement
        of_reasons = (cite for reason in case.reasons.values() for cite in reason.cites)
        found = tuple(cites) or (kept.cites if kept is not None else ()) or tuple(of_reasons)
        if not found:
            _lacks("citation", f"case {case.number} cites nothing of the toolbox")
        return Link(f"cites {', '.join(dict.fromkeys(found))}", (at,))

    # ------------------------------------------------------------------ each answer, each change

    def own(self, coder: str, word: _Word, consents: dict[str, int]) -> Link:
        """Why an answer is the coder's own: blind in a round, or changed by themselves."""
        by, source = self.state.for_others.get(word.seq, ""), word.source
        imported = source.imported if isinstance(source, Round) else _rescored(word, "imported")
        if imported and coder in consents:
            return Link(f"{coder}: imported, and consented to here", (word.seq, consents[coder]))
        if imported:
            return self.told(f"answer of {coder}", word.seq, [coder])
        if by and (isinstance(source, Round) or _rescored(word, *OWN)):
            _lacks("answer.person", f"{by} answered for {coder} (event {word.seq})")
        if isinstance(source, Round):
            what = f"{coder}: blind in round {source.number}"
            return Link(what, (source.seq, word.seq, source.closed_seq))
        return self.rescored(source)

    def rescored(self, one: Rescoring) -> Link:
        """What gave a coder the right to change an answer."""
        case, coder, seq = self.epoch.cases[one.case], one.coder, one.seq
        if one.because in ("c", "e"):
            before = (a for a in reversed(case.assessments) if 0 < a.accepted_seq < seq)
            cause = next(before, None)
            if cause is None or cause.evidence.coder != coder:
                says = f"{coder} rescored (event {seq}) without a cause that names them"
                _lacks("answer.cause", says)
        elif one.because != "dependency" and not any(coder in p.events for p in case.proposals):
            says = f"{coder} was rescored (event {seq}) and consented to nothing"
            _lacks("consent.none", says)
        return Link(f"{coder}: rescored, {one.because}", (seq,))

    def owed(self) -> Iterator[Link]:
        """Every change of the toolbox since: annotated again under it, or waived with a reason."""
        for order in self.epoch.orders:
            late = [c for c, word in self.words.items() if word.blind < order.toolbox]
            if not late or not order.covers(self.item, self.question):
                continue
            if not order.waived:
                says = f"order {order.number} is not carried out by {listing(late)}"
                _lacks("no_open_order", says)
            what = f"order {order.number} waived"
            yield Link(what, (order.seq, order.waived_seq), order.waived)
