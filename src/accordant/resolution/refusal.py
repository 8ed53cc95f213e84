"""A command that is blocked says everything that is missing, not only the first thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..actions import Action, option_words
from ..errors import AccordantError

__all__ = ["NextStep", "Refused", "Unmet", "step"]


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
