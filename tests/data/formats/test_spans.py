"""Spans: sets of labels, tokens, the table that is kept, and those of Label Studio."""

from __future__ import annotations

import json
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from accordant import InputError, read

TEXT = "Bob Lee is in Rome."
GOLD = [(0, 7, "PER")]
MARKED = {"anna": [(0, 7, "PER"), (14, 18, "LOC")], "bob": [(0, 3, "PER")]}


def doccano(folder: Path, marked: dict[str, list[Any]], text: str = TEXT) -> Path:
    """A file for each coder, with a text in which nobody marked anything."""
    for coder, spans in marked.items():
        lines = [
            {"id": "d", "text": text, "entities": spans, "is_confirmed": True},
            {"id": "e", "text": "Nothing.", "entities": [], "is_confirmed": coder != "bob"},
        ]
        (folder / f"{coder}.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    return folder


def test_a_text_has_the_set_of_its_labels(tmp_path: Path) -> None:
    data = read(doccano(tmp_path, MARKED | {"gold": GOLD}))
    assert {(r["item"], r["coder"]): (r["label"], r["status"]) for r in data.to_rows()} == {
        ("d", "anna"): (("LOC", "PER"), "answered"),
        ("d", "bob"): (("PER",), "answered"),
        ("e", "anna"): ((), "answered_empty"),
        ("e", "bob"): (None, "draft"),
    }
    assert data.metadata["gold"][0] == "PER"
    assert data.texts == (TEXT, "Nothing.")


def test_a_token_has_the_label_of_its_span(tmp_path: Path) -> None:
    data = read(doccano(tmp_path, MARKED | {"gold": GOLD}), layout="tokens")
    rows = {(r["item"], r["coder"]): r["label"] for r in data.to_rows()}
    assert [rows[f"d:{k}", "anna"] for k in range(1, 7)] == ["PER", "PER", "O", "O", "LOC", "O"]
    assert [rows[f"d:{k}", "bob"] for k in range(1, 7)] == ["PER", "O", "O", "O", "O", "O"]
    assert data.statuses() == {"answered": 14, "draft": 2}
    assert data.metadata["gold"][:3] == ("PER", "PER", "O")
    assert data.metadata["document"][0] == "d"


def test_the_spans_are_kept_and_cut_with_the_rest(tmp_path: Path) -> None:
    data = read(doccano(tmp_path, MARKED))
    assert len(data.spans) == 3
    assert [r["label"] for r in data.of_coders(["bob"]).spans.to_rows()] == ["PER"]
    assert len(data.of_items([k == "e" for k in data.items]).spans) == 0
    tokens = read(tmp_path, layout="tokens")
    assert len(tokens.of_items([str(k) == "d:1" for k in tokens.items]).spans) == 3
    other = MARKED | {"bob": [(0, 3, "PER"), (5, 7, "PER")]}
    assert read(doccano(tmp_path, other)).fingerprint != data.fingerprint
    assert any("span_f1" in str(getattr(n, "do", "")) for n in data.reading.notes)


def test_texts_must_be_the_same(tmp_path: Path) -> None:
    doccano(tmp_path, {"anna": []})
    doccano(tmp_path, {"cem": []}, text="Bob Xee")
    with pytest.raises(
        InputError, match=r"item 'd' is not the same for 'anna' and 'cem': from character 5"
    ):
        read(tmp_path)


def test_spans_that_cannot_be_are_counted(tmp_path: Path) -> None:
    bad = [(5, 3, "X"), (-1, 2, "X"), (0, 99, "X"), (0, 3, "PER")]
    data = read(doccano(tmp_path, MARKED | {"bob": [*MARKED["bob"], *bad]}))
    left = dict(data.reading.left_out)
    assert left["spans that end before they begin, or outside of their text"] == 3
    assert left["spans that a coder marked twice with one label"] == 1


# ------------------------------------------------------------------ agreement of real data


def masi(one: frozenset[str], other: frozenset[str]) -> float:
    """Passonneau 2006: overlap, weighted by whether one set holds the other."""
    if not one | other:
        return 1.0
    inside = len({one, other}) == 1 or (2 / 3 if one <= other or other <= one else 1 / 3)
    return len(one & other) / len(one | other) * (1 if inside is True else float(inside))


def alpha_of_sets(units: list[list[frozenset[str]]]) -> float:
    """Krippendorff 2019 with 1 - MASI as distance, pair by pair."""
    units = [u for u in units if len(u) > 1]
    values = [v for u in units for v in u]
    n = len(values)
    observed = (
        sum(sum(1 - masi(a, b) for a, b in permutations(u, 2)) / (len(u) - 1) for u in units) / n
    )
    expected = sum(1 - masi(a, b) for a, b in permutations(values, 2)) / n / (n - 1)
    return 1 - observed / expected


def test_alpha_of_label_studio_is_that_of_an_independent_computation(real_data: Any) -> None:
    path = real_data("samples/label_studio/multi_annotator_cold_export.json")
    units = [
        [frozenset(x for r in a["result"] for x in r["value"]["labels"]) for a in t["annotations"]]
        for t in json.loads(path.read_text())
    ]
    found = ac.agreement(path, "alpha_masi", interval="none")["alpha_masi"]
    assert found.value == pytest.approx(alpha_of_sets(units), abs=1e-12)


def test_alpha_of_brat_is_that_of_an_independent_computation(real_data: Any) -> None:
    folders = [real_data(f"samples/brat/annotator_{x}") for x in "AB"]
    units = [
        [
            frozenset(re.findall(r"^T\d+\t(\S+)", (f / name).read_text(encoding="utf-8"), re.M))
            for f in folders
        ]
        for name in ("data-sample-1.ann", "data-sample-2.ann")
    ]
    found = ac.agreement(folders, "alpha_masi", interval="none")["alpha_masi"]
    assert found.value == pytest.approx(alpha_of_sets(units), abs=1e-12)


# ------------------------------------------------------------------ Label Studio


def task(k: int, text: str, *coders: tuple[int, list[Any]], **more: Any) -> dict[str, Any]:
    made = [
        {"id": 10 * k + c, "completed_by": c, "result": r, "was_cancelled": False}
        for c, r in coders
    ]
    return {"id": k, "data": {"text": text, "title": "A title"}, "annotations": made} | more


def label(text: str, words: str, *labels: str, kind: str = "labels") -> dict[str, Any]:
    start = len(text[: text.index(words)].encode("utf-16-le")) // 2
    end = start + len(words.encode("utf-16-le")) // 2
    value = {"start": start, "end": end, "text": words, kind: list(labels)}
    return {"from_name": "ner", "to_name": "text", "type": kind, "value": value}


SMILE = "Hi 😊 Bob, in Rome"


def export() -> list[dict[str, Any]]:
    gold = {"ground_truth": True, "result": [label(SMILE, "Rome", "LOC")]}
    tasks = [
        task(
            1,
            SMILE,
            (1, [label(SMILE, "Bob", "PER", "MAN"), label(SMILE, "Rome", "LOC")]),
            (2, [label(SMILE, "Bob", "PER")]),
        ),
        task(2, "Nobody here", (1, []), (2, [])),
    ]
    tasks[0]["annotations"].append(gold)
    tasks[1]["annotations"][1]["was_cancelled"] = True
    return tasks


def test_label_studio_spans_are_in_code_points(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export()))
    data = read(path)
    assert [(r["coder"], r["start"], r["end"], r["label"]) for r in data.spans.to_rows()] == [
        ("1", 5, 8, "PER"),
        ("1", 5, 8, "MAN"),
        ("1", 13, 17, "LOC"),
        ("2", 5, 8, "PER"),
    ]
    rows = {(r["item"], r["coder"]): (r["label"], r["status"]) for r in data.to_rows()}
    assert rows["1", "1"] == (("LOC", "MAN", "PER"), "answered")
    assert rows["2", "1"] == ((), "answered_empty")
    assert rows["2", "2"] == (None, "skipped")
    assert data.metadata["gold: ner"] == ("LOC", None)
    assert ac.span_f1(data).mean() == 2 * 1 / (3 + 1)
    assert ac.span_f1(data, labels=False).mean() == 2 * 1 / (2 + 1)
    tokens = read(path, layout="tokens")
    words = dict(zip(tokens.items, tokens.metadata["token"]))
    given = {
        words[r["item"]]: r["label"] for r in tokens.to_rows() if r["coder"] == "1" and r["label"]
    }
    assert given == {"Bob": ("MAN", "PER"), "Rome": ("LOC",)}


def test_regions_of_sound_are_no_spans_of_a_text(tmp_path: Path) -> None:
    tasks = export()
    for t in tasks:
        for a in t["annotations"]:
            for r in a["result"]:
                r["value"] |= {"start": 1, "end": 2, "channel": 0}
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    data = read(path)
    assert data.spans is None
    assert {r["label"] for r in data.to_rows()} == {("LOC", "MAN", "PER"), ("PER",), (), None}
