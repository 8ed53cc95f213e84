"""What a guard is, and how the guards of a transition are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..actions import Action
from .refusal import Refused, Unmet
from .state import State
from .transitions import TRANSITIONS

__all__ = ["GUARDS", "Asked", "guard", "require", "unmet_by", "unmet_of"]

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
