"""Teams and their projects for tests, made as a user makes them: by commands of `ac.Project`.

A researcher R, coders A1, A2, …; one command after another, so that every guard is asked.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import accordant as ac

__all__ = ["GUIDELINES", "Team", "annotating", "compared", "ready", "resolving", "set_up"]

QUESTION = {"id": "Q", "text": "Is it a claim?"}
GUIDELINES = {
    "version": "",
    "options": {"Q": ["0", "1"]},
    "ambiguity": {"allowed": True},
    "rules": [{"id": "R1", "text": "Read the whole item"}],
}
CONCEPT = {"name": "claim", "version": 0, "definition": "what a text asserts", "questions": ["Q"]}
FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None  # where nothing waits for a disk
Values = Mapping[str, Mapping[str, Sequence[Any]]]
"""Question → coder → one label for each item; None declines, "" is left out."""


class Team:
    """A project, and who works on it; `R`, `A1` … do what is named."""

    def __init__(self, coders: int | Sequence[str] = 3, where: str | Path = "") -> None:
        names = [f"A{k + 1}" for k in range(coders)] if isinstance(coders, int) else list(coders)
        folder = "" if where else tempfile.mkdtemp(prefix="accordant-", dir=FAST)
        if folder:
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self.where = str(where) or f"{folder}/p.accordant"
        self.project = ac.Project.create(self.where, "A project", by="R")
        self.coders = names
        for name in names:
            self.do("person", name=name)

    def do(self, command: str, by: str = "R", **given: Any) -> list[str]:
        """Run a command; the kinds of what happened."""
        return [event.kind for event in self.project.do(command, by=by, **given)]

    def refused(self, command: str, by: str = "R", **given: Any) -> set[str]:
        """The guards for which a command is refused; nothing has happened."""
        before = self.project.log(by if by in self.status().people else "")
        with pytest.raises(ac.Refused) as refused:
            self.project.do(command, by=by, **given)
        assert self.project.log(by if by in self.status().people else "") == before
        for one in refused.value.unmet:
            assert one.says
            assert not one.says.endswith(".")
        return {one.guard for one in refused.value.unmet}

    def wrong(self, command: str, by: str = "R", **given: Any) -> str:
        """What is said of a request that makes no sense; nothing has happened."""
        before = self.project.log()
        with pytest.raises((ac.RequestError, ac.InputError)) as error:
            self.project.do(command, by=by, **given)
        assert self.project.log() == before
        return str(error.value)

    def status(self, person: str | None = None) -> Any:
        return self.project.status(person)

    @property
    def step(self) -> str:
        return str(self.status().step.name.lower())

    @property
    def arrows(self) -> dict[int, set[str]]:
        """Every way from here with the guards that it lacks."""
        return {one.number: {u.guard for u in one.unmet} for one in self.status().arrows}

    def everybody(self, command: str, **given: Any) -> None:
        for name in self.coders:
            self.do(command, by=name, **given)

    def answer(self, coder: str, values: Sequence[Any], question: str = "Q") -> None:
        """Labels for the items in their order."""
        items = [one.id for one in self.project.work(coder).items]
        said = {i: x for i, x in zip(items, values, strict=False) if x not in (None, "")}
        if said:
            self.do("annotate", by=coder, answers={question: said})
        if no := [i for i, x in zip(items, values, strict=False) if x is None]:
            self.do("decline", by=coder, question=question, items=no, reason="I am its author")

    def agree(self) -> None:
        """Everybody reads the guidelines and signs every concept."""
        self.everybody("acknowledge")
        self.everybody("sign-off")


def task(**more: str) -> dict[str, Any]:
    """A task with a question for each name: its text."""
    return {"questions": [{"id": id, "text": text} for id, text in more.items()]}


def rules(*ids: str, **more: Any) -> dict[str, Any]:
    """Guidelines with a rule about Q for each id, besides R1."""
    new = [{"id": id, "text": f"Rule {id}", "questions": ["Q"]} for id in ids]
    return {**GUIDELINES, "rules": [*GUIDELINES["rules"], *new], **more}


def concept(definition: str, name: str = "claim", **more: Any) -> dict[str, Any]:
    return {**CONCEPT, "name": name, "definition": definition, **more}


def set_up(coders: int | Sequence[str] = 3, purpose: str = "ground truth") -> Team:
    """Step 1 begins."""
    team = Team(coders)
    team.do("question", text="What do the letters claim?")
    team.do("purpose", purpose=purpose)
    team.do("go", to="task")
    return team


def ready(
    n_items: int = 4,
    coders: int | Sequence[str] = 3,
    questions: Sequence[Mapping[str, Any]] = (QUESTION,),
    options: Mapping[str, Sequence[str]] | None = None,
    purpose: str = "ground truth",
) -> Team:
    """Step 2, with everything met: the next thing is to open a round."""
    team = set_up(coders, purpose)
    team.do("task", task={"questions": list(questions)})
    labels = options or {one["id"]: ["0", "1"] for one in questions}
    team.do("guidelines", guidelines={**GUIDELINES, "options": labels})
    team.do("concept", concept={**CONCEPT, "questions": [questions[0]["id"]]})
    team.do("training", text="an afternoon with ten examples")
    team.everybody("acknowledge")
    team.do("go", to="alignment")
    team.everybody("sign-off")
    team.do("items add", items={"ids": [f"i{k + 1}" for k in range(n_items)]})
    team.do("items freeze")
    return team


def annotating(values: Values, **options: Any) -> Team:
    """Step 3 with everything submitted; the round is still open."""
    coders = list(dict.fromkeys(name for own in values.values() for name in own))
    n_items = max(len(column) for own in values.values() for column in own.values())
    questions = [{"id": id, "text": f"What about {id}?"} for id in values]
    team = ready(n_items, coders, **{"questions": questions, **options})
    team.do("round open")
    for question, own in values.items():
        for coder, column in own.items():
            team.answer(coder, column, question)
    return team


def compared(values: Values, **options: Any) -> Team:
    """Step 4."""
    team = annotating(values, **options)
    team.do("round close")
    return team


def resolving(values: Values, **options: Any) -> Team:
    """Step 5: a case is open for each conflict."""
    team = compared(values, **options)
    team.do("resolve")
    return team
