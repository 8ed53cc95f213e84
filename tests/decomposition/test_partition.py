"""A partition says which block each value is in."""

from __future__ import annotations

import pytest

from accordant.decomposition.partition import Partition
from accordant.errors import RequestError

VOWEL = Partition("vowel", (("a", "e"), ("b",)), ("yes", "no"))


def test_block_of_each_value() -> None:
    assert VOWEL.of(("a", "b", "e")).tolist() == [0, 1, 0]
    assert VOWEL.n_blocks == 2
    assert str(VOWEL) == "vowel"


def test_a_value_without_a_block_is_named() -> None:
    with pytest.raises(RequestError, match="'vowel' has no block for 'c'"):
        VOWEL.of(("a", "c"))
