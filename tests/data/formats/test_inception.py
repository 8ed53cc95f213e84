"""INCEpTION projects: users, states and curation of every document."""

from __future__ import annotations

import json
import zipfile
from collections import Counter, defaultdict
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import accordant as ac
from accordant import InputError, read
from data.formats.test_webanno_tsv import tsv

SAMPLE = "samples/inception_webanno/Example_Project_POS.zip"


def pos_of(
    path: Path,
) -> dict[tuple[str, str], tuple[dict[tuple[int, int], str], list[tuple[int, int]]]]:
    """Document and user to the value of each POS by its offsets, and the tokens: by XML alone."""
    found = {}
    with zipfile.ZipFile(path) as project:
        for name in project.namelist():
            if "/annotation/" in name and name.endswith(".zip") and "__MACOSX" not in name:
                inner = zipfile.ZipFile(BytesIO(project.read(name)))
                user = next(n for n in inner.namelist() if n.endswith(".xmi"))
                xml = inner.read(user).replace(b'version="1.1"', b'version="1.0"', 1)
                root = ElementTree.fromstring(xml)
                pos, tokens = {}, []
                for element in root:
                    place = int(element.get("begin", -1)), int(element.get("end", -1))
                    if element.tag.endswith("}POS"):
                        pos[place] = element.get("coarseValue", "*")
                    elif element.tag.endswith("}Token"):
                        tokens.append(place)
                found[name.split("/")[-2], user[:-4]] = pos, sorted(tokens)
    return found


def test_the_sample_project_as_its_xml_says(real_data: Any) -> None:
    path = real_data(SAMPLE)
    data, known = read(path, layout="tokens"), pos_of(path)
    assert len(known) == 10
    assert (len(data.items), len(data.coders), len(data)) == (128, 4, 384)
    assert data.statuses() == {"answered": 384, "draft": 65, "not assigned": 63}
    left_out = dict(data.reading.left_out)
    assert left_out["documents of a coder that are in progress"] == 1
    assert left_out["curations that are not finished"] == 1
    rows = {
        (r["item"], r["coder"]): r["label"] for r in data.to_rows() if r["status"] == "answered"
    }
    for (document, user), (pos, tokens) in known.items():
        for k, place in enumerate(tokens, 1):
            expected = None if user == "zesch" else pos.get(place, "O")
            assert rows.get((f"{document}:{k}", user)) == expected


def test_agreement_of_tokens_is_that_of_an_independent_computation(real_data: Any) -> None:
    path = real_data(SAMPLE)
    known = {k: v for k, v in pos_of(path).items() if k[1] != "zesch"}
    users = ["ia-test1", "ia-test2", "ia-test3"]
    units = [
        [known[document, user][0].get(place, "O") for user in users]
        for document in ("test1.txt", "test2.txt", "test3.txt")
        for place in known[document, users[0]][1]
    ]
    coincidences: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for a in range(3):
            for b in range(3):
                if a != b:
                    coincidences[unit[a], unit[b]] += 0.5  # type: ignore[assignment]
    n = sum(coincidences.values())
    margin: dict[str, float] = defaultdict(float)
    for (a, _), times in coincidences.items():
        margin[a] += times
    disagreed = sum(t for (a, b), t in coincidences.items() if a != b) / n
    expected = sum(margin[a] * margin[b] for a in margin for b in margin if a != b) / n / (n - 1)
    found = ac.agreement(path, "alpha", interval="none", layout="tokens")["alpha"]
    assert found.value == pytest.approx(1 - disagreed / expected, abs=1e-12)


def test_f1_of_spans_is_that_of_an_independent_computation(real_data: Any) -> None:
    path = real_data(SAMPLE)
    marked: dict[str, set[Any]] = defaultdict(set)
    for (document, user), (pos, _) in pos_of(path).items():
        marked[user] |= {(document, place, value) for place, value in pos.items()}
    found = ac.span_f1(path)
    for pair in found.pairs:
        one, other = marked[pair.first], marked[pair.second]
        assert pair.f1 == pytest.approx(2 * len(one & other) / (len(one) + len(other)), abs=1e-12)
    assert {(p.first, p.second) for p in found.pairs} == {
        (a, b) for a, b in combinations(["ia-test1", "ia-test3", "ia-test2"], 2)
    }


# ------------------------------------------------------------------ constructed projects


def project(path: Path, states: dict[str, str], curation: str = "CURATION_FINISHED") -> Path:
    """One document, by anna, bob, cem and the curator."""
    told = {
        "name": "p",
        "source_documents": [{"name": "talk.txt", "state": curation}],
        "annotation_documents": [
            {"name": "talk.txt", "user": u, "state": s} for u, s in states.items()
        ],
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("exportedproject1.json", json.dumps(told))
        for user, label in (("anna", "A"), ("bob", "B"), ("cem", "C"), ("INITIAL_CAS", "_")):
            archive.writestr(f"annotation/talk.txt/{user}.tsv", tsv(label, "_", "_", "_"))
        archive.writestr("curation/talk.txt/CURATION_USER.tsv", tsv("G", "_", "_", "_"))
        archive.writestr("annotation/talk.txt/dan.ser", b"\xac\xed")
        archive.writestr("__MACOSX/annotation/talk.txt/._eve.tsv", b"\x00")
        archive.writestr("event.log", "{}\n")
    return path


def test_only_what_is_finished_counts(tmp_path: Path) -> None:
    data = read(
        project(tmp_path / "p.zip", {"anna": "FINISHED", "bob": "FINISHED", "cem": "IN_PROGRESS"})
    )
    assert data.coders == ("anna", "bob", "cem")
    assert {r["coder"]: (r["label"], r["status"]) for r in data.to_rows()} == {
        "anna": (("A",), "answered"),
        "bob": (("B",), "answered"),
        "cem": (None, "draft"),
    }
    assert data.metadata["gold: Span"] == ("G",)
    assert {(r["coder"], r["label"]) for r in data.spans.to_rows()} == {("anna", "A"), ("bob", "B")}
    left_out = dict(data.reading.left_out)
    assert left_out["texts as they were before annotation"] == 1
    assert left_out["documents of a coder that are in progress"] == 1
    assert any("format that is not read" in what for what in left_out)


def test_locked_documents_are_skipped_and_open_curation_is_no_gold(tmp_path: Path) -> None:
    states = {"anna": "FINISHED", "bob": "FINISHED", "cem": "IGNORE"}
    data = read(project(tmp_path / "p.zip", states, "CURATION_IN_PROGRESS"))
    assert data.statuses()["skipped"] == 1
    assert "gold: Span" not in data.metadata
    assert ("curations that are not finished", 1) in data.reading.left_out


def test_nothing_finished(tmp_path: Path) -> None:
    path = project(tmp_path / "p.zip", dict.fromkeys(("anna", "bob", "cem"), "IN_PROGRESS"))
    with pytest.raises(
        InputError,
        match=r"nobody has finished a document.*in progress: 3.*folder 'annotation'",
    ):
        read(path)


def test_the_folder_annotation_alone_is_read_whatever_the_states(tmp_path: Path) -> None:
    with zipfile.ZipFile(project(tmp_path / "p.zip", {"anna": "IN_PROGRESS"})) as archive:
        archive.extractall(tmp_path / "p")
    data = read(tmp_path / "p" / "annotation")
    assert (data.coders, data.items) == (("anna", "bob", "cem"), ("talk.txt",))
    assert (
        read(project(tmp_path / "q.zip", {"anna": "FINISHED", "bob": "FINISHED"})).items
        == data.items
    )


@pytest.mark.parametrize(
    "told",
    ["null", "[]", "3", '{"annotation_documents": 3}', '{"annotation_documents": [3, {}]}'],
)
def test_a_list_of_states_that_is_none(told: str, tmp_path: Path) -> None:
    path = project(tmp_path / "p.zip", {"anna": "FINISHED", "bob": "FINISHED"})
    with zipfile.ZipFile(path) as archive:
        files = {n: archive.read(n) for n in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (files | {"exportedproject1.json": told.encode()}).items():
            archive.writestr(name, content)
    with pytest.raises(InputError):
        read(path)


# ------------------------------------------------------------------ layers of the whole document


def document(user: str, tone: str | None, *topics: str) -> Any:
    """A CAS with one label of the whole document, several of another layer, a flag and a chain."""
    cassis = pytest.importorskip("cassis")
    types = cassis.TypeSystem()
    whole, text = "uima.cas.AnnotationBase", "uima.cas.String"
    for name, above, features in (
        ("custom.Tone", whole, {"tone": text, "i7n_uiOrder": "uima.cas.Integer"}),
        ("custom.Topic", whole, {"topic": text}),
        ("custom.Chain", whole, {"first": "uima.tcas.Annotation"}),
        ("custom.Mood", "uima.tcas.Annotation", {"moods": "uima.cas.StringArray", "note": text}),
    ):
        made = types.create_type(name, above)
        for feature, kind in features.items():
            types.create_feature(made, feature, kind)
    cas = cassis.Cas(types)
    cas.sofa_string = "I like 😊 ."
    if tone is not None:
        cas.add(types.get_type("custom.Tone")(tone=tone, i7n_uiOrder=0))
    cas.add_all([types.get_type("custom.Topic")(topic=t) for t in topics])
    moods = types.get_type("uima.cas.StringArray")(elements=["joy", user])
    mark = types.get_type("custom.Mood")(begin=7, end=8, moods=moods, note=f"since {user} says so")
    cas.add_all([mark, types.get_type("custom.Chain")(first=mark)])
    return cas


def of_documents(path: Path, cases: dict[str, tuple[Any, ...]], layers: list[Any]) -> Path:
    states = [{"name": "talk.txt", "user": u, "state": s[0]} for u, s in cases.items()]
    told = {"source_documents": [], "annotation_documents": states, "layers": layers}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("exportedproject1.json", json.dumps(told))
        for user, (_, *labels) in cases.items():
            if labels:
                cas = document(user, *labels)
                archive.writestr(f"annotation/talk.txt/{user}.json", cas.to_json())
    return path


CASES: dict[str, tuple[Any, ...]] = {
    "anna": ("FINISHED", "good", "art", "sports"),
    "bob": ("FINISHED", None),
    "cem": ("IN_PROGRESS", "bad", "art"),
    "dan": ("IGNORE",),
    "eve": ("NEW", "bad"),
}


@pytest.mark.parametrize("single", [True, False])
def test_layers_of_the_document(single: bool, tmp_path: Path) -> None:
    tone = {"name": "custom.Tone", "type": "document-metadata"}
    note = {"name": "note", "traits": '{"multipleRows": true}'}
    layers = [
        {**tone, "traits": json.dumps({"singleton": single})},
        {"name": "custom.Mood", "type": "span", "features": [note]},
    ]
    data = read(of_documents(tmp_path / "p.zip", CASES, layers))
    cells = {
        (r["coder"], r["question"]): (r["status"], r["label"])
        for r in data.to_rows()
        if r["status"] != "not_assigned"
    }
    none = {} if single else {("bob", "Tone"): ("answered_empty", ())}
    assert cells == none | {
        ("anna", "Tone"): ("answered", "good" if single else ("good",)),
        ("anna", "Topic"): ("answered", ("art", "sports")),
        ("anna", "Mood.moods"): ("answered", ("anna", "joy")),
        ("bob", "Topic"): ("answered_empty", ()),
        ("bob", "Mood.moods"): ("answered", ("bob", "joy")),
        **{("cem", q): ("draft", None) for q in ("Tone", "Topic", "Mood.moods")},
        **{("dan", q): ("skipped", None) for q in ("Tone", "Topic", "Mood.moods")},
    }
    left_out = dict(data.reading.left_out)
    assert left_out["documents of a coder that are new"] == 1
    assert left_out["documents of a coder that are locked"] == 1
    assert left_out["answers in the coders' own words"] == 3


# ------------------------------------------------------------------ the agreement page


def test_the_agreement_page(tmp_path: Path) -> None:
    rows = [
        {"doc": "talk.txt", "user": user, "begin": 0, "end": 4, "label": label}
        for user, label in (("anna", "A"), ("anna", "B"), ("bob", None), ("CURATION_USER", "A"))
    ]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    with pytest.warns(UserWarning, match="lists annotations only"):
        data = read(tmp_path / "a.json")
    assert {r["coder"]: r["label"] for r in data.to_rows()} == {"anna": ("A", "B"), "bob": ("*",)}
    assert data.metadata["gold"] == ("A",)
    table = (
        "Type,Collection,Document,Layer,Feature,Position,Flags,anna,bob\n" + "S,P,d,L,v,1-2,,A,B\n"
    )
    (tmp_path / "a.csv").write_text(table * 1)
    with pytest.raises(InputError, match=r"table of differences.*export JSON there"):
        read(tmp_path / "a.csv")
