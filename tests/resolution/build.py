"""Small projects for tests, made by folding events: fast, and without asking any guard.

>>> here = compared({"Q": {"A1": "0101", "A2": "0111"}})
>>> here.state.step.value, here.state.epoch.rounds[0].comparison
('comparison', {'Q': {'agreed': 3, 'conflicting': 1}})
>>> events = here.do(some_command, "R", text="…")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from accordant.resolution.annotation import Annotated, Declined
from accordant.resolution.cells import compared_round
from accordant.resolution.command import Refused
from accordant.resolution.concepts import SignedOff
from accordant.resolution.event import Event, apply
from accordant.resolution.items import ItemsAdded, ItemsFrozen
from accordant.resolution.procedure import act, written
from accordant.resolution.project import Project, replayed
from accordant.resolution.rounds import RoundClosed, RoundOpened
from accordant.resolution.setup import Created, PersonAdded, ResearchStated
from accordant.resolution.state import State
from accordant.resolution.store.record import Draft
from accordant.resolution.store.store import Store
from accordant.resolution.terms import (
    AmbiguityPolicy,
    Answer,
    Concept,
    Guidelines,
    Items,
    Purpose,
    Question,
    Role,
    Rule,
    Step,
    Task,
    digest,
)
from accordant.resolution.toolbox import ToolboxWritten
from accordant.resolution.transitions import Moved

RESEARCHER, MODERATOR, OBSERVER = "R", "M", "O"
Values = Mapping[str, Mapping[str, Sequence[Any]]]
"""Question → coder → one label for each item: text, an Answer, None (declined), "" (not asked)."""


class Session:
    """A project in memory: its state, and every event with when and who."""

    def __init__(self) -> None:
        self.state = State()
        self.log: list[tuple[Event, tuple[str, str]]] = []

    @property
    def now(self) -> str:
        """A clock that ticks with every event."""
        minutes, seconds = divmod(len(self.log), 60)
        hours, minutes = divmod(minutes, 60)
        return f"2026-01-{1 + hours // 24:02}T{hours % 24:02}:{minutes:02}:{seconds:02}Z"

    def tell(self, *events: Event, by: str = RESEARCHER) -> Session:
        """Fold events, whatever the guards say."""
        for event in events:
            stamp = (self.now, by)
            self.log.append((event, stamp))
            apply(self.state, [(event, stamp)])
        return self

    def do(self, command: Callable[..., Any], by: str, *args: Any, **given: Any) -> list[Event]:
        """Run a command as `act` does; what happened is in the log."""
        at = self.now
        happened = act(self.state, by, at, command, *args, **given)
        self.log += [(event, (at, by)) for event in happened]
        return happened

    def move(self, transition: int, target: Step, reason: str = "") -> Session:
        """Take a transition, whatever the guards say."""
        return self.tell(Moved(transition, self.state.step, target, reason))


def coders_of(coders: int | Sequence[str]) -> tuple[str, ...]:
    """A1, A2, … or the names that are given."""
    return tuple(f"A{k + 1}" for k in range(coders)) if isinstance(coders, int) else tuple(coders)


def questions_of(questions: Sequence[str | Question]) -> tuple[Question, ...]:
    """Questions as records: a bare id gets a text."""
    return tuple(
        q if isinstance(q, Question) else Question(q, f"What about {q}?") for q in questions
    )


def begun(coders: int | Sequence[str] = 3, *, imported: bool = False) -> Session:
    """Step 0: a researcher R, coders A1, A2, …, a moderator M, an observer O."""
    here = Session().tell(
        Created("A project", "0" * 32, imported), PersonAdded(RESEARCHER, (Role.RESEARCHER,))
    )
    for name in coders_of(coders):
        here.tell(PersonAdded(name, (Role.CODER,)))
    return here.tell(
        PersonAdded(MODERATOR, (Role.MODERATOR,)), PersonAdded(OBSERVER, (Role.OBSERVER,))
    )


def set_up(
    coders: int | Sequence[str] = 3,
    *,
    purpose: Purpose = Purpose.GROUND_TRUTH,
    imported: bool = False,
) -> Session:
    """Step 1 begins: a research question and a purpose are stated."""
    here = begun(coders, imported=imported)
    return here.tell(ResearchStated("1", "What is it?", purpose)).move(1, Step.TASK)


def guidelines_of(
    questions: Sequence[Question], options: Sequence[str] | Mapping[str, Sequence[str]]
) -> Guidelines:
    """Version 1.0.0 with two rules, R1 (all questions) and R2 (the first)."""
    by_question = options if isinstance(options, Mapping) else {q.id: options for q in questions}
    return Guidelines(
        "1.0.0",
        {id: tuple(labels) for id, labels in by_question.items()},
        AmbiguityPolicy(True),
        (Rule("R1", "Read the whole item"), Rule("R2", "Prefer 1", (questions[0].id,))),
    )


def with_toolbox(
    here: Session,
    questions: Sequence[str | Question] = ("Q",),
    options: Sequence[str] | Mapping[str, Sequence[str]] = ("0", "1"),
    concepts: Sequence[Concept] | None = None,
) -> Session:
    """A task, guidelines 1.0.0, and a concept "claim" (version 1) that the first question uses."""
    asked = questions_of(questions)
    if concepts is None:
        concepts = [Concept("claim", 1, "what a text asserts", (asked[0].id,), ("R1",))]
    here.tell(ToolboxWritten(task=Task(asked, "Read and answer", "one text")))
    here.tell(ToolboxWritten(guidelines=guidelines_of(asked, options)))
    return here.tell(*(ToolboxWritten(concept=concept) for concept in concepts))


def everybody_agrees(here: Session) -> Session:
    """All coders are trained, and sign the guidelines and every current concept."""
    epoch = here.state.epoch
    for coder in here.state.coders:
        roles = here.state.people[coder].roles
        here.tell(PersonAdded(coder, roles, training="one afternoon with examples"))
        here.tell(
            SignedOff(coder, "", epoch.guidelines[-1].version, epoch.task_hash),
            *(
                SignedOff(coder, name, versions[-1].version)
                for name, versions in epoch.concepts.items()
            ),
            by=coder,
        )
    return here


def with_items(here: Session, n_items: int = 4, texts: Sequence[str] = ()) -> Session:
    """Items i1, i2, …, frozen."""
    ids = tuple(f"i{k + 1}" for k in range(n_items))
    return here.tell(ItemsAdded(Items(ids, tuple(texts))), ItemsFrozen(n_items))


def ready_to_annotate(
    n_items: int = 4,
    coders: int | Sequence[str] = 3,
    questions: Sequence[str | Question] = ("Q",),
    options: Sequence[str] | Mapping[str, Sequence[str]] = ("0", "1"),
    *,
    texts: Sequence[str] = (),
    purpose: Purpose = Purpose.GROUND_TRUTH,
    imported: bool = False,
    concepts: Sequence[Concept] | None = None,
) -> Session:
    """Step 2, with everything met: the next thing is to open a round."""
    here = with_toolbox(
        set_up(coders, purpose=purpose, imported=imported), questions, options, concepts
    )
    return with_items(everybody_agrees(here).move(3, Step.ALIGNMENT), n_items, texts)


def open_blindly(
    here: Session,
    questions: Sequence[str] = (),
    items: Sequence[str] = (),
    orders: Sequence[int] = (),
    transition: int = 6,
) -> Session:
    """Step 3: a round opens for all coders."""
    state = here.state
    assert state.toolbox is not None
    return here.tell(
        RoundOpened(
            len(state.epoch.rounds) + 1,
            state.toolbox.hash,
            state.coders,
            tuple(questions) or tuple(state.epoch.questions),
            tuple(items),
            tuple(orders),
            state.imported,
        )
    ).move(transition, Step.ANNOTATION)


def submit(
    here: Session, coder: str, question: str, values: Sequence[Any], items: Sequence[str] = ()
) -> Session:
    """A coder answers a question, one value for each item; None declines, "" is not asked."""
    some = here.state.epoch.round
    assert some is not None
    wanted = items or here.state.items.ids
    answered: list[str] = []
    codes: list[int] = []
    known: dict[Answer, int] = {}
    for item, value in zip(wanted, values, strict=True):
        if value is not None and value != "":
            answer = value if isinstance(value, Answer) else Answer((str(value),))
            answered.append(item)
            codes.append(known.setdefault(answer, len(known)))
    if answered:
        here.tell(
            Annotated(some.number, coder, question, tuple(answered), tuple(known), tuple(codes)),
            by=coder,
        )
    declined = [item for item, value in zip(wanted, values, strict=True) if value is None]
    if declined:
        here.tell(
            Declined(some.number, coder, question, tuple(declined), "I know the author"), by=coder
        )
    return here


def annotated(values: Values, here: Session | None = None, **options: Any) -> Session:
    """Step 3 with everything submitted; the round is still open.

    Without a session one is made that fits the values (`ready_to_annotate(**options)`).
    """
    if here is None:
        coders = list(dict.fromkeys(coder for sheet in values.values() for coder in sheet))
        n_items = max(len(column) for sheet in values.values() for column in sheet.values())
        here = ready_to_annotate(n_items, coders, **{"questions": tuple(values), **options})
    if here.state.epoch.round is None:
        open_blindly(here)
    for question, sheet in values.items():
        for coder, column in sheet.items():
            submit(here, coder, question, column)
    return here


def close(here: Session) -> Session:
    """Step 4: the round closes and is compared."""
    some = here.state.epoch.round
    assert some is not None
    counts = {q: result.counts for q, result in compared_round(here.state, some).items()}
    here.tell(RoundClosed(some.number, counts))
    return here.move(7, Step.COMPARISON)


def compared(values: Values, here: Session | None = None, **options: Any) -> Session:
    """Step 4: annotated and compared."""
    return close(annotated(values, here, **options))


def resolving(values: Values, here: Session | None = None, **options: Any) -> Session:
    """Step 5: a case is open for each conflict."""
    from accordant.resolution.consequences import cases_to_open

    here = compared(values, here, **options).move(10, Step.RESOLUTION)
    return here.tell(*cases_to_open(here.state))


def task_hash(here: Session) -> str:
    """Hash of the task in force."""
    return digest(here.state.epoch.task)


def refusal(
    here: Session, command: Callable[..., Any], by: str, *args: Any, **given: Any
) -> set[str]:
    """Names of the guards for which a command is refused; the state must be as before."""
    before = msgspec.msgpack.encode(here.state)
    with pytest.raises(Refused) as caught:
        here.do(command, by, *args, **given)
    assert msgspec.msgpack.encode(here.state) == before, "a refused command changed the state"
    unmet = caught.value.unmet
    assert unmet
    assert all(one.says and not one.says.endswith(".") for one in unmet)
    return {one.guard for one in unmet}


def written_to(where: str | Path, here: Session) -> str:
    """A store with what happened in a session, each event as an act of its own."""
    with Store.create(where) as store, store.writing() as writing:
        for number, (event, (at, by)) in enumerate(here.log):
            draft = Draft(event.kind, event.stream, written(event))
            writing.append([draft], actor=by, id=f"s{number}", at=at)
    return str(where)


def is_its_log(project: Project) -> None:
    """The state in memory is what all events add up to."""
    assert project.state == replayed(project.records())
