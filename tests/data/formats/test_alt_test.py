"""{coder: {item: label}}, as the alternative annotator test takes it: JSON and Python dicts."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, agreement, read
from data.formats.json_files import rows

CODERS = {
    "anna": {"i1": "x", "i2": "y", "i3": "x"},
    "ben": {"i1": "x", "i2": "x"},
    "cem": {"i2": "y", "i3": "x", "i1": "y"},
}
SAID = {(i, c, "", v) for c, own in CODERS.items() for i, v in own.items()}


def put(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def test_a_file_and_a_dict_say_the_same(tmp_path: Path) -> None:
    assert rows(read(put(tmp_path / "x.json", CODERS))) == SAID
    data = read(CODERS)
    assert rows(data) == SAID
    assert data.coders == ("anna", "ben", "cem")


def test_noise_is_noise() -> None:
    """Values are matched by their item, not by their position in the dicts."""
    rng = random.Random(1)
    noise = {}
    for coder in ("anna", "ben", "cem"):
        items = [f"i{k}" for k in range(300)]
        rng.shuffle(items)
        noise[coder] = {i: rng.choice("xy") for i in items}
    assert abs(agreement(noise)["alpha"].value) < 0.1


def test_a_large_file(tmp_path: Path) -> None:
    """The first coder's labels alone are more than what recognises a file."""
    large = {c: {f"item number {k}": k % 3 for k in range(5_000)} for c in ("anna", "ben")}
    data = read(put(tmp_path / "x.json", large))
    assert (len(data.items), data.coders, len(data)) == (5_000, ("anna", "ben"), 10_000)


def test_items_outside_coders_inside(tmp_path: Path) -> None:
    turned = {f"i{k}": {"annotator 1": "x", "annotator 2": "y"} for k in range(4)}
    data = read(put(tmp_path / "x.json", turned))
    assert data.coders == ("annotator 1", "annotator 2")
    assert any("the outer keys as items" in n for n in data.reading.notes)


def test_minus_one_is_doubted() -> None:
    given = {"anna": {"i1": 1, "i2": -1}, "ben": {"i1": 1, "i2": 0}}
    data = read(given)
    assert data.values == (-1, 0, 1)
    assert len(data.reading.warnings) == 1
    assert data.reading.warnings[0].do[0].options == {"missing": "-1"}  # type: ignore[attr-defined]
    words = {"anna": {"i1": "yes", "i2": -1}, "ben": {"i1": "yes", "i2": "no"}}
    data = read(words)
    assert len(data.reading.warnings) == 1
    assert data.reading.warnings[0].do[1].options == {"missing": ["-1"]}  # type: ignore[attr-defined]
    kept = read(given, missing=["-1"])
    assert (kept.values, len(kept)) == ((0, 1), 3)
    assert not kept.reading.warnings


def test_the_labels_of_a_model_beside(tmp_path: Path) -> None:
    put(tmp_path / "humans.json", CODERS)
    put(tmp_path / "model.json", {"i1": "x", "i2": "x", "i3": "y"})
    put(tmp_path / "other.json", [1, 2])
    data = read(tmp_path)
    assert data.coders == ("anna", "ben", "cem", "model")
    assert ("i3", "model", "", "y") in rows(data)
    assert ("files beside the export", 1) in data.reading.left_out


def test_a_frame_as_a_dict_is_a_table() -> None:
    """What pandas writes with `to_dict`: columns, whose cells go by row."""
    columns = {
        "item": {0: "i1", 1: "i1", 2: "i2", 3: "i2"},
        "coder": {0: "anna", 1: "ben", 2: "anna", 3: "ben"},
        "label": {0: "x", 1: "y", 2: "x", 3: "x"},
    }
    data = read(columns)
    assert data.coders == ("anna", "ben")
    assert ("i1", "ben", "", "y") in rows(data)


def test_sets_of_labels_and_odd_cells() -> None:
    data = read({"anna": {"i1": ["x", "y"], "i2": None}, "ben": {"i1": ["x"], "i2": ["y"]}})
    assert ("i1", "anna", "", ("x", "y")) in rows(data)
    assert ("cells that hold no label", 1) in data.reading.left_out


def test_one_coder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only one coder was found"):
        read(put(tmp_path / "x.json", {"anna": {"i1": "x", "i2": "y"}}))


MODELS = {
    model: {f"c{k:03}": label for k, label in enumerate(labels)}
    for model, labels in {
        "gpt-4o": "xyxyyxyxyx",
        "lama": "xyxyyxyyyx",
        "lead": "xyxyxxyxyx",
    }.items()
}


def test_ids_that_look_like_coders_are_items_of_few_coders(tmp_path: Path) -> None:
    for source in (MODELS, put(tmp_path / "x.json", MODELS)):
        with pytest.warns(UserWarning, match="the outer keys are read as coders"):
            data = read(source)
        assert data.coders == tuple(MODELS)
        assert len(data.items) == 10
    assert read(MODELS, layout="wide").items == tuple(MODELS)
    assert read(MODELS, layout="transposed").coders == tuple(MODELS)


def test_names_that_say_nothing_are_asked_about() -> None:
    with pytest.warns(UserWarning, match="are read as coders"):
        read({"Li": {"Jo": "x", "Al": "y"}, "Bo": {"Jo": "y", "Al": "y"}})
