"""Settling a case: corrections, proposals, and what must wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...errors import RequestError
from ..group import GIVEN, command
from ..options import option
from .acting import Acting, Opened, acting
from .case import named_cases
from .case_causes import CITES
from .typed import text_of

if TYPE_CHECKING:
    from ...resolution.records import Answer

__all__ = ["defer", "outcome", "postpone", "rescore", "return_", "written_answer"]

SOURCE = option(
    GIVEN, "--source", default="", metavar="SOURCE", help='Of "ambiguous": why the item is so.'
)


def written_answer(opened: Opened, text: str, question: str) -> Answer:
    """What was typed as an answer to a question."""
    from .answers import answer_of

    epoch = opened.state.epoch
    options = epoch.guidelines[-1].options.get(question, ()) if epoch.guidelines else ()
    return answer_of(text, epoch.questions[question], options)


def one_question(opened: Opened) -> str:
    """The question of the cases that were named."""
    from ...resolution.disagreement import cases_named

    questions = {one.question for one in cases_named(opened.state, named_cases())}
    if len(questions) > 1:
        raise RequestError(
            f"the cases are about {len(questions)} questions, {', '.join(sorted(questions))}: "
            "give an answer for one question at a time"
        )
    return questions.pop()


@command(
    examples=(
        ("accordant project case 5 rescore no --as bob", "correct your annotation"),
        ("accordant project case 5 rescore yes --item p9 --as bob", "under c: the other item's"),
        (
            "accordant project case 5 rescore wide --question scope --as bob",
            "a question that is asked now because its parent was rescored",
        ),
    )
)
@click.argument("answer", metavar="ANSWER")
@option(GIVEN, "--item", default="", metavar="ITEM", help="c: another item. Default: the case's.")
@option(
    GIVEN, "-q", "--question", default="", metavar="QUESTION",
    help="A question that is asked now. Default: that of the case.",
)  # fmt: skip
@CITES
@option(GIVEN, "--comment", default="", metavar="TEXT", help="Goes with the annotation.")
@SOURCE
@option(GIVEN, "--reason", default="", metavar="TEXT", help='Of "n/a": why it does not apply.')
@acting
def rescore(
    acting: Acting,
    answer: str,
    item: str,
    question: str,
    cites: tuple[str, ...],
    comment: str,
    source: str,
    reason: str,
) -> None:
    """Correct an annotation of your own, under cause c or e.

    The old one is kept. With -q, answer a question that is asked now because you changed the
    answer on which it depends.
    """
    from ...resolution.commands.rescoring import annotate_dependent
    from ...resolution.commands.rescoring import rescore as rescored
    from ...resolution.disagreement import item_name, the_case
    from ...resolution.records import Note

    (number,) = named_cases(one=True)
    with acting.opened() as opened:
        one = the_case(opened.state, int(number))
        asked = question or one.question
        if asked not in opened.state.epoch.questions:
            from ...errors import unknown

            raise unknown("question", asked, opened.state.epoch.questions, "the task has")
        note = Note(comment=comment, source=source, reason=reason)
        given: dict[str, Any] = {"note": None if note == Note() else note, "cites": cites}
        new = written_answer(opened, answer, asked)
        if asked == one.question:
            opened.do(rescored, case=number, answer=new, item=item, **given)
        else:
            wanted = item or item_name(opened.state, one)
            opened.do(
                annotate_dependent, case=number, item=wanted, question=asked, answer=new,
                note=given["note"],
            )  # fmt: skip


@command(
    examples=(
        (
            "accordant project case 3 outcome no --cites 'rule R2' --text 'it is only a report'",
            "propose an answer",
        ),
        ("accordant project case wording outcome no --cites 'rule R2' --text T", "for a group"),
        (
            "accordant project case 9 outcome ambiguous --source 'missing context' "
            "--cites 'question claim' --text T",
            "that the item is ambiguous may be the outcome",
        ),
    )
)
@click.argument("answer", metavar="ANSWER")
@CITES
@option(GIVEN, "--text", metavar="TEXT", help="The reading that was settled on, or why so.")
@SOURCE
@acting
def outcome(
    acting: Acting, answer: str, cites: tuple[str, ...], text: str | None, source: str
) -> None:
    """Propose the answer on which all should settle.

    It need not be anybody's. It must cite the toolbox. If nothing can be cited, the toolbox is
    incomplete: propose cause a2 or b, or postpone the case.
    """
    from ...resolution.commands.outcomes import propose_outcome

    with acting.opened() as opened:
        new = written_answer(opened, answer, one_question(opened))
        said = text_of(text, "why, or the reading that was settled on (--text)")
        opened.do(
            propose_outcome, cases=named_cases(), answer=new, cites=cites, text=said, source=source
        )


@command(
    examples=(
        ("accordant project case 3-5 return 'R2 must cover reports'", "to step 1 or 2"),
        ("accordant project status", "then: what is needed there"),
    ),
    name="return",
)
@click.argument("reason", metavar="[REASON]", required=False)
@option(GIVEN, "--concept", default="", metavar="NAME", help="The concept to look at again.")
@acting
def return_(acting: Acting, reason: str | None, concept: str) -> None:
    """Take cases back to where the toolbox can be mended.

    To task and guidelines (a1-task, a2), or to the concepts (a1-concept, b).
    """
    from ...resolution.commands.returning import return_cases

    with acting.opened() as opened:
        opened.do(return_cases, cases=named_cases(), reason=reason or "", concept=concept)


@command(
    examples=(
        ("accordant project case 4 defer --to ana 'she edited the letters' --cites 'rule R1'", "b"),
        ("accordant project case 4 return --concept claim", "what the procedure asks for instead"),
    )
)
@click.argument("text", metavar="[TEXT]", required=False)
@option(GIVEN, "--to", required=True, metavar="CODER", help="Whose answer the others take over.")
@CITES
@acting
def defer(acting: Acting, text: str | None, to: str, cites: tuple[str, ...]) -> None:
    """Settle cause b by trusting one coder: a deviation.

    It is printed on every export. The procedure asks to fix the concept instead.
    """
    from ...resolution.commands.outcomes import defer as deferred

    (number,) = named_cases(one=True)
    with acting.opened() as opened:
        opened.do(deferred, case=number, to=to, cites=cites, text=text_of(text, "why"))


@command(
    examples=(
        (
            "accordant project case 6 postpone 'the edition must be checked' --review 2027-03-01",
            "until research has progressed",
        ),
        ("accordant project case 6 reopen 'the edition was checked'", "then"),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@option(GIVEN, "--review", required=True, metavar="DATE", help="When to look at it again.")
@acting
def postpone(acting: Acting, reason: str | None, review: str) -> None:
    """Let cases wait for research.

    While one waits there is no ground truth.
    """
    from ...resolution.commands.returning import postpone as postponed

    with acting.opened() as opened:
        opened.do(postponed, cases=named_cases(), reason=text_of(reason, "why"), review_date=review)
