"""What a command is, and how one acts on a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate, ParamSpec

from ..events.event import Event
from ..folding.fold import apply
from ..guards.guard import require
from ..refusal import Unmet, step
from ..state import State
from ..words import Role, Step

__all__ = [
    "COMMANDS", "Command", "Events", "act", "carried_out", "command", "decided",
    "unmet_by_anybody",
]  # fmt: skip

Events = list[Event]
Given = ParamSpec("Given")
Run = Callable[Concatenate[State, str, Given], Events]


@dataclass(frozen=True)
class Command:
    """What a person may do: its name, who may, when, and the function that does it."""

    name: str  # as on the command line: "round open"
    does: str  # "open a blind round"
    run: Callable[..., Events]
    roles: tuple[Role, ...]  # any of these; empty: everybody who takes part
    steps: tuple[Step, ...]  # empty: at any step
    typed: str = ""  # the words by which it is called, where they are not its name

    @property
    def words(self) -> str:
        """What is typed after `accordant project`: "case cause"."""
        return self.typed or self.name


COMMANDS: dict[str, Command] = {}
"""Every command by its name."""


def command(
    name: str, does: str, *, roles: Sequence[Role] = (), steps: Sequence[Step] = (), typed: str = ""
) -> Callable[[Run[Given]], Run[Given]]:
    """Register a function ``(state, by, **given) -> events`` as a command.

    It must not change the state, and refuse (`guards.guard.require`) before it returns anything.
    What it takes, with its docstring, is also what people type: see `parameters`. Name and typed
    words must be literals.
    """

    def register(function: Run[Given]) -> Run[Given]:
        COMMANDS[name] = Command(name, does, function, tuple(roles), tuple(steps), typed)
        return function

    return register


def unmet_by_anybody(state: State, by: str, what: Command) -> list[Unmet]:
    """Why this person may not do this now, apart from the guards of the command itself."""
    found = []
    if by not in state.people and what.name != "new":
        found.append(
            Unmet(
                "person",
                f"{by!r} does not take part in this project",
                "let a researcher add them",
                do=(step("person"),),
            )
        )
    elif what.roles and not state.has_role(by, *what.roles):
        wanted = " or ".join(what.roles)
        may = tuple(name for name in state.people if state.has_role(name, *what.roles))
        says = f"only {_a(wanted)} {wanted} may do this, and {by} is none"
        found.append(Unmet("role", says, f"let {_a(wanted)} {wanted} do it", may))
    if what.steps and state.step not in what.steps:
        allowed = " or ".join(f"“{step}”" for step in what.steps)
        says = f"the project is at “{state.step}”; this belongs to {allowed}"
        found.append(Unmet("step", says, "see the ways from here", do=(step("status"),)))
    return found


def _a(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def act(
    state: State, by: str, at: str, function: Run[Given], *args: Given.args, **given: Given.kwargs
) -> Events:
    """Run a command: check who and when, let it decide, and fold what follows into the state.

    Parameters
    ----------
    state : State
        Changed in place, unless the command is refused.
    by : str
        Who acts.
    at : str
        The moment, UTC, ISO 8601.
    function : callable
        One of the functions registered with `command`.
    **given
        What the command takes.

    Returns
    -------
    list of Event
        What happened: the command's own events and what necessarily follows from them.

    Raises
    ------
    Refused
        With every guard that does not hold; the state is unchanged.
    """
    return carried_out(state, by, at, decided(state, by, function, *args, **given))


def decided(
    state: State, by: str, function: Run[Given], *args: Given.args, **given: Given.kwargs
) -> Events:
    """What a command comes to, who and when checked; the state is never changed.

    Parameters
    ----------
    state, by, function, **given
        As for `act`.
    """
    from ..guards import all as _all  # noqa: F401  (registers the guards)

    what = next(c for c in COMMANDS.values() if c.run is function)
    require(what.does, unmet_by_anybody(state, by, what))
    return function(state, by, *args, **given)


def carried_out(state: State, by: str, at: str, events: Events) -> Events:
    """Fold what was decided into the state, with what necessarily follows; all that happened."""
    from ..consequences import consequences

    apply(state, [(event, (at, by)) for event in events])
    happened = list(events)
    while events := consequences(state, events):
        apply(state, [(event, (at, by)) for event in events])
        happened += events
    return happened
