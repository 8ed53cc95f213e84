"""Case sheets and answer sheets on the command line: a team gets from an import to a release."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pytest
from click.testing import Result

from accordant.cli.output import as_json
from accordant.resolution.exports import bundle
from accordant.resolution.project import Project
from accordant.resolution.proof import proved
from accordant.resolution.state import State
from accordant.resolution.words import CaseState, Cause, ReleaseStatus
from cli.projects import Walk

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from check_proofs import check

CODERS = ("ann", "ben", "cas", "dan")
TOOLBOX = """
[task]
text = "Read and answer"

[[task.question]]
id = "claim"
text = "Is there a claim?"

[[task.question]]
id = "scope"
text = "How wide is it?"
asked_if = { question = "claim", labels = ["yes"] }

[[task.question]]
id = "tone"
text = "How does it sound?"

[guidelines]
text = "Read it all."

[guidelines.options]
claim = ["yes", "no"]
scope = ["wide", "narrow"]
tone = ["pos", "neg"]

[guidelines.ambiguity]
allowed = true

[[guidelines.rule]]
id = "R1"
text = "A question is no claim."
questions = ["claim"]

[[concept]]
name = "width"
definition = "About how much it speaks."
questions = ["scope"]
"""
NEW = (
    TOOLBOX.replace("About how much it speaks.", "About how much it speaks, groups included.")
    + """
[[guidelines.rule]]
id = "R2"
text = "Irony sounds negative."
questions = ["tone"]
"""
)
ITEMS = [f"p{k}" for k in range(1, 121)]


PRESENT = " ".join(f"--present {coder}" for coder in CODERS)


class Counted(Walk):
    """How many commands are typed."""

    n = 0

    def run(self, typed: str, by: str = "ana", input: str | None = None) -> Result:
        self.n += 1
        return super().run(typed, by, input)


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """A command line in an empty folder."""
    return Counted.into(tmp_path, monkeypatch)  # type: ignore[return-value]


def dissenter(k: int) -> str:
    return CODERS[k % 4]


def annotations() -> Iterator[tuple[str, str, str, str]]:
    """Item, question, coder, label: 40 conflicts about claims, 12 about scope, 30 about tone."""
    for k, item in enumerate(ITEMS, 1):
        for coder in CODERS:
            odd = coder == dissenter(k)
            claim = "yes" if k > 80 or (k <= 40 and odd) else "no"
            yield item, "claim", coder, claim
            if claim == "yes":
                yield item, "scope", coder, "narrow" if 80 < k <= 92 and odd else "wide"
            yield item, "tone", coder, "neg" if k <= 30 and odd else "pos"


def filled(path: str, cells: Callable[[dict[str, str]], dict[str, str]]) -> None:
    """Fill in a workbook row by row, as a person does."""
    book = openpyxl.load_workbook(path)
    page = book.active
    heads = {cell.value: cell.column for cell in page[1]}
    for row in page.iter_rows(min_row=2):
        shown = {name: str(row[k - 1].value or "") for name, k in heads.items()}
        for name, text in cells(shown).items():
            row[heads[name] - 1].value = text
    book.save(path)


def spoken(row: dict[str, str]) -> dict[str, str]:
    """What is said of a case in the meeting: causes of all kinds."""
    k, question = int(row["item"][1:]), row["question"]
    odd = dissenter(k)
    cites = {"claim": "rule R1", "tone": "question tone", "scope": "concept width"}[question]
    cells = {f"reason: {coder}": f"{coder} read it so" for coder in CODERS}
    cells |= {f"reason cites: {coder}": cites for coder in CODERS}
    everybody = {f"consent: {coder}": "yes" for coder in CODERS}
    if question == "scope":
        return cells | everybody | {"cause": "b", "concept": "width", "width": "too narrow"}
    if question == "tone" and k % 3:
        return cells | everybody | {"cause": "a2", "rule": "missing", "wording": "Irony is neg."}
    if question == "tone":
        return cells | {
            "cause": "e",
            "coder": odd,
            "meant": "pos",
            f"consent: {odd}": "yes",
            "answer": "pos",
            "answer cites": cites,
        }
    if k % 4 == 0:
        return cells | {
            "cause": "c",
            "coder": odd,
            "others": f"p{40 + k}",
            "same": "a question",
            f"consent: {odd}": "yes",
            "answer": "no",
            "answer cites": "R1",
        }
    if k % 4 == 1:
        return cells | {
            "cause": "e",
            "coder": odd,
            "meant": "no",
            f"consent: {odd}": "yes",
            "answer": "no",
            "answer cites": "R1",
        }
    return (
        cells
        | everybody
        | {"cause": "d", "answer": "no", "answer cites": "rule R1", "reading": "it only asks"}
    )


def numbers(state: State, *causes: Cause) -> str:
    return ",".join(str(n) for n, case in state.epoch.cases.items() if case.cause in causes)


def test_from_an_import_to_a_release(say: Counted) -> None:
    """82 cases, 4 coders, causes of all kinds: at most 25 commands, and every answer is proved."""
    Path("toolbox.toml").write_text(TOOLBOX)
    Path("new.toml").write_text(NEW)
    with Path("ratings.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("item", "question", "coder", "label"), *annotations()])
    say("import ratings.csv --toolbox toolbox.toml", "mia")
    say("resolve", "mia")
    say(f"cases --sheet m.xlsx --meeting {PRESENT}", "mia")
    filled("m.xlsx", spoken)
    told = say(f"cases m.xlsx --meeting {PRESENT}", "mia")
    assert "reason given: " in told
    with Project.open("ratings.accordant", read_only=True) as project:
        state = project.state
        assert len(state.epoch.cases) == 82
        a2, b = numbers(state, Cause.A2), numbers(state, Cause.B)
        settled = [c for c in state.epoch.cases.values() if c.state is CaseState.AGREED]
        assert len(settled) == 82 - 20 - 12
    say(f"case {a2},{b} return 'a rule and a concept'", "mia")
    say(f"guidelines new.toml --change local --bears-on tone --reason irony --case {a2}", "mia")
    say(f"concepts new.toml --reason groups --case {b}", "mia")
    say("training 'ten examples'", "mia")
    say.all(CODERS, "acknowledge --sign-off")
    say("round open --order 1 --order 2", "mia")
    say("annotate --sheet ann.xlsx --wide", "ann")
    filled("ann.xlsx", again)
    for coder in CODERS:
        Path(f"{coder}.xlsx").write_bytes(Path("ann.xlsx").read_bytes())
        say(f"annotate {coder}.xlsx --submit", coder)
    say("round close", "mia")
    say.all(CODERS, "accept")
    say("release", "mia")
    with Project.open("ratings.accordant", read_only=True) as project:
        state, found = project.state, proved(project.state)
        assert state.releases[-1].status is ReleaseStatus.GROUND_TRUTH
        assert not found.lacking
        assert {case.state for case in state.epoch.cases.values()} == {CaseState.AGREED}
        assert project.verify() == []
        said = [r for r in project.records() if r.kind in ("cause accepted", "outcome accepted")]
        assert {r.actor for r in said} == {*CODERS}
        assert all(json.loads(r.body)["by"] == r.actor for r in said)
        assert any("meeting" in flag for flag in state.releases[-1].flags)
        given = json.loads(as_json(bundle(state, project.records(), "")))
        assert check(given["log"], given["proofs"]) == {}
    assert say.n <= 25
    assert "nothing in m.xlsx is new" in say(f"cases m.xlsx --meeting {PRESENT}", "mia")


def again(row: dict[str, str]) -> dict[str, str]:
    """All annotate alike under the new toolbox."""
    if not row["item"].startswith("p"):
        return {}
    k = int(row["item"][1:])
    return {"tone": "pos"} | ({"scope": "wide"} if k > 80 else {})
