"""Who is it? A token that a person shows, of which only the hash is kept.

A token says who, never what they may do: roles are those that the person has when it is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from .command import COMMANDS, unmet_by_anybody
from .people import the_person
from .refusal import Unmet, require
from .state import Person, State

__all__ = ["holder", "may_invite", "new_token"]

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
