"""Two sequences of labels given one after the other, as other programs take them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ..actions import Action
from ..errors import RequestError

__all__ = ["pairs"]

P = ParamSpec("P")
R = TypeVar("R")


def pairs(function: Callable[P, R]) -> Callable[P, R]:
    """A function of data that takes the labels of two coders as its first two arguments too.

    Raises
    ------
    RequestError
        If two data sets are given.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        first: Any = args[0] if args else None
        second: Any = args[1] if len(args) > 1 else None
        if _labels(first) and _labels(second) and len(first) == len(second):
            return function((first, second), *args[2:], **kwargs)  # type: ignore[arg-type]
        if _several(first) and _several(second):
            raise RequestError(
                "two data sets are given", do=[Action("compare", {}, "to compare them")]
            )
        return function(*args, **kwargs)

    return call


def _labels(given: Any) -> bool:
    """Whether something holds a label for each item, and is no list of files."""
    if hasattr(given, "dtype"):
        return getattr(given, "ndim", 1) == 1 and not getattr(given.dtype, "names", None)
    return (
        isinstance(given, list | tuple)
        and len(given) > 0
        and all(x is None or isinstance(x, str | int | float) for x in given)
        and not all(isinstance(x, str) and Path(x).suffix for x in given)
    )


def _several(given: Any) -> bool:
    return isinstance(given, list | tuple) and len(given) > 0 and all(map(_labels, given))
