"""What is given to outsiders: a release with its proof, and forgeries by who knows the format."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from accordant.resolution import proof_check
from accordant.resolution.proof_check import check, digest, sealed
from cli.projects import Walk
from resolution.team import Team, resolving

Bundle = dict[str, Any]
DIFFER = {"Q": {"A1": "01010", "A2": "01100", "A3": "00100"}}
"""Cases 1 (i2), 2 (i3), 3 (i4); i1 and i5 are equal."""


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ground truth of four kinds of endings, exported for who wants to check it."""
    folder = tmp_path_factory.mktemp("released")
    team: Team = resolving(folder, DIFFER)
    team.agreed(1, "1")
    team.accepted("e", 2, coder="A1", meant="1")
    team.do("case rescore", "A1", case=2, answer="1", cites=["rule R1"])
    team.accepted("a2", 3).do("case return", cases=3)
    team.mended([3])
    team.aligned().do("go", to="alignment")
    team.round({"Q": dict.fromkeys(team.coders, "01110")})
    team.do("finish")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Walk()("export proof.json --proof -p p.accordant", by="")
    return folder


@pytest.fixture(scope="module")
def bundle(released: Path) -> Bundle:
    return json.loads((released / "proof.json").read_text())


@pytest.fixture(scope="module")
def head(bundle: Bundle) -> str:
    return str(bundle["log"][-1][-1])


def run(folder: Path, *words: str) -> tuple[int, str]:
    """The program that came with the proof, in a Python that has nothing else."""
    command = [sys.executable, "-I", "-S", "check_proof.py", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_what_is_exported_is_checked_alone(released: Path, bundle: Bundle, head: str) -> None:
    assert run(released, "proof.json", head[:12]) == (0, "5 endings, 0 faults\n")
    code, told = run(released, "proof.json")
    assert code == 0
    assert "No head is given" in told
    assert run(released, "proof.json", "0" * 64)[0] == 1
    assert run(released, "proof.json", head[:11])[0] == 1
    kinds = {row["kind"] for row in bundle["endings"]}
    assert {"consent", "corrected slip", "re-annotated"} <= kinds
    assert bundle["status"] == "ground truth"


def test_the_report_prints_the_head(released: Path, head: str) -> None:
    with ac.Project.open(released / "p.accordant", read_only=True) as project:
        assert head[:12] in json.dumps(ac.project_report(project).to_json())
        assert project.verify(head=head) == []


# ---------------------------------------------------------------- forgeries


def written_anew(bundle: Bundle) -> None:
    """Numbers, versions, seals and hashes, as they would be had it been so from the beginning."""
    log, versions = bundle["log"], dict[str, int]()
    prev = sealed("project", json.loads(log[0][7]).get("project", "")) if log else ""
    if log and log[-1][4] == "released":
        body = json.loads(log[-1][7])
        body["seals"] = {k: digest(v) for k, v in bundle.items() if k not in ("log", "format")}
        body["status"] = bundle.get("status", body["status"])
        log[-1][7] = json.dumps(body)
    for n, record in enumerate(log, 1):
        versions[record[5]] = versions.get(record[5], 0) + 1
        record[0], record[6], record[8] = n, versions[record[5]], prev
        record[9] = prev = sealed(*record[:9])


def altered_text(record: list[Any]) -> None:
    """The first text of its body that is not its kind says something else."""
    body = json.loads(record[7])

    def other(thing: Any) -> Any:
        if isinstance(thing, str):
            return f"{thing}0"
        if isinstance(thing, dict) and thing:
            key = next(iter(thing))
            return {**thing, key: other(thing[key])}
        if isinstance(thing, list) and thing:
            return [other(thing[0]), *thing[1:]]
        return 1 if thing != 1 else 2

    key = next(iter([k for k in body if k not in ("type", "case")] or ["type"]))
    record[7] = json.dumps(body | {key: other(body[key])})


def moved(log: list[Any], k: int) -> None:
    log.insert(max(0, k - 1), log.pop(k))


EVENTS: dict[str, Callable[[list[Any], int], object]] = {
    "dropped": lambda log, k: log.pop(k),
    "by another": lambda log, k: log[k].__setitem__(3, "M"),
    "twice": lambda log, k: log.insert(k, copy.deepcopy(log[k])),
    "another text": lambda log, k: altered_text(log[k]),
    "another time": lambda log, k: log[k].__setitem__(2, "2020-01-01T00:00:00Z"),
    "earlier": moved,
}
KINDS = (
    *("project created", "person added", "research stated", "moved", "toolbox written"),
    *("signed off", "items added", "items frozen", "round opened", "annotated", "submitted"),
    *("round closed", "cases opened", "said", "cause proposed", "accepted", "outcome proposed"),
    *("case agreed", "rescored", "case waits", "change judged", "reannotation ordered", "released"),
)
PARTS: dict[str, Callable[[Bundle, str], object]] = {
    "emptied": lambda b, part: b.update({part: type(b[part])()}),
    "something else": lambda b, part: b.update({part: "forged"}),
    "gone": lambda b, part: b.pop(part),
}
NAMES = ("endings", "final", "flags", "people", "status", "toolbox", "format", "log")
ROWS: dict[str, Callable[[Bundle, int], object]] = {
    "kind": lambda b, k: b["endings"][k].update(kind="anew"),
    "answer": lambda b, k: b["endings"][k].update(answer="9"),
    "final answer": lambda b, k: b["final"][k].update(answer="9"),
    "both": lambda b, k: [b[name][k].update(answer="9") for name in ("endings", "final")],
    "events": lambda b, k: b["endings"][k].update(events=b["endings"][k]["events"][1:]),
    "nobody": lambda b, k: b["endings"][k].update(confirmed_by=["M"]),
    "dropped": lambda b, k: b["endings"].pop(k),
    "twice": lambda b, k: b["endings"].append(b["endings"][k]),
}
FORGED: list[tuple[str, str, Callable[[Bundle], object]]] = [
    *(
        (kind, how, lambda b, kind=kind, do=do: do(b["log"], first(b, kind)))
        for kind in KINDS
        for how, do in EVENTS.items()
    ),
    *(
        (name, how, lambda b, name=name, do=do: do(b, name))
        for name in NAMES
        for how, do in PARTS.items()
    ),
    *(
        (f"ending {k}", how, lambda b, k=k, do=do: do(b, k))
        for k in range(5)
        for how, do in ROWS.items()
    ),
]


def first(bundle: Bundle, kind: str) -> int:
    return next(k for k, record in enumerate(bundle["log"]) if record[4] == kind)


@pytest.mark.parametrize("anew", [False, True], ids=["as it is", "written anew"])
def test_every_forgery_is_noticed_where_the_head_is_known(
    bundle: Bundle, head: str, anew: bool
) -> None:
    assert len(FORGED) >= 150
    assert check(bundle, head) == []
    passed, without = [], []
    for what, how, forge in FORGED:
        forged = copy.deepcopy(bundle)
        forge(forged)
        if anew and isinstance(forged.get("log"), list):
            written_anew(forged)
        if forged == bundle:
            continue
        passed += [] if check(forged, head) else [(what, how)]
        without += [] if check(forged) else [(what, how)]
    assert passed == []
    if not anew:
        assert without == []  # each hash shows it, though not that the end was cut off
    else:  # an answer that its coder did not give, a consent that is not theirs …
        noticed = {(kind, how) for kind, how, _ in FORGED} - {*without}
        assert ("annotated", "dropped") in noticed
        assert {("accepted", how) for how in ("dropped", "by another")} <= noticed
        assert {("change judged", how) for how in ("dropped", "by another")} <= noticed
        assert {(f"ending {k}", "both") for k in range(5)} <= noticed


def test_nothing_of_the_program_is_in_the_checker() -> None:
    text = Path(str(proof_check.__file__)).read_text()
    names = {line.split()[1] for line in text.splitlines() if line.startswith(("import", "from"))}
    assert names <= {*sys.stdlib_module_names}


# ---------------------------------------------------------------- who may have it


def test_a_proof_waits_while_something_may_not_be_read(tmp_path: Path) -> None:
    team = resolving(tmp_path, DIFFER)
    with pytest.raises(ac.Refused, match="nothing was released"):
        team.project.proof()
    team.do("case leave", reason="two readings stand")
    team.do("finish", reason="two readings stand")
    assert check(team.project.proof()) == []
    team.do("go", to="comparison", reason="once more")
    team.do("go", to="resolution")
    assert team.project.proof()["status"] == "deprecated"
    team.do("items add", items={"ids": ["i6"]})
    team.do("items freeze")
    team.do("round open")
    with pytest.raises(ac.Refused, match="is open"):
        team.project.proof("R")
