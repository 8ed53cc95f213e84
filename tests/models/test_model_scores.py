"""Several models scored at once: a row for each, with the figures of each by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import accordant as ac
from accordant.models.soft.predictions import models_in
from accordant.models.soft.scores import ModelScores

DATA = [["a", "b", "a", "c"], ["a", "b", "b", "c"], ["a", "b", "a", "a"]]
SOFT = ac.soft_labels(DATA, smoothing="none")
SURE = np.array([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.6, 0.3, 0.1], [0.3, 0.1, 0.6]])
EVEN = np.full((4, 3), 1 / 3)


def test_each_row_is_that_of_the_model_alone() -> None:
    found = ac.score_predictions({"sure": SURE, "even": EVEN}, SOFT)
    assert isinstance(found, ModelScores)
    assert list(found) == ["sure", "even"]
    for row, p in zip(found.to_rows(), (SURE, EVEN), strict=True):
        alone = ac.score_predictions(p, SOFT)
        for score in alone.scores:
            assert row[score.measure] == pytest.approx(score.value, nan_ok=True)
            assert row[f"{score.measure}_low"] == pytest.approx(score.low, nan_ok=True)
    assert found["sure"]["cross_entropy"].value < found["even"]["cross_entropy"].value


def test_forms_of_a_model(tmp_path: Path) -> None:
    """An array, labels, a mapping by item, a file, soft labels and a posterior."""
    named = {
        str(i): dict(zip("abc", p, strict=True)) for i, p in zip(SOFT.names, SURE, strict=True)
    }
    path = tmp_path / "model.csv"
    lines = [f"{i},{','.join(map(str, p))}" for i, p in zip(SOFT.names, SURE, strict=True)]
    path.write_text("\n".join(["item,a,b,c", *lines]), encoding="utf-8")
    many = {
        "array": SURE,
        "labels": ["a", "b", "a", "c"],
        "by item": named,
        "file": path,
        "soft": SOFT,
        "posterior": ac.fit(DATA),
    }
    found = ac.score_predictions(many, SOFT)
    assert len(found) == 6
    values = {name: found[name]["cross_entropy"].value for name in ("array", "by item", "file")}
    assert len({round(x, 9) for x in values.values()}) == 1


def test_a_mapping_by_item_is_one_model() -> None:
    by_item = dict(zip(SOFT.names, SURE.tolist(), strict=True))
    assert models_in(by_item, SOFT) is None
    assert not isinstance(ac.score_predictions(by_item, SOFT), ModelScores)
    columns = {"item": SOFT.names, "label": ["a", "b", "a", "c"]}
    assert models_in(columns, SOFT) is None
    with pytest.raises(ac.InputError, match="no predicted item"):
        ac.score_predictions({"x": "a", "y": "b"}, SOFT)


def test_findings_name_their_model_and_other_items_are_told() -> None:
    part = dict(zip(SOFT.names[:3], SURE[:3].tolist(), strict=True))
    found = ac.score_predictions({"part": part, "even": EVEN}, SOFT)
    first, *rest = found.findings
    assert first.code == "other_items"
    assert "3 to 4 each" in first.sentence
    assert any(f.sentence.startswith("“even”: ") for f in rest)


def test_an_unknown_model() -> None:
    with pytest.raises(ac.RequestError, match="other"):
        ac.score_predictions({"sure": SURE, "even": EVEN}, SOFT)["other"]
