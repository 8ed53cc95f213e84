"""The bundle of a project: every file with its hash and the release status, and nothing too much."""

from __future__ import annotations

import csv
import hashlib
import json
import zipfile
from pathlib import Path

import pytest

import accordant as ac
from resolution.team import ready
from views.projects import deprecated


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("bundle") / "letters"
    return ac.project_report(deprecated(target.parent).project).save_bundle(target)


def test_every_file_is_listed_with_its_hash(folder: Path) -> None:
    listed = {f["file"]: f for f in json.loads((folder / "manifest.json").read_text())["files"]}
    there = {p.name for p in folder.iterdir()}
    assert there == set(listed) | {"manifest.json", "SHA256SUMS"}
    for name, entry in listed.items():
        content = (folder / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        assert len(content) == entry["bytes"]
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == there - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_every_file_carries_the_status(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name == "SHA256SUMS":
            continue
        if path.suffix == ".csv":
            with path.open(newline="") as file:
                assert {"deprecated" in row["status"] for row in csv.DictReader(file)} == {True}
        else:
            assert "deprecated" in path.read_text()


def test_rows_are_counted(folder: Path) -> None:
    listed = {f["file"]: f for f in json.loads((folder / "manifest.json").read_text())["files"]}
    assert listed["round-1.csv"]["rows"] == 48  # 8 items, 3 coders, 2 questions
    assert listed["round-2.csv"]["rows"] == 24
    assert listed["final.csv"]["rows"] == 16
    assert listed["cases.csv"]["rows"] == 3


def test_a_round_can_be_measured_again(folder: Path, tmp_path: Path) -> None:
    """The same figure through another door: the file of the round, read by `accordant.agreement`."""
    found = ac.project_report(deprecated(tmp_path).project)
    kappa = {
        r["question"]: r["value"]
        for r in found.to_rows()
        if r["round"] == 1 and r["coefficient"] == "kappa"
    }
    again = ac.agreement(ac.read(folder / "round-1.csv").of_shared(), "kappa")
    assert again["Q", "kappa"].value == pytest.approx(kappa["Q"], abs=1e-12)
    assert again["kappa"].value == pytest.approx(kappa[None], abs=1e-12)


def test_a_zip_file_holds_the_same_and_equal_content_gives_equal_bytes(
    folder: Path, tmp_path: Path
) -> None:
    found = ac.project_report(deprecated(tmp_path).project)
    first = found.save_bundle(tmp_path / "letters.zip").read_bytes()
    assert found.save_bundle(tmp_path / "letters.zip").read_bytes() == first
    with zipfile.ZipFile(tmp_path / "letters.zip") as archive:
        assert archive.testzip() is None
        names = {Path(n).name for n in archive.namelist()}
        assert names == {p.name for p in folder.iterdir()}
        assert archive.read("letters/final.csv") == (folder / "final.csv").read_bytes()


def test_refusals_say_what_to_do(folder: Path, tmp_path: Path) -> None:
    found = ac.project_report(deprecated(tmp_path).project)
    with pytest.raises(ac.RequestError, match="holds something"):
        found.save_bundle(folder)
    with pytest.raises(ac.RequestError, match="has no format"):
        found.save_bundle(tmp_path / "x", formats=(".doc",))


def test_while_a_round_is_open_its_answers_are_in_no_file(tmp_path: Path) -> None:
    team = ready(tmp_path, {"Q": {"A1": "0000", "A2": "0000"}}, options={"Q": ["0", "SECRET"]})
    team.do("round open")
    team.do("annotate", "A2", answers={"Q": dict.fromkeys(team.items, "SECRET")})
    target = ac.project_report(team.project).save_bundle(tmp_path / "open")
    names = {p.name for p in target.iterdir()}
    assert not names & {"round-1.csv", "final.csv", "cases.csv", "agreement.csv"}
    manifest = json.loads((target / "manifest.json").read_text())
    assert manifest["withheld"] == "withheld until round 1 closes"
    assert manifest["head"] == ""
    log = json.loads((target / "project.json").read_text())["log"]
    assert "SECRET" not in json.dumps([e for e in log if e["kind"] == "annotated"])
