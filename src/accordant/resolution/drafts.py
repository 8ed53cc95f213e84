"""Texts that a person has not sent yet, by the act they are for: nobody else ever sees them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable

from ..errors import RequestError
from .command import COMMANDS, Events
from .wording import all_known

__all__ = ["acts_of", "draft_key"]

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
