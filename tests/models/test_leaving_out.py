"""What hangs on a coder: labels and alpha without each, against fitting the smaller data."""

from __future__ import annotations

import numpy as np
import pytest

import accordant as ac
from accordant.models.coders.leave_one_out import leaving_out
from claims.simulated_crowd import simulate_crowd
from models.planted import mixed


@pytest.mark.parametrize("model", ["majority", "dawid_skene", "pooled"])
def test_the_same_as_reading_the_data_without_the_coder(model: str) -> None:
    data = mixed().data
    found = leaving_out(ac.fit(data, model, restarts=0))
    assert len(found.each) == 12
    whole = dict(zip(*_labels(data, model), strict=True))
    for one in found.each[::4]:
        rest = data.of_coders([c for c in data.coders if c != one.coder])
        names, labels = _labels(rest, model)
        now = dict(zip(names, labels, strict=True))
        had = [i for i in whole if whole[i] is not None]
        assert one.n_items == len(had)
        assert one.lost == sum(i not in now for i in had)
        assert one.tied == sum(i in now and now[i] is None for i in had)
        changed = [i for i in had if i in now and now[i] not in (None, whole[i])]
        assert one.changed == len(changed)
        assert one.alpha == pytest.approx(ac.agreement(rest, "alpha")["alpha"].value)
        assert one.rise == pytest.approx(one.alpha - ac.agreement(data, "alpha")["alpha"].value)


def _labels(data, model: str) -> tuple[list, list]:
    found = ac.fit(data, model, restarts=0)
    return list(found.items), found.labels


def test_spammers_cost_agreement_and_change_little() -> None:
    found = {x.coder: x for x in leaving_out(ac.fit(mixed().data)).each}
    assert found["spammer 1"].rise > 0.01 > found["good 1"].rise
    assert found["spammer 1"].share < 0.03


def test_a_decisive_coder_is_told() -> None:
    table = [["a", "b", "a", "b"], ["a", "b", "a", "a"], ["a", "b", "b", "a"]]
    found = ac.coders(table, "majority")
    finding = next(f for f in found.findings if f.code == "decisive_coder")
    assert finding.evidence["coder"] == "coder 2"
    assert "2 become ties" in finding.sentence
    assert found.leaving_out.each[0].items == (3, 4)


def test_an_alpha_that_is_not_defined_is_not_told() -> None:
    table = [["a", None, None, "b"], [None, "b", None, None], [None, None, "a", None]]
    finding = next(f for f in ac.coders(table).findings if f.code == "decisive_coder")
    assert "0 become ties and 2 have none. The same" in finding.sentence


def test_of_many_coders_those_with_most_annotations() -> None:
    seen = []
    crowd = simulate_crowd(200, 40, 2, per_item=5, uneven=1.0, seed=1)
    post = ac.fit(crowd.data, restarts=0)
    found = leaving_out(post, 5, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(k, 5) for k in range(1, 6)]
    most = sorted(post.votes.per_coder)[-5:]
    assert sorted(x.n_annotations for x in found.each) == most
    assert "5 of 40" in found.bounded
    assert "5 of 40" in str(found)
    assert ac.coders(post, leave_out=0).leaving_out.each == ()
    assert len(leaving_out(post).each) == 40


def test_where_each_fit_takes_long_only_the_busiest_are_left_out() -> None:
    crowd = simulate_crowd(400, 400, 6, per_item=4, uneven=1.0, seed=1)
    post = ac.fit(crowd.data, "pooled", restarts=0)
    found = leaving_out(post)
    assert 0 < len(found.each) < 100
    most = sorted(post.votes.per_coder)[-len(found.each) :]
    assert sorted(x.n_annotations for x in found.each) == most
    assert "of 329 coders with most annotations" in found.bounded


def test_nothing_is_fitted_again_where_nobody_can_be_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    post = ac.fit(mixed().data, restarts=0)
    monkeypatch.setattr("accordant.models.coders.leave_one_out.QUICK", 0)
    fitted = []
    monkeypatch.setattr("accordant.models.coders.leave_one_out._codes", fitted.append)
    found = leaving_out(post)
    assert found.each == ()
    assert not fitted
    assert found.alpha == pytest.approx(ac.agreement(mixed().data, "alpha")["alpha"].value)


def test_with_one_coder_nothing_is_left_out() -> None:
    found = leaving_out(ac.fit([["a", "b", "a"]], "majority"))
    assert found.each == ()
    two = leaving_out(ac.fit([["a", "b", "a"], ["a", "b", "b"]], "majority"))
    assert [x.n_items for x in two.each] == [2, 2]
    assert all(np.isnan(x.alpha) for x in two.each)
    assert len({tuple(r) for r in two.to_rows()}) == 1
