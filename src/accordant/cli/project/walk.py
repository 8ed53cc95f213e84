"""`work`: a person, or a meeting, is walked through what waits, with one key for each act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...errors import unknown
from ...numbers import joined
from ...resolution.command_arguments import Typed
from ..terminal import width
from .actor import Acting, Log, Opened
from .annotation import ask_items
from .case_acts import ACTS, CaseActs
from .keyboard import Back, Stop, key, line, say
from .parameters import spelled, step

if TYPE_CHECKING:
    from ...resolution.case_asks import What
    from ...resolution.requests import Asked

__all__ = ["work"]

HELP = """\
r   give your reason · a-e propose a cause · y   accept, or do it · n   refuse, or object: you are \
asked why · i   propose another one instead · 1-9 the answer; t types it · m   it was my slip: \
correct it · w   write something in the thread · p   together with the cases that look alike · \
s   not now · b < back to the one before · q   stop: what was given is kept""".replace(" · ", "\n")
STEPS = {
    "GO": "go",
    "SUBMIT": "submit",
    "OPEN": "open_round",
    "CLOSE": "close_round",
    "RESOLVE": "begin_resolution",
    "RESUME": "resume",
    "RELEASE": "finish",
    "ACCEPT": "accept_import",
    "RETURN": "return_cases",
    "ACKNOWLEDGE": "acknowledge",
    "SIGN": "sign_off",
    "CONFIRM": "confirm_editorial",
    "OBJECTION": "withdraw_objection",
}
"""What is done with the key y, by what is asked."""
READ = {"ACKNOWLEDGE": ("task", "guidelines"), "RELEASE": ("release",)}
"""Views to be read before something is agreed to."""
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
        raise click.UsageError(
            "--meeting needs --present NAME for everybody who is there, and "
            "--present is for a meeting"
        )
    with acting.opened() as opened:
        for name in (*present, opened.by):
            if name not in opened.state.people:
                raise unknown("person", name, opened.state.people, "those who take part are")
        people = tuple(present) or (opened.by,)
        Walk(opened, people, meeting, CaseActs(opened)).through()


Mark = tuple[str, "What", object]  # who is asked for what, about which case or part


@dataclass
class Walk:
    """A walk through what waits for some people."""

    opened: Opened
    people: tuple[str, ...]
    meeting: bool
    acts: CaseActs
    passed: dict[Mark, None] = field(default_factory=dict)
    at: object = None  # the case that was looked at last: what follows about it comes next
    shown: dict[int, str] = field(default_factory=dict)  # case → what was last shown of it
    piles: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def through(self) -> None:
        """Ask for one thing after another, until nothing is left or somebody stops."""
        from ...resolution import steps
        from ...resolution.meeting import open_meeting

        try:
            while (turn := self._turn()) is not None:
                self._convene()
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
        finally:
            if self.meeting and open_meeting(self.opened.state) is not None:
                self.opened.do(steps.end_meeting)
        self._ends()

    def _convene(self) -> None:
        """Put on record who is present, as soon as something can be agreed on."""
        from ...resolution import steps
        from ...resolution.meeting import open_meeting
        from ...resolution.wording import AGREEING

        state = self.opened.state
        if self.meeting and state.step in AGREEING and open_meeting(state) is None:
            self.opened.do(steps.begin_meeting, present=self.people)

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
        from ...resolution.requests import asked_of

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
        click.echo()
        say(f"{name}{asked.what}{f': {about}' if about else ''}", bold=True)
        self._reads(asked, about)
        what = asked.what.name
        given = self._given(asked, about)
        objects = what in ("SIGN", "ACKNOWLEDGE", "CONFIRM")
        while True:
            match self._key("y yes" + (" · n object" if objects else "")):
                case "y" if self.acts.do(person, STEPS[what], **given):
                    return
                case "n" if objects:
                    if self.acts.do(
                        person,
                        "object_to",
                        text=line("what is wrong"),
                        **(given if what == "SIGN" else {}),
                    ):
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
        for view in READ.get(asked.what.name, ()):
            click.echo(self._view(view, title=True))
        if asked.what.name == "SIGN":
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
            hints = [f"{name}{asked.what}: {self.acts.hint(what, number, about)}"]
            hints += [f"p with {joined(map(str, pile))}"] * bool(pile)
            typed = self._key(" · ".join(hints), "<" if what == "PROPOSE_CAUSE" else "b")
            if typed == "s":
                return
            if typed == "p" and pile:
                for other in pile:
                    self._show(person, other)
                    line("seen: Enter")
                wanted, pile = [number, *pile], []
            elif typed in ("m", "w") and what != "DEPENDENT":
                if (self.acts.slip if typed == "m" else self.acts.remark)(person, number):
                    return
            elif typed == "r" and what != "DEPENDENT":
                if self.acts.reason(person, wanted) and what == "REASON":
                    return
            elif what == "DEPENDENT":
                if self.acts.dependent_answer(person, typed, about):
                    return
            elif what != "REASON" and ACTS[what](self.acts, person, wanted, typed):
                return

    def _still(self, person: str, asked: Asked, about: Any) -> bool:
        """Whether the same is asked about the same: others may have acted meanwhile."""
        return any(one.what is asked.what and about in _parts(one) for one in self._asked(person))

    def _pile(self, person: str, what: str, number: int, asked: Sequence[int]) -> list[int]:
        """Other cases that look alike, and of which the same is asked."""
        from ...resolution.similar_texts import alike_cases

        if len(asked) < 2 or what in ("DEPENDENT", "CORRECT", "REVIEW"):
            return []
        if not self.piles:
            groups = alike_cases(self.opened.state, person)
            self.piles = {n: group.cases for group in groups for n in group.cases} | {0: ()}
        alike = [n for n in self.piles.get(number, ()) if n in asked and n != number]
        if what in ("CAUSE", "OUTCOME"):
            content = self.acts.proposed(number).content
            alike = [n for n in alike if self.acts.proposed(n).content == content]
        return alike

    def _number(self, about: Any) -> Any:
        """The case that something is about."""
        return self.acts.dependent(about)[0] if isinstance(about, str) and about else about

    def _asks_on(self, about: str) -> None:
        """What is asked since the answer to its parent was changed."""
        _, item, question = self.acts.dependent(about)
        table = self.opened.state.items
        click.echo()
        say(f"{item}, question {question}", bold=True)
        say(self.opened.state.epoch.questions[question].text)
        if table.texts:
            say(table.texts[table.positions[item]])

    def _show(self, person: str, number: int) -> None:
        """A case, or what is new about it since it was last shown."""
        told = self._view("case", person, cases=[number])
        known = self.shown.get(number, "").splitlines()
        self.shown[number] = told
        self.acts.versions[number] = self.opened.state.versions.get(f"case {number}", 0)
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

    def _key(self, what: str, back: str = "b") -> str:
        """A key; where causes are named by letters, b is one of them."""
        typed = key(f"{what} · s {back} q ?", (back, "<"))
        if typed == "?":
            say(HELP, dim=True)
        return typed


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
