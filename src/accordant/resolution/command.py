"""What a command is, and how one acts on a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate, ParamSpec

from .event import Event
from .refusal import Unmet, step
from .state import State
from .words import Role, Step

__all__ = ["COMMANDS", "Command", "Events", "command", "unmet_by_anybody"]

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

    It must not change the state, and refuse (`refusal.require`) before it returns anything.
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
        may = state.with_role(*what.roles)
        says = f"only {_a(wanted)} {wanted} may do this, and {by} is none"
        found.append(Unmet("role", says, f"let {_a(wanted)} {wanted} do it", may))
    if what.steps and state.step not in what.steps:
        allowed = " or ".join(f"“{step}”" for step in what.steps)
        says = f"the project is at “{state.step}”; this belongs to {allowed}"
        found.append(Unmet("step", says, "see the ways from here", do=(step("status"),)))
    return found


def _a(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
