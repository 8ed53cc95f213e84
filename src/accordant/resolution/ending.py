"""How the coders of an item came to one answer, or what is missing and who is asked for it.

Equal answers prove nothing. It counts how disagreement ended (Oortwijn, Ossenkoppele & Betti 2021,
section 3, step 5). `ROWS` has the kinds of endings, each with what it requires in the order of the
procedure: the first that does not hold is what is asked next.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple, NoReturn

from .case_state import OWN, Assessment, Case, Judgement, Proposal, Reason, Rescoring
from .causes import CAUSES
from .cells import asked_at, states_of
from .disagreement import agreed_but_declined, case_at
from .round_result import asks
from .sentences import listing
from .state import NONE, Order, Round, State, Toolbox
from .terms import Cause, CellState, Change, Outcome, Role, Step
from .toolbox import change_shown, texts_about, written_with
from .wording import seen


class EndingKind(StrEnum):
    """How the answer to a question about an item came about."""

    BLIND = "blind agreement"
    OPENLY = "answered openly"  # a question that was asked since its parent was corrected
    SLIP = "corrected slip"
    REANNOTATED = "re-annotated"
    WAIVED = "re-annotation waived"  # the toolbox was mended, and all consented to an outcome
    CONSENT = "consent"
    ANEW = "anew"  # after a drastic change, or since the comparison sent the question back
    ACCEPTED = "imported, accepted"
    NOT_ASKED = "not asked"  # because of the answer to its parent, which has an ending of its own
    DOCUMENTED = "imported, documented"  # and not accepted by each coder: no proof, like all below
    UNDOCUMENTED = "imported, undocumented"
    AGAIN = "asked again without a cause"
    NONE = "none"


Kind = EndingKind
NO_PROOF = (Kind.DOCUMENTED, Kind.UNDOCUMENTED, Kind.AGAIN, Kind.NONE)
ACCEPTANCE = "imports_accepted"
"""What is missing where nothing but the coders' acceptance of an import is."""
OF_SOURCES = ("source.document", "source.cause", "source.text", "source.again")
"""An import that does not say how the coders came to agree."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the coders of an item came to one answer: a proof.

    Parameters
    ----------
    kind : EndingKind
    answer : str
        Empty where the question is not asked.
    events : tuple of int
        Numbers of the events that show it.
    bears_on : tuple of str
        What of the toolbox changed.
    confirmed_by : tuple of str
        Who said that this settles it, or consented to it.
    """

    kind: Kind
    answer: str
    events: tuple[int, ...]
    bears_on: tuple[str, ...] = ()
    confirmed_by: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """It in words, without a full stop."""
        how = f" after a change of {listing(self.bears_on)}" if self.bears_on else ""
        who = f", confirmed by {listing(self.confirmed_by)}" if self.confirmed_by else ""
        return f"{self.kind}{how}{who}"


@dataclass(frozen=True, slots=True)
class Missing:
    """What an answer lacks to have an ending: a code for programs, a sentence, who is asked."""

    code: str
    says: str
    who: tuple[str, ...] = ()
    kind: Kind = Kind.NONE


class _Lacks(Exception):  # noqa: N818 (ends a row of the table; nobody sees it)
    def __init__(self, missing: Missing) -> None:
        self.missing = missing


def _lacks(code: str, says: str, who: Iterable[str] = (), kind: Kind = Kind.NONE) -> NoReturn:
    raise _Lacks(Missing(code, says, tuple(who), kind))


class Word(NamedTuple):
    """The answer that a coder holds: its code, since when it counts, the event that has it."""

    code: int
    moment: int
    seq: int
    blind: int  # ordinal of the toolbox under which they last answered without knowing others
    source: Round | Rescoring


class Trail:
    """What endings are read from; made once for many."""

    def __init__(self, state: State) -> None:
        self.state, self.epoch = state, state.epoch
        self.n_items = state.items.frozen or len(state.items.ids)
        self.closed = [some for some in self.epoch.rounds if some.closed_seq]
        self.corrections: dict[tuple[int, str], list[Rescoring]] = defaultdict(list)
        self.n_corrections = 0
        self._seen: dict[tuple[str, int], frozenset[str]] = {}
        self._shown: dict[tuple[str, int], str] = {}
        self._lines: dict[str, tuple[str, ...]] = {}
        self.after()

    def after(self, _items: Iterable[int] = ()) -> Trail:
        """As it is once something is new about some items."""
        for one in islice(self.epoch.rescorings, self.n_corrections, None):
            self.corrections[one.item, one.question].append(one)
        self.n_corrections = len(self.epoch.rescorings)
        return self

    def line(self, question: str) -> tuple[str, ...]:
        """A question with those on which it depends, the first one first."""
        if question not in self._lines:
            parent = self.epoch.questions[question].asked_if
            above = self.line(parent.question) if parent is not None else ()
            self._lines[question] = (*above, question)
        return self._lines[question]

    def bearing(self, question: str, ordinal: int) -> frozenset[str]:
        """What a reader sees of a toolbox that bears on a question, by whatever names."""
        at = question, ordinal
        if at not in self._seen:
            texts = map(seen, texts_about(self.state, question, ordinal))
            self._seen[at] = frozenset(texts) - {""}
        return self._seen[at]

    def changed(self, question: str, box: Toolbox) -> frozenset[str]:
        """What a reader sees changed about a question."""
        return self.bearing(question, box.ordinal - 1) ^ self.bearing(question, box.ordinal)

    def shown(self, question: str, box: Toolbox) -> str:
        """Hash of what is shown to who says whether a change settles a case."""
        at = question, box.ordinal
        if at not in self._shown:
            self._shown[at] = change_shown(self.state, question, box)
        return self._shown[at]

    def ordinal_at(self, seq: int) -> int:
        """The toolbox in force at an event."""
        return max((box.ordinal for box in self.state.toolboxes if box.seq <= seq), default=0)

    def order_of(self, box: Toolbox) -> Order | None:
        """What was ordered because of a change."""
        return next((o for o in reversed(self.epoch.orders) if o.toolbox == box.ordinal), None)


Moment = tuple[int, Round | Rescoring | None]
"""An event after which a coder may hold another answer; None: a person opens the case again."""


class History:
    """Who held which answer to one question about one item, and when."""

    def __init__(self, trail: Trail, item: int, question: str) -> None:
        self.trail, self.state, self.epoch = trail, trail.state, trail.epoch
        self.item, self.question = item, question
        self.case = case_at(trail.epoch, item, question)
        self.line = trail.line(question)
        self.all: dict[str, dict[str, Word]] = {q: {} for q in self.line}
        self.words = self.all[question]
        self.held: dict[str, Word] = {}  # by whom, when answers last differed
        self.t0 = self.ended = self.stood = self.repeated = 0
        self.closes: list[tuple[int, int]] = []
        for moment, each in groupby(sorted(self._moments(), key=itemgetter(0)), itemgetter(0)):
            self._passes(moment, [thing for _, thing in each])
        self.begin()

    def begin(self) -> None:
        """Another row of the table is tried."""
        self.got: list[int] = [self.t0] if self.t0 else []
        self.done = self.stood if not self.t0 else 0
        self.cause: Assessment | None = None
        self.boxes: list[Toolbox] = []
        self.change: Toolbox | None = None
        self.confirmed: tuple[str, ...] = ()
        self.consented = False

    # ------------------------------------------------------------------ what happened

    def _moments(self) -> Iterator[Moment]:
        for some in self.trail.closed:
            covers = some.items is None or self.item in some.items
            if (
                covers
                and self.item < some.n_items
                and not set(self.line).isdisjoint(some.questions)
            ):
                yield some.closed_seq, some
        for question in self.line:
            own = self.trail.corrections.get((self.item, question), ())
            told = max((r.seq for r in own if r.because == "imported"), default=0)
            yield from ((self._moment(one, told), one) for one in own)
        for seq in self.case.reopenings if self.case is not None else ():
            yield seq, None

    def _moment(self, one: Rescoring, told: int) -> int:
        """Those who follow an outcome do so together, with its last consent."""
        if one.because in OWN or one.because == "imported":
            return told if one.because == "imported" else one.seq
        proposals = self.epoch.cases[one.case].proposals
        said = (n for p in proposals for n in p.events.values() if n < one.seq)
        return max(said, default=one.seq)

    def _passes(self, moment: int, things: list[Round | Rescoring | None]) -> None:
        before, new = self.codes(), False
        for thing in things:
            if isinstance(thing, Round):
                again = len(before) > 1 and self._repeats(thing)
                self.repeated = moment if again else 0
                for question in self.line:
                    new |= self._close(thing, question)
            elif thing is not None:
                new |= self._correct(thing, moment)
        now = self.codes()
        if (new and len(now) > 1) or None in things:
            self.t0, self.held = moment, dict(self.words)
        elif new and self.ended <= self.t0:
            self.ended = moment
        if now != before:
            self.stood = moment

    def _repeats(self, some: Round) -> bool:
        """Whether a round asks who disagree once more, and nothing has changed for a reader."""
        bearing, then = self.trail.bearing, self.trail.ordinal_at(self.t0)
        return bearing(self.question, then) == bearing(self.question, some.toolbox)

    def _close(self, some: Round, question: str) -> bool:
        """A round closes; whether it has a new answer to the question itself."""
        words, new = self.all[question], False
        sheets, declined = some.sheet.get(question, {}), some.declined.get(question, {})
        for coder in some.coders if question in some.questions else ():
            code = sheets.get(coder, {}).get(self.item)
            asked = question == self.line[0] or self._asked(question, coder)
            if code is not None and asked:
                seq = some.event_of(question, coder, self.item)
                words[coder] = Word(code, some.closed_seq, seq, some.toolbox, some)
                new = True
            elif self.item in declined.get(coder, {}) or not asked:
                words.pop(coder, None)
        if question == self.question and question in some.questions:
            self.closes.append((some.seq, some.closed_seq))
        return new and question == self.question

    def _correct(self, one: Rescoring, moment: int) -> bool:
        words, before = self.all[one.question], self.all[one.question].get(one.coder)
        blind = before.blind if before is not None else 0
        blind = max(blind, one.toolbox if one.because == "dependency" else 0)
        words[one.coder] = Word(one.code, moment, one.seq, blind, one)
        for question in self.line[self.line.index(one.question) + 1 :]:
            if not self._asked(question, one.coder):
                self.all[question].pop(one.coder, None)
        return one.question == self.question

    def _asked(self, question: str, coder: str) -> bool:
        of = self.epoch.questions[question]
        word = self.all[of.asked_if.question].get(coder) if of.asked_if is not None else None
        return word is not None and asks(self.epoch.answers[word.code], of)

    def codes(self) -> set[int]:
        """Codes of the answers that are held."""
        return {word.code for word in self.words.values()}

    # ------------------------------------------------------------------ what rows ask of it

    def by_person(self, seq: int, person: str, what: str) -> int:
        """The number of an event, if it is the person's own act."""
        if by := self.state.for_others.get(seq):
            _lacks("person", f"{by} {what} for {person} (event {seq})", [person])
        return seq

    def consents(self, one: Assessment | Proposal, who: Iterable[str], what: str) -> None:
        """Each has consented in person; to what a source tells, at the end (`_own_words`)."""
        if isinstance(one, Assessment) and one.told:
            self.got.append(one.seq)
            return
        if left := [person for person in who if person not in one.events]:
            says = f"no consent of {listing(left)} to {what} (event {one.seq})"
            _lacks("consent", says, left)
        own = [self.by_person(one.events[p], p, f"consented to {what}") for p in who]
        self.got += [one.seq, *own]

    def accepts(self, who: Iterable[str], seq: int) -> None:
        """Each has accepted in person what was imported."""
        accepted = self.epoch.accepted
        if not any(origin.document for origin in self.state.imports):
            says = "no document says how the annotations were made"
            _lacks("source.document", says, self.researchers, Kind.UNDOCUMENTED)
        if left := [person for person in who if accepted.get(person, 0) < seq]:
            says = f"what was imported (event {seq}) is not accepted by {listing(left)}"
            _lacks(ACCEPTANCE, says, left, Kind.DOCUMENTED)
        self.got += [accepted[person] for person in who]

    @property
    def researchers(self) -> tuple[str, ...]:
        """Who writes the toolbox."""
        return self.state.with_role(Role.RESEARCHER)


# ---------------------------------------------------------------- requirements, in their order

Requirement = Callable[[History], None]


def _never_differed(of: History) -> None:
    if of.t0:
        _lacks("differed", f"the answers differed (event {of.t0})")


def _caused(*letters: Cause) -> Requirement:
    """A cause of some kind was proposed after the answers differed, and those concerned consent."""

    def accepted(of: History) -> None:
        own = [a for a in of.case.assessments if a.seq > of.t0] if of.case is not None else []
        for one in of.trail.corrections.get((of.item, of.question), ()) if not own else ():
            if one.seq == of.ended and one.because == "c":  # the other item of a case
                others = of.epoch.cases[one.case].assessments
                own = [a for a in others if of.t0 < a.seq < one.seq][-1:]
        if not own:
            again = len(of.codes()) == 1
            how = "were asked again and are equal, and nothing says why they differed"
            says = f"the coders {how if again else 'differ'}: give reasons, propose a cause"
            code, kind = ("cause.none", Kind.AGAIN) if again else ("no_conflict", Kind.NONE)
            _lacks(code, says, of.held, kind)
        of.cause = cause = own[-1]
        if cause.cause not in letters:
            _lacks("cause.kind", f"cause {cause.cause} asks for something else")
        named = sorted(of.held)
        if not CAUSES[cause.cause].everybody:
            named = [coder for coder in named if coder == cause.evidence.coder]
        if not named and not cause.told:
            _lacks("cause.kind", f"cause {cause.cause} names nobody who held an answer")
        of.consents(cause, named, f"cause {cause.cause}")

    return accepted


def _corrected(of: History) -> None:
    """Their own correction, which cites the toolbox, is what ended it."""
    if of.cause is None or of.cause.told:
        _lacks("cause.kind", "the source tells it")
    named, last = of.cause.evidence.coder, max(of.got)
    own = of.trail.corrections.get((of.item, of.question), ())
    done = [r for r in own if r.coder == named and r.seq > last and r.because in ("c", "e")]
    if of.repeated or any(not _free(of, coder, word) for coder, word in of.words.items()):
        says = "while answers differed, some were changed without a cause: propose another cause"
        _lacks("repeated", says, of.held, Kind.AGAIN)
    if not done or done[0].seq != of.ended or not done[0].cites:
        says = f"{named} agreed to a slip; it did not end with their correction, citing the toolbox"
        _lacks("correct", says, [named])
    of.got.append(done[0].seq)
    of.done, of.confirmed = of.ended, (named,)


def _free(of: History, coder: str, word: Word) -> bool:
    """Whether a coder had consented to a slip of their own before they corrected an answer."""
    one = word.source
    if isinstance(one, Round) or one.because not in ("c", "e"):
        return True
    causes = of.epoch.cases[one.case].assessments
    return any(a.evidence.coder == coder and 0 < a.events.get(coder, 0) < one.seq for a in causes)


def _changed(of: History) -> None:
    """A reader sees a change about this question, of the kind asked for, that is still in force."""
    cause, trail, after = of.cause, of.trail, max(of.got)
    boxes = [b for b in of.state.toolboxes if b.seq > after and b.epoch == of.epoch.number]
    if cause is None:
        made = [box for box in boxes if _from_the_beginning(of, box)]
        wanted = "drastically, nor was the question sent back and"
    else:
        wanted = "the guidelines"
        if CAUSES[cause.cause].returns_to is Step.ALIGNMENT:
            returned = of.case.returned_for if of.case is not None else ""
            wanted = f"concept {cause.evidence.concept or returned}"
        own = wanted.removeprefix("the ")
        made = [b for b in boxes if b.changed == own or (cause.told and b.changed != "task")]
    now = trail.bearing(of.question, of.state.ordinal)
    net = trail.bearing(of.question, trail.ordinal_at(of.t0)) ^ now
    of.boxes = [box for box in made if trail.changed(of.question, box) & net]
    if not of.boxes:
        says = f"cause {cause.cause} asks that {wanted} change" if cause else "nothing has changed"
        if made:
            what = f"the change of {made[-1].changed} (event {made[-1].seq})"
            says = f"{what} shows a reader nothing new about {of.question} that is in force"
        _lacks("change", says, of.researchers)


def _from_the_beginning(of: History, box: Toolbox) -> bool:
    """Whether a change stands for all disputes before it: drastic, or of what was sent back."""
    made = written_with(of.epoch, box)
    back = [n for n in of.epoch.sent_back.get(of.question, ()) if n > of.t0]
    drastic = getattr(made, "change", None) is Change.DRASTIC
    return drastic or bool(back and box.seq > back[0])


def _settled(of: History) -> None:
    """Those who disagreed say, each having seen it, that the change settles their case."""
    said = of.epoch.judged.get(of.question, {}).get(of.item, ())
    last: dict[int, dict[str, Judgement]] = {box.seq: {} for box in of.boxes}
    for one in said:
        if one.change in last and one.seq not in of.state.for_others:
            last[one.change][one.coder] = one

    def says_yes(box: Toolbox) -> dict[str, int]:
        shown = of.trail.shown(of.question, box)
        each = last[box.seq].items()
        return {c: one.seq for c, one in each if one.shown == shown and not one.because}

    def ended(box: Toolbox) -> int:
        """The first round that opened after the change and closed after all had said so."""
        after = max(says_yes(box).values(), default=0)
        return next((n for begun, n in of.closes if begun > box.seq and n > after), 0)

    def best(box: Toolbox) -> tuple[int, bool, bool, int]:
        refused = any(one.because for one in last[box.seq].values())
        yes = len(of.held.keys() & says_yes(box).keys())
        return yes, ended(box) >= of.stood > 0, not refused, box.seq

    of.change = box = max(of.boxes, key=best)
    yes, what = says_yes(box), f"the change of {box.changed} (event {box.seq})"
    for coder, one in last[box.seq].items():
        if one.because and coder in of.held:
            says = f"{coder} says that {what} does not settle it: {one.because}"
            _lacks("change", says, of.researchers)
    if left := sorted(of.held.keys() - yes.keys()):
        _lacks("settle", f"{listing(left)} must still say whether {what} settles it", left)
    of.got += [box.seq, *(yes[coder] for coder in of.held)]
    of.done, of.confirmed = ended(box), tuple(sorted(of.held))


def _again(of: History) -> None:
    """All have annotated it blind since, in a round that closed later."""
    if of.change is None:
        return
    box, last = of.change, max(of.got)
    left = sorted(
        coder
        for coder, word in of.words.items()
        if not isinstance(word.source, Round) or word.blind < box.ordinal or word.moment < last
    )
    if left:
        says = f"not annotated again by {listing(left)}, blind, since the change of {box.changed}"
        _lacks("again", says, left)
    order = of.trail.order_of(box)
    whole = order is not None and not order.waived and order.items is None
    if of.cause is None and not (whole and order and of.question in order.questions):
        says = "without a cause the whole question is annotated again"
        _lacks("whole", says, of.researchers)


def _waived(of: History) -> None:
    """Annotating again was waived, with a reason."""
    order = of.trail.order_of(of.change) if of.change is not None else None
    if order is None or not order.waived:
        _lacks("again", "it is not annotated again since the change", of.words)
    of.got += [order.seq, order.waived_seq]


def _argued(of: History) -> None:
    """A reason of each that cites the toolbox: the first since the answers differed."""
    turns = of.case.thread if of.case is not None else ()
    since = [turn for turn in turns if turn.kind == "said" and turn.cites and turn.seq > of.t0]
    by = {turn.by: turn.seq for turn in reversed(since)}
    if left := sorted(of.held.keys() - by.keys()):
        _lacks("reason", f"no reason of {listing(left)} cites the toolbox", left)
    of.got += [by[coder] for coder in of.held]


def _consented(of: History) -> None:
    """Then an outcome that cites the toolbox, to which all consent who held an answer."""
    last, n = max(of.got), len(of.got)
    proposals = of.case.proposals if of.case is not None else []
    own = [p for p in proposals if p.seq > last and p.cites]
    if not own:
        _lacks("outcome", "no outcome with a citation is proposed", of.held)
    answers = {of.epoch.answers[code] for code in of.codes()}
    own = [p for p in own if answers == {p.answer}] or own
    one = max(own, key=lambda p: (len(of.held.keys() & p.events.keys()), p.seq))
    of.consents(one, sorted(of.held), f"“{one.answer}”")
    of.done = max(of.got[n:]) if answers == {one.answer} else 0
    of.confirmed, of.consented = tuple(sorted(of.held)), True


def _told(of: History) -> None:
    """The source tells the cause and the discussion, and the coders accept that."""
    case = of.case
    if case is None or case.outcome is not Outcome.IMPORTED or case.agreed < of.t0:
        _lacks("cause.kind", "no source tells how it ended")
    own = [a for a in case.assessments if a.told]
    kind = Kind.UNDOCUMENTED
    if not own:
        says = "the source does not say why the coders differed"
        _lacks("source.cause", says, of.researchers, kind)
    of.cause = own[-1]
    if not case.text.strip():
        says = f"it was imported under cause {of.cause.cause}, without a discussion"
        _lacks("source.text", says, of.researchers, kind)
    if CAUSES[of.cause.cause].returns_to is not None:
        says = f"cause {of.cause.cause} asks that it is annotated again under a mended toolbox"
        _lacks("source.again", says, of.researchers, kind)
    of.accepts(sorted(of.held), case.agreed)
    of.got.append(case.agreed)
    of.done, of.confirmed, of.consented = of.ended, tuple(sorted(of.held)), True


TASK, CONCEPT = (Cause.A2, Cause.A1_TASK), (Cause.B, Cause.A1_CONCEPT)
ROWS: dict[Kind, tuple[Requirement, ...]] = {
    Kind.BLIND: (_never_differed,),
    Kind.ACCEPTED: (_told,),
    Kind.SLIP: (_caused(Cause.C, Cause.E), _corrected),
    Kind.REANNOTATED: (_caused(*TASK, *CONCEPT), _changed, _settled, _again),
    Kind.WAIVED: (_caused(*TASK, *CONCEPT), _changed, _settled, _waived, _consented),
    Kind.CONSENT: (_caused(Cause.D), _argued, _consented),
    Kind.ANEW: (_changed, _settled, _again),
}


# ---------------------------------------------------------------- what every ending asks


def _final(of: History) -> Kind | None:
    """Whole, equal, each coder's own and current words, as what settled it has them."""
    asked, codes = asked_at(of.epoch, of.item, of.question), of.codes()
    if len(codes) > 1:
        _lacks("no_conflict", "the coders hold different answers", of.words)
    silent = [coder for coder in asked if coder not in of.words]
    declined = silent and agreed_but_declined(of.epoch, of.item, of.question)
    if len(of.words) < 2 or (silent and not declined):
        says = f"answered by {listing(of.words)} only"
        _lacks("no_incomplete", says, silent)
    if of.done < of.stood:
        answer = of.epoch.answers[min(codes)]
        says = f"what settled it was another answer than “{answer}”, which all give now"
        _lacks("answer", f"{says}: propose it as the outcome", of.held)
    for order in of.epoch.orders:
        late = [c for c, w in of.words.items() if w.blind < order.toolbox]
        if late and not order.waived and order.covers(of.item, of.question):
            says = f"order {order.number} is not carried out by {listing(late)}"
            _lacks("no_open_order", says, late)
    return _own_words(of)


def _own_words(of: History) -> Kind | None:
    """Each answer is the coder's own act; what was imported they have accepted."""
    came, kind = dict[str, int](), None
    for coder, (_, _, seq, _, source) in of.words.items():
        imported = source.imported if isinstance(source, Round) else source.because == "imported"
        if imported and not (of.consented and coder in of.held):
            came[coder] = seq
        elif not imported and (isinstance(source, Round) or source.because in OWN):
            of.by_person(seq, coder, "answered")
        if isinstance(source, Rescoring) and source.because == "dependency":
            kind = Kind.OPENLY
        of.got.append(seq)
    if of.cause is not None and of.cause.told:
        came |= dict.fromkeys(of.held, of.cause.seq)
    if came:
        of.accepts(came, max(came.values()))
        kind = Kind.ACCEPTED
    return kind if not of.t0 else None


def ending(trail: Trail, item: int, question: str) -> Ending | Missing:
    """How the coders of an item came to one answer to a question, or what is missing.

    Parameters
    ----------
    trail : Trail
        `trail_of` a state.
    item : int
        Position of the item.
    question : str
        Of the current task.

    Returns
    -------
    Ending or Missing
    """
    if not asked_at(trail.epoch, item, question):
        return _not_asked(trail, item, question)
    of = History(trail, item, question)
    found = list[tuple[int, Missing]]()
    for kind, row in ROWS.items():
        if (kind is Kind.BLIND) is (of.t0 > 0):
            continue
        of.begin()
        met = 0
        try:
            for requirement in row:
                requirement(of)
                met += 1
            other = _final(of)
        except _Lacks as lacks:
            met -= lacks.missing.code == "cause.kind"
            found.append((met, lacks.missing))
            continue
        answer = str(trail.epoch.answers[min(of.codes())])
        what = (of.change.changed,) if of.change is not None else ()
        return Ending(other or kind, answer, tuple(sorted({*of.got})), what, of.confirmed)
    return max(found, key=itemgetter(0))[1]


def awaiting_judgement(trail: Trail, item: int, question: str) -> History | None:
    """The history of a cell where a change was made that may settle it, as it is to be judged."""
    of = History(trail, item, question)
    for kind in (Kind.REANNOTATED, Kind.ANEW) if of.t0 else ():
        of.begin()
        try:
            for requirement in ROWS[kind][:-2]:
                requirement(of)
            _settled(of)
        except _Lacks:
            pass
        if of.change is not None and of.done < of.stood:
            return of
    return None


def _not_asked(trail: Trail, item: int, question: str) -> Ending | Missing:
    parent = trail.epoch.questions[question].asked_if
    if parent is None or not any(question in some.questions for some in trail.closed):
        return Missing("no_incomplete", "no round has asked about it")
    above = ending(trail, item, parent.question)
    return Ending(Kind.NOT_ASKED, "", above.events) if isinstance(above, Ending) else above


def reasons_given(state: State, case: Case) -> dict[str, Reason]:
    """Each coder's reason since the answers of a case last differed, or it was opened again."""
    if not case.reasons or case.epoch != state.epoch.number:
        return case.reasons
    since = History(trail_of(state), case.item, case.question).t0
    return {coder: reason for coder, reason in case.reasons.items() if reason.seq > since}


def trail_of(state: State) -> Trail:
    """What the endings of a state are read from, kept while it goes on."""
    found: Trail = state.epoch.kept("trail", lambda: Trail(state), Trail.after)
    return found


# ---------------------------------------------------------------- all of a project


class Endings:
    """How every answer of a project came about, in short, kept while it goes on.

    Attributes
    ----------
    kinds_of : dict of str to list of EndingKind
        Question → the kind of each item, in their order.
    missing : dict of (str, int) to Missing
        Question and position → what is missing.
    """

    def __init__(self, trail: Trail) -> None:
        self.trail = trail
        self.kinds_of: dict[str, list[Kind]] = {}
        self.missing: dict[tuple[str, int], Missing] = {}
        for question in trail.epoch.questions:
            kinds = self.kinds_of[question] = [Kind.NONE] * trail.n_items
            left = set(range(trail.n_items))
            for kind, plain in _plain(trail, question):
                left -= plain
                for item in plain:
                    kinds[item] = kind
            self._look(question, sorted(left))

    def after(self, items: Iterable[int]) -> Endings:
        """As they are once something is new about some items."""
        for question in self.kinds_of:
            self._look(question, (item for item in items if item < self.trail.n_items))
        return self

    def _look(self, question: str, items: Iterable[int]) -> None:
        for item in items:
            found = ending(self.trail, item, question)
            self.kinds_of[question][item] = found.kind
            self.missing.pop((question, item), None)
            if isinstance(found, Missing):
                self.missing[question, item] = found

    @property
    def kinds(self) -> dict[Kind, int]:
        """How many answers came about how; only what there is."""
        n: Counter[Kind] = Counter()
        for kinds in self.kinds_of.values():
            n.update(kinds)
        return {kind: n[kind] for kind in Kind if n[kind]}

    def by_code(self) -> dict[str, list[tuple[int, str]]]:
        """What is missing → positions and questions, in the order of the items."""
        found = defaultdict[str, list[tuple[int, str]]](list)
        for (question, item), missing in sorted(self.missing.items(), key=lambda x: x[0][1]):
            found[missing.code].append((item, question))
        return dict(found)


def endings(state: State) -> Endings:
    """How every answer of a project came about.

    Examples
    --------
    >>> endings(State()).kinds
    {}
    """

    def renewed(found: Endings, items: Iterable[int]) -> Endings:
        trail_of(state)
        return found.after(items)

    kept: Endings = state.epoch.kept("endings", lambda: Endings(trail_of(state)), renewed)
    return kept


def _plain(trail: Trail, question: str) -> Iterator[tuple[Kind, set[int]]]:
    """Items whose answers need no second look: agreed in one blind round, never disputed or owed.

    They are what most items are; `ending` says the same of each.
    """
    epoch, state, line = trail.epoch, trail.state, trail.line(question)
    agreed = enumerate(states_of(epoch, question)[: trail.n_items])
    left = {item for item, cell in agreed if cell is CellState.AGREED}
    left -= {case.item for case in epoch.cases.values() if case.question == question}
    left -= {item for item, q in trail.corrections if q in line}
    left -= epoch.conflicts.get(question, {}).keys()
    for some in reversed(trail.closed):
        sheets = some.sheet.get(question, {})
        found = left.intersection(set[int]().union(*sheets.values()))
        left -= found
        if some.imported or any(
            not n.isdisjoint(state.for_others) for n in _numbers(some, question)
        ):
            continue
        for coder, codes in epoch.current.get(question, {}).items():
            sheet = sheets.get(coder, {})
            found -= {i for i in found if i < len(codes) and codes[i] != NONE and i not in sheet}
        for order in epoch.orders:
            if order.toolbox > some.toolbox and question in order.questions:
                found.difference_update(found if order.items is None else order.items)
        yield Kind.BLIND, found


def _numbers(some: Round, question: str) -> Iterator[set[int]]:
    return (set(each.values()) for each in some.events.get(question, {}).values())
