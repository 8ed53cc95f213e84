"""Which labels values hold: themselves, or the labels of a set, in the order of the scheme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.sets import label_sets
from ..scheme import Label, Value

__all__ = ["LabelOrder", "Members", "held_labels", "holders"]

Members: TypeAlias = NDArray[np.bool_]
LabelOrder: TypeAlias = Sequence[Label] | None


def held_labels(counts: Counts, order: LabelOrder = None) -> tuple[tuple[Label, ...], Members]:
    """(L,) labels in the order asked for, used or not, and (V, L) which value holds which.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["b", "a,b"], ["b", "b"]], separator=","))
    >>> held_labels(counts, ("a", "b", "c"))[0]
    ('a', 'b', 'c')
    """
    sets = label_sets(counts.values)
    labels = tuple(dict.fromkeys((*(order or ()), *sets.labels)))
    position = {label: k for k, label in enumerate(labels)}
    members = np.zeros((len(sets.members), len(labels)), bool)
    members[:, [position[label] for label in sets.labels]] = sets.members
    return labels, members


def holders(counts: Counts, label: Value) -> NDArray[np.float64]:
    """(P,) how many coders of an item gave it the label, alone or in a set.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> holders(count(read([["b", "a,b"], ["b", "b"]], separator=",")), "a").tolist()
    [0.0, 1.0]
    """
    holds = np.array([label in (v if isinstance(v, tuple) else (v,)) for v in counts.values])
    return counts.sum_entries(counts.n * holds[counts.value])
