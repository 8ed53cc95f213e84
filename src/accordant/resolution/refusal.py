"""Guards, and what is said where they do not hold: everything that is missing, not the first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..actions import Action, option_words
from ..errors import AccordantError
from .state import State
from .transitions import TRANSITIONS

__all__ = [
    "GUARDS", "Asked", "NextStep", "Refused", "Unmet", "guard", "require", "step", "unmet_by",
    "unmet_of",
]  # fmt: skip


@dataclass(frozen=True)
class Unmet:
    """A guard that does not hold.

    Parameters
    ----------
    guard : str
        Name of the guard, as in `guards` (and in the table of transitions).
    says : str
        What is missing, with names and numbers: a whole sentence without a full stop.
    todo : str
        What to do about it, if anything can be done.
    awaited : tuple of str
        Who must do it.
    argument : bool
        Whether it is only something to be given with the command: a reason, a date.
    do : tuple of Action
        The command that helps.
    """

    guard: str
    says: str
    todo: str = ""
    awaited: tuple[str, ...] = ()
    argument: bool = False  # only something to give with the command (a reason, a date)
    do: tuple[Action, ...] = ()

    def __str__(self) -> str:
        return f"{self.says}: {self.todo}" if self.todo else self.says


class NextStep(Action):
    """A command of the procedure as a next step; whoever shows it fills in what is required."""

    def python(self, data: str = "") -> str:
        """What is typed: in Python steps are functions of `steps`, given to `Project.do`."""
        return self.shell()

    def shell(self, file: str = "") -> str:
        """What is typed, as far as it is known."""
        given = [word for name, x in self.options.items() for word in option_words(name, x)]
        return " ".join(["accordant", self.call, *given])


def step(name: str, why: str = "", /, **options: object) -> Action:
    """A command of the procedure as a next step; what it requires is for the person to give.

    Examples
    --------
    >>> step("cases", live=True).shell()
    'accordant project cases --live'
    """
    return NextStep(f"project {name}", options, why)


class Refused(AccordantError):  # noqa: N818 (not an error of the program: the procedure says no)
    """The procedure does not allow a command now.

    Parameters
    ----------
    what : str
        What was attempted ("opening a round").
    unmet : sequence of Unmet
        Every guard that does not hold.
    """

    def __init__(self, what: str, unmet: Sequence[Unmet]) -> None:
        self.what, self.unmet = what, tuple(unmet)
        self.notes: list[str] = []
        super().__init__(what)
        self.args = (what, self.unmet)  # to be copied and pickled with both

    def note(self, sentence: str) -> None:
        """Add what a person should know besides: what others did meanwhile."""
        self.notes.append(sentence)

    def __str__(self) -> str:
        lines = [f"  - {line}" for line in [*self.unmet, *self.notes]]
        return "\n".join([f"Blocked: {self.what}", *lines])


# ------------------------------------------------------------------ guards

Asked = Mapping[str, Any]
"""What came with the command: ``by``, ``reason``, ``review_date``, ``scope``, …"""
Guard = Callable[[State, Asked], list[Unmet]]
GUARDS: dict[str, Guard] = {}
"""Every guard by its name in the table of transitions."""


def guard(name: str, do: Action | None = None) -> Callable[[Guard], Guard]:
    """Register a guard under a name of the table of transitions; ``do`` is what helps."""

    def register(function: Guard) -> Guard:
        def asked_by(state: State, asked: Asked) -> list[Unmet]:
            unmet = function(state, asked)
            return (
                unmet
                if do is None
                else [one if one.do else replace(one, do=(do,)) for one in unmet]
            )

        GUARDS[name] = asked_by
        return function

    return register


def unmet_of(state: State, transition: int, asked: Asked) -> list[Unmet]:
    """Every guard of a transition that does not hold."""
    found: list[Unmet] = []
    for name in TRANSITIONS[transition].guards:
        kind, _, rest = name.partition(":")
        if kind == "guards_of":
            found += unmet_of(state, int(rest), asked)
        else:
            found += GUARDS[name](state, asked)
    return found


def unmet_by(name: str, state: State, asked: Asked) -> list[Unmet]:
    """What one guard misses, by its name."""
    return GUARDS[name](state, asked)


def require(what: str, unmet: list[Unmet]) -> None:
    """Refuse with everything that is missing, if anything is."""
    if unmet:
        raise Refused(what, unmet)


@guard("reason")
def _reason(state: State, asked: Asked) -> list[Unmet]:
    if str(asked.get("reason") or "").strip():
        return []
    return [Unmet("reason", "no reason is given", "say why", argument=True)]
