"""What partitions can be ranked by."""

from __future__ import annotations

from ..errors import RequestError
from .null import why_no_null
from .states import States

__all__ = ["CRITERIA", "OF_SETS", "criterion_for", "criterion_of"]

CRITERIA = {
    "beyond_slips": 1, "excess": 1, "gain": 1, "explained": 1, "first": -1, "second": 1, "lift": 1,
    "information": 1,
}  # fmt: skip
"""What bipartitions are ranked by: 1 the highest first, −1 the lowest first."""

OF_SETS = ("beyond_slips", "gain")
"""The criteria that compare with slips in single labels, which categories do not have."""


def criterion_of(name: str) -> str:
    """The name of a criterion.

    Raises
    ------
    RequestError
        If there is no such criterion.
    """
    if name not in CRITERIA:
        raise RequestError(f"unknown criterion {name!r}: choose from {', '.join(CRITERIA)}")
    return name


def criterion_for(states: States, name: str) -> str:
    """The name of a criterion that these values have.

    Raises
    ------
    RequestError
        If there is no such criterion, or it needs sets of labels and the values are categories.
    """
    if criterion_of(name) in OF_SETS and states.values and (why := why_no_null(states)):
        raise RequestError(f"{name!r} needs sets of labels, but {why}: rank by 'excess'")
    return name
