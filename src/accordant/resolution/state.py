"""Where a project stands: everything that its events add up to, and in which event each thing came.

The state is folded from events (`event.on`) and never changed otherwise. It holds plain containers
and msgspec structs, so that it can be kept as a snapshot and opened without replaying the log.

Annotations are columns: for each question and coder a list with one code for each item, into
``Epoch.answers``; `NONE` where there is none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import field

from .case_state import Case, Judgement, Rescoring, StatePart
from .terms import (
    Answer,
    Concept,
    Guidelines,
    Note,
    OrderState,
    Purpose,
    Question,
    ReleaseStatus,
    Role,
    Rule,
    Step,
    Task,
)

NONE = -1
Cell = tuple[int, str]  # position of the item, question


class Person(StatePart):
    """Somebody who takes part."""

    name: str
    roles: tuple[Role, ...]
    about: str = ""
    training: str = ""


class Toolbox(StatePart):
    """The toolbox in force from some moment: task, guidelines and concepts, by their versions."""

    ordinal: int  # 1, 2, …; annotations remember it
    hash: str
    epoch: int
    task: str  # hash
    guidelines: str  # version
    concepts: dict[str, int]  # name → version
    at: str
    changed: str = ""  # "task", "guidelines", or "concept " and its name
    seq: int = 0  # number of the event that made it


class Objection(StatePart):
    """An objection that stands."""

    coder: str
    concept: str  # empty: to the guidelines
    version: int
    text: str


class ItemTable(StatePart, dict=True):
    """All items of the project, in the order in which they came."""

    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # empty, or one for each item
    contexts: list[str] = field(default_factory=list)
    batches: list[str] = field(default_factory=list)
    metadata: dict[str, list[str]] = field(default_factory=dict)
    frozen: int = 0  # how many were there when they were frozen; 0: not yet

    @property
    def positions(self) -> dict[str, int]:
        """Where each item stands, by its id. Derived: never written to a snapshot."""
        kept: dict[str, int] = self.__dict__.setdefault("_positions", {})
        if len(kept) != len(self.ids):
            kept.clear()
            kept.update(zip(self.ids, range(len(self.ids)), strict=True))
        return kept


Columns = dict[str, dict[str, list[int]]]
"""Question → coder → one number for each item."""


class Round(StatePart):
    """One pass of individual annotation."""

    number: int
    toolbox: int  # ordinal
    coders: tuple[str, ...]
    questions: tuple[str, ...]
    items: list[int] | None  # positions; None: the first `n_items`
    orders: tuple[int, ...]
    imported: bool
    opened: str
    closed: str = ""
    sheet: dict[str, dict[str, dict[int, int]]] = field(default_factory=dict)
    """Question → coder → item → code of the answer of this round."""
    declined: dict[str, dict[str, dict[int, str]]] = field(default_factory=dict)
    comparison: dict[str, dict[str, int]] = field(default_factory=dict)
    n_items: int = 0  # that were frozen when it opened
    submitted: list[str] = field(default_factory=list)
    """Coders who are done, and have changed nothing since."""
    seq: int = 0  # number of the event that opened it
    closed_seq: int = 0  # 0: it is open
    events: dict[str, dict[str, dict[int, int]]] = field(default_factory=dict)
    """Question → coder → item → number of the event; `NONE`: other items."""

    def event_of(self, question: str, coder: str, item: int) -> int:
        """Number of the event that holds an answer of this round."""
        numbers = self.events[question][coder]
        return numbers.get(item, numbers[NONE])


class Order(StatePart):
    """Something to be annotated again. Done is computed: nothing in its scope is stale."""

    number: int
    trigger: str
    toolbox: int  # ordinal that annotations in the scope need
    questions: tuple[str, ...]
    items: list[int] | None  # None: all
    narrowed: str
    cases: tuple[int, ...]
    at: str
    state: OrderState = OrderState.OPEN
    waived: str = ""  # why
    seq: int = 0
    waived_seq: int = 0

    def covers(self, item: int, question: str) -> bool:
        """Whether a cell is in its scope."""
        if question not in self.questions or self.items is None:
            return question in self.questions
        place = bisect_left(self.items, item)
        return place < len(self.items) and self.items[place] == item


class Epoch(StatePart, dict=True):
    """One task from beginning to end. A changed task means a new epoch."""

    number: int
    task: Task | None = None
    task_hash: str = ""
    guidelines: list[Guidelines] = field(default_factory=list)
    concepts: dict[str, list[Concept]] = field(default_factory=dict)
    acknowledged: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Coder → (hash of the task, version of the guidelines)."""
    signed: dict[str, dict[str, int]] = field(default_factory=dict)  # concept → coder → version
    objections: list[Objection] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)  # every distinct answer
    current: Columns = field(default_factory=dict)  # codes of the answers that count now
    made: Columns = field(default_factory=dict)  # ordinal of the toolbox each was made under
    notes: dict[str, dict[str, dict[int, Note]]] = field(default_factory=dict)
    cases: dict[int, Case] = field(default_factory=dict)
    conflicts: dict[str, dict[int, int]] = field(default_factory=dict)
    """Question → item → number of the round's end after which its answers last differed."""
    rescorings: list[Rescoring] = field(default_factory=list)
    judged: dict[str, dict[int, list[Judgement]]] = field(default_factory=dict)
    """Question → item → what coders said of changes of the toolbox."""
    accepted: dict[str, int] = field(default_factory=dict)
    """Coder → number of the event in which they accepted the import."""
    sent_back: dict[str, list[int]] = field(default_factory=dict)
    """Question → numbers of the events by which the comparison sent it back."""
    ended: str = ""  # when
    abandoned: bool = False
    tasks: list[Task] = field(default_factory=list)  # every task that was written, drafts too

    @property
    def begun(self) -> bool:
        """Whether a round has opened: the task is immutable from then on."""
        return bool(self.rounds)

    @property
    def round(self) -> Round | None:
        """The open round."""
        last = self.rounds[-1] if self.rounds else None
        return last if last is not None and not last.closed else None

    @property
    def codes(self) -> dict[Answer, int]:
        """Code of each distinct answer. Derived: never written to a snapshot."""
        kept: dict[Answer, int] = self.__dict__.setdefault("_codes", {})
        for code in range(len(kept), len(self.answers)):
            kept[self.answers[code]] = code
        return kept

    def kept(
        self,
        name: str,
        make: Callable[[], Any],
        renew: Callable[[Any, Any], Any] | None = None,
    ) -> Any:
        """What was computed of cases and answers, while it holds. Only `forget` says how long.

        Parameters
        ----------
        name : str
        make : callable
            What is kept, from the epoch as it is.
        renew : callable, optional
            What holds now, from what is kept and the positions of the items that events have been
            about since; without it all is made anew.
        """
        touched: list[int] = self.__dict__.setdefault("_touched", [])
        kept: dict[str, tuple[int, Any]] = self.__dict__.setdefault("_kept", {})
        seen, value = kept.get(name, (-1, None))
        if seen != len(touched):
            new = dict.fromkeys(touched[seen:])
            value = renew(value, new) if renew and seen >= 0 else make()
            kept[name] = len(touched), value
        return value

    def forget(self, items: Iterable[int] | None = None) -> None:
        """What is kept no longer holds of some items, by their positions, or of anything."""
        if items is None:
            self.__dict__.pop("_kept", None)
            self.__dict__.pop("_touched", None)
        else:
            self.__dict__.setdefault("_touched", []).extend(items)

    def code(self, answer: Answer) -> int:
        """Code of an answer, which is added if it is new. For folds only."""
        known = self.codes.get(answer)
        if known is None:
            known = len(self.answers)
            self.answers.append(answer)
        return known

    @property
    def questions(self) -> dict[str, Question]:
        """The questions of the task by id."""
        return {q.id: q for q in self.task.questions} if self.task else {}

    @property
    def rules(self) -> dict[str, Rule]:
        """The rules of the guidelines in force by id."""
        return {rule.id: rule for rule in self.guidelines[-1].rules} if self.guidelines else {}


class Deviation(StatePart):
    """Where the project departed from the procedure."""

    code: str
    text: str
    case: int | None
    at: str


class Origin(StatePart):
    """Where annotations came from."""

    source: str
    digests: dict[str, str]
    licence: str
    skipped: tuple[str, ...]
    warnings: tuple[str, ...]
    at: str
    document: str = ""  # the file that says how they were made
    seq: int = 0  # its number in the log; what an import tells comes before it


class Release(StatePart):
    """A version that was given out."""

    version: int
    status: ReleaseStatus
    toolbox: str
    head: str
    counts: dict[str, int]
    flags: tuple[str, ...]
    reason: str
    at: str
    proofs: dict[str, int] = field(default_factory=dict)  # kind of proof → cells
    seals: dict[str, str] = field(default_factory=dict)


class State(StatePart):
    """A project, folded from its events."""

    title: str = ""
    project: str = ""
    imported: bool = False
    created: str = ""
    purpose: Purpose | None = None
    step: Step = Step.SETUP
    research_question: str = ""
    hypotheses: str = ""
    people: dict[str, Person] = field(default_factory=dict)
    items: ItemTable = field(default_factory=ItemTable)
    assigned: dict[str, list[int]] = field(default_factory=dict)  # coder → items; absent: all
    epochs: list[Epoch] = field(default_factory=lambda: [Epoch(1)])
    toolboxes: list[Toolbox] = field(default_factory=list)
    adjudicator: str = ""
    late_adjudicator: bool = False
    deviations: list[Deviation] = field(default_factory=list)
    imports: list[Origin] = field(default_factory=list)
    findings: list[tuple[str, str]] = field(default_factory=list)  # when, text (research done)
    moves: list[tuple[str, int, str, str]] = field(default_factory=list)
    """When, number of the transition, target step, reason."""
    statement: dict[str, str] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)
    review_date: str = ""
    halted: int = 0  # number of the event by which the project was last halted …
    found: int = 0  # … and of the last finding that was recorded
    seq: int = 0  # events so far
    head: str = ""
    for_others: dict[int, str] = field(default_factory=dict)
    """Number of an event in the name of another → who wrote it."""
    versions: dict[str, int] = field(default_factory=dict)  # stream → events so far

    @property
    def epoch(self) -> Epoch:
        """The current epoch."""
        return self.epochs[-1]

    @property
    def toolbox(self) -> Toolbox | None:
        """The toolbox in force."""
        return self.toolboxes[-1] if self.toolboxes else None

    @property
    def ordinal(self) -> int:
        """Its number; 0: there is none."""
        return self.toolboxes[-1].ordinal if self.toolboxes else 0

    @property
    def coders(self) -> tuple[str, ...]:
        """Names of the people who code, in the order in which they joined."""
        return self.with_role(Role.CODER)

    def with_role(self, *roles: Role) -> tuple[str, ...]:
        """Names of the people who have one of some roles."""
        return tuple(name for name in self.people if self.has_role(name, *roles))

    def has_role(self, name: str, *roles: Role) -> bool:
        """Whether a person has one of some roles."""
        person = self.people.get(name)
        return person is not None and any(role in person.roles for role in roles)
