"""BJHP (Oortwijn et al. 2021, section 5.2) as finished annotations: 54 articles, two coders."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from accordant.data.read import read
from accordant.resolution.importing.cause_files import (
    file_digest,
    read_cases,
    read_consensus,
    read_questions,
)
from accordant.resolution.importing.command import import_finished
from accordant.resolution.importing.first_round import Finished
from accordant.resolution.records import Concept, Guidelines, Rule
from accordant.resolution.setup import new_project
from resolution.build import Session

FILES = ("annotations_long", "annotations_wide", "disagreements", "questions")
COLUMNS = {
    "cause": "cause_letter_csv",
    "heading": "pdf_heading",
    "discussed": "pdf_mentions_question",
    "prevails": "pdf_prevailing",
    "coder": "annotator_named_in_pdf",
    "element": "toolbox_element",
    "text": "note",
}
RULE = "Does the article qualify the scope of the specific wide-scope claims transcribed in 5b?"


def bjhp(folder: Path) -> Finished:
    """What the published files say, and the paper about the steps that were left out."""
    paths = {name: folder / f"bjhp_{name}.csv" for name in FILES}
    questions = read_questions(paths["questions"])
    data = read(paths["annotations_long"], categories={q.id: [0, 1] for q in questions})
    discussions = {
        case["item"]: case["text"] for case in json.loads((folder / "bjhp_cases.json").read_text())
    }
    cases = []
    for case in read_cases(paths["disagreements"], COLUMNS):
        concept = re.match(r"key concept '([^']+)'(?! ->)", case.element)
        text = discussions.get(case.item, "") if case.discussed else ""
        cases.append(replace(case, concept=concept[1] if concept else "", text=text))
    return Finished(
        data,
        questions=questions,
        consensus=read_consensus(paths["annotations_wide"], data),
        cases=tuple(cases),
        research_questions=("How is the history of philosophy written?",),
        rules=(Rule("R1", "The body of the article leads over its abstract; check all headings"),),
        concepts=(
            Concept(
                "wide-scope claim",
                1,
                "a claim that spans several decades, periods or intellectual movements",
                ("5a", "5c"),
            ),
        ),
        changes=(
            Concept(
                "wide-scope claim",
                0,
                "as before; thorough justification implies surveyed data; claims about one author are not wide-scope",
                ("5a", "5c"),
                reason="unclear in discussion",
            ),
            Guidelines(
                "",
                {},
                rules=(Rule("R2", RULE, ("5c",)),),
                reason="'qualification' was read in several ways",
            ),
        ),
        deviations={
            "step 2 not performed": "section 5.2 of the paper: coders did not align on concepts before they annotated"
        },
        digests={path.name: file_digest(path) for path in paths.values()},
        licence="none stated",
    )


def imported(finished: Finished, title: str = "BJHP", by: str = "R") -> Session:
    """A project with finished annotations in it."""
    here = Session()
    here.do(new_project, by, title=title, imported=True)
    here.do(import_finished, by, finished=finished)
    return here


def bjhp_project(real_data: Callable[[str], Path]) -> Session:
    """The project, from the published files."""
    return imported(bjhp(real_data("bjhp")))
