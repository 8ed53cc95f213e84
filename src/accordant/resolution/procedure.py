"""How one acts on a project: who and when is checked, a command decides, and what follows."""

from __future__ import annotations

from . import subjects as _subjects  # noqa: F401  (registers the commands and guards)
from .command import COMMANDS, Events, Given, Run, unmet_by_anybody
from .consequences import consequences
from .event import apply
from .refusal import require
from .state import State

__all__ = ["act", "carried_out", "decided"]


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
    require(what.does, unmet_by_anybody(state, by, what))
    return function(state, by, *args, **given)


def carried_out(state: State, by: str, at: str, events: Events) -> Events:
    """Fold what was decided into the state, with what necessarily follows; all that happened."""
    apply(state, [(event, (at, by)) for event in events])
    happened = list(events)
    while events := consequences(state, events):
        apply(state, [(event, (at, by)) for event in events])
        happened += events
    return happened
