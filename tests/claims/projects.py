"""Random projects, careful, careless and malicious people in them, and what is true of each answer.

A `World` drives a project by its commands and keeps its own account: who holds which answer, and
which change of the toolbox mends which disagreement, since it wrote the change for that. Nothing of
it looks at how the project says that answers came about.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import accordant as ac

Cell = tuple[str, str]
CODERS = ("A1", "A2", "A3")
LABELS = {"Q": ("yes", "no"), "K": ("x", "y"), "P": ("p", "r")}
CONCEPTS = {"Q": "claim", "P": "claim", "K": "kind"}
FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None
MENDED = ("a1-concept", "a1-task", "a2", "b")  # causes that ask for a change of the toolbox
SAYS_NOTHING = ("\u200b", "\u2060", " -", "*", " .", "\u00ad", " …")
REFUSED = (ac.Refused, ac.RequestError, ac.InputError, ac.Conflict)


class Account:
    """What is true of one item and question."""

    def __init__(self) -> None:
        self.said: dict[str, str] = {}
        self.bad = self.ever = self.asked_again = False
        self.since = 0  # when answers last differed
        self.settled = ""  # the answer that ended it
        self.slip: tuple[str, bool] = ("", False)  # whom a cause names, and whether they agree
        self.reading: set[str] = set()  # who has accepted that it is read differently
        self.reasons: set[str] = set()
        self.outcome: tuple[str, set[str], bool] = ("", set(), False)

    def differs(self, when: int) -> None:
        self.bad = self.ever = True
        self.since, self.settled, self.slip, self.reading = when, "", ("", False), set()
        self.reasons, self.outcome = set(), ("", set(), False)

    def ends(self, answer: str) -> None:
        self.bad, self.settled = False, answer

    @property
    def fine(self) -> bool:
        """Whether all hold one answer, and nothing is left of any disagreement."""
        answers = {*self.said.values()}
        if len(answers) != 1 or len(self.said) < 2:
            return False
        return not self.ever or (not self.bad and {self.settled} == answers)


class World:
    """One project; `careless` is how often somebody confirms whatever they are shown."""

    def __init__(self, seed: int, careless: float = 0.0, careful: bool = False) -> None:
        self.draw, self.careless, self.careful = random.Random(seed), careless, careful
        self.folder = tempfile.mkdtemp(prefix="accordant-", dir=FAST)
        self.project = ac.Project.create(f"{self.folder}/p.accordant", "A project", by="R")
        self.done: Counter[str] = Counter()
        self.now = 0
        self.mends: dict[int, tuple[int, set[Cell], str]] = {}  # event: when, cells, its word
        self.items = [f"i{k}" for k in range(self.draw.choice((2, 3)))]
        self.questions = ["Q", "K", *(["P"] if self.draw.random() < 0.3 else [])]
        self.cells = {(i, q): Account() for i in self.items for q in self.questions}
        self.rules = {"R1": ("yes if", ["Q"]), "R2": ("x if", ["K"]), "R3": ("read it all", [])}
        self.begins = dict(self.rules)
        self.concepts = {"claim": ("what a text asserts", ["Q"]), "kind": ("a sort", ["K"])}
        self.begin()

    def close(self) -> None:
        self.project.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def do(self, command: str, by: str = "R", **given: Any) -> bool:
        """Whether the procedure lets it happen."""
        self.now += 1
        try:
            self.project.do(command, by=by, **given)
        except REFUSED:
            return False
        self.done[command] += 1
        return True

    @property
    def step(self) -> str:
        return str(self.project.status().step.name)

    # ------------------------------------------------------------------ steps 0 to 2

    def begin(self) -> None:
        for name in CODERS:
            self.do("person", name=name, training="an hour")
        self.do("question", text="What is claimed?", purpose="ground truth")
        self.do("go", to="task")
        asked = {"P": {"question": "Q", "labels": ["yes"]}}
        questions = [{"id": q, "text": f"Is it {q}?"} for q in self.questions]
        questions = [q | {"asked_if": asked[q["id"]]} if q["id"] in asked else q for q in questions]
        self.do("task", task={"questions": questions})
        self.do("guidelines", guidelines=self.guidelines())
        self.sign()
        self.do("go", to="alignment")
        for name in self.concepts:
            self.do("concept", concept=self.concept(name))
        self.do("items add", items={"ids": self.items})
        self.do("items freeze")
        self.round(0.6)

    def guidelines(self) -> dict[str, Any]:
        rules = [{"id": id, "text": text, "questions": on} for id, (text, on) in self.rules.items()]
        options = {q: list(LABELS[q]) for q in self.questions}
        return {"version": "", "options": options, "ambiguity": {"allowed": True}, "rules": rules}

    def concept(self, name: str) -> dict[str, Any]:
        definition, on = self.concepts[name]
        return {"name": name, "version": 0, "definition": definition, "questions": on}

    def sign(self) -> None:
        """All read what is new, and say of each change whether it settles a case of theirs."""
        for coder in CODERS:
            for row in self.project.cases("R"):
                self.judges(coder, row.number, (row.item, row.question))
            self.do("sign-off", coder)

    def judges(self, coder: str, number: int, cell: Cell) -> None:
        """Who is attentive says yes to what was written for their case and is still there."""
        try:
            told = self.project.preview("sign-off", by=coder, settles=[number])
        except REFUSED:
            return
        changes = [e.change for e in told.events if e.kind == "change judged"]
        honest = bool(changes) and all(self.mended(cell, change) for change in changes)
        if honest or self.draw.random() < self.careless:
            self.do("sign-off", coder, settles=[number])
        elif self.careful or self.draw.random() < 0.3:
            self.do("sign-off", coder, unsettled=[number], because="it does not say so")

    def mended(self, cell: Cell, change: int) -> bool:
        _, cells, word = self.mends.get(change, (0, set(), ""))
        texts = [text for text, _ in (*self.rules.values(), *self.concepts.values())]
        return cell in cells and any(word in text for text in texts)

    # ------------------------------------------------------------------ rounds

    def round(self, apart: float, together: bool = False) -> None:
        """A blind round in which some answer as they please."""
        self.sign()
        opened = self.now
        if not self.do("round open"):
            return
        base = {cell: self.base(cell, together) for cell in self.cells}
        given: dict[Cell, dict[str, str]] = {}
        for coder in CODERS:
            for question in self.questions:
                todo = [x.id for x in self.project.work(coder).items if question in x.todo]
                said = {}
                for item in todo:
                    cell, any_of = (item, question), self.draw.choice(LABELS[question])
                    said[item] = any_of if self.draw.random() < apart else base[cell]
                if said and self.do("annotate", coder, answers={question: said}):
                    for item, label in said.items():
                        given.setdefault((item, question), {})[coder] = label
            self.do("submit", coder)
        if self.do("round close"):
            for cell in [c for q in self.questions for c in self.cells if c[1] == q]:
                self.counted(cell, given.get(cell, {}), opened)

    def base(self, cell: Cell, together: bool) -> str:
        labels = LABELS[cell[1]]
        return self.draw.choice(labels) if together else labels[int(cell[0][1:]) % 2]

    def counted(self, cell: Cell, given: dict[str, str], opened: int) -> None:
        one = self.cells[cell]
        before, was = {*one.said.values()}, one.bad
        one.said |= given
        self.unasked(cell)
        now = {*one.said.values()}
        if not given:
            return
        known = [m for m in self.mends if self.mended(cell, m)]
        mended = any(one.since < self.mends[m][0] <= opened for m in known)
        if was and len(before) > 1 and not mended:
            one.asked_again = True
        if len(now) > 1:
            one.differs(self.now)
        elif mended and one.ever:
            one.asked_again = False
            one.ends(min(now))
        elif one.ever and one.settled and {one.settled} != now:
            one.bad = True

    def unasked(self, cell: Cell) -> None:
        """P is asked of those alone who say yes to Q."""
        if cell[1] == "P":
            above = self.cells[cell[0], "Q"].said
            said = self.cells[cell].said
            for coder in [c for c in said if above.get(c) != "yes"]:
                del said[coder]

    # ------------------------------------------------------------------ cases

    def case(self, cell: Cell) -> int:
        rows = self.project.cases("R")
        return next((row.number for row in rows if (row.item, row.question) == cell), 0)

    def here(self) -> bool:
        """Step 5, if it can be reached."""
        if self.step == "FINISHED":
            self.do("go", to="comparison", reason="once more")
        if self.step in ("TASK", "ALIGNMENT"):
            self.sign()
        if self.step != "RESOLUTION":
            self.do("go", to="resolution")
        return self.step == "RESOLUTION"

    def reason(self, cell: Cell, coder: str, cites: bool = True) -> None:
        given = {"text": "so", "cites": ["question Q"] if cites else []}
        if self.do("case reason", coder, cases=self.case(cell), **given):
            mine = self.cells[cell].reasons
            mine.add(coder) if cites else mine.discard(coder)

    def cause(self, cell: Cell, letter: str, who: Any, by: str = "R", named: str = "") -> None:
        one, name = self.cells[cell], CONCEPTS[cell[1]]
        if self.draw.random() < 0.1 and not self.careful:
            name = self.draw.choice([*self.concepts])
        construals = dict.fromkeys(CODERS, "so")
        evidence: dict[str, Any] = {
            "a1-concept": {"concept": name, "construals": construals},
            "a1-task": {"construals": construals},
            "a2": {"rule": "missing", "wording": "more"},
            "b": {"concept": name, "width": "too narrow"},
            "c": {"coder": named, "others": self.items[:1], "same": "alike"},
            "d": {},
            "e": {"coder": named, "meant": "the other"},
        }[letter]
        number = self.case(cell)
        if not self.do("case cause", by, cases=number, cause=letter, evidence=evidence):
            return
        one.slip, one.reading = (named if letter in "ce" else "", False), set()
        agree = {by} if by in CODERS else set()
        agree |= {c for c in who if self.do("case accept", c, cases=number)}
        if letter == "d":
            one.reading = agree
        one.slip = one.slip[0], one.slip[0] in agree

    def correct(self, cell: Cell, coder: str, label: str, cites: bool = True) -> None:
        one, given = self.cells[cell], ["question Q"] if cites else []
        if not self.do("case rescore", coder, case=self.case(cell), answer=label, cites=given):
            return
        was = {*one.said.values()}
        one.said[coder] = label
        if len({*one.said.values()}) > 1:
            one.differs(self.now)
        elif len(was) > 1 and one.slip == (coder, True) and cites and not one.asked_again:
            one.ends(label)
        self.unasked((cell[0], "P")) if cell[1] == "Q" and "P" in self.questions else None

    def propose(self, cell: Cell, label: str, who: Any, by: str = "R", cites: bool = True) -> None:
        one, number = self.cells[cell], self.case(cell)
        given = {"cites": ["question Q"] if cites else [], "text": "this reading"}
        if not self.do("case outcome", by, cases=number, answer=label, **given):
            return
        agree = {by} & {*one.said}
        agree |= {coder for coder in who if self.do("case accept", coder, cases=number)}
        one.outcome = (label, agree, cites)
        if agree >= {*one.said}:
            told = one.reading >= {*one.said} and one.reasons >= {*one.said}
            one.said = dict.fromkeys(one.said, label)
            if told and cites:
                one.ends(label)
            elif one.settled not in ("", label):
                one.bad = True
            if cell[1] == "Q" and "P" in self.questions:
                self.unasked((cell[0], "P"))

    # ------------------------------------------------------------------ the toolbox

    def edit(self, cell: Cell, mends: bool, letter: str = "a2") -> None:
        """A change written for a case, or one that says nothing about it."""
        word, concept = f"word{self.now}", letter in ("b", "a1-concept")
        name, size = CONCEPTS[cell[1]], self.draw.choice(("local", "local", "drastic"))
        if mends:
            alike = {c for c in self.cells if c[1] == cell[1] and self.draw.random() < 0.2}
            if concept:
                text, on = self.concepts[name]
                self.concepts[name] = f"{text} and {word}", on
            else:
                self.rules[f"N{self.now}"] = f"also {word} of it", [cell[1]]
        else:
            alike, cell = set(), ("", cell[1])
            concept = self.spoils(concept, name, word)
        before = self.rules, self.concepts
        why: dict[str, Any] = {"reason": "as it was found"}
        why |= {"cases": [number]} if mends and (number := self.case(cell)) else {}
        if concept:
            happened = self.do("concept", concept=self.concept(name), **why)
        else:
            more = {"questions": self.questions} if size == "local" else {}
            happened = self.do(
                "guidelines", guidelines=self.guidelines(), change=size, **more, **why
            )
        if happened and mends:
            seq = next(
                e.seq for e in reversed(self.project.log("R")) if e.kind == "toolbox written"
            )
            self.mends[seq] = (self.now, {cell} | alike, word)
        self.rules, self.concepts = before

    def spoils(self, concept: bool, name: str, word: str) -> bool:
        """A part of the toolbox reads as before, or says something that bears on no case."""
        draw = self.draw
        if concept:
            text, on = self.concepts[name]
            new = draw.choice(
                (text + draw.choice(SAYS_NOTHING), text.upper(), f"tidy {text} {word}")
            )
            self.concepts[name] = new, on
            return True
        id = draw.choice([*self.rules])
        text, on = self.rules[id]
        kind = draw.randrange(10)
        if kind == 0:
            text += draw.choice(SAYS_NOTHING)
        elif kind == 1:
            text = text.replace("e", "\u0435").replace("a", "\u0430")
        elif kind == 2:
            text = f"**{text.upper()}**"
        elif kind == 3:
            id = f"D{self.now}"  # it stands twice
        elif kind == 4:
            on = draw.choice(([], ["Q"], ["K"], ["Q", "K"]))
        elif kind == 5:
            id, text = f"T{self.now}", draw.choice(("-", "…", "\u200b."))
        elif kind == 6:
            id, text, on = f"K{self.now}", f"about K {word}", ["K"]
        elif kind == 7:
            id, text, on = f"F{self.now}", f"hand in by day {self.now}", []
        elif kind == 8:  # another number
            del self.rules[id]
            id = f"M{self.now}"
        elif id in self.begins:  # as it said at first
            text, on = self.begins[id]
        self.rules[id] = text, on
        return False

    # ------------------------------------------------------------------ what people do

    def acts(self, n: int = 30) -> World:
        for _ in range(n):
            worst = [c for c, one in self.cells.items() if one.bad]
            cell = self.draw.choice(worst if worst and self.draw.random() < 0.8 else [*self.cells])
            if self.careful:
                self.proper(*worst)
            else:
                self.proper(cell) if self.draw.random() < 0.25 else self.anything(cell)
        self.proper(*(c for c, one in self.cells.items() if one.bad and self.draw.random() < 0.6))
        if not self.careful and self.draw.random() < 0.4:
            self.back(self.draw.choice([*self.cells]))
        self.done["finish as ground truth"] += self.here() and self.do("finish")
        return self

    def anything(self, cell: Cell) -> None:
        draw, one = self.draw, self.cells[cell]
        some = CODERS if draw.random() < 0.7 else draw.sample(CODERS, 2)
        act, label = draw.random(), draw.choice(LABELS[cell[1]])
        if act < 0.15:
            self.back(cell)
        elif not self.here():
            self.round(draw.choice((0, 0.3)))
        elif act < 0.3:
            for coder in some:
                self.reason(cell, coder, draw.random() < 0.9)
        elif act < 0.5:
            letter = draw.choice(("a1-concept", "a1-task", "a2", "b", "c", "d", "e"))
            by = draw.choice(("R", *CODERS))
            self.cause(cell, letter, some, by, draw.choice(CODERS))
        elif act < 0.62:
            coder = one.slip[0] or draw.choice(CODERS)
            self.correct(cell, coder, label, draw.random() < 0.9)
        elif act < 0.75:
            self.propose(cell, label, some, draw.choice(("R", *CODERS)), draw.random() < 0.9)
        elif act < 0.8 and self.do(
            "case reopen", by=draw.choice(CODERS), cases=self.case(cell), reason="r"
        ):
            one.differs(self.now)
        elif act < 0.81:
            self.do("case leave", cases=self.case(cell), reason="r")
        elif act < 0.86:
            self.do("case refuse", draw.choice(CODERS), cases=self.case(cell), reason="r")
        elif act < 0.9:
            self.do("order waive", order=draw.choice((1, 2)), reason="r")
        elif self.do("case return", reason="r"):
            self.edit(cell, mends=draw.random() < 0.3, letter=draw.choice(("a2", "b")))
            self.round(draw.choice((0, 0, 0.3)), draw.random() < 0.3)

    def back(self, cell: Cell) -> None:
        """The comparison sends a question back, or step 2 is gone to; something changes, or nothing."""
        if self.step == "FINISHED":
            self.do("go", to="comparison", reason="once more")
        self.do("go", to="task", reason="r", questions=[cell[1]])
        if self.draw.random() < 0.7:
            self.edit(cell, mends=self.draw.random() < 0.2)
        self.sign()
        self.do("go", to="alignment")
        self.round(self.draw.choice((0, 0, 0.3)), self.draw.random() < 0.3)

    def proper(self, *cells: Cell) -> None:
        """A conscientious team does what the paper asks for some cases."""
        returned: list[tuple[Cell, str]] = []
        for cell in cells:
            one = self.cells[cell]
            if not one.bad or len({*one.said.values()}) < 2 or not self.here():
                continue
            if (letter := self.discussed(cell, one)) in MENDED:
                returned.append((cell, letter))
        if not returned or not self.do("case return", cases=[self.case(c) for c, _ in returned]):
            return
        for cell, letter in sorted(returned, key=lambda pair: pair[1] in ("b", "a1-concept")):
            if letter in ("b", "a1-concept") and self.step == "TASK":
                self.sign()
                self.do("go", to="alignment")
            self.edit(cell, mends=True, letter=letter)
        self.sign()
        self.do("go", to="alignment")
        self.round(0)
        self.here()

    def discussed(self, cell: Cell, one: Account) -> str:
        """Reasons, a cause that fits, and what settles it here; the cause."""
        votes = Counter(one.said.values())
        odd = [c for c, label in one.said.items() if votes[label] == 1]
        letter = self.draw.choice((*MENDED, "d", "e"))
        letter = "d" if letter == "e" and (one.asked_again or len(odd) != 1) else letter
        for coder in one.said:
            self.reason(cell, coder)
        named = odd[0] if letter == "e" else ""
        self.cause(cell, letter, [named] if named else [*one.said], named=named)
        if letter == "e":
            self.correct(cell, named, next(x for c, x in one.said.items() if c != named))
        elif letter == "d":
            self.propose(cell, self.draw.choice(LABELS[cell[1]]), [*one.said])
        return letter


# ---------------------------------------------------------------- finished annotations


class Brought(World):
    """Annotations that came from elsewhere, with more or less of what tells how they were made."""

    def __init__(self, seed: int) -> None:
        draw = self.draw = random.Random(seed)
        self.folder, self.done, self.now = (
            tempfile.mkdtemp(prefix="accordant-", dir=FAST),
            Counter(),
            0,
        )
        items = [f"i{k}" for k in range(4)]
        self.cells = {(item, "question"): Account() for item in items}
        for one in self.cells.values():
            one.said = {coder: draw.choice("11110") for coder in CODERS}
            one.ever = one.bad = len({*one.said.values()}) > 1
        rows = [f"{i},{c},{x}" for (i, _), one in self.cells.items() for c, x in one.said.items()]
        torn = [cell for cell, one in self.cells.items() if one.bad]
        agreed = {cell: draw.choice("01") for cell in torn if draw.random() < 0.9}
        known = {cell: (draw.choice("adcce"), draw.choice(("it says so", ""))) for cell in agreed}
        consensus = [f"{item},{agreed[item, q]}" for item, q in agreed]
        cases = [f"{i},{cause},A1,{text}" for (i, _), (cause, text) in known.items()]
        told = {
            "ratings.csv": ["item,coder,label", *rows],
            "gold.csv": ["item,consensus", *consensus],
            "cases.csv": ["item,cause,coder,text", *cases],
            "how.txt": ["They met on Fridays."],
        }
        for name, lines in told.items():
            Path(self.folder, name).write_text("\n".join([*lines, ""]), encoding="utf-8")
        self.document = draw.random() < 0.8
        with_them = ["--document", "how.txt"] if self.document else []
        with_them += ["--consensus", "gold.csv"] if consensus else []
        with_them += ["--cases", "cases.csv"] if cases else []
        typed = ["import", "ratings.csv", *with_them, "--project", "p.accordant"]
        imported(self.folder, typed)
        self.project = ac.Project.open(f"{self.folder}/p.accordant")
        for cell, answer in agreed.items():
            self.cells[cell].said = dict.fromkeys(CODERS, answer)
            if known[cell][0] in "cde" and known[cell][1]:
                self.cells[cell].ends(answer)
        some = draw.choice((CODERS, CODERS, CODERS[:2]))
        accept = {coder for coder in some if self.do("import accept", coder)}
        for one in self.cells.values():
            one.ever = True  # nothing of it was said here
            one.bad = one.bad or not self.document or accept != {*CODERS}
            one.settled = one.settled or min(one.said.values())


def imported(folder: str, typed: list[str]) -> None:
    """As it is typed, in a folder."""
    from click.testing import CliRunner

    from accordant.cli.main import cli

    paths = [f"{folder}/{word}" if "." in word else word for word in typed]
    done = CliRunner().invoke(cli, ["project", *paths, "--as", "R"], prog_name="accordant")
    assert done.exit_code == 0, done.output
