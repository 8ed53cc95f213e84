"""`accordant project`: from disagreement to a documented ground truth, step by step."""

from __future__ import annotations

import click

from ..project.steps import Steps

__all__ = ["PARTS", "project"]

PARTS = (
    (
        "Where it stands",
        {"new": "beginning", "status": "standing", "log": "history", "verify": "history"},
    ),
    (
        "Steps 0 to 2: research question, task and guidelines, concepts",
        {
            "person": "people", "training": "people", "purpose": "beginning",
            "question": "beginning", "hypothesis": "beginning", "task": "toolbox",
            "guidelines": "toolbox", "concepts": "toolbox", "acknowledge": "consent",
            "sign-off": "consent", "object": "consent", "confirm": "consent",
        },
    ),
    (
        "Steps 3 and 4: individual annotation, comparison",
        {
            "items": "items", "assign": "items", "round": "rounds", "annotate": "annotating",
            "decline": "annotating", "compare": "rounds", "import": "importing",
        },
    ),
    (
        "Step 5: resolution",
        {
            "resolve": "going", "cases": "cases", "case": "case", "causes": "cases",
            "group": "cases", "adjudicator": "people", "suggest": "suggesting",
            "reannotate": "orders", "halt": "research",
            "finding": "research", "resume": "research", "abandon": "ending",
        },
    ),
    (
        "From step to step, and what is given out",
        {
            "go": "going", "release": "ending", "export": "exporting", "report": "reporting",
            "statement": "giving_out", "deviation": "giving_out", "upgrade": "history",
        },
    ),
)  # fmt: skip
"""Headings of the help: the subcommands under each, and the module of each."""


@click.command(
    cls=Steps,
    parts_in="accordant.cli.project",
    parts=PARTS,
    examples=(
        ("accordant project new 'Letters' --as ana", "begin a project in letters.accordant"),
        ("accordant project status", "where it stands, what is missing, who is awaited"),
        ("accordant project task toolbox.toml", "write the task, guidelines or concepts of a file"),
        ("accordant project annotate --as bob", "annotate item by item"),
        ("accordant project case 3 reason 'rule R2 says so' --cites 'rule R2'", "discuss a case"),
    ),
)
def project() -> None:
    """Resolve disagreement, to a documented ground truth.

    A project follows the six steps of Oortwijn, Ossenkoppele and Betti (2021): research question,
    task and guidelines, conceptual alignment, blind individual annotation, comparison, resolution.
    Nothing is overruled: coders agree, and the record says why. `accordant project status` shows
    what is possible next. The project is one file, or a URL of PostgreSQL for a team.
    """
