"""BJHP replayed: what Oortwijn et al. (2021, section 5.2) published becomes a project, and goes on."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from cli.projects import Walk

RealData = Callable[[str], Path]
CODERS = ("A1", "A2")
READ = {
    "item": "item",
    "question": "question",
    "cause": "cause_letter_csv",
    "coder": "annotator_named_in_pdf",
    "cites": "toolbox_element",
}
"""Our columns of cases, and those of the published file."""
CONCEPT = """
[[concept]]
name = "wide-scope claim"
definition = "{}"
questions = ["5a", "5c"]
"""
BEFORE = "a claim that spans several decades, periods or intellectual movements"
AFTER = BEFORE + "; claims about one author are not wide-scope"
RULE = """
[[guidelines.rule]]
id = "{}"
text = "{}"
questions = ["5c"]
"""


def toolbox(folder: Path) -> str:
    """The task of the published questions, with the dependency of 5c on 5a."""
    parts, options = ["[task]\n"], ["\n[guidelines.options]\n"]
    with (folder / "bjhp_questions.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            text = json.dumps(row["text"])
            asked = re.match(r"(\w+)=(\d)", row["asked_if"])
            when = (
                f'asked_if = {{ question = "{asked[1]}", labels = [{asked[2]}] }}\n'
                if asked
                else ""
            )
            parts.append(f'[[task.question]]\nid = "{row["question"]}"\ntext = {text}\n{when}\n')
            options.append(f'"{row["question"]}" = [0, 1]\n')
    return "".join([*parts, *options])


def known_cases(folder: Path) -> None:
    """Causes with their discussions."""
    found = json.loads((folder / "bjhp_cases.json").read_text())
    discussed = {case["item"]: case["text"] for case in found}
    with (folder / "bjhp_disagreements.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with Path("cases.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, [*READ, "concept", "text"])
        writer.writeheader()
        for row in rows:
            kept = {ours: row[theirs] for ours, theirs in READ.items()}
            concept = re.match(r"key concept '([^']+)'(?! ->)", kept["cites"])
            told = row["pdf_mentions_question"] == "1"
            kept |= {"concept": concept[1] if concept else ""}
            kept |= {"text": discussed.get(row["item"], "") if told else ""}
            writer.writerow(kept)


def imported(real_data: RealData) -> Walk:
    """The project, from the published files."""
    folder, say = real_data("bjhp"), Walk()
    known_cases(folder)
    rule = RULE.format("R1", "The body of the article leads over its abstract")
    Path("before.toml").write_text(toolbox(folder) + rule + CONCEPT.format(BEFORE))
    rule = RULE.format("R2", "Does the article qualify the scope of the claims in 5b?")
    Path("after.toml").write_text(
        f'[guidelines]\nreason = "read in several ways"\n{rule}{CONCEPT.format(AFTER)}'
    )
    (folder_files := [f"bjhp_annotations_{kind}.csv" for kind in ("long", "wide")])
    for name in [*folder_files, "bjhp_cases.json"]:
        Path(name).write_bytes((folder / name).read_bytes())
    say(
        "import bjhp_annotations_long.csv --title BJHP --cases cases.csv --consensus "
        "bjhp_annotations_wide.csv --toolbox before.toml --toolbox after.toml "
        "--document bjhp_cases.json",
        "R",
    )
    return say


@pytest.fixture(scope="module")
def published(
    real_data: RealData, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ac.Project]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("bjhp")
        Walk.into(folder, patch)
        imported(real_data)
        with ac.Project.open(folder / "bjhp.accordant", read_only=True) as project:
            yield project


def test_round_is_what_was_published(published: ac.Project) -> None:
    """324 cells, 295 comparable, 32 differ; 13 with one 5c only, 16 with none."""
    counts: Counter[str] = Counter()
    for question in published.comparison().counts.values():
        counts.update(question)
    assert dict(counts) == {
        "agreed": 263,
        "conflicting": 32,
        "one not applicable": 13,
        "not applicable": 16,
    }


def test_cases_and_causes(published: ac.Project) -> None:
    """21, 10, 62 and 7 % are of the 29 judgements that the counts know, not of 32 or 25."""
    rows = published.cases()
    assert (len(rows), len({row.item for row in rows})) == (32, 27)
    causes = Counter(str(row.cause or "") for row in rows)
    assert causes == {"a2": 6, "b": 3, "c": 19, "e": 2, "": 2}
    shares = {"a2": 21, "b": 10, "c": 62, "e": 7}
    assert {k: round(100 * (causes[k] - (k == "c")) / 29) for k in shares} == shares
    letters = {row.item: str(row.cause) for row in rows if row.cause}
    assert Counter(letters.values()) == {"a2": 6, "b": 3, "c": 15, "e": 1}  # 25 articles


def test_agreement_from_the_annotator_files(published: ac.Project, real_data: RealData) -> None:
    """.6829 pooled and .4563 wide-scope, from what was imported."""
    expected = json.loads((real_data("bjhp") / "bjhp_expected_agreement.json").read_text())
    report = ac.project_report(published)
    rows = [row for row in report.to_rows() if row["measure"] == "kappa" and not row["question"]]
    kappa = expected["from_annotator_files"]["all"]["kappa"]
    assert rows[0]["value"] == pytest.approx(kappa, abs=1e-12)


def test_as_imported(published: ac.Project) -> None:
    """224 of 324 have a document; 5a and 5c are owed again, so that it is no ground truth."""
    kinds = {"imported, documented": 224, "imported, undocumented": 5, "none": 95}
    assert published.status().proofs == kinds
    rows = {(row["item"], row["question"]): row for row in published.answers()}
    assert rows["2017-4-4", "5c"]["answer"] == "1", "A1 is asked since the consensus has a claim"
    assert rows["2017-6-7", "5c"]["provenance"] == "not applicable", "the source says 0"
    now = published.release()
    assert str(now.status) == "deprecated"
    asked = {unmet.guard: unmet.awaited for unmet in now.missing}
    assert asked["settle"] == CODERS, "they say whether the new texts settle a and b"
    assert asked["source.cause"] == asked["source.text"] == ("R",)
    assert "no_open_order" in asked
    codes = Counter(flag for flag in now.flags if flag.startswith("deviation"))
    assert "deviation: b settled by deference (3 times)" in codes


def test_direction(published: ac.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """26 to 6 over all, 17 to 2 under c."""
    section = next(s for s in ac.project_report(published).sections if s.key == "causes")
    tables = [block for block in section.every_block() if hasattr(block, "rows")]
    found = {row["about"]: row for table in tables for row in table.rows if "reverse" in row}
    assert [found["all cases"][k] for k in ("n", "reverse")] == [26, 6]
    assert [found["cause c"][k] for k in ("n", "reverse")] == [17, 2]
    assert found["cause c"]["p"] == pytest.approx(0.0007, abs=5e-5)


def again(project: ac.Project) -> None:
    """Carried out in simulation: both annotate 5a and 5c of all 54 articles again, blind."""
    agreed = {(row["item"], row["question"]): row["answer"] for row in project.answers()}
    items = sorted({item for item, _ in agreed})
    for coder in CODERS:
        project.do("person", by="R", name=coder, training="the refined concept")
        project.do("sign-off", by=coder, settles="all")
    project.do("round open", by="R", orders=[1, 2])
    work = project.work("A1")
    assert ({q.id for q in work.questions}, len(work.items)) == ({"5a", "5c"}, 54)
    assert not any(item.answers for item in work.items)
    for coder in CODERS:
        claims = {i: agreed[i, "5a"] for i in items}
        project.do("annotate", by=coder, answers={"5a": claims})
        asked = {i: agreed[i, "5c"] for i in items if claims[i] == "1"}
        project.do("annotate", by=coder, answers={"5c": asked})
        project.do("submit", by=coder)
    project.do("round close", by="R")


def missing(project: ac.Project) -> dict[tuple[str, str], Any]:
    """Answers that no document explains, with what they hold."""
    return {
        (row["item"], row["question"]): row["answer"]
        for row in project.answers()
        if row["proof"] in ("none", "imported, undocumented", "asked again without a cause")
    }


def test_from_the_files_to_a_release(
    real_data: RealData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After re-annotation 82 of 324 are proved here, 237 have only a document, 5 nothing."""
    say = Walk.into(tmp_path, monkeypatch)
    imported(real_data)
    project = ac.Project.open(tmp_path / "bjhp.accordant")
    again(project)
    kinds = {
        "blind agreement": 66,
        "not asked": 16,
        "imported, documented": 237,
        "imported, undocumented": 5,
    }
    assert project.status().proofs == kinds
    assert str(project.release().status) == "imported"
    project.do("go", by="R", to="resolution")
    for row in project.cases():
        if (row.item, row.question) in (left := missing(project)):
            if str(row.state) == "agreed":
                project.do("case reopen", by="R", cases=row.number, reason="not documented")
            settled(project, row.number, left[row.item, row.question])
    assert str(project.release().status) == "imported, documented"
    for coder in CODERS:
        project.do("import accept", by=coder)
    project.do("finish", by="R")
    assert str(project.release().status) == "ground truth"
    say("export bundle.json --bundle", "R")
    rows = json.loads(Path("bundle.json").read_text())["proofs"]
    cells = {(row.item, row.question) for row in project.cases()}
    of_cases = Counter(row["kind"] for row in rows if (row["item"], row["question"]) in cells)
    assert Counter(row["kind"] for row in rows) == {
        "blind agreement": 66,
        "not asked": 22,
        "re-annotated": 9,
        "consent": 5,
        "imported, accepted": 222,
    }
    # 6 a2 and 3 b; those without a cause or discussion; c and e with one.
    assert of_cases == {"re-annotated": 9, "consent": 5, "imported, accepted": 18}
    project.close()


def settled(project: ac.Project, number: int, answer: str) -> None:
    """Argued under d, with the answer that both hold."""
    given: dict[str, Any] = {"cases": number, "cites": ["rule R1"]}
    if not answer:
        answer = next(iter(project.case(number, "R").summary.answers.values())).labels[0]
    for coder in CODERS:
        project.do("case reason", by=coder, text="as I read it", **given)
    project.do("case cause", by="R", cases=number, cause="d")
    for coder in CODERS:
        meant = [project.case(number, "R").assessments[-1].seq]
        project.do("case accept", by=coder, cases=number, proposals=meant)
    project.do("case outcome", by="R", answer=answer, text="this reading", **given)
    for coder in CODERS:
        meant = [project.case(number, "R").proposals[-1].seq]
        project.do("case accept", by=coder, cases=number, proposals=meant)
