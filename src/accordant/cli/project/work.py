"""`work`: a person, or a meeting, is walked through what waits, with one key for each act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...errors import RequestError, unknown
from ...numbers import joined
from ...resolution.commands.parameters import Typed
from ..docstrings import parsed
from ..terminal import width
from .acting import Acting, Log, Opened, spelled
from .definitions import step
from .items import ask_items, kept
from .keyboard import Back, Stop, hint_of, key, keys_of, line, one_of, say, several_of

if TYPE_CHECKING:
    from ...resolution.asked import Asked, What
    from ...resolution.records import Evidence
    from ...resolution.state import Assessment, Case, Proposal

__all__ = ["work"]

HELP = """\
r   give your reason           a-e   propose a cause
y   accept, or do it           n     refuse, or object: you are asked why
1-9 the answer; t types it     p     together with the cases that look alike
s   not now                    b <   back to the one before
q   stop: what was given is kept"""
FIELDS = {
    "a1-concept": ("concept", "construals"), "a1-task": ("construals",), "a2": ("rule", "wording"),
    "b": ("concept", "width", "knowledge"), "c": ("coder", "others", "same"), "d": (),
    "e": ("coder", "meant"),
}  # fmt: skip
"""What is asked for with a cause: fields of `Evidence`."""
STEPS = {
    "GO": "go", "SUBMIT": "submit", "OPEN": "open_round", "CLOSE": "close_round",
    "RESOLVE": "begin_resolution", "RESUME": "resume", "RELEASE": "finish",
    "ACCEPT": "accept_import", "RETURN": "return_cases", "ACKNOWLEDGE": "acknowledge",
    "SIGN": "sign_off", "CONFIRM": "confirm_editorial", "OBJECTION": "withdraw_objection",
}  # fmt: skip
"""What is done with the key y, by what is asked."""
ALONE = ("ANNOTATE", "SUBMIT")  # never in a meeting: each coder annotates alone


@step("work")
def work(
    acting: Acting,
    *,
    meeting: bool = False,
    present: Annotated[Sequence[str], Typed("NAME", "--present")] = (),
) -> None:
    """Walk through what waits for you, one key for each act.

    Guidelines are read and acknowledged, concepts signed, items annotated, then case by case:
    reasons, causes, consents, corrections, outcomes, in the order that saves work. What is given
    is kept at once, so that you can stop at any time; what is refused is explained. Keys may come
    from a file.

    Parameters
    ----------
    meeting : bool
        One keyboard for all who are present: everybody is asked by name, and what they say is
        recorded as theirs.
    present : sequence of str
        Who is there.

    Examples
    --------
    What waits for bob:
    $ accordant project work --as bob
    All together, at one keyboard:
    $ accordant project work --meeting --present ana --present bob --as ana
    From a file of keys:
    $ accordant project work --as bob < keys.txt
    """
    if bool(present) is not meeting:
        raise click.UsageError("--meeting needs --present NAME for everybody who is there, and "
                               "--present is for a meeting")  # fmt: skip
    with acting.opened() as opened:
        for name in (*present, opened.by):
            if name not in opened.state.people:
                raise unknown("person", name, opened.state.people, "those who take part are")
        with _meeting(opened, tuple(present)):
            Walk(opened, tuple(present) or (opened.by,), meeting).through()


@contextmanager
def _meeting(opened: Opened, present: tuple[str, ...]) -> Iterator[None]:
    """Put on record who is present, where the procedure knows of meetings."""
    from ...resolution import steps

    known = present and "begin_meeting" in steps.__all__
    if known:
        opened.do(steps.begin_meeting, present=present)
    try:
        yield
    finally:
        if known:
            opened.do(steps.end_meeting)


Mark = tuple[str, "What", object]  # who is asked for what, about which case or part


@dataclass
class Walk:
    """A walk through what waits for some people."""

    opened: Opened
    people: tuple[str, ...]
    meeting: bool
    passed: dict[Mark, None] = field(default_factory=dict)
    at: object = None  # the case that was looked at last: what follows about it comes next
    shown: dict[int, str] = field(default_factory=dict)  # case → what was last shown of it
    versions: dict[int, int] = field(default_factory=dict)  # of the cases as they were shown
    piles: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def through(self) -> None:
        """Ask for one thing after another, until nothing is left or somebody stops."""
        try:
            while (turn := self._turn()) is not None:
                mark, asked = turn
                try:
                    self._does(mark[0], asked, mark[2])
                    self.passed[mark] = None
                except Back:
                    if self.passed:
                        last, _ = self.passed.popitem()
                        self.at = last[2]
        except (Stop, click.Abort, EOFError, KeyboardInterrupt):
            click.echo()
        self._ends()

    def _turn(self) -> tuple[Mark, Asked] | None:
        """What comes next: about the case at hand, or else first of all that waits.

        In a meeting everybody's own reason comes before anything else is shown about a case.
        """
        turns = [
            (mark, asked)
            for person in self.people
            for asked in self._asked(person)
            for about in _parts(asked)
            if (mark := (person, asked.what, about)) not in self.passed
        ]
        if not turns:
            return None
        here = (one for one in turns if one[1].cases and self._number(one[0][2]) == self.at)
        found = next(here, turns[0])
        if self.meeting and found[1].cases:
            reasons = (one for one in turns if one[1].what.name == "REASON")
            return next((one for one in reasons if one[0][2] == found[0][2]), found)
        return found

    def _asked(self, person: str) -> Iterator[Asked]:
        from ...resolution.asked import asked_of

        found = asked_of(self.opened.state, person)
        yield from (one for one in found if not (self.meeting and one.what.name in ALONE))

    def _ends(self) -> None:
        """What is left, and for whom."""
        left = {person: [one.says for one in self._asked(person)] for person in self.people}
        for person, each in left.items():
            for says in each:
                say(f"{person}: {says}")
        if not any(left.values()):
            say(f"nothing waits for {joined(self.people)}")

    # -------------------------------------------------------------- one thing

    def _does(self, person: str, asked: Asked, about: Any) -> None:
        name = f"{person}: " if self.meeting else ""
        if asked.what.name == "ANNOTATE":
            ask_items(self.opened, person)
        elif asked.what.name in STEPS:
            self._consents(person, asked, about, name)
        elif asked.what.name in ("PREPARE", "CHANGE"):
            click.echo()
            say(f"{name}{asked.says}")
            say(f"→ {spelled(asked.do)}", dim=True)
        else:
            self._case(person, asked, about, name)

    def _consents(self, person: str, asked: Asked, about: Any, name: str) -> None:
        """Something that is done, or agreed to, with a key."""
        from ...resolution import steps

        click.echo()
        say(f"{name}{asked.what}{f': {about}' if about else ''}", bold=True)
        self._reads(asked, about)
        what = asked.what.name
        given = self._given(asked, about)
        objects = what in ("SIGN", "ACKNOWLEDGE", "CONFIRM")
        while True:
            match self._key("y yes" + (" · n object" if objects else "")):
                case "y" if self._do(person, getattr(steps, STEPS[what]), **given):
                    return
                case "n" if objects:
                    if self._do(person, steps.object_to, text=line("what is wrong"),
                                **(given if what == "SIGN" else {})):  # fmt: skip
                        return
                case "s":
                    return

    @staticmethod
    def _given(asked: Asked, about: Any) -> dict[str, Any]:
        """What a step is given besides who does it."""
        match asked.what.name:
            case "SIGN":
                return {"concept": about}
            case "CONFIRM":
                return {"version": about}
            case "OBJECTION" if about != "the guidelines":
                return {"concept": about.removeprefix("concept ")}
            case "RETURN":
                return {"cases": list(asked.cases)}
        return dict(asked.do.options) if asked.what.name == "GO" else {}

    def _reads(self, asked: Asked, about: Any) -> None:
        """What a person agrees to."""
        from ...resolution.editorial import rewording

        epoch = self.opened.state.epoch
        if asked.what.name == "ACKNOWLEDGE":
            for view in ("task", "guidelines"):
                click.echo(self._view(view, title=True))
        elif asked.what.name == "SIGN":
            concept = epoch.concepts[about][-1]
            say(concept.definition)
            for what, texts in (("", concept.examples), ("not ", concept.counter_examples)):
                if texts:
                    say(f"{what}such as: {'; '.join(texts)}")
        elif asked.what.name == "CONFIRM":
            say(str(rewording(epoch, about)))
        elif asked.cases:
            say(asked.says)

    # -------------------------------------------------------------- one case

    def _case(self, person: str, asked: Asked, about: Any, name: str) -> None:
        """A case as the person may see it, and one act about it, or about the pile it is in."""
        what, number = asked.what.name, self._number(about)
        if self.at != number and asked.why:
            say(asked.why, dim=True)
        self.at = number
        pile = self._pile(person, what, number, asked.cases)
        wanted = [number]
        while self._still(person, asked, about):
            if what == "DEPENDENT":
                self._asks_on(about)
            else:
                self._show(person, number)
            hints = [f"{name}{asked.what}: {self._hint(what, number, about)}"]
            hints += [f"p with {joined(map(str, pile))}"] * bool(pile)
            typed = self._key(" · ".join(hints), "<" if what == "PROPOSE_CAUSE" else "b")
            if typed == "s":
                return
            if typed == "p" and pile:
                for other in pile:
                    self._show(person, other)
                    line("seen: Enter")
                wanted, pile = [number, *pile], []
            elif typed == "r" and what != "DEPENDENT":
                if self._reason(person, wanted) and what == "REASON":
                    return
            elif what == "DEPENDENT":
                if self._dependent_answer(person, typed, about):
                    return
            elif what != "REASON" and ACTS[what](self, person, wanted, typed):
                return

    def _still(self, person: str, asked: Asked, about: Any) -> bool:
        """Whether the same is asked about the same: others may have acted meanwhile."""
        return any(one.what is asked.what and about in _parts(one) for one in self._asked(person))

    def _hint(self, what: str, number: int, about: Any) -> str:
        """The keys of an act."""
        if what not in ("CORRECT", "PROPOSE_OUTCOME", "DEPENDENT"):
            return HINTS[what]
        question = self._dependent(about)[2] if what == "DEPENDENT" else self._the(number).question
        return f"[{hint_of(self._options(question))}] · a ambiguous"

    def _pile(self, person: str, what: str, number: int, asked: Sequence[int]) -> list[int]:
        """Other cases that look alike, and of which the same is asked."""
        from ...resolution.suggestions.groups import alike_cases

        if len(asked) < 2 or what in ("DEPENDENT", "CORRECT", "REVIEW"):
            return []
        if not self.piles:
            groups = alike_cases(self.opened.state, person)
            self.piles = {n: group.cases for group in groups for n in group.cases} | {0: ()}
        alike = [n for n in self.piles.get(number, ()) if n in asked and n != number]
        if what in ("CAUSE", "OUTCOME"):
            content = self._proposed(number).content
            alike = [n for n in alike if self._proposed(n).content == content]
        return alike

    def _proposed(self, number: int) -> Assessment | Proposal:
        """The cause or outcome that waits for an answer."""
        from ...resolution.disagreement import awaited_assessment, awaited_proposal

        case = self._the(number)
        found = awaited_assessment(case) or awaited_proposal(case)
        if found is None:
            raise RequestError(f"nothing is proposed for case {number}")
        return found

    def _number(self, about: Any) -> Any:
        """The case that something is about."""
        return self._dependent(about)[0] if isinstance(about, str) and about else about

    def _asks_on(self, about: str) -> None:
        """What is asked since the answer to its parent was changed."""
        _, item, question = self._dependent(about)
        table = self.opened.state.items
        click.echo()
        say(f"{item}, question {question}", bold=True)
        say(self.opened.state.epoch.questions[question].text)
        if table.texts:
            say(table.texts[table.positions[item]])

    def _dependent(self, about: str) -> tuple[int, str, str]:
        """Case, item and question of what is asked since its parent was changed."""
        from ...resolution.asked import dependent_cells

        state = self.opened.state
        each = ((c.number, state.items.ids[i], q) for _, c, i, q in dependent_cells(state))
        return next(cell for cell in each if f"{cell[2]} about {cell[1]}" == about)

    def _show(self, person: str, number: int) -> None:
        """A case, or what is new about it since it was last shown."""
        told = self._view("case", person, cases=[number])
        known = self.shown.get(number, "").splitlines()
        self.shown[number] = told
        self.versions[number] = self.opened.state.versions.get(f"case {number}", 0)
        new = [text for text in told.splitlines() if text not in known and not _state(text)]
        if not known:
            click.echo()
        if new:
            click.echo("\n".join(new) if known else told)

    def _view(self, name: str, person: str = "", *, title: bool = False, **options: Any) -> str:
        """What a view tells, without the next steps."""
        from ...render.terminal import text
        from ...views.blocks import Actions
        from ...views.document import Section
        from ...views.project_subject import Subject
        from ...views.view import named

        view = named("project", name)
        subject = Subject(self.opened.state, Log(self.opened.project), person, {}, self.opened.name)
        blocks = tuple(b for b in view.make(subject, **options) if not isinstance(b, Actions))
        return text([Section(name, view.title if title else "", "", blocks)], width=width())

    def _the(self, number: int) -> Case:
        return self.opened.state.epoch.cases[number]

    # -------------------------------------------------------------- what is kept

    def _key(self, what: str, back: str = "b") -> str:
        """A key; where causes are named by letters, b is one of them."""
        typed = key(f"{what} · s {back} q ?", (back, "<"))
        if typed == "?":
            for text in HELP.splitlines():
                say(text, dim=True)
        return typed

    def _do(self, person: str, function: Callable[..., Any], **given: Any) -> bool:
        """Keep an act and say what follows from it, or say why it is refused."""
        return kept(self.opened, person, function, tell=True, **given)

    def _on(self, person: str, function: Callable[..., Any], *numbers: int, **given: Any) -> bool:
        """An act about cases as they were shown: if others have moved them on, nothing is kept."""
        expect = {f"case {n}": self.versions[n] for n in numbers}
        return self._do(person, function, expect=expect, **given)

    def _reason(self, person: str, numbers: Sequence[int]) -> bool:
        from ...resolution import steps

        text, cites = line("your reason"), self._cites()
        each = (
            self._on(person, steps.give_reason, n, case=n, text=text, cites=cites) for n in numbers
        )
        return all(each)

    def _propose_cause(self, person: str, numbers: list[int], typed: str) -> bool:
        from ...resolution import steps
        from ...resolution.causes import CAUSES

        named = [c for c in FIELDS if c.startswith(typed)] if typed in ("a", *FIELDS) else []
        if not named:
            for meaning in CAUSES.values():
                say(f"{meaning.cause}  {meaning.label}", dim=True)
            return False
        cause = named[0]
        if len(named) > 1:
            labels = [f"{CAUSES[c].cause}: {CAUSES[c].label}" for c in CAUSES if c.value in named]
            cause = one_of("which", labels).partition(":")[0]
        if cause not in FIELDS:
            return False
        evidence = self._evidence(cause, self._the(numbers[0]))
        return self._on(person, steps.propose_cause, *numbers, cases=numbers, cause=cause,
                        evidence=evidence)  # fmt: skip

    def _cause(self, person: str, numbers: list[int], typed: str) -> bool:
        from ...resolution import steps

        return self._answers(person, numbers, typed, steps.accept_cause, steps.refuse_cause)

    def _outcome(self, person: str, numbers: list[int], typed: str) -> bool:
        from ...resolution import steps

        return self._answers(person, numbers, typed, steps.accept_outcome, steps.refuse_outcome)

    def _answers(
        self, person: str, numbers: list[int], typed: str, yes: Callable[..., Any],
        no: Callable[..., Any],
    ) -> bool:  # fmt: skip
        """Consent or refusal, of the very proposals that were shown."""
        proposals = [self._proposed(n).seq for n in numbers]
        if typed == "y":
            return self._on(person, yes, *numbers, cases=numbers, proposals=proposals)
        if typed != "n":
            return False
        why = line("why")
        return all(
            self._on(person, no, n, case=n, reason=why, proposals=[p])
            for n, p in zip(numbers, proposals, strict=True)
        )

    def _review(self, person: str, numbers: list[int], typed: str) -> bool:
        from ...resolution import steps

        return typed == "y" and self._on(person, steps.reopen, *numbers, cases=numbers,
                                         reason=line("why"))  # fmt: skip

    def _correct(self, person: str, numbers: list[int], typed: str) -> bool:
        from ...resolution import steps

        case, answer = self._the(numbers[0]), self._answer(self._the(numbers[0]).question, typed)
        if answer is None:
            return False
        own = self.opened.state.items.ids[case.item]
        items = [own, *case.assessments[-1].evidence.others] if case.cause == "c" else [own]
        item = one_of("which item is corrected", items) if len(items) > 1 else own
        return self._on(person, steps.rescore, case.number, case=case.number, item=item, **answer)

    def _dependent_answer(self, person: str, typed: str, about: str) -> bool:
        from ...resolution import steps

        number, item, question = self._dependent(about)
        answer = self._answer(question, typed)
        return answer is not None and self._do(
            person, steps.annotate_dependent, item=item, question=question, case=number, **answer
        )

    def _propose_outcome(self, person: str, numbers: list[int], typed: str) -> bool:
        from ...resolution import steps

        answer = self._answer(self._the(numbers[0]).question, typed)
        if answer is None:
            return False
        given = {"answer": answer["answer"], "cites": self._cites(), "text": line("the reading")}
        if "note" in answer:
            given["source"] = answer["note"].source
        return self._on(person, steps.propose_outcome, *numbers, cases=numbers, **given)

    def _options(self, question: str) -> tuple[str, ...]:
        return self.opened.state.epoch.guidelines[-1].options.get(question, ())

    def _answer(self, question: str, typed: str) -> dict[str, Any] | None:
        """An answer by its key; what has no key is typed in full."""
        from ...resolution.records import AMBIGUOUS, Note

        options = self._options(question)
        keys = keys_of(options)
        if typed in options or typed in keys:
            return {"answer": keys.get(typed, typed)}
        if typed == "a":
            policy = self.opened.state.epoch.guidelines[-1].ambiguity
            source = one_of("why", policy.sources if policy else ())
            return {"answer": AMBIGUOUS, "note": Note(source=source)}
        return {"answer": line("the answer in full")} if typed == "t" else None

    def _cites(self) -> tuple[str, ...]:
        from ...resolution.toolbox import elements

        return several_of("rests on (numbers)", [*elements(self.opened.state)])

    def _evidence(self, cause: str, case: Case) -> Evidence:
        """What a cause asks for, field by field."""
        from ...resolution.disagreement import participants
        from ...resolution.records import Evidence

        epoch = self.opened.state.epoch
        texts, coders = parsed(Evidence.__doc__).parameters, participants(epoch, case)
        rules = [rule.id for g in epoch.guidelines[-1:] for rule in g.rules]
        among = {"concept": [*epoch.concepts], "rule": [*rules, "missing"], "coder": [*coders]}
        given: dict[str, Any] = {}
        for name in FIELDS[cause]:
            what = texts[name].partition(": ")[2].rstrip(".")
            if name == "construals":
                given[name] = {coder: line(f"how {coder} understood it") for coder in coders}
            elif name in among:
                given[name] = one_of(what, among[name])
            else:
                typed = line(what)
                given[name] = tuple(typed.split()) if name == "others" else typed
        return Evidence(**given)


HINTS = {
    "REASON": "r your reason", "PROPOSE_CAUSE": "a b c d e the cause",
    "CAUSE": "y accept · n refuse", "OUTCOME": "y accept · n refuse", "REVIEW": "y open it again",
}  # fmt: skip
ACTS: dict[str, Callable[[Walk, str, list[int], str], bool]] = {
    "PROPOSE_CAUSE": Walk._propose_cause, "CAUSE": Walk._cause, "OUTCOME": Walk._outcome,
    "REVIEW": Walk._review, "CORRECT": Walk._correct, "PROPOSE_OUTCOME": Walk._propose_outcome,
}  # fmt: skip


def _state(text: str) -> bool:
    """Whether a line of a case only says where it stands."""
    from ...resolution.words import CaseState

    where = text.strip().partition(" · ")[0]
    return where in [*CaseState] or where.startswith("Not settled yet")


def _parts(asked: Asked) -> tuple[object, ...]:
    """What a person is asked about, one after another."""
    if asked.what.name in ("SIGN", "CONFIRM", "OBJECTION", "DEPENDENT", "PREPARE"):
        return asked.about
    return asked.cases if asked.what.name not in (*STEPS, "CHANGE") and asked.cases else ("",)
