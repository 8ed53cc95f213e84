"""What does not fit together in imported annotations, causes and consensus: one sentence for each.

All of it is imported as it stands. A person must look at it, since the source may be wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...data.table import plain
from ...errors import unknown
from ...numbers import p_text
from ..directions import FEWEST, directions, sign_test
from ..disagreement import held
from ..records import Answer
from ..sentences import counted, listing
from ..state import NONE, State
from ..wording import all_known, told_apart
from .first_round import Cell, Finished, KnownCase
from .outcomes import REPEATS, cause_of

__all__ = ["check_known", "check_names", "warnings_after", "warnings_before"]

Answers = Mapping[str, Answer]


def check_names(state: State, finished: Finished) -> None:
    """Refuse names of coders, questions and items that cannot be told apart by people.

    Raises
    ------
    RequestError
        For the first one.
    """
    data = finished.data
    told_apart("name of a coder", [*state.people, *data.coders])
    told_apart("id of a question", data.questions)
    told_apart("id of an item", [plain(item) for item in data.items])


def check_known(state: State, finished: Finished) -> None:
    """Refuse knowledge about items, questions, coders or causes that do not exist.

    Raises
    ------
    RequestError
        For the first one.
    """
    for item, question in [*finished.consensus, *(case.cell for case in finished.cases)]:
        if item not in state.items.positions:
            raise unknown("item", item, state.items.ids)
        all_known("question", [question], state.epoch.questions)
    for case in finished.cases:
        where = f"It is named in the case of item {case.item!r}, question {case.question!r}"
        for coder in (case.coder, case.prevails):
            if coder and coder not in finished.data.coders:
                raise unknown("coder", coder, finished.data.coders, hint=where)
        for other in case.others:
            if other not in state.items.positions:
                raise unknown("item", other, state.items.ids, hint=where)
        try:
            cause_of(case.cause)
        except ValueError:
            known = ("a", "a1-concept", "a1-task", "a2", "b", "c", "d", "e")
            raise unknown("cause", case.cause, known, "there are", where) from None


def warnings_before(state: State, finished: Finished) -> tuple[str, ...]:
    """What must be looked at, told from the annotations as they came.

    Parameters
    ----------
    state : State
        After the imported round was compared, before any case.
    finished : Finished

    Returns
    -------
    tuple of str
    """
    cells = _Cells(state, finished)
    return (
        *cells.headings(),
        *cells.against_the_discussion(),
        *cells.nobodys_answer(),
        *cells.dependencies(),
        *cells.without_cause(),
        *cells.not_discussed(),
        *cells.incomplete_causes(),
        *cells.settled_against_agreement(),
        *cells.whose_answer(),
    )


def warnings_after(state: State, person: str) -> tuple[str, ...]:
    """What must be looked at, told from the cases: differences that go one way.

    Parameters
    ----------
    state : State
        With all cases.
    person : str
        Who imports.
    """
    found = [d for d in directions(state, person, fewest=FEWEST) if d.one_sided]
    return tuple(f"{d}; coders who merely slip would differ in both directions" for d in found)


class _Cells:
    """What coders answered, and what is known of each cell."""

    def __init__(self, state: State, finished: Finished) -> None:
        self.state, self.epoch = state, state.epoch
        self.consensus = finished.consensus
        self.cases = finished.cases
        self.known = {case.cell: case for case in finished.cases}
        self.with_causes = any(case.cause for case in finished.cases)
        self._answers: dict[Cell, Answers] = {}
        self._conflicts: list[Cell] | None = None

    def answers(self, cell: Cell) -> Answers:
        """Coder → answer."""
        if cell not in self._answers:
            codes = held(self.epoch, self.state.items.positions[cell[0]], cell[1])
            self._answers[cell] = {c: self.epoch.answers[code] for c, code in codes.items()}
        return self._answers[cell]

    def conflicts(self) -> list[Cell]:
        """Cells on which coders differ, by item, questions in the order of the task."""
        if self._conflicts is None:
            found = []
            for rank, question in enumerate(self.epoch.questions):
                columns = list(self.epoch.current.get(question, {}).values())
                for item, codes in enumerate(zip(*columns, strict=True)):
                    if len(set(codes) - {NONE}) > 1:
                        found.append((item, rank, question))
            ids = self.state.items.ids
            self._conflicts = [(ids[item], question) for item, _, question in sorted(found)]
        return self._conflicts

    def headings(self) -> Iterator[str]:
        """Discussions under the name of another item."""
        own = {case.item for case in self.cases if case.heading == case.item}
        seen = set()
        for case in self.cases:
            if case.heading and case.heading != case.item and case.item not in seen:
                seen.add(case.item)
                twice = ", as is that of another item" if case.heading in own else ""
                yield (
                    f"{case.item}: its discussion is headed “{case.heading}” in the source{twice}; "
                    f"it was put to {case.item}"
                )

    def against_the_discussion(self) -> Iterator[str]:
        """The consensus is not what the discussion says."""
        for case in self.cases:
            answers, agreed = self.answers(case.cell), self.consensus.get(case.cell)
            if agreed is None:
                continue
            where = f"{case.item}, {case.question}"
            stands = answers.get(case.prevails)
            if stands is not None and stands != agreed:
                yield (
                    f"{where}: in the discussion {case.prevails}'s answer (“{stands}”) stands, "
                    f"the consensus is “{agreed}”"
                )
            blamed = answers.get(case.coder) if cause_of(case.cause) in ("c", "e") else None
            if blamed is not None and blamed == agreed and len(set(answers.values())) > 1:
                yield (
                    f"{where}: {case.coder} is said to have been wrong (cause {case.cause}), and "
                    f"the consensus keeps {case.coder}'s answer (“{agreed}”)"
                )

    def nobodys_answer(self) -> Iterator[str]:
        """The consensus is no coder's answer."""
        broken = {cell for cell, _ in self._broken()}
        for cell, agreed in self.consensus.items():
            answers = self.answers(cell)
            if answers and agreed not in answers.values() and cell not in broken:
                gave = listing(f"{coder} “{answer}”" for coder, answer in answers.items())
                silent = [c for c in self.state.coders if c not in answers]
                not_asked = f", {listing(silent)} did not answer" if silent else ""
                yield (
                    f"{cell[0]}, {cell[1]}: the consensus “{agreed}” is no coder's answer "
                    f"({gave}{not_asked})"
                )

    def _broken(self) -> Iterator[tuple[Cell, str]]:
        for question in self.epoch.questions.values():
            if question.asked_if is None:
                continue
            parent, labels = question.asked_if.question, set(question.asked_if.labels)
            for item in dict.fromkeys(item for item, _ in self.consensus):
                above = self.consensus.get((item, parent))
                here = self.consensus.get((item, question.id))
                if above is None:
                    continue
                asked = not labels.isdisjoint(above.labels)
                if asked and here is None:
                    yield (item, question.id), f"asked, since {parent} is “{above}”, and blank"
                elif not asked and here is not None:
                    yield (
                        (item, question.id),
                        f"“{here}”, though {parent} is “{above}” so it is not asked; left out",
                    )

    def dependencies(self) -> Iterator[str]:
        """The consensus answers what it does not ask, or the other way round."""
        for (item, name), what in self._broken():
            yield f"{item}, {name}: the consensus is {what}"
        for question in self.epoch.questions.values():
            if question.asked_if is None:
                continue
            wanted, parent = set(question.asked_if.labels), question.asked_if.question
            for some in self.epoch.rounds:
                for coder, sheet in some.sheet.get(question.id, {}).items():
                    parents = some.sheet.get(parent, {}).get(coder, {})
                    n = sum(
                        i not in parents or wanted.isdisjoint(self.epoch.answers[parents[i]].labels)
                        for i in sheet
                    )
                    if n:
                        yield (
                            f"{coder} answered {question.id} about {counted(n, 'item')} of which "
                            f"it was not asked, given the answer to {parent}; not counted"
                        )

    def without_cause(self) -> Iterator[str]:
        """Settled, and nobody says why the coders differed."""
        if not self.with_causes:
            return
        cells = [
            cell
            for cell in self.conflicts()
            if cell in self.consensus and not (cell in self.known and self.known[cell].cause)
        ]
        for item, question in cells:
            yield f"{item}, {question}: coders differ and there is a consensus, but no cause"

    def not_discussed(self) -> Iterator[str]:
        """A cause for the item, and a question that the discussion leaves out."""
        conflicts = set(self.conflicts())
        for case in self.cases:
            if case.cause and case.discussed is False and case.cell in conflicts:
                yield (
                    f"{case.item}, {case.question}: the item has cause {case.cause}, and its "
                    "discussion does not speak of this question"
                )

    def incomplete_causes(self) -> Iterator[str]:
        """What a cause needs and the source does not have."""
        conflicts = set(self.conflicts())
        cases = [case for case in self.cases if case.cell in conflicts]
        of: dict[str, list[KnownCase]] = {}
        for case in cases:
            of.setdefault(case.cause.strip().casefold(), []).append(case)
        if n := sum(not case.others for case in of.get("c", [])):
            yield (
                f"{counted(n, 'case', 'cases')} under c {'does' if n == 1 else 'do'} not name the "
                "other item with which the coder was inconsistent"
            )
        for cause in ("c", "e"):
            if n := sum(not case.coder for case in of.get(cause, [])):
                yield (
                    f"{counted(n, 'case', 'cases')} under {cause} {'names' if n == 1 else 'name'} "
                    "no coder: taken to be who gave their answer up"
                )
        if n := sum(not case.concept and case.cell in self.consensus for case in of.get("b", [])):
            yield (
                f"{counted(n, 'case', 'cases')} under b {'was' if n == 1 else 'were'} settled by "
                "deference, with no concept aligned"
            )
        if n := len(of.get("a", [])):
            yield (
                f"{counted(n, 'case', 'cases')} under a {'does' if n == 1 else 'do'} not say "
                "whether the task (a1) or the guidelines (a2) were unclear; taken as a2"
            )
        repeats = Counter(
            found["item"] for case in cases if (found := REPEATS.fullmatch(case.element.strip()))
        )
        for item, n in repeats.items():
            yield f"{counted(n + 1, 'case')} are one decision, about {item}: put into one group"

    def settled_against_agreement(self) -> Iterator[str]:
        """All coders agree, and the consensus is another answer."""
        for cell, agreed in self.consensus.items():
            answers = self.answers(cell)
            if len(answers) > 1 and len(set(answers.values())) == 1:
                (said,) = set(answers.values())
                if said != agreed:
                    yield (
                        f"{cell[0]}, {cell[1]}: all {len(answers)} coders answered “{said}”, the "
                        f"consensus is “{agreed}”; their answer is kept"
                    )

    def whose_answer(self) -> Iterator[str]:
        """Whose answer the consensus keeps."""
        kept: Counter[str] = Counter()
        n = 0
        for cell in self.conflicts():
            agreed = self.consensus.get(cell)
            if agreed is not None:
                n += 1
                kept.update(c for c, answer in self.answers(cell).items() if answer == agreed)
        if n and kept:
            often = {1: "once"}
            shares = listing(f"{c}'s {often.get(k, f'{k} times')}" for c, k in kept.most_common())
            test = ""
            if len(self.state.coders) == 2 and n >= FEWEST:
                one, two = (kept[coder] for coder in self.state.coders)
                test = f" (sign test, {p_text(sign_test(one, two))})"
            yield f"of {counted(n, 'conflict')} with a consensus, it keeps {shares}{test}"
