"""A command that is blocked says everything that is missing, not only the first thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import AccordantError
from ..messages import Action

__all__ = ["Refused", "Unmet", "step"]


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


def step(name: str, **options: object) -> Action:
    """A command of the procedure as a next step; what it requires is for the person to give.

    Examples
    --------
    >>> step("purpose", purpose="ground truth").call
    'project purpose'
    """
    return Action(f"project {name}", options)


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
        missing = [u.says + (f": {u.todo}" if u.todo else "") for u in self.unmet]
        lines = [f"  - {line}" for line in [*missing, *self.notes]]
        return "\n".join([f"Blocked: {self.what}", *lines])
