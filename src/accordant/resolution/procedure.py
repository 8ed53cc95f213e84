"""How one acts on a project: a command decides, its events are written, and what follows.

Importing this registers every subject: its events and folds, its guards and its commands. A new
subject is one file, named here.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from enum import Enum
from functools import reduce
from operator import or_
from sys import modules
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

from ..errors import InputError, RequestError, unknown
from ..inputs import hints_of
from . import (
    annotation,
    cases,
    completion,
    concepts,
    corrections,
    guidelines,
    imports,
    items,
    orders,
    proposals,
    returns,
    rounds,
    setup,
    statement,
    step_change,
    transitions,
)
from .command import COMMANDS, Events, Given, Refused, Run, require, unmet_by_anybody
from .consequences import consequences
from .event import Event, apply
from .state import State
from .terms import canonical

SUBJECTS = (
    setup,
    items,
    guidelines,
    concepts,
    orders,
    rounds,
    annotation,
    imports,
    transitions,
    step_change,
    cases,
    proposals,
    corrections,
    returns,
    completion,
    statement,
)
"""In the order of the procedure."""


IN_ORDER = sorted(COMMANDS, key=lambda n: SUBJECTS.index(modules[COMMANDS[n].run.__module__]))

KINDS: dict[str, type[Event]] = {
    str(thing.__struct_config__.tag): thing
    for subject in SUBJECTS
    for thing in vars(subject).values()
    if isinstance(thing, type) and issubclass(thing, Event) and thing.__struct_config__.tag
}


def written(event: Event) -> str:
    """The body of an event in the log: canonical JSON.

    Examples
    --------
    >>> from accordant.resolution.rounds import RoundClosed
    >>> written(RoundClosed(2))
    '{"type":"round closed","number":2}'
    """
    return canonical(event)


def read_event(kind: str, body: str) -> Event:
    """An event from the log.

    Raises
    ------
    InputError
        If the kind is unknown (written by a newer version) or the body does not fit it.
    """
    wanted: Any = KINDS.get(kind)
    if wanted is None:
        raise InputError(f"the log holds an event {kind!r} of a newer version of Accordant")
    try:
        event: Event = msgspec.json.decode(body, type=wanted)
    except msgspec.MsgspecError as error:
        raise InputError(f"the log holds a damaged event {kind!r}: {error}") from error
    return event


def command_named(name: str) -> Run[...]:
    """The function of a command.

    Raises
    ------
    RequestError
        With the names that come near.

    Examples
    --------
    >>> command_named("round open").__name__
    'open_round'
    """
    if name not in COMMANDS:
        raise unknown("command", name, IN_ORDER, "there are")
    return COMMANDS[name].run


def converted(function: Run[...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Plain values (texts, numbers, lists, dictionaries) as a command takes them.

    Raises
    ------
    RequestError
        With the parameter that is unknown, missing, or of another type.

    Examples
    --------
    >>> from .setup import add_person
    >>> converted(add_person, {"name": "bob", "roles": ["coder"]})
    {'name': 'bob', 'roles': ['coder']}
    >>> converted(add_person, {"name": 3})
    Traceback (most recent call last):
    accordant.errors.RequestError: name: expected `str`, got `int`
    """
    takes = list(inspect.signature(function).parameters.values())[2:]
    known = {p.name for p in takes}
    for name in given:
        if name not in known:
            raise unknown("parameter", name, known, "the command takes", parameter=name)
    for p in takes:
        if p.default is p.empty and p.name not in given and p.kind is not p.VAR_KEYWORD:
            raise RequestError("is needed", parameter=p.name)
    hints = hints_of(function)
    return {name: _converted(name, value, hints[name]) for name, value in given.items()}


def _converted(name: str, value: Any, hint: Any) -> Any:
    try:
        return msgspec.convert(value, _plain(hint))
    except msgspec.ValidationError as error:
        text = str(error)
        raise RequestError(f"{text[0].lower()}{text[1:]}", parameter=name) from error


def _plain(hint: Any) -> Any:
    """A hint as msgspec takes it: one of an enumeration or a text is a text."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _plain(inside[0])
    if origin in (Union, UnionType):
        kinds = [k for k in inside if str not in inside or not _is_enumeration(k)]
        return reduce(or_, map(_plain, kinds))
    return origin[tuple(_plain(one) for one in inside)] if origin and inside else hint


def _is_enumeration(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


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
    what = next(c for c in COMMANDS.values() if c.run is function)
    require(unmet_by_anybody(state, by, what), what.does)
    try:
        return function(state, by, *args, **given)
    except Refused as refused:
        raise Refused(refused.what or what.does, refused.unmet) from None


def carried_out(state: State, by: str, at: str, events: Events) -> Events:
    """Fold what was decided into the state, with what necessarily follows; all that happened."""
    apply(state, [(event, (at, by)) for event in events])
    happened = list(events)
    while events := consequences(state, events):
        apply(state, [(event, (at, by)) for event in events])
        happened += events
    return happened
