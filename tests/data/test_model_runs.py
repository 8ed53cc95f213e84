"""Files of predictions: models are the coders, their runs too, and what they predict the labels."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from accordant import read
from accordant.errors import InputError

MODELS, SEEDS, ITEMS = ("gpt", "lama", "qwen"), (13, 42), 20


def runs(tmp_path: Path, *columns: str) -> Path:
    """A row for each item, model and seed."""
    rng = random.Random(3)
    truth = [rng.choice(["yes", "no", "unsure"]) for _ in range(ITEMS)]
    lines = [",".join(columns)]
    for model in MODELS:
        for seed in SEEDS:
            for k, label in enumerate(truth):
                said = label if rng.random() < 0.7 else rng.choice(["yes", "no", "unsure"])
                cells = {
                    "run_id": f"{model}_s{seed}",
                    "model": model,
                    "seed": seed,
                    "item_id": k,
                    "prediction": said,
                    "gold": label,
                    "correct": int(said == label),
                    "label": said,
                    "score": round(rng.random(), 3),
                    "raw": f"Answer: {said}",
                }
                lines.append(",".join(str(cells[c]) for c in columns))
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    "columns",
    [
        ("run_id", "item_id", "prediction"),
        ("run_id", "model", "seed", "item_id", "prediction", "gold", "correct"),
    ],
)
def test_what_models_predict_are_the_labels(tmp_path: Path, columns: tuple[str, ...]) -> None:
    data = read(runs(tmp_path, *columns))
    assert len(data.coders) == 6
    assert (len(data.items), data.values) == (ITEMS, ("no", "unsure", "yes"))


def test_a_prediction_beside_labels_is_a_fact(tmp_path: Path) -> None:
    path = runs(tmp_path, "run_id", "item_id", "label", "prediction")
    assert read(path).reading.columns["label"] == "label"


def test_several_columns_name_a_coder(tmp_path: Path) -> None:
    path = runs(tmp_path, "model", "seed", "item_id", "label")
    with pytest.raises(InputError) as raised:
        read(path)
    ways = [action.options for action in raised.value.do]
    assert ways == [{"coder": ["model", "seed"]}, {"duplicates": "keep"}]
    data = read(path, **ways[0])
    assert data.coders == tuple(f"{m} {s}" for m in MODELS for s in SEEDS)
    assert len(data) == ITEMS * 6
    assert len(read(path, **ways[1])) == ITEMS * 6


def test_confidences_and_raw_answers_are_no_second_question(tmp_path: Path) -> None:
    path = runs(tmp_path, "run_id", "item_id", "label", "score", "raw")
    assert read(path).questions == ("",)
    assert read(path, label="label").questions == ("",)


def test_a_category_of_the_items_is_no_second_question(tmp_path: Path) -> None:
    lines = ["question_id,category,judge_model,verdict"]
    rng = random.Random(5)
    for k in range(ITEMS):
        lines += [
            f"q{k},{'abc'[k % 3]},{m},{rng.choice('AAB' if k % 2 else 'ABB')}" for m in MODELS
        ]
    (path := tmp_path / "judges.csv").write_text("\n".join(lines))
    data = read(path)
    assert (data.reading.columns["label"], data.questions) == ("verdict", ("",))
