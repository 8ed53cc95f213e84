"""What a command is, what guards it, and what is said where it is refused: all that is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from ..actions import Action, option_words
from ..errors import AccordantError
from ..kinds import Typed
from .event import Event
from .state import State
from .terms import Role, Step
from .transitions import TRANSITIONS


@dataclass(frozen=True)
class Unmet:
    """A guard that does not hold.

    Parameters
    ----------
    guard : str
        Name of the guard, as in `GUARDS` and in the table of transitions.
    says : str
        What is missing, with names and numbers: a whole sentence without a full stop.
    awaited : tuple of str
        Who must do it.
    argument : bool
        Whether it is only something to be given with the command: a reason, a date.
    do : tuple of Action
        The command that helps.
    """

    guard: str
    says: str
    awaited: tuple[str, ...] = ()
    argument: bool = False  # only something to give with the command (a reason, a date)
    do: tuple[Action, ...] = ()

    def __str__(self) -> str:
        return self.says


class NextStep(Action):
    """A command of the procedure as a next step; whoever shows it fills in what is required."""

    def python(self) -> str:
        """What is typed: in Python steps are functions of `steps`, given to `Project.do`."""
        return self.shell()

    def shell(self) -> str:
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
        super().__init__(what)
        self.args = (what, self.unmet)  # to be copied and pickled with both

    def __str__(self) -> str:
        lines = [f"  - {line}" for line in self.unmet]
        return "\n".join([f"Blocked: {self.what}", *lines])


# ------------------------------------------------------------------ guards

Asked = Mapping[str, Any]
"""``by``, ``reason``, ``review_date``, ``scope``, …"""
Lack = Unmet | str
"""In a guard of that name what it says is enough."""
Guard = Callable[[State, Asked], list[Unmet]]
Looks = TypeVar("Looks", bound=Callable[[State, Asked], Iterable[Lack]])
GUARDS: dict[str, Guard] = {}


def guard(name: str, do: Action | None = None) -> Callable[[Looks], Looks]:
    """Register a guard under a name of the table of transitions; ``do`` is what helps.

    What stands behind a colon in the table, it is asked under its own name.
    """

    def register(function: Looks) -> Looks:
        def asked_by(state: State, asked: Asked) -> list[Unmet]:
            each = function(state, asked)
            found = [one if isinstance(one, Unmet) else Unmet(name, one) for one in each]
            return [one if one.do or do is None else replace(one, do=(do,)) for one in found]

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
            found += GUARDS[kind](state, {**asked, kind: rest} if rest else asked)
    return found


def unmet_by(name: str, state: State, asked: Asked) -> list[Unmet]:
    """What one guard misses, by its name."""
    return GUARDS[name](state, asked)


def require(unmet: list[Unmet], what: str = "") -> None:
    """Refuse with everything that is missing, if anything is; a command by what it ``does``."""
    if unmet:
        raise Refused(what, unmet)


@guard("reason")
def _reason(state: State, asked: Asked) -> Iterator[Lack]:
    if not str(asked.get("reason") or "").strip():
        yield Unmet("reason", "no reason is given", argument=True)


Cites: TypeAlias = Annotated[Sequence[str], Typed("ELEMENT", "--cites")]
Proposals: TypeAlias = Annotated[Sequence[int], Typed("NUMBER", "--proposal")]
Shown: TypeAlias = Annotated[Sequence[str], Typed("HASH", "--shown")]
Review: TypeAlias = Annotated[str, Typed("DATE", "--review")]
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


def command(
    name: str, does: str, *, roles: Sequence[Role] = (), steps: Sequence[Step] = (), typed: str = ""
) -> Callable[[Run[Given]], Run[Given]]:
    """Register a function ``(state, by, **given) -> events`` as a command.

    It must not change the state, and refuse (`require`) before it returns anything.
    What it takes, with its docstring, is also what people type: see `inputs`.
    """

    def register(function: Run[Given]) -> Run[Given]:
        COMMANDS[name] = Command(name, does, function, tuple(roles), tuple(steps), typed)
        return function

    return register


def unmet_by_anybody(state: State, by: str, what: Command) -> list[Unmet]:
    """Why this person may not do this now, apart from the guards of the command itself."""
    if by not in state.people and what.name != "new":
        says = f"{by!r} does not take part in this project"
        found = [Unmet("person", says, do=(step("person"),))]
    else:
        found = lacks_role(state, by, what.roles)
    return found + wrong_step(state, what.steps)


def lacks_role(state: State, by: str, roles: Sequence[Role]) -> list[Unmet]:
    """Somebody else must do this, if roles are asked for."""
    if not roles or state.has_role(by, *roles):
        return []
    says = f"{by} is not {' or '.join(f'{_a(role)} {role}' for role in roles)}"
    return [Unmet("role", says, awaited=state.with_role(*roles))]


def wrong_step(state: State, steps: Sequence[Step]) -> list[Unmet]:
    """The project must stand elsewhere, if it must stand somewhere."""
    if not steps or state.step in steps:
        return []
    allowed = " or ".join(f"“{one}”" for one in steps)
    says = f"the project is at “{state.step}”, not {allowed}"
    return [Unmet("step", says, do=(step("status"),))]


def _a(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
