"""Where a project stands: what is done, what may come next and what it lacks, who is awaited."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter

from .command import COMMANDS, Unmet, unmet_by_anybody, unmet_of
from .disagreement import live_cases
from .ending import endings
from .procedure import IN_ORDER  # and with it the commands are registered
from .progress import Progress, progress
from .release import status_now
from .requests import Request, waiting
from .sentences import counted, listing
from .staleness import open_orders
from .state import State
from .step_change import BY_COMMAND
from .terms import Purpose, ReleaseStatus, Role, Step
from .transitions import NEW_EPOCH, TRANSITIONS

STEPS = (
    Step.SETUP,
    Step.TASK,
    Step.ALIGNMENT,
    Step.ANNOTATION,
    Step.COMPARISON,
    Step.RESOLUTION,
)
OF_CHANGES = (13, 14, NEW_EPOCH)  # transitions
_STATE = attrgetter("state")


@dataclass(frozen=True)
class StepDone:
    """One of the steps 0 to 5.

    Parameters
    ----------
    number : int
    step : Step
    state : str
        "done", "here", "to come", "skipped" (an imported project).
    says : str
        What there is, in numbers; empty where nothing is.
    """

    number: int
    step: Step
    state: str
    says: str


@dataclass(frozen=True)
class Possible:
    """An arrow from here.

    Parameters
    ----------
    number : int
        Of the transition.
    targets : tuple of Step
    does : str
    command : str
        The command that takes it.
    unmet : tuple of Unmet
        What is missing; those with ``argument`` need only be given with the command.
    """

    number: int
    targets: tuple[Step, ...]
    does: str
    command: str
    unmet: tuple[Unmet, ...]

    @property
    def allowed(self) -> bool:
        """Whether nothing is missing but what is given with the command."""
        return all(one.argument for one in self.unmet)


@dataclass(frozen=True)
class Open:
    """The open round: who submitted how much, never what."""

    number: int
    questions: tuple[str, ...]
    n_items: int
    again: bool
    coders: tuple[Progress, ...]


@dataclass(frozen=True)
class Standing:
    """Where a project stands.

    Parameters
    ----------
    title : str
    step : Step
    epoch : int
    purpose : Purpose or None
    toolbox : str
        Hash of the toolbox in force; empty if there is none.
    guidelines : str
        Their version.
    concepts : dict of str to int
    n_items, n_frozen : int
    people : dict of str to tuple of str
        Name → roles.
    steps : tuple of StepDone
    arrows : tuple of Possible
        Every arrow from here.
    commands : tuple of str
        What the person who asks may try, or anybody if nobody is named.
    awaited : dict of str to tuple of Request
        Person → what they are asked for now.
    round : Open or None
    orders : tuple of str
        Open orders to annotate again.
    cases : dict of str to int
        State → number of cases of this epoch.
    deviations : tuple of str
    status : ReleaseStatus
        What a release would be now.
    because : tuple of str
        Why it is no better one.
    proofs : dict of str to int
        Kind of proof → number of answers; empty while a round is open.
    """

    title: str
    step: Step
    epoch: int
    purpose: Purpose | None
    toolbox: str
    guidelines: str
    concepts: dict[str, int]
    n_items: int
    n_frozen: int
    people: dict[str, tuple[str, ...]]
    steps: tuple[StepDone, ...]
    arrows: tuple[Possible, ...]
    commands: tuple[str, ...]
    awaited: dict[str, tuple[Request, ...]]
    round: Open | None
    orders: tuple[str, ...]
    cases: dict[str, int]
    deviations: tuple[str, ...]
    status: ReleaseStatus
    because: tuple[str, ...]
    proofs: dict[str, int]


def standing(state: State, person: str | None = None) -> Standing:
    """Where a project stands, as anybody may know: nothing here tells an annotation.

    Parameters
    ----------
    state : State
    person : str, optional
        Who reads it.

    Examples
    --------
    >>> here = standing(State())
    >>> here.step.value, [unmet.guard for unmet in here.arrows[0].unmet]
    ('setup', ['research_stated', 'research_stated'])
    """
    epoch = state.epoch
    now = status_now(state)
    return Standing(
        title=state.title,
        step=state.step,
        epoch=epoch.number,
        purpose=state.purpose,
        toolbox=state.toolbox.hash if state.toolbox else "",
        guidelines=epoch.guidelines[-1].version if epoch.guidelines else "",
        concepts={name: versions[-1].version for name, versions in epoch.concepts.items()},
        n_items=len(state.items.ids),
        n_frozen=state.items.frozen,
        people={p.name: tuple(role.value for role in p.roles) for p in state.people.values()},
        steps=tuple(_steps(state)),
        arrows=tuple(_arrows(state, person)),
        commands=tuple(_commands(state, person)),
        awaited=waiting(state, person or ""),
        round=_open_round(state),
        orders=tuple(f"{order.number}: {order.trigger}" for order in open_orders(state)),
        cases={where.value: n for where, n in Counter(map(_STATE, epoch.cases.values())).items()},
        deviations=tuple(deviation.text or deviation.code for deviation in state.deviations),
        status=now.status,
        because=tuple(one.says for one in now.missing),
        proofs=_proofs(state),
    )


def _proofs(state: State) -> dict[str, int]:
    kinds = {} if state.epoch.round is not None else endings(state).kinds
    return {kind.value: n for kind, n in kinds.items()} if state.epoch.rounds else {}


def _arrows(state: State, person: str | None) -> list[Possible]:
    researchers = state.with_role(Role.RESEARCHER)
    asked = {"by": person if person is not None else next(iter(researchers), "")}
    found = []
    for row in TRANSITIONS.values():
        if row.source not in (state.step, None) and row.via is not state.step:
            continue
        if row.number in OF_CHANGES and not state.epoch.begun:
            continue  # before a round task, guidelines and concepts are simply edited
        unmet: dict[tuple[str, str], Unmet] = {}
        for number in (row.number, *((3, 6) if Step.ANNOTATION in row.targets else ())):
            for one in unmet_of(state, number, asked) if number != 3 or row.number != 6 else ():
                unmet.setdefault((one.guard, one.says), one)
        command = BY_COMMAND.get(row.number, "go")
        found.append(Possible(row.number, row.targets, row.does, command, tuple(unmet.values())))
    return found


def _commands(state: State, person: str | None) -> list[str]:
    people = [person] if person is not None else list(state.people)
    return [
        name
        for name in IN_ORDER
        if name != "new" and any(not unmet_by_anybody(state, p, COMMANDS[name]) for p in people)
    ]


def _open_round(state: State) -> Open | None:
    some = state.epoch.round
    if some is None:
        return None
    n_items = some.n_items if some.items is None else len(some.items)
    again = len(state.epoch.rounds) > 1
    return Open(some.number, some.questions, n_items, again, tuple(progress(state, some)))


def _steps(state: State) -> list[StepDone]:
    last_new = max((k for k, move in enumerate(state.moves) if move[1] == NEW_EPOCH), default=-1)
    visited = {target for _, _, target, _ in state.moves[last_new + 1 :]} | {Step.SETUP.value}
    left_out = " ".join(deviation.code for deviation in state.deviations)
    found = []
    for number, (step, says) in enumerate(zip(STEPS, _says(state), strict=True)):
        what = "done" if step.value in visited else "to come"
        if step is state.step:
            what = "here"
        elif f"step {number} not performed" in left_out:
            what = "skipped"
        found.append(StepDone(number, step, what, says))
    return found


def _says(state: State) -> tuple[str, ...]:
    """What there is of each step, in numbers; of a comparison nothing while a round is open."""
    epoch, rounds = state.epoch, state.epoch.rounds
    written = epoch.guidelines[-1].version if epoch.guidelines else ""
    rules = f"guidelines {written}" if written else "no guidelines yet"
    signed = sum(
        all(epoch.signed.get(name, {}).get(c) == versions[-1].version for c in state.coders)
        for name, versions in epoch.concepts.items()
    )
    annotated = counted(len(state.items.ids), "item") if state.items.ids else ""
    compared = ""
    if rounds:
        annotated = f"{counted(len(rounds), 'round')} by {counted(len(rounds[-1].coders), 'coder')}"
    if rounds and rounds[-1].closed:
        total: Counter[str] = Counter()
        for counts in rounds[-1].comparison.values():
            total.update(counts)
        shown = (f"{total[name]:,} {name}" for name in ("agreed", "conflicting", "incomplete"))
        compared = f"round {rounds[-1].number}: {listing(shown)}"
    n_cases = counted(len(epoch.cases), "case")
    return (
        state.research_question,
        f"{counted(len(epoch.questions), 'question')}, {rules}" if epoch.task else "",
        f"{signed} of {counted(len(epoch.concepts), 'concept')} signed by all coders"
        if epoch.concepts
        else "",
        annotated,
        compared,
        f"{len(live_cases(epoch)):,} of {n_cases} to settle" if epoch.cases else "",
    )
