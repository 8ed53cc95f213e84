"""PDTB: relations by their arguments, senses and types, and the second annotator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from accordant import read
from accordant.errors import InputError
from data.formats.test_webanno_tsv import write


def relations(path: Path) -> dict[tuple[str, str], list[list[str]]]:
    found: dict[tuple[str, str], list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        cells = line.rstrip("\r").split("|")
        if len(cells) > 20:
            found.setdefault((cells[14], cells[20]), []).append(cells)
    return found


def test_the_turkish_talk_of_two_annotators(real_data: Any) -> None:
    names = ("Turkish_ann_talk_2150_tr.txt", "Turkish_ann_talk_2150_tr_inter.txt")
    paths = [real_data(f"samples/pdtb/{n}") for n in names]
    data = read(paths)
    first, second = map(relations, paths)
    assert (sum(map(len, first.values())), sum(map(len, second.values()))) == (85, 64)
    shared = set(first) & set(second)
    assert len(shared) == 61
    assert any("61 of 86 relations" in note for note in data.reading.notes)
    assert data.coders == ("annotator 1", "annotator 2")
    assert len(data.items) == len(set(first) | set(second)) == 86
    of = {(r["item"], r["question"], r["coder"]): r["label"] for r in data.to_rows()}
    same = 0
    for key in shared:
        item = " + ".join(k.replace("..", "-") for k in key)
        kinds, senses = [], []
        for coder, known in zip(data.coders, (first, second)):
            kinds.append({c[0] for c in known[key]})
            senses.append(
                {c[k] for c in known[key] for k in (8, 9, 11, 12) if c[k]}
                or {c[0] for c in known[key]}
            )
            assert set(of[item, "sense", coder]) == senses[-1]
            kind = of[item, "type", coder]
            assert {kind} == kinds[-1]
        same += kinds[0] == kinds[1]
    found = ac.agreement(data.of_question("type").of_shared(), "percent", interval="none")[
        "percent"
    ]
    assert found.value == pytest.approx(same / 61, abs=1e-12)


def test_all_samples_together_with_their_texts(real_data: Any) -> None:
    data = read(real_data("samples/pdtb"))
    assert data.coders == ("annotator 1", "annotator 2", "annotator 1, again")
    assert (len(data.items), len(data)) == (227, 576)
    text = dict(zip(data.items, data.texts))["English_ann_talk_1971_en: 508-633 + 430-506"]
    raw = real_data("samples/pdtb/English_raw_talk_1971_en.txt").read_text(encoding="utf-8")
    assert text == f"{raw[508:633]} | {raw[430:506]}"
    turkish = dict(zip(data.items, data.texts))["Turkish_ann_talk_2150_tr: 142-245 + 91-126"]
    assert turkish.endswith(
        real_data("samples/pdtb/Turkish_raw_talk_2150_tr.txt").read_text(encoding="utf-8")[91:126]
    )
    for name in ("English_ann_talk_1971_en.txt", "English_ann_talk_2150_en_intra.txt"):
        with pytest.raises(InputError, match="only one coder"):
            read(real_data(f"samples/pdtb/{name}"))


def line(kind: str, arg1: str, arg2: str, *senses: str) -> str:
    cells = [""] * 34
    cells[0], cells[14], cells[20] = kind, arg1, arg2
    for k, sense in zip((8, 9), senses):
        cells[k] = sense
    return "|".join(cells) + "\n"


def test_folders_windows_line_ends_and_relations_without_a_sense(tmp_path: Path) -> None:
    one = line("Explicit", "1..20", "27..40", "A.B", "C") + line("EntRel", "50..60", "61..70")
    other = (
        line("Implicit", "1..20", "27..40", "A.B") + line("NoRel", "50..60", "61..70")
    ).replace("\n", "\r\n")
    data = read(write(tmp_path, {"anna/talk.txt": one + "what\n" * 0, "bob/talk.txt": other}))
    assert data.coders == ("anna", "bob")
    rows = {(r["coder"], r["question"], r["item"]): r["label"] for r in data.to_rows()}
    assert rows["anna", "sense", "1-20 + 27-40"] == ("A.B", "C")
    assert rows["bob", "sense", "1-20 + 27-40"] == ("A.B",)
    assert rows["anna", "sense", "50-60 + 61-70"] == ("EntRel",)
    assert rows["bob", "type", "1-20 + 27-40"] == "Implicit"
    odd = read(write(tmp_path, {"anna/talk.txt": one * 21 + "what\n" + line("Explicit", "", "")}))
    assert ("lines that are no relations", 2) in odd.reading.left_out
