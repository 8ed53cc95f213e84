"""UIMA: CAS JSON and XMI with its type system."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read

TYPE = "webanno.custom.Span"
EMOJI = "I like 😊 ."


def cas(*marks: tuple[int, int, str | None], text: str | None = EMOJI) -> str:
    """A CAS JSON with marks in UTF-16 offsets."""
    sofa = {
        "%ID": 1,
        "%TYPE": "uima.cas.Sofa",
        "sofaNum": 1,
        "sofaID": "_InitialView",
        "mimeType": "text",
    } | ({} if text is None else {"sofaString": text})
    made = [
        {"%ID": k, "%TYPE": TYPE, "@sofa": 1, "begin": a, "end": b}
        | ({} if v is None else {"value": v})
        for k, (a, b, v) in enumerate(marks, 2)
    ]
    types = {
        TYPE: {
            "%NAME": TYPE,
            "%SUPER_TYPE": "uima.tcas.Annotation",
            "value": {"%NAME": "value", "%RANGE": "uima.cas.String"},
        }
    }
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": [m["%ID"] for m in made]}}
    return json.dumps({"%TYPES": types, "%FEATURE_STRUCTURES": [sofa, *made], "%VIEWS": views})


def test_samples_hold_one_coder_each(real_data: Any) -> None:
    folder = real_data("samples/uima_cas")
    for path in sorted(folder.glob("*.json")):
        with pytest.raises(InputError, match="only one coder was found"):
            read(path)
    with pytest.raises(
        InputError, match=r"type system of this XMI is missing\. Give TypeSystem\.xml too"
    ):
        read(folder / "small_cas.xmi")
    with pytest.raises(InputError, match="only one coder"):
        read([folder / "small_cas.xmi", folder / "small_typesystem.xml"])
    with pytest.raises(InputError, match="type system of UIMA"):
        read(folder / "small_typesystem.xml")


def test_xmi_of_two_coders(real_data: Any, tmp_path: Path) -> None:
    folder = real_data("samples/uima_cas")
    xmi = (folder / "small_cas.xmi").read_text()
    for coder, content in (("anna", xmi), ("bob", xmi.replace('pos="VBD"', 'pos="VBN"'))):
        (tmp_path / coder).mkdir()
        (tmp_path / coder / "talk.xmi").write_text(content)
    (tmp_path / "TypeSystem.xml").write_text((folder / "small_typesystem.xml").read_text())
    data = read(tmp_path, layout="tokens")
    assert (data.coders, len(data.items), data.questions) == (("anna", "bob"), 11, ("Token",))
    assert {r["label"] for r in data.to_rows() if r["item"] == "talk:2"} == {"VBD", "VBN"}


def test_json_of_two_coders_with_emoji(tmp_path: Path) -> None:
    (tmp_path / "anna.json").write_text(cas((7, 9, "FACE"), (10, 11, None)))
    (tmp_path / "bob.json").write_text(cas((7, 9, "FACE")))
    data = read(tmp_path)
    assert [(r["coder"], r["start"], r["end"], r["label"]) for r in data.spans.to_rows()] == [
        ("anna", 7, 8, "FACE"),
        ("anna", 9, 10, "*"),
        ("bob", 7, 8, "FACE"),
    ]
    assert data.texts == (EMOJI,)


def test_tokens_without_a_text_are_refused(tmp_path: Path) -> None:
    for coder in ("anna", "bob"):
        (tmp_path / f"talk_{coder}.json").write_text(cas((0, 4, "A"), text=None))
    assert len(read(tmp_path)) == 2
    with pytest.raises(InputError, match=r"text of item 'talk' is not given"):
        read(tmp_path, layout="tokens")


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "cassis", None)
    (tmp_path / "anna.json").write_text(cas((0, 1, "A")))
    with pytest.raises(InputError, match=r"pip install 'accordant\[uima\]'"):
        read(tmp_path)


def test_xml_with_a_document_type_is_refused(real_data: Any, tmp_path: Path) -> None:
    folder = real_data("samples/uima_cas")
    xmi = (folder / "small_cas.xmi").read_text()
    evil = xmi.replace(
        "<xmi:XMI", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xmi:XMI', 1
    )
    (tmp_path / "a.xmi").write_text(evil)
    (tmp_path / "TypeSystem.xml").write_text((folder / "small_typesystem.xml").read_text())
    with pytest.raises(InputError, match="declares a document type"):
        read(tmp_path)


# ------------------------------------------------------------------ back to the platform


def run(*words: str) -> int:
    return subprocess.run([sys.executable, "-m", "accordant", *words], check=False).returncode


def loaded(path: Path) -> dict[str, dict[str, set[Any]]]:
    """What dkpro-cassis finds in each file: layer -> values, with the text of those with a place."""
    cassis, found = pytest.importorskip("cassis"), {}
    for file in path.glob("*.json"):
        with file.open("rb") as opened:
            read_again = cassis.load_cas_from_json(opened)
        marks: dict[str, set[Any]] = {"text": {read_again.sofa_string}}
        for mark in read_again.select_all_fs():
            short = mark.type.name.removeprefix("webanno.custom.")
            placed = (mark.get_covered_text(), mark.value) if hasattr(mark, "begin") else mark.value
            marks.setdefault(short, set()).add(placed)
        found[file.stem] = marks
    return found


def test_what_most_coders_marked_and_what_they_dispute(tmp_path: Path) -> None:
    spans = {"anna": [(7, 9, "FACE")], "bob": [(7, 9, "FACE"), (0, 1, "SELF")], "cem": []}
    for coder, marks in spans.items():
        (tmp_path / "in" / coder).mkdir(parents=True)
        (tmp_path / "in" / coder / "one.json").write_text(cas(*marks))
    assert run("convert", str(tmp_path / "in"), str(tmp_path / "out"), "--to", "uima_cas") == 0
    assert loaded(tmp_path / "out") == {
        "one": {"text": {EMOJI}, "Span": {("😊", "FACE")}, "Span_disputed": {("I", "SELF")}}
    }


def test_what_most_coders_said_of_items(tmp_path: Path) -> None:
    rows = ["item,text,anna,bob,cem", "../1,Good.,pos,pos,neg", "2,Bad.,neg,neg,neg", "3,,a,b,"]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    asked = ["--coder", "anna", "--coder", "bob", "--coder", "cem"]
    source, out = str(tmp_path / "t.csv"), tmp_path / "out"
    assert run("convert", source, str(out), "--to", "uima_cas", *asked) == 0
    assert loaded(out) == {
        "__1": {"text": {"Good."}, "Label": {"pos"}, "Disputed": {"label"}},
        "2": {"text": {"Bad."}, "Label": {"neg"}},
        "3": {"text": {"3"}, "Disputed": {"label"}},
    }
