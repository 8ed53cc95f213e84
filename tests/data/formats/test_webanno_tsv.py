"""WebAnno TSV 3: columns, stacked values, escapes, offsets, and who annotated what."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read

HEAD = "#FORMAT=WebAnno TSV 3.3\n"
LAYER = "#T_SP=webanno.custom.Span|value\n\n\n"


def tsv(*values: str, layer: str = LAYER) -> str:
    """A sentence of four tokens, one of them beyond the basic plane."""
    words, at, rows = ["I", "like", "😊", "."], 0, []
    for k, (word, value) in enumerate(zip(words, values), 1):
        size = len(word.encode("utf-16-le")) // 2
        cells = f"{value}\t" if layer else ""
        rows.append(f"1-{k}\t{at}-{at + size}\t{word}\t{cells}")
        at += size + 1
    return HEAD + (layer or "\n\n") + "#Text=I like 😊 .\n" + "\n".join(rows) + "\n"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


# ------------------------------------------------------------------ real files


def spans_of(path: Path) -> dict[str, set[tuple[int, int, str]]]:
    """A second, naive reader: all features of span layers in files without stacking over tokens."""
    layers, found, at = {}, {}, 3
    for line in path.read_text(encoding="utf-8").split("\n"):
        if match := re.match(r"#T_(SP|RL)=([^|]*)\|(.*)", line):
            for name in match[3].split("|"):
                layers[at] = (match[1], match[2].rpartition(".")[2], name)
                at += 1
        if re.match(r"\d+-\d+\t", line):
            cells = line.split("\t")
            begin, end = map(int, cells[1].split("-"))
            for k, (kind, layer, name) in layers.items():
                value = cells[k] if k < len(cells) else "_"
                if kind == "SP" and value not in ("_", "*", ""):
                    value = value.replace("\\|", "|")
                    found.setdefault(f"{layer}.{name}", set()).add((begin, end, value))
    return found


@pytest.mark.parametrize(
    "name", ["relationLabelTest", "simpleRelGovDiffTest", "simpleSpanDiffIncompleteTest"]
)
def test_spans_of_two_coders_are_those_of_an_independent_reader(name: str, real_data: Any) -> None:
    folder = real_data(f"samples/inception_webanno/curation_testsuite/{name}")
    data = read(folder)
    assert data.coders == ("user1", "user2")
    for coder in data.coders:
        ours: dict[str, set[tuple[int, int, str]]] = {}
        for row in data.spans.to_rows():
            if row["coder"] == coder and row["label"] != "*":
                ours.setdefault(row["question"], set()).add(
                    (row["start"], row["end"], row["label"])
                )
        theirs = {
            k if k in ours else k.split(".")[0]: v
            for k, v in spans_of(folder / f"{coder}.tsv").items()
        }
        assert ours == theirs


def test_the_whole_folder_of_documents(real_data: Any) -> None:
    data = read(real_data("samples/inception_webanno/curation_testsuite"))
    assert (len(data.items), data.coders, len(data)) == (7, ("user1", "user2"), 56)
    assert data.questions == ("NamedEntity", "POS.PosValue", "POS.coarseValue", "Lemma")
    assert dict(data.reading.left_out)["relations"] == 81
    assert dict(data.reading.left_out)["files of a curator, kept as known labels"] == 7
    lost = [r for r in data.to_rows() if r["item"] == "simpleSpanDiffWithLabelTest"]
    assert [(r["coder"], r["label"]) for r in lost if r["question"] == "POS.PosValue"] == [
        ("user1", ("NN",)),
        ("user2", ("NE",)),
    ]
    gold = dict(zip(data.items, data.metadata["gold: POS.PosValue"]))
    assert gold["simpleRelTypeDiffTest"] == "VAFIN; NN"


def test_files_of_the_old_versions_are_refused(real_data: Any) -> None:
    for path in real_data("samples/inception_webanno/agreement").iterdir():
        with pytest.raises(InputError, match=r"version 1 or 2.*Export it again as WebAnno TSV 3"):
            read(path)


EDGES: dict[str, tuple[list[tuple[int, int]], Counter[str], dict[str, int]]] = {
    "sampleSlotAnnotation1": ([(5, 7), (8, 9), (10, 14), (0, 4)], Counter(), {"links of slots": 1}),
    "testCrossSentenceSpanWithFeatureValue": ([(0, 34)], Counter({"PERSON": 1}), {}),
    "testSentenceId": ([], Counter(), {}),
    "testSentenceWithEmoji": ([(10, 11)], Counter(), {}),
    "testSimpleChain": ([], Counter(), {"links of chains": 3}),
    "testSubTokenPrefix": ([(0, 1)], Counter({"OTH": 1}), {}),
    "testTokenBoundedStackedLookAlike": (
        [(0, 4), (5, 7), (8, 9), (10, 14), (15, 16)],
        Counter(f"NOTSTACKED[{k}]" for k in range(5)),
        {},
    ),
    "testZeroLengthSpansWithFeatureValues": ([(0, 0), (16, 16)], Counter(["PERSON", "ORG"]), {}),
}


def marks(content: str, folder: Path) -> list[tuple[int, int, str]]:
    """The spans of a file that two coders have alike."""
    data = read(write(folder, {"anna.tsv": content, "bob.tsv": content}))
    rows = data.spans.to_rows() if data.spans else []
    return [(r["start"], r["end"], r["label"]) for r in rows if r["coder"] == "anna"]


@pytest.mark.parametrize("name", EDGES)
def test_edge_cases_of_the_platform_itself(name: str, real_data: Any, tmp_path: Path) -> None:
    path = real_data(f"samples/inception_webanno/tsv3_edge_cases/{name}.tsv")
    places, labels, left_out = EDGES[name]
    with pytest.raises(InputError, match=r"only one coder was found|no coder's answer"):
        read(path)
    if not places:
        return
    found = marks(path.read_text(encoding="utf-8"), tmp_path)
    assert sorted((start, end) for start, end, _ in found) == sorted(places)
    assert Counter(label for *_, label in found if label != "*") == labels
    told = dict(read(tmp_path).reading.left_out)
    assert {k: told.get(k) for k in left_out} == {k: 2 * n for k, n in left_out.items()}


def test_stacked_annotations_over_parts_of_tokens(real_data: Any, tmp_path: Path) -> None:
    name = "testStackedSubMultiTokenSpanWithFeatureValue"
    path = real_data(f"samples/inception_webanno/tsv3_edge_cases/{name}.tsv")
    found = {label: (start, end) for start, end, label in marks(path.read_text(), tmp_path)}
    assert len(found) == 24
    assert (found["1a"], found["3b"], found["9a"], found["12b"]) == (
        (0, 6),
        (9, 10),
        (3, 17),
        (13, 13),
    )


# ------------------------------------------------------------------ traps


def test_offsets_are_utf16(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"anna.tsv": tsv("_", "_", "_", "END"), "bob.tsv": tsv("_", "_", "FACE", "_")}
    )
    data = read(folder)
    assert [(r["coder"], r["start"], r["end"], r["label"]) for r in data.spans.to_rows()] == [
        ("anna", 9, 10, "END"),
        ("bob", 7, 8, "FACE"),
    ]
    assert data.texts == ("I like 😊 .",)
    tokens = read(folder, layout="tokens")
    assert tokens.metadata["token"] == ("I", "like", "😊", ".")
    for coder, labels in (("anna", ["O", "O", "O", "END"]), ("bob", ["O", "O", "FACE", "O"])):
        assert [r["label"] for r in tokens.to_rows() if r["coder"] == coder] == labels


def test_a_layer_that_a_file_lacks_was_left_empty_by_its_coder(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"anna.tsv": tsv("A", "_", "_", "_"), "bob.tsv": tsv("", "", "", "", layer="")}
    )
    rows = read(folder).to_rows()
    assert [(r["coder"], r["label"], r["status"]) for r in rows] == [
        ("anna", ("A",), "answered"),
        ("bob", (), "answered_empty"),
    ]


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ("a|b", ["a", "b"]),
        (r"a\|b", ["a|b"]),
        (r"\_", ["_"]),
        (r"\*", ["*"]),
        ("x[3]", ["x"]),
        (r"x\[3\]", ["x[3]"]),
        (r"a\->b\tc", ["a->b\tc"]),
        (r"\\", ["\\"]),
        ("*", ["*"]),
    ],
)
def test_escapes_and_stacks(cell: str, labels: list[str], tmp_path: Path) -> None:
    found = marks(tsv(cell, "_", "_", "END"), tmp_path)
    assert [label for _, end, label in found if end == 1] == labels


def test_one_annotation_over_several_tokens(tmp_path: Path) -> None:
    found = marks(tsv("A[1]", "A[1]|B[2]", "_", "A[3]"), tmp_path)
    assert found == [
        (0, 6, "A"),
        (2, 6, "B"),
        (9, 10, "A"),
    ]


def test_a_folder_for_each_coder_or_for_each_text(tmp_path: Path) -> None:
    one, other = tsv("A", "_", "_", "_"), tsv("B", "_", "_", "_").replace("like", "hate")
    by_coder = write(
        tmp_path / "1",
        {f"{c}/{t}.tsv": x for c in ("anna", "bob") for t, x in (("s", one), ("t", other))},
    )
    by_text = write(
        tmp_path / "2",
        {f"{t}/{c}.tsv": x for c in ("anna", "bob") for t, x in (("s", one), ("t", other))},
    )
    for folder in (by_coder, by_text):
        data = read(folder)
        assert (data.coders, sorted(data.items), len(data)) == (("anna", "bob"), ["s", "t"], 4)
    both = read([tmp_path / "1/anna", tmp_path / "1/bob"])
    assert (both.coders, sorted(both.items)) == (("anna", "bob"), ["s", "t"])
    files = read([tmp_path / "1/anna/s.tsv", tmp_path / "1/bob/s.tsv"])
    assert (files.coders, files.items) == (("anna", "bob"), ("s",))


def test_texts_that_differ_are_told(tmp_path: Path) -> None:
    other = tsv("A", "_", "_", "_").replace("like", "hate")
    folder = write(
        tmp_path,
        {
            "talk/anna.tsv": tsv("A", "_", "_", "_"),
            "talk/bob.tsv": other,
            "walk/anna.tsv": other,
            "walk/bob.tsv": other,
        },
    )
    with pytest.raises(
        InputError, match=r"item 'talk' is not the same for 'anna' and 'bob': from character 3"
    ):
        read(folder)


def test_files_of_one_coder_are_told(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {
            "s.tsv": tsv("A", "_", "_", "_"),
            "t.tsv": tsv("A", "_", "_", "_").replace("like", "hate"),
        },
    )
    with pytest.raises(InputError, match=r"2 files seem to be of one coder.*talk_anna\.tsv"):
        read(folder)


def test_odd_rows_are_counted_and_far_offsets_refused(tmp_path: Path) -> None:
    odd = tsv("A", "_", "_", "_") + "what\n1-x\t3-4\tx\tB\n1-5\tx-y\tz\tB\n"
    folder = write(tmp_path, {"anna.tsv": odd, "bob.tsv": tsv("A", "_", "_", "_")})
    assert ("rows that are no tokens", 3) in read(folder).reading.left_out
    far = tsv("A", "_", "_", "_").replace("1-1\t0-1", "1-1\t900000000-900000001")
    with pytest.raises(
        InputError, match=r"far.tsv, row 6: the token 'I' is said to begin at 900,000,000"
    ):
        read(write(tmp_path / "x", {"far.tsv": far}) / "far.tsv")
