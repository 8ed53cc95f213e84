"""Arrays of few whole numbers, a byte a cell: the short way from an array to a grid of codes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLANK_BYTE", "Bytes", "encode_bytes", "times_of"]

BLANK_BYTE = 255
_WIDEST = 126  # span of numbers that fits a signed byte beside "no value"
_FEW = 24  # distinct codes up to which comparing is quicker than counting


class Bytes(NamedTuple):
    """An array of numbers as codes.

    ``codes`` has the shape of the array, `BLANK_BYTE` for not-a-number; ``words`` (W,) the
    distinct numbers, sorted; ``times`` (W,) how often each occurs.
    """

    codes: NDArray[np.uint8]
    words: NDArray[Any]
    times: NDArray[np.integer[Any]]


def encode_bytes(cells: NDArray[Any]) -> Bytes | None:
    """Codes of an array of whole numbers that lie close together, else None.

    Examples
    --------
    >>> found = encode_bytes(np.array([[1.0, 5.0], [np.nan, 5.0]]))
    >>> found.codes.tolist(), found.words.tolist(), found.times.tolist()
    ([[0, 1], [255, 1]], [1.0, 5.0], [1, 2])
    """
    if cells.size == 0 or cells.dtype.kind not in "iuf":
        return None
    blank = np.isnan(cells) if cells.dtype.kind == "f" else None
    if blank is not None and blank.any():
        cells = np.where(blank, cells.flat[int(np.argmin(blank))], cells)
    low, high = cells.min(), cells.max()
    if not 0 <= high - low <= _WIDEST or low != np.floor(low):  # not if all are blank
        return None
    codes = _shifted(cells, low)
    if codes is None:
        return None
    if blank is not None:
        codes[blank] = BLANK_BYTE
    span = int(high - low) + 1
    times = times_of(codes, span)
    found = np.flatnonzero(times)
    if len(found) < span:
        lookup = np.full(256, BLANK_BYTE, np.uint8)
        lookup[found] = np.arange(len(found))
        codes = lookup.take(codes)
    return Bytes(codes, (found + low).astype(cells.dtype), times[found])


def times_of(codes: NDArray[np.uint8], n: int) -> NDArray[np.integer[Any]]:
    """(n,) how often each of the first codes occurs."""
    if n <= _FEW:
        return np.array([np.count_nonzero(codes == k) for k in range(n)], np.int64)
    return np.bincount(codes.reshape(-1), minlength=BLANK_BYTE + 1)[:n]


def _shifted(cells: NDArray[Any], low: Any) -> NDArray[np.uint8] | None:
    """``cells - low`` in bytes, or None if a number is not whole."""
    shifted = cells - low
    codes = np.asarray(shifted.astype(np.uint8))
    return codes if cells.dtype.kind != "f" or np.array_equal(codes, shifted) else None
