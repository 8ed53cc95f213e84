"""A state lent for a trial: what is changed is copied then, everything else is shared.

Folds take what they change out of a list, or out of a container by its name; from there it is a
copy of the loan's own. Whoever goes through the values of a dictionary only reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from .case_state import Part, Rescoring
from .state import Epoch, ItemTable, State

__all__ = ["Loan", "lent"]


class Loan(dict[Any, Any]):
    """A dictionary that shares its values until one is asked for by its key.

    Examples
    --------
    >>> columns = {"ana": [0, 1], "bob": [1, 1]}
    >>> loan = Loan(columns)
    >>> loan["ana"][0] = 1
    >>> columns["ana"], loan.taken
    ([0, 1], {'ana'})
    """

    def __init__(self, values: Mapping[Any, Any]) -> None:
        super().__init__(values)
        self.taken: set[Any] = set()
        """Keys whose values are copies, or new."""

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if key not in self.taken:
            value = _own(value)
            self[key] = value
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.taken.add(key)
        super().__setitem__(key, value)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, a copy from now on."""
        if key not in self:
            return default
        return self[key]

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which is set where there is none."""
        if key not in self:
            self[key] = default
        return self[key]


def lent(state: State) -> State:
    """A state of the same content: whatever happens to it, the first one stays as it is.

    Examples
    --------
    >>> first = State(title="Letters")
    >>> trial = lent(first)
    >>> trial.epoch.accepted["ana"] = 7
    >>> first.epoch.accepted
    {}
    """
    found: State = _own(state)
    return found


def _own(value: Any) -> Any:
    """A copy in which nested dictionaries are lent; what is never changed is shared."""
    if isinstance(value, Part):
        return _part(value)
    if isinstance(value, list):
        nested = value and isinstance(value[0], Part | list) and not isinstance(value[0], Rescoring)
        return [_own(one) for one in value] if nested else list(value)
    if isinstance(value, dict):
        inside = next(iter(value.values()), None)
        return Loan(value) if isinstance(inside, Part | dict | list) else dict(value)
    return value


def _part(value: Part) -> Part:
    found = copy(value)
    for name in value.__struct_fields__:
        setattr(found, name, _own(getattr(value, name)))
    if isinstance(found, Epoch | ItemTable):  # what is derived is found again, or its own
        kept = {k: dict(v) for k, v in vars(value).items() if k in ("_codes", "_positions")}
        found.__dict__.clear()
        found.__dict__.update(kept)
    return found
