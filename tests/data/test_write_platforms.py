"""What is written for a platform is read again as the same annotations."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accordant import read
from accordant.actions import Notice
from accordant.data.annotations import Annotations
from accordant.data.formats.format import Format, formats
from accordant.data.spans import tokens_of, utf16_starts
from accordant.data.write import suffixes_of, write
from accordant.errors import RequestError

PLATFORMS = [key for key, f in formats().items() if f.write is not None]
LABELS = [k for k in PLATFORMS if k != "webanno_tsv"]
SEVERAL = ["label_studio", "hugging_face"]  # questions
HELD = {
    "label_studio": {"answered", "answered_empty", "skipped"},
    "prodigy": {"answered", "answered_empty", "skipped"},
    "doccano": {"answered", "answered_empty"},
    "hugging_face": {"answered", "answered_empty", "skipped", "draft", "not_applicable"},
}


def facts(data: Annotations, statuses: set[str] | None = None) -> set[tuple[Any, ...]]:
    """Everything but the name of a single question."""
    alone = len(data.questions) == 1
    return {
        (str(r["item"]), "" if alone else r["question"], r["coder"], r["label"], r["status"])
        for r in data.to_rows()
        if r["status"] in (statuses or {r["status"]}) and r["status"] != "not_assigned"
    }


def there_and_back(data: Annotations, key: str, folder: Path) -> tuple[Annotations, list[str]]:
    path = folder / f"written{suffixes_of(key)[0]}"
    lost = write(data, path, key)
    assert not any("cannot hold these" in x for x in lost)
    told = [step.options for x in lost if isinstance(x, Notice) for step in x.do]
    options = next((o for o in told if "rename" not in o), {})
    assert [p.name for p in folder.iterdir()] == [path.name]
    return read(path, **options), [str(x) for x in lost]


def study(**more: Any) -> list[dict[str, Any]]:
    return [
        {
            "item": f"t{k}",
            "coder": c,
            "label": "xyz"[(k + n) % 3 if k > 3 else k % 3],
            "text": f"A text, the {k}th “ü” 🎈",
        }
        | more
        for k in range(9)
        for n, c in enumerate(("Ann", "Bob", "Çem"))
    ]


ODD = {("t5", "Ann"): "skipped", ("t6", "Bob"): "draft", ("t7", "Ann"): "not applicable"}
STUDIES = {
    "labels": lambda: read(study()),
    "without texts": lambda: read([{k: v for k, v in r.items() if k != "text"} for r in study()]),
    "numbers": lambda: read([[1, 2, 3, 1, None], [1, 2, 2, 5, 1]], scale="interval"),
    "scheme": lambda: read(study(), categories=["z", "y", "x", "w"], scale="ordinal"),
    "sets": lambda: read(
        {"item": [1, 2, 3], "A": [("x", "y"), (), ("z",)], "B": [("x",), ("y",), ("z", "x")]}
    ),
    "statuses": lambda: read(
        [{**r, "status": ODD.get((r["item"], r["coder"]), "answered")} for r in study()]
    ),
    "formulas": lambda: read([{**r, "label": "=" + r["label"]} for r in study()]),
}


@pytest.mark.parametrize("key", LABELS)
@pytest.mark.parametrize("name", STUDIES)
def test_round_trip(name: str, key: str, tmp_path: Path) -> None:
    data = STUDIES[name]()
    again, lost = there_and_back(data, key, tmp_path)
    assert facts(again) == facts(data, HELD[key])
    assert [s.scale for s in again.schemes] == [s.scale for s in data.schemes]
    assert sum("left out" in x for x in lost) == len({r[-1] for r in facts(data)} - HELD[key])
    if data.texts is not None:
        assert dict(zip(again.items, again.texts)) == dict(zip(data.items, data.texts))  # type: ignore[arg-type]


@st.composite
def some_annotations(draw: st.DrawFn) -> Annotations:
    word = st.text(
        st.characters(exclude_categories=["C", "Z"], exclude_characters="'"), min_size=1, max_size=6
    )
    categories = draw(
        st.lists(
            word.filter(lambda w: not w.isdigit()), min_size=2, max_size=4, unique_by=str.casefold
        )
    )
    sets = draw(st.booleans())
    one = st.sampled_from(categories)
    cell = st.lists(one, min_size=1, unique=True).map(tuple) if sets else one
    questions = draw(st.sampled_from([("",), ("tone", "size")]))
    rows = [
        {"i": f"item {i}", "q": q, "c": c, "l": draw(st.none() | cell)}
        for i in range(draw(st.integers(2, 6)))
        for q in questions
        for c in ("Ann", "Bob", "Ümit")
    ]
    given_ = [r for r in rows if r["l"] is not None]
    assume({r["c"] for r in given_} >= {"Ann", "Bob"} and {r["q"] for r in given_} == {*questions})
    return read(
        rows,
        layout="long",
        item="i",
        coder="c",
        label="l",
        missing=["§"],
        question="q" if len(questions) > 1 else None,
        **({} if sets else {"max_labels": 1}),
    )


@given(data=some_annotations(), key=st.sampled_from(LABELS))
@settings(max_examples=120, deadline=None)
def test_every_study_survives(data: Annotations, key: str, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("study")
    if len(data.questions) > 1 and key not in SEVERAL:
        with pytest.raises(RequestError, match=r"the data have 2 \('tone', 'size'\)"):
            write(data, folder / f"x{suffixes_of(key)[0]}", key)
        assert not list(folder.iterdir())
        return
    again, _ = there_and_back(data, key, folder)
    assert facts(again) == facts(data)


def test_known_labels_are_ground_truth_of_label_studio(tmp_path: Path) -> None:
    data = read(study())
    data = replace(data, metadata={"gold": ("x",) * 9, "page": (1,) * 9})
    again, lost = there_and_back(data, "label_studio", tmp_path)
    tasks = json.loads((tmp_path / "written.json").read_text())
    assert [a["ground_truth"] for a in tasks[0]["annotations"]] == [False, False, False, True]
    assert tasks[0]["data"] == {"text": data.texts[0], "page": 1}  # type: ignore[index]
    assert again.metadata["gold: label"] == ("x",) * 9
    assert "e-mail addresses" in lost[-1]


# ------------------------------------------------------------------ spans


def spans_of(data: Annotations) -> set[tuple[Any, ...]]:
    assert data.spans is not None
    return {tuple(r.values()) for r in data.spans.to_rows()}


def tsv(text: str, rows: list[str], head: str = "webanno.custom.Name|value") -> str:
    return "\n".join(
        ["#FORMAT=WebAnno TSV 3.3", f"#T_SP={head}", "", "", f"#Text={text}", *rows, ""]
    )


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """Two coders; labels with signs of the format, half a token, an emoji before a span."""
    folder = tmp_path / "source"
    for coder, rows in {
        "anna": [
            "1-1\t0-2\t🎈\t_\t_\t",
            "1-2\t3-8\tSmith\tPER[1]|a\\|b\\_\\[c\\][2]\tx[1]|*[2]\t",
            "1-3\t9-13\tgoes\tPER[1]\tx[1]\t",
        ],
        "bob": [
            "1-1\t0-2\t🎈\t_\t_\t",
            "1-2\t3-8\tSmith\t_\t_\t",
            "1-2.1\t3-6\tSmi\tPER\ty\t",
            "1-3\t9-13\tgoes\t_\t_\t",
        ],
    }.items():
        (folder / "talk").mkdir(parents=True, exist_ok=True)
        (folder / "talk" / f"{coder}.tsv").write_text(
            tsv("🎈 Smith goes", rows, "webanno.custom.Name|value|role"), encoding="utf-8"
        )
        (folder / "speech").mkdir(exist_ok=True)
        (folder / "speech" / f"{coder}.tsv").write_text(
            tsv(
                "One\\ntwo",
                ["1-1\t0-3\tOne\t_\t_\t", "1-2\t4-7\ttwo\tPER\t_\t"],
                "webanno.custom.Name|value|role",
            ),
            encoding="utf-8",
        )
    return folder


def test_spans_there_and_back(marked: Path, tmp_path: Path) -> None:
    data = read(marked)
    assert ("talk", "Name.value", "anna", 2, 7, "a|b_[c]") in spans_of(data)
    (tmp_path / "out").mkdir()
    again, lost = there_and_back(data, "webanno_tsv", tmp_path / "out")
    assert (spans_of(again), lost) == (spans_of(data), [])
    assert (facts(again), again.texts) == (facts(data), data.texts)
    with zipfile.ZipFile(tmp_path / "out" / "written.zip") as archive:
        assert sorted(archive.namelist()) == [
            "speech/anna.tsv",
            "speech/bob.tsv",
            "talk/anna.tsv",
            "talk/bob.tsv",
        ]


WORDS = ["Ann", "goes", "🎈", "naïve", "_x", "a|b", "[1]", "back\\slash", "->", "*", "1;2"]
LABELS_OF_SPANS = st.sampled_from(["PER", "a|b", "_", "x[2]", "a->b", "tab\tnew\nline", "l\\", "ü"])


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_any_spans_there_and_back(tmp_path_factory: Any, data: Any) -> None:
    folder, gaps = tmp_path_factory.mktemp("spans"), st.sampled_from([" ", "\n", "  ", ", ", "-"])
    tasks = []
    for k in range(2):
        words = data.draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=7))
        text = "".join(w + data.draw(gaps) for w in words) + f"{k}"
        solid = [k for k, x in enumerate(text) if any(a <= k < b for a, b in tokens_of(text))]
        ends = st.tuples(st.sampled_from(solid), st.sampled_from(solid)).map(sorted)
        drawn = st.lists(st.tuples(ends, LABELS_OF_SPANS), min_size=1, max_size=4)
        to = utf16_starts(text)
        tasks.append(
            {
                "id": k,
                "data": {"text": text},
                "annotations": [
                    {
                        "completed_by": {"email": coder},
                        "result": [
                            {
                                "from_name": "names",
                                "to_name": "text",
                                "type": "labels",
                                "value": {
                                    "start": to[a],
                                    "end": to[b + 1],
                                    "text": text[a : b + 1],
                                    "labels": [label],
                                },
                            }
                            for (a, b), label in data.draw(drawn)
                        ],
                    }
                    for coder in ("Ann", "Bob")
                ],
            }
        )
    (folder / "in.json").write_text(json.dumps(tasks))
    found = read(folder / "in.json")
    (folder / "out").mkdir()
    again, lost = there_and_back(found, "webanno_tsv", folder / "out")
    assert {r[:1] + r[2:] for r in spans_of(again)} == {r[:1] + r[2:] for r in spans_of(found)}
    assert (lost, again.texts) == ([], found.texts)


def test_spans_without_a_place_in_other_formats_are_said(marked: Path, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="each item is a token here"):
        write(read(marked, spans="tokens"), tmp_path / "x.zip", "webanno_tsv")
    with pytest.raises(RequestError, match="holds spans of texts, and these data have none"):
        write(read(study()), tmp_path / "x.zip", "webanno_tsv")
    lost = write(read(marked), tmp_path / "x.json", "label_studio")
    assert any("where spans begin and end is not written" in x for x in lost)


# ------------------------------------------------------------------ refusals


def test_the_card_of_a_folder_for_hugging_face(tmp_path: Path) -> None:
    write(read(study()), tmp_path / "roles", "hugging_face")
    card = (tmp_path / "roles" / "README.md").read_text().splitlines()
    assert card[:3] == ["---", 'pretty_name: "roles"', "size_categories:"]
    assert "    path: data/train.parquet" in card[: card.index("---", 1)]
    at = card.index("| label | number |")
    assert card[at + 2 : at + 5] == [
        f"| {x} | {sum(r['label'] == x for r in read(study()).to_rows())} |" for x in "xyz"
    ]
    assert "27 annotations of 9 items by 3 coders" in "\n".join(card)


@pytest.mark.parametrize(
    ("key", "path", "says"),
    [
        ("doccano", "x.json", "doccano is written as .zip"),
        ("hugging_face", "x.json", "hugging_face is written as a folder"),
        ("docano", "x.zip", "did you mean 'doccano'"),
    ],
)
def test_what_cannot_be_written(key: str, path: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=says):
        write(read(study()), tmp_path / path, key)
    assert not list(tmp_path.iterdir())


def test_no_file_is_called_after_what_is_no_name(tmp_path: Path) -> None:
    data = read([{**r, "coder": "../" + r["coder"]} for r in study()])
    with pytest.raises(RequestError, match=r"no file can be called '\.\./Ann'"):
        write(data, tmp_path / "x.zip", "doccano")
    assert not list(tmp_path.iterdir())


def test_a_platform_of_a_package_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def writer(data: Annotations, path: Path) -> tuple[str, ...]:
        path.write_text("item,coder,label\nt1,Ann,x\nt1,Bob,y\n")
        return ("a sentence",)

    own = Format("Own", lambda _: False, lambda f, o: 1 / 0, writer, ".csv")  # type: ignore[arg-type, return-value]
    every = formats() | {"own": own}
    monkeypatch.setattr("accordant.data.write.formats", lambda: every)
    assert write(read([("t1", "Ann", "x"), ("t1", "Bob", "y")]), tmp_path / "a.csv", "own") == (
        "a sentence",
    )
    assert "cannot hold" in write(read(study()), tmp_path / "a.csv", "own")[-1]
