"""A team at a project, through the public calls alone: a coder's column is a text, one sign an item.

>>> from pathlib import Path; from tempfile import mkdtemp
>>> team = resolving(Path(mkdtemp()), {"Q": {"A1": "010", "A2": "011"}})
>>> [(one.number, one.item) for one in team.project.cases("R")]
[(1, 'i3')]
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import accordant as ac

Sheets = Mapping[str, Mapping[str, str]]
"""Question → coder → a label for each item; "-" declines, a blank is not asked."""
TWO_CASES = {"Q": {"A1": "0101", "A2": "0111", "A3": "0001"}}
"""Case 1: i2 (1, 1, 0); case 2: i3 (0, 1, 0)."""
RULE = {"id": "R1", "text": "Titles count.", "questions": []}
CONCEPT = {"name": "claim", "version": 0, "definition": "what a text asserts", "questions": ["Q"]}

QUESTION = {"id": "Q", "text": "Is it a claim?"}
GUIDELINES = {
    "version": "",
    "options": {"Q": ["0", "1"]},
    "ambiguity": {"allowed": True},
    "rules": [{"id": "R1", "text": "Read the whole item"}],
}
FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None  # where nothing waits for a disk
Values = Mapping[str, Mapping[str, Sequence[Any]]]
"""Question → coder → one label for each item; None declines, "" is left out."""


class Team:
    """A project, and who works on it: a researcher R, a moderator M, coders A1, A2, …"""

    n_items = 0
    where = ""  # its file, of a new one

    def __init__(self, project: ac.Project, coders: Sequence[str]) -> None:
        self.project, self.coders = project, tuple(coders)

    @classmethod
    def new(cls, coders: int | Sequence[str] = 3, where: str | Path = "") -> Team:
        """Step 0, with coders."""
        names = [f"A{k + 1}" for k in range(coders)] if isinstance(coders, int) else list(coders)
        folder = "" if where else tempfile.mkdtemp(prefix="accordant-", dir=FAST)
        if folder:
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = str(where) or f"{folder}/p.accordant"
        team = cls(ac.Project.create(path, "A project", by="R"), names)
        team.where = path
        for name in names:
            team.do("person", name=name)
        return team

    def do(self, what: str, by: str = "R", **given: Any) -> list[str]:
        """A command by its name; the kinds of what happened."""
        return [event.kind for event in self.project.do(what, by, **given)]

    def all(self, what: str, /, **given: Any) -> list[str]:
        """The same of every coder; what the last one brought about."""
        happened: list[str] = []
        for coder in self.coders:
            happened = self.do(what, coder, **given)
        return happened

    def refused(self, what: str, by: str = "R", **given: Any) -> set[str]:
        """The guards for which a command is refused; nothing has happened."""
        before = self.project.log(by if by in self.status().people else "")
        with pytest.raises(ac.Refused) as refused:
            self.project.do(what, by=by, **given)
        assert self.project.log(by if by in self.status().people else "") == before
        for one in refused.value.unmet:
            assert one.says
            assert not one.says.endswith(".")
        return {one.guard for one in refused.value.unmet}

    def wrong(self, what: str, by: str = "R", **given: Any) -> str:
        """What is said of a request that makes no sense; nothing has happened."""
        before = self.project.log()
        with pytest.raises((ac.RequestError, ac.InputError)) as error:
            self.project.do(what, by=by, **given)
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

    def answer(self, coder: str, values: Sequence[Any], question: str = "Q") -> None:
        """Labels for the items in their order."""
        items = [one.id for one in self.project.work(coder).items]
        said = {i: x for i, x in zip(items, values, strict=False) if x not in (None, "")}
        if said:
            self.do("annotate", by=coder, answers={question: said})
        if no := [i for i, x in zip(items, values, strict=False) if x is None]:
            self.do("decline", by=coder, question=question, items=no, reason="I am its author")

    def trained(self) -> None:
        """The coders, in the concepts."""
        for name in self.coders:
            self.do("person", name=name, training="an afternoon with ten examples")

    def agree(self) -> None:
        """Everybody reads the guidelines and signs every concept."""
        self.all("sign-off")

    # ------------------------------------------------------------------ step 5

    def case(self, number: int = 1, person: str = "R") -> Any:
        """A case as the researcher sees it."""
        return self.project.case(number, person)

    def state(self, number: int = 1) -> str:
        """Where a case stands."""
        return str(self.case(number).summary.state)

    def coders_of(self, number: int = 1) -> list[str]:
        """Who holds an answer in a case."""
        return list(self.case(number).summary.answers)

    def reasons(self, number: int = 1, cites: Sequence[str] = ("rule R1",)) -> Team:
        """A reason of each coder of a case."""
        for coder in self.coders_of(number):
            self.do("case reason", coder, cases=number, text=f"so says {coder}", cites=list(cites))
        return self

    def cause(self, cause: str, number: int = 1, by: str = "R", **evidence: Any) -> Team:
        """A cause is proposed, with evidence that suffices."""
        construals = dict.fromkeys(self.coders_of(number), "so")
        known: dict[str, dict[str, Any]] = {
            "a1-concept": {"concept": "claim", "construals": construals},
            "a1-task": {"construals": construals},
            "a2": {"rule": "R1", "wording": "Read the title too"},
            "b": {"concept": "claim", "width": "titles are too narrow"},
            "c": {"coder": "A3", "others": ["i4"], "same": "the same in other words"},
            "d": {},
            "e": {"coder": "A3", "meant": "1"},
        }
        self.do("case cause", by, cases=number, cause=cause, evidence=known[cause] | evidence)
        return self

    def accepted(self, cause: str, number: int = 1, **evidence: Any) -> Team:
        """Reasons, a cause, and every consent that it asks for."""
        if self.state(number) == "open":
            self.reasons(number)
        self.cause(cause, number, **evidence)
        last = self.case(number).assessments[-1]
        named = [last.evidence.coder] if cause in "ce" else self.coders_of(number)
        for coder in named:
            self.do("case accept", coder, cases=number, proposals=[last.seq])
        return self

    def outcome(self, answer: str, number: int = 1, by: str = "R", **more: Any) -> Team:
        """An answer is proposed that cites the rule."""
        given: dict[str, Any] = {"cites": ["rule R1"], "text": "this reading", **more}
        self.do("case outcome", by, cases=number, answer=answer, **given)
        return self

    def agreed(self, number: int, answer: str) -> Team:
        """Argued under d until all accept an answer."""
        if self.state(number) != "argued":
            self.accepted("d", number)
        self.outcome(answer, number)
        meant = [self.case(number).proposals[-1].seq]
        for coder in self.coders_of(number):
            self.do("case accept", coder, cases=number, proposals=meant)
        return self

    # ------------------------------------------------------------------ the toolbox, rounds

    def mended(self, cases: Sequence[int], **given: Any) -> list[str]:
        """A new rule, a local change that names cases."""
        rules = [RULE, {"id": "R2", "text": "Irony is no claim.", "questions": []}]
        new = {"version": "", "options": OPTIONS, "ambiguity": POLICY, "rules": rules}
        more = {"change": "local", "reason": "R2 was missing", **given}
        if more["change"] == "local":
            more = {"questions": ["Q"], **more}
        return self.do("guidelines", guidelines=new, cases=list(cases), **more)

    def refined(self, cases: Sequence[int] = (), **given: Any) -> list[str]:
        """A new version of the concept."""
        new = CONCEPT | {"definition": "what a text asserts, titles included"}
        return self.do("concept", concept=new, reason="too narrow", cases=list(cases), **given)

    def aligned(self) -> Team:
        """Whoever has to read or sign something does, and says that changes settle their cases."""
        for who, each in self.project.status().awaited.items():
            if asked := {one.what.name for one in each} & {"SIGN", "SETTLE"}:
                self.do("sign-off", who, **({"settles": "all"} if "SETTLE" in asked else {}))
        return self

    def round(self, sheets: Sheets, **given: Any) -> list[str]:
        """A blind round from opening to closing; what its closing brought about."""
        self.do("round open", **given)
        self.answered(sheets)
        return self.do("round close")

    def answered(self, sheets: Sheets) -> Team:
        """Everybody answers what they are asked, and submits."""
        for coder in self.coders:
            for question, by_coder in sheets.items():
                for sign, item in zip(by_coder[coder], self.items, strict=True):
                    if sign == "-":
                        self.do("decline", coder, question=question, items=[item], reason="unsure")
                answers = {
                    item: sign
                    for sign, item in zip(by_coder[coder], self.items, strict=True)
                    if sign not in " -"
                }
                asked = {one.id for one in self.project.work(coder).items}
                given = {item: sign for item, sign in answers.items() if item in asked}
                if given:
                    self.do("annotate", coder, answers={question: given})
            self.do("submit", coder)
        return self

    @property
    def items(self) -> list[str]:
        """Ids of the items."""
        return [f"i{k + 1}" for k in range(self.n_items)]


OPTIONS = {"Q": ["0", "1"]}
POLICY = {"allowed": True}


def begun(folder: Path, coders: int = 3, name: str = "p.accordant") -> Team:
    """Step 0 with everybody in their roles."""
    team = Team(
        ac.Project.create(folder / name, "Letters", by="R"),
        [f"A{k + 1}" for k in range(coders)],
    )
    team.do("person", name="M", roles=["moderator"])
    for coder in team.coders:
        team.do("person", name=coder, roles=["coder"])
    team.do("question", text="What is claimed?")
    team.do("question", purpose="ground truth")
    team.do("go", to="task")
    return team


def ready(
    folder: Path,
    sheets: Sheets,
    *,
    texts: Sequence[str] = (),
    asked_if: Mapping[str, Any] | None = None,
    options: Mapping[str, Sequence[str]] = OPTIONS,
    name: str = "p.accordant",
) -> Team:
    """Step 2 with everything done for some questions: a round can open."""
    first = next(iter(sheets.values()))
    team = begun(folder, len(first), name)
    team.n_items = len(next(iter(first.values())))
    more = asked_if or {}
    questions = [
        {"id": q, "text": f"Is it {q}?", **({"asked_if": more[q]} if q in more else {})}
        for q in sheets
    ]
    team.do("task", task={"questions": questions})
    known = {q: list(options.get(q, OPTIONS["Q"])) for q in sheets}
    rules = {"version": "", "options": known, "ambiguity": POLICY, "rules": [RULE]}
    team.do("guidelines", guidelines=rules)
    team.all("sign-off", concept="guidelines")
    team.do("go", to="alignment")
    team.do("concept", concept=CONCEPT)
    team.trained()
    team.all("sign-off")
    team.do("items add", items={"ids": team.items, "texts": list(texts)})
    team.do("items freeze")
    return team


def compared(folder: Path, sheets: Sheets, **given: Any) -> Team:
    """Step 4: round 1 is closed."""

    def make() -> Team:
        team = ready(folder, sheets, **given)
        team.round(sheets)
        return team

    return kept(folder, ("compared", sheets, given), make)


def resolving(folder: Path, sheets: Sheets | None = None, **given: Any) -> Team:
    """Step 5: a case for each conflict."""
    wanted = TWO_CASES if sheets is None else sheets

    def make() -> Team:
        team = compared(folder, wanted, **given)
        team.do("go", to="resolution")
        return team

    return kept(folder, ("resolving", wanted, given), make)


KEPT: dict[str, bytes] = {}
"""Files of projects that were made before: a project is one file, so that it can be copied."""


def kept(folder: Path, key: tuple[object, ...], make: Callable[[], Team]) -> Team:
    """A project as it was made before, or made now."""
    name, path = repr(key), folder / "p.accordant"
    if name not in KEPT:
        made = make()
        made.project.close()
        KEPT[name] = path.read_bytes()
        coders, n_items = made.coders, made.n_items
        MADE[name] = (coders, n_items)
    path.write_bytes(KEPT[name])
    coders, n_items = MADE[name]
    team = Team(ac.Project.open(path), coders)
    team.n_items = n_items
    return team


MADE: dict[str, tuple[Sequence[str], int]] = {}


# ------------------------------------------------------------------ labels as lists


def task(**more: str) -> dict[str, Any]:
    """A task with a question for each name: its text."""
    return {"questions": [{"id": id, "text": text} for id, text in more.items()]}


def rules(*ids: str, **more: Any) -> dict[str, Any]:
    """Guidelines with a rule about Q for each id, besides R1."""
    new = [{"id": id, "text": f"Rule {id}", "questions": ["Q"]} for id in ids]
    return {**GUIDELINES, "rules": [*GUIDELINES["rules"], *new], **more}


def concept(definition: str, name: str = "claim", **more: Any) -> dict[str, Any]:
    return {**CONCEPT, "name": name, "definition": definition, **more}


def at_task(coders: int | Sequence[str] = 3, purpose: str = "ground truth") -> Team:
    """Step 1 begins."""
    team = Team.new(coders)
    team.do("question", text="What do the letters claim?")
    team.do("question", purpose=purpose)
    team.do("go", to="task")
    return team


def at_alignment(
    n_items: int = 4,
    coders: int | Sequence[str] = 3,
    questions: Sequence[Mapping[str, Any]] = (QUESTION,),
    options: Mapping[str, Sequence[str]] | None = None,
    purpose: str = "ground truth",
) -> Team:
    """Step 2, with everything met: the next thing is to open a round."""
    team = at_task(coders, purpose)
    team.do("task", task={"questions": list(questions)})
    labels = options or {one["id"]: ["0", "1"] for one in questions}
    team.do("guidelines", guidelines={**GUIDELINES, "options": labels})
    team.do("concept", concept={**CONCEPT, "questions": [questions[0]["id"]]})
    team.trained()
    team.all("sign-off", concept="guidelines")
    team.do("go", to="alignment")
    team.all("sign-off")
    team.do("items add", items={"ids": [f"i{k + 1}" for k in range(n_items)]})
    team.do("items freeze")
    return team


def at_annotation(values: Values, **options: Any) -> Team:
    """Step 3 with everything submitted; the round is still open."""
    coders = list(dict.fromkeys(name for own in values.values() for name in own))
    n_items = max(len(column) for own in values.values() for column in own.values())
    questions = [{"id": id, "text": f"What about {id}?"} for id in values]
    team = at_alignment(n_items, coders, **{"questions": questions, **options})
    team.do("round open")
    for question, own in values.items():
        for coder, column in own.items():
            team.answer(coder, column, question)
    return team


def at_comparison(values: Values, **options: Any) -> Team:
    """Step 4."""
    team = at_annotation(values, **options)
    team.do("round close")
    return team


def at_resolution(values: Values, **options: Any) -> Team:
    """Step 5: a case is open for each conflict."""
    team = at_comparison(values, **options)
    team.do("go", to="resolution")
    return team
