"""Boot-match, precision and recall of every pair of coders."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data.annotations import NO_VALUE, Annotations
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.pairs import SetPairs, coder_pairs, set_pairs
from accordant.measure.distances import weights_for
from diagnosis.made import FLEISS_1971, of_sets, sets_at_random
from diagnosis.test_label_sets import case  # noqa: F401  (a fixture)

EXACT = 1e-10


def of(data: Annotations) -> SetPairs:
    found = diagnose(data).pooled.set_pairs
    assert found is not None
    return found


def with_a_third(data: Annotations) -> Annotations:
    """The same two coders with somebody between them who annotated a few items."""
    letters = [["".join(data.values[v]) for v in row] for row in data.grid.T]
    third = [x if i % 50 == 0 else None for i, x in enumerate(letters[1])]
    return of_sets([letters[0], third, letters[1]], data.scheme.categories)


def test_a_pair_is_measured_as_if_nobody_else_was_there(case: Annotations) -> None:  # noqa: F811
    """Marchal et al. (2022), Table 2."""
    pairs = {(p.first, p.second): p for p in of(with_a_third(case)).pairs}
    found = pairs["coder 1", "coder 3"]
    assert found.n_common == 884
    shown = [f"{x:.2f}" for x in (found.observed, found.expected, found.boot_match)]
    assert shown == ["0.79", "0.34", "0.68"]
    assert f"{found.boot_precision:.2f} {found.boot_recall:.2f}" == "0.65 0.43"
    assert pairs["coder 1", "coder 2"].n_common == 18


def drawn(sets: list[tuple[str, ...]], names: str) -> dict[frozenset[str], float]:
    """How probable each set is if a coder draws a size and then so many different labels."""
    n = np.array([sum(name in s for s in sets) for name in names], float)
    p = dict(zip(names, n / max(n.sum(), 1), strict=True))
    found: dict[frozenset[str], float] = {}
    for size in {len(s) for s in sets}:
        share = sum(len(s) == size for s in sets) / len(sets)
        for order in product(names, repeat=size):
            if len(set(order)) == size:
                left, chance = 1.0, share
                for name in order:
                    chance *= p[name] / left if left > 1e-12 else 0
                    left -= p[name]
                key = frozenset(order)
                found[key] = found.get(key, 0) + chance
    return found


@pytest.mark.parametrize("seed", range(3))
def test_every_pair_by_enumeration(seed: int) -> None:
    """Chance from the common items of the two alone, all sets that they could draw gone through."""
    data = sets_at_random(seed, items=25, coders=3, labels=4, missing=0.3)
    found = of(data)
    assert (len(found.pairs), found.n_left_out, found.reason) == (3, 0, "")
    for pair in found.pairs:
        a, b = data.coders.index(pair.first), data.coders.index(pair.second)
        both = [(r[a], r[b]) for r in data.grid if NO_VALUE not in (r[a], r[b])]
        one, other = ([data.values[v] for v in column] for column in zip(*both, strict=True))
        law = [
            (s, t, p * q)
            for s, p in drawn(one, "abcd").items()
            for t, q in drawn(other, "abcd").items()
        ]
        seen = [(frozenset(s), frozenset(t), 1 / len(one)) for s, t in zip(one, other, strict=True)]
        assert pair.n_common == len(one)
        for name, part in (("boot_match", None), ("boot_precision", 0), ("boot_recall", 1)):
            ao, ae = (sum(p * score((s, t), part) for s, t, p in x) for x in (seen, law))
            assert getattr(pair, name) == pytest.approx((ao - ae) / (1 - ae), abs=EXACT)


def score(sets: tuple[frozenset[str], frozenset[str]], part: int | None) -> float:
    """Overlap, or the share of the labels of one of the two that the other gave too."""
    s, t = sets
    if not s | t:
        return 1
    return float(bool(s & t)) if part is None else len(s & t) / max(len(sets[part]), 1)


def test_pairs_without_a_value_say_why() -> None:
    data = of_sets((["a", "b", None], ["ab", "ab", "b"], ["a", None, "b"]), "ab")
    first, *rest = of(data).pairs
    assert np.isnan(first.boot_match)
    assert first.undefined is not None
    assert first.undefined.reason == "sets_always_agree"
    assert [p.n_common for p in rest] == [1, 2]


def test_only_pairs_that_met_are_there() -> None:
    data = of_sets((["a", "b", None], ["ab", "b", None], [None, None, "b"]), "ab")
    assert [(p.first, p.second) for p in of(data).pairs] == [("coder 1", "coder 2")]


def test_of_many_pairs_those_with_most_items_are_measured() -> None:
    data = sets_at_random(2, coders=5, missing=0.3)
    counts = count(data)
    pairs = coder_pairs(counts, weights_for("masi", counts))
    found = set_pairs(counts, pairs, most=4)
    n = np.sort(pairs.n_common[np.triu_indices(5, 1)])[::-1]
    assert sorted((p.n_common for p in found.pairs), reverse=True) == n[:4].tolist()
    assert found.n_left_out == 6
    assert found.reason.startswith("6 more pairs of coders with common items are left out")


def test_nobody_to_pair() -> None:
    assert diagnose(FLEISS_1971).pooled.set_pairs is None
    assert of(sets_at_random(1, anonymous=True)).pairs == ()
