"""What a person has beside the log: texts that are not sent, and a token that says who they are.

Nobody else sees the texts. Of a token only the hash is kept. It says who, never what they may do:
roles are those that the person has when it is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import inspect
import secrets
from collections.abc import Callable, Iterable, Mapping

from ..errors import RequestError
from .command import COMMANDS, Events, Unmet, require, unmet_by_anybody
from .setup import the_person
from .state import Person, State
from .wording import all_known

__all__ = ["acts_of", "draft_key", "holder", "may_invite", "new_token"]

CASE = "case "  # what streams of cases begin with


def draft_key(function: Callable[..., Events], field: str, case: int | None = None) -> str:
    """The key of a draft: the act it is for, the case if the act is about one, and the field.

    Parameters
    ----------
    function : callable
        One of `steps`.
    field : str
        Which of its texts.
    case : int, optional

    Examples
    --------
    >>> from accordant.resolution import steps
    >>> draft_key(steps.give_reason, "text", case=7)
    'case reason/7/text'
    """
    known = [*inspect.signature(function).parameters][2:]
    all_known("field", [field], known, f"{function.__name__} takes")
    if (case is not None) is not any(name in known for name in ("case", "cases")):
        raise RequestError(f"{function.__name__} is {'not ' * (case is not None)}about a case")
    return f"{_name(function)}/{'' if case is None else case}/{field}"


def acts_of(function: Callable[..., Events], events: Iterable[str]) -> set[str]:
    """What the keys of drafts begin with for which an act was done, by the streams of its events.

    Examples
    --------
    >>> from accordant.resolution import steps
    >>> sorted(acts_of(steps.give_reason, ["case 7"]))
    ['case reason/', 'case reason/7']
    """
    cases = {stream[len(CASE) :] for stream in events if stream.startswith(CASE)}
    return {f"{_name(function)}/{number}" for number in {"", *cases}}


def _name(function: Callable[..., Events]) -> str:
    return next(one.name for one in COMMANDS.values() if one.run is function)


BYTES = 32  # too many to guess, so that a plain hash is enough


def new_token() -> tuple[str, str]:
    """A random token and its hash."""
    token = secrets.token_urlsafe(BYTES)
    return token, _digest(token)


def may_invite(state: State, person: str, by: str) -> None:
    """Complain unless the person takes part, and who asks may add people.

    Raises
    ------
    RequestError, Refused
    """
    the_person(state, person)
    require("saying who may come in", unmet_by_anybody(state, by, COMMANDS["person"]))


def holder(state: State, tokens: Mapping[str, str], token: str) -> Person:
    """Whose token it is, with the roles of now.

    Parameters
    ----------
    state : State
    tokens : mapping of str to str
        Person → hash.
    token : str

    Raises
    ------
    Refused
        If it is nobody's. The token stands in no message.

    Examples
    --------
    >>> token, digest = new_token()
    >>> ana = Person("ana", ("coder",))
    >>> holder(State(people={"ana": ana}), {"ana": digest}, token).name
    'ana'
    """
    found, shown = "", _digest(token)
    for name, digest in tokens.items():  # all of them, so that the time tells nothing
        if hmac.compare_digest(digest, shown) and name in state.people:
            found = name
    if not found:
        says = "this invitation is not valid, or not any more"
        require("signing in", [Unmet("token", says, "ask a researcher for another one")])
    return state.people[found]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
