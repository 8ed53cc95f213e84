"""Several acts in one: each tried on what the ones before it left, and all of them done, or none.

>>> from accordant.resolution.setup import add_person
>>> Act(add_person, "ana", {"name": "bob"}, "people.csv, row 2").place
'people.csv, row 2'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import AccordantError, Conflict, InputError, RequestError
from .command import Events, Refused
from .state import State

NOT_POSSIBLE = (Refused, RequestError, InputError, Conflict)
"""Whatever else goes wrong, such as a full disk, ends the whole."""
_BELOW = "\n    "
MOST = 50  # that are told at once


@dataclass(frozen=True)
class Act:
    """One of several acts.

    Parameters
    ----------
    function : callable
        A command of `steps`.
    by : str
        Who acts.
    given : mapping
        What the command takes.
    place : str
        Where it stands, for people: "cases.xlsx, row 7, column 'cause'".
    expect : mapping of str to int
        What the person had before them, as for `Project.done`.
    args : sequence
        What the command takes, in its order.
    """

    function: Callable[..., Events]
    by: str
    given: Mapping[str, object] = field(default_factory=dict)
    place: str = ""
    expect: Mapping[str, int] = field(default_factory=dict)
    args: Sequence[object] = ()


@dataclass(frozen=True)
class Wrong:
    """Something that cannot be done, where it stands, and why."""

    place: str
    error: AccordantError

    def __str__(self) -> str:
        told = str(self.error)
        if isinstance(self.error, Refused):
            told = _BELOW.join([self.error.what, *map(str, self.error.unmet)])
        return f"{self.place}: {told}" if self.place and not told.startswith(self.place) else told


Acts = Callable[[State], Iterable[Act | Wrong]]
"""Each is asked for when the state is what the one before it left."""


class ActsRefused(AccordantError):  # noqa: N818 (as of `Refused`: it is nobody's error)
    """None of several acts was done, since some cannot be.

    Parameters
    ----------
    each : sequence of Wrong
        Everything that cannot be done, in the order of the acts.
    tried : int
        How many acts there were, those included.
    """

    def __init__(self, each: Sequence[Wrong], tried: int) -> None:
        self.each, self.tried = tuple(each), tried
        lines = [f"  - {one}" for one in self.each[:MOST]]
        lines += [f"  - and {len(self.each) - MOST:,} more"] if len(self.each) > MOST else []
        head = f"nothing was done: {len(self.each):,} of {tried:,} cannot be done"
        super().__init__("\n".join([head, *lines]))
        self.args = (self.each, tried)  # to be copied and pickled with both


def tried(acts: Acts, state: State, do: Callable[[Act], Events]) -> list[tuple[Act, Events]]:
    """Each act with what it comes to, done one after another; ``do`` changes the state.

    Raises
    ------
    ActsRefused
        If some cannot be done: all of them, those after the first one too.
    """
    happened, wrong, n = list[tuple[Act, Events]](), list[Wrong](), 0
    for n, act in enumerate(acts(state), 1):  # noqa: B007
        if isinstance(act, Wrong):
            wrong.append(act)
            continue
        try:
            happened.append((act, do(act)))
        except NOT_POSSIBLE as error:
            wrong.append(Wrong(act.place, error))
    if wrong:
        raise ActsRefused(wrong, n)
    return happened
