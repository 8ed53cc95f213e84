"""REFI-QDA: codings of passages by users; constructed, since no public project has two coders."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from accordant import InputError, read

TEXT = "😊 I am\r\nhere, in London."
QDE = """<?xml version="1.0" encoding="utf-8"?>
<Project xmlns="urn:QDA-XML:project:1.0" name="P" origin="some program">
<Users><User guid="u1" name="anna"/><User guid="u2" name="bob"/></Users>
<CodeBook><Codes>
 <Code guid="c1" name="mood"><Code guid="c2" name="joy"/><Code guid="c4" name="other"/></Code>
 <Code guid="c3" name="place"><Code guid="c5" name="other"/></Code>
</Codes></CodeBook>
<Sources>
<TextSource guid="s1" name="talk" plainTextPath="internal://s1.txt">
 <PlainTextSelection guid="p1" name="I am" startPosition="{0}" endPosition="{1}">
  <Coding guid="k1" creatingUser="u1"><CodeRef targetGUID="c2"/></Coding>
  <Coding guid="k2" creatingUser="u2"><CodeRef targetGUID="c4"/><CodeRef targetGUID="c9"/></Coding>
 </PlainTextSelection>
 <PlainTextSelection guid="p2" name="London" startPosition="{2}" endPosition="{3}">
  <Coding guid="k3" creatingUser="u1"><CodeRef targetGUID="c3"/></Coding>
  <Coding guid="k4"><CodeRef targetGUID="c3"/></Coding>
 </PlainTextSelection>
 <PlainTextSelection guid="p3" startPosition="x" endPosition="9"/>
 <Coding guid="k5" creatingUser="u2"><CodeRef targetGUID="c5"/></Coding>
</TextSource>
<TextSource guid="s2" name="walk" plainTextPath="internal://s2.txt">
 <PlainTextSelection guid="p4" startPosition="0" endPosition="3">
  <Coding guid="k6" creatingUser="u1"><CodeRef targetGUID="c3"/></Coding>
 </PlainTextSelection>
</TextSource>
<PictureSource guid="s3"><PictureSelection guid="p5"/></PictureSource>
</Sources></Project>
"""


def qdpx(path: Path, project: str | bytes, text: str = TEXT) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.qde", project)
        archive.writestr("sources/s1.txt", text.encode())
    return path


@pytest.mark.parametrize(
    "places",
    [(2, 6, 17, 23), (3, 7, 18, 24), (2, 6, 16, 22), (3, 7, 17, 23)],
    ids=["code points", "UTF-16", "code points and one line break", "UTF-16 and one line break"],
)
def test_positions_as_each_program_counts_them(places: tuple[int, ...], tmp_path: Path) -> None:
    data = read(qdpx(tmp_path / "p.qdpx", QDE.format(*places)))
    text = data.texts[0]
    assert [
        (r["coder"], text[r["start"] : r["end"]], r["label"])
        for r in data.spans.to_rows()
        if r["item"] == "talk"
    ] == [
        ("anna", "I am", "joy"),
        ("anna", "London", "place"),
        ("bob", "I am", "mood / other"),
    ]


def test_sets_of_codes_and_what_is_left_out(tmp_path: Path) -> None:
    data = read(qdpx(tmp_path / "p.qdpx", QDE.format(2, 6, 17, 23)))
    assert (data.coders, data.items) == (("anna", "bob"), ("talk", "walk"))
    assert {(r["coder"], r["item"]): r["label"] for r in data.to_rows()} == {
        ("anna", "talk"): ("joy", "place"),
        ("bob", "talk"): ("mood / other", "place / other"),
        ("anna", "walk"): ("place",),
    }
    assert dict(data.reading.left_out) == {
        "passages without a place in their text": 1,
        "codings that name no user or no code": 2,
        "codings of pictures, PDF pages, sound and films": 1,
    }
    assert any("coded nothing in a source" in note for note in data.reading.notes)
    tokens = read(
        qdpx(tmp_path / "p.qdpx", QDE.format(2, 6, 17, 23).replace("s2.txt", "s1.txt")),
        layout="tokens",
    )
    assert {r["label"] for r in tokens.to_rows() if r["item"] in ("talk:2", "talk:3")} == {
        "joy",
        "mood / other",
    }


def test_entities_and_broken_projects_are_refused(tmp_path: Path) -> None:
    evil = QDE.replace(
        "<Project", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Project', 1
    )
    with pytest.raises(
        InputError, match=r"p\.qdpx: project\.qde: XML that declares a document type is not read"
    ):
        read(qdpx(tmp_path / "p.qdpx", evil))
    with pytest.raises(InputError, match="the project is no XML"):
        read(qdpx(tmp_path / "p.qdpx", QDE[:700]))
    with pytest.raises(InputError, match="no coder's answer is in it"):
        read(qdpx(tmp_path / "p.qdpx", '<Project xmlns="urn:QDA-XML:project:1.0"/>'))
