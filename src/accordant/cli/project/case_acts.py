"""What a person does about a case, or about several at once, with a key and the texts it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...errors import RequestError
from .actor import Opened
from .annotation import kept
from .keyboard import hint_of, keys_of, line, one_of, say, several_of

if TYPE_CHECKING:
    from ...resolution.case_state import Assessment, Case, Proposal
    from ...resolution.records import Evidence

__all__ = ["ACTS", "CaseActs"]


@dataclass
class CaseActs:
    """The acts of step 5, each about cases as they were shown."""

    opened: Opened
    versions: dict[int, int] = field(default_factory=dict)  # of the cases as they were shown

    def the(self, number: int) -> Case:
        """A case of the task in force."""
        return self.opened.state.epoch.cases[number]

    def proposed(self, number: int) -> Assessment | Proposal:
        """The cause or outcome that waits for an answer."""
        from ...resolution.disagreement import awaited_assessment, awaited_proposal

        case = self.the(number)
        found = awaited_assessment(case) or awaited_proposal(case)
        if found is None:
            raise RequestError(f"nothing is proposed for case {number}")
        return found

    def dependent(self, about: str) -> tuple[int, str, str]:
        """Case, item and question of what is asked since its parent was changed."""
        from ...resolution.case_asks import dependent_cells

        state = self.opened.state
        each = ((c.number, state.items.ids[i], q) for _, c, i, q in dependent_cells(state))
        return next(cell for cell in each if f"{cell[2]} about {cell[1]}" == about)

    def hint(self, what: str, number: int, about: Any) -> str:
        """The keys of an act."""
        if what not in ("CORRECT", "PROPOSE_OUTCOME", "DEPENDENT"):
            return HINTS[what]
        question = self.dependent(about)[2] if what == "DEPENDENT" else self.the(number).question
        return f"[{self._keys(question)}] · a ambiguous"

    def do(self, person: str, name: str, **given: Any) -> bool:
        """Keep an act and say what follows from it, or say why it is refused."""
        from ...resolution import steps

        return kept(self.opened, person, getattr(steps, name), tell=True, **given)

    def on(self, person: str, name: str, *numbers: int, **given: Any) -> bool:
        """An act about cases as they were shown: if others have moved them on, nothing is kept."""
        expect = {f"case {n}": self.versions[n] for n in numbers}
        return self.do(person, name, expect=expect, **given)

    def reason(self, person: str, numbers: Sequence[int]) -> bool:
        """One's own reason."""
        text, cites = line("your reason"), self._cites()
        each = (self.on(person, "give_reason", n, case=n, text=text, cites=cites) for n in numbers)
        return all(each)

    def remark(self, person: str, number: int) -> bool:
        """Something to say; what is asked is still asked."""
        self.on(person, "remark", number, case=number, text=line("what you say"))
        return False

    def slip(self, person: str, number: int) -> bool:
        """One's own slip: reason, cause and correction in one."""
        case = self.the(number)
        answer = self._answer(case.question, line(f"you meant [{self._keys(case.question)}]"))
        if answer is None:
            return False
        given = {"meant": answer.pop("answer"), "cites": self._cites(), **answer}
        return self.on(person, "correct_slip", number, case=number, **given)

    def propose_cause(self, person: str, numbers: list[int], typed: str, instead: str = "") -> bool:
        """A cause by its letter, with the evidence that it asks for."""
        from ...resolution.causes import CAUSES

        named = [c for c in CAUSES if c.value.startswith(typed)] if typed else []
        if not named or typed[0] not in "abcde":
            for meaning in CAUSES.values():
                say(f"{meaning.cause}  {meaning.label}", dim=True)
            return False
        cause = named[0].value
        if len(named) > 1:
            labels = [f"{c.value}: {CAUSES[c].label}" for c in named]
            cause = one_of("which", labels).partition(":")[0]
        if cause not in [c.value for c in named]:
            return False
        evidence = self._evidence(cause, self.the(numbers[0]))
        return self.on(
            person,
            "propose_cause",
            *numbers,
            cases=numbers,
            cause=cause,
            evidence=evidence,
            instead=instead,
        )

    def _another(self, person: str, numbers: list[int], what: str) -> bool:
        """Another cause or outcome instead of the one that is proposed."""
        why = line("why not this one")
        if what == "cause":
            return self.propose_cause(person, numbers, line("a b c d e the cause"), why)
        keys = self._keys(self.the(numbers[0]).question)
        return self.propose_outcome(person, numbers, line(f"the answer [{keys}]"), why)

    def answers(self, person: str, numbers: list[int], typed: str) -> bool:
        """Consent or refusal, of the very proposals that were shown."""
        proposals = [self.proposed(n).seq for n in numbers]
        what = "cause" if self.the(numbers[0]).state == "cause proposed" else "outcome"
        if typed == "y":
            return self.on(person, f"accept_{what}", *numbers, cases=numbers, proposals=proposals)
        if typed == "i":
            return self._another(person, numbers, what)
        if typed != "n":
            return False
        why = line("why")
        return all(
            self.on(person, f"refuse_{what}", n, case=n, reason=why, proposals=[p])
            for n, p in zip(numbers, proposals, strict=True)
        )

    def review(self, person: str, numbers: list[int], typed: str) -> bool:
        """A postponed case is opened again."""
        return typed == "y" and self.on(
            person, "reopen", *numbers, cases=numbers, reason=line("why")
        )

    def correct(self, person: str, numbers: list[int], typed: str) -> bool:
        """A correction of one's own annotation, under c perhaps of another item."""
        case, answer = self.the(numbers[0]), self._answer(self.the(numbers[0]).question, typed)
        if answer is None:
            return False
        own = self.opened.state.items.ids[case.item]
        items = [own, *case.assessments[-1].evidence.others] if case.cause == "c" else [own]
        item = one_of("which item is corrected", items) if len(items) > 1 else own
        return self.on(person, "rescore", case.number, case=case.number, item=item, **answer)

    def dependent_answer(self, person: str, typed: str, about: str) -> bool:
        """An answer to what is asked since its parent was changed."""
        number, item, question = self.dependent(about)
        answer = self._answer(question, typed)
        return answer is not None and self.do(
            person,
            "annotate_dependent",
            item=item,
            question=question,
            case=number,
            **answer,
        )

    def propose_outcome(
        self, person: str, numbers: list[int], typed: str, instead: str = ""
    ) -> bool:
        """An answer on which all should settle, with what it rests on."""
        answer = self._answer(self.the(numbers[0]).question, typed)
        if answer is None:
            return False
        given = {
            "answer": answer["answer"],
            "cites": self._cites(),
            "text": line("the reading"),
            "instead": instead,
        }
        if "note" in answer:
            given["source"] = answer["note"].source
        return self.on(person, "propose_outcome", *numbers, cases=numbers, **given)

    def _keys(self, question: str) -> str:
        return hint_of(self._options(question))

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
        """What it rests on, asked until that is in the toolbox: a text typed before is not lost."""
        from ...resolution.toolbox import cited, elements

        while True:
            named = several_of("rests on (numbers)", [*elements(self.opened.state)])
            try:
                return cited(self.opened.state, named)
            except RequestError as error:
                say(str(error))

    def _evidence(self, cause: str, case: Case) -> Evidence:
        """What a cause asks for, field by field."""
        from ...resolution.causes import CAUSES, FIELDS
        from ...resolution.disagreement import participants
        from ...resolution.records import Evidence
        from ...resolution.words import Cause

        epoch = self.opened.state.epoch
        coders = participants(epoch, case)
        rules = [*epoch.rules, "missing"]
        among = {"concept": [*epoch.concepts], "rule": rules, "coder": [*coders]}
        given: dict[str, Any] = {}
        record = CAUSES[Cause(cause)].record
        for name in sorted({key for way in record for key in way}, key=[*FIELDS].index):
            what = FIELDS[name].lacks
            if FIELDS[name].each:
                given[name] = {coder: line(what.format(coder)) for coder in coders}
            elif name in among:
                given[name] = one_of(what, among[name])
            else:
                typed = line(what)
                given[name] = tuple(typed.split()) if FIELDS[name].many else typed
        return Evidence(**given)


HINTS = {
    "REASON": "r your reason",
    "PROPOSE_CAUSE": "a b c d e the cause",
    "CAUSE": "y accept · n refuse · i another",
    "OUTCOME": "y accept · n refuse · i another",
    "REVIEW": "y open it again",
}
ACTS: dict[str, Callable[[CaseActs, str, list[int], str], bool]] = {
    "PROPOSE_CAUSE": CaseActs.propose_cause,
    "CAUSE": CaseActs.answers,
    "OUTCOME": CaseActs.answers,
    "REVIEW": CaseActs.review,
    "CORRECT": CaseActs.correct,
    "PROPOSE_OUTCOME": CaseActs.propose_outcome,
}
