"""`cases`, and steps that choose between several: consent, re-annotation, the release."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...errors import RequestError, unknown
from ...kinds import Typed
from ...numbers import count_of, joined
from ...resolution.command import Proposals
from ..output import Output, check_new
from ..terminal import tell
from .actor import Acting, Opened
from .definitions import step
from .keyboard import at_terminal
from .steps import show

if TYPE_CHECKING:
    from ...resolution.case_state import Case
    from ...resolution.state import State

__all__ = ["accept", "cases", "reannotate", "refuse", "release"]

Numbers = Annotated[Sequence[int | str], Typed("CASE", argument=True)]
FEW = 12  # events that are told one by one


@step("cases", takes="cases", changes=True)
def cases(
    acting: Acting,
    file: Annotated[Path | None, Typed("FILE", argument=True)] = None,
    *,
    sheet: Annotated[Path | None, Typed("FILE")] = None,
    meeting: bool = False,
    present: Annotated[Sequence[str], Typed("NAME", "--present")] = (),
    force: bool = False,
    sheet_name: Annotated[str | None, Typed("NAME", "--sheet-name")] = None,
    output: Output,
    **filters: Any,
) -> None:
    """List the cases, write a sheet of them, or read one.

    There is a case for each disagreement. A sheet has a row for each case, and empty columns for
    your reason, a cause with its evidence, an answer and your consent. Read again, each cell that
    is filled in is done as if it were typed: all of them or, if something is not possible, none.
    What was read before is not done twice.

    Parameters
    ----------
    file : path
        A sheet that is filled in.
    sheet : path
        Write a sheet to fill in: .xlsx or .csv.
    meeting : bool
        The sheet is for a meeting: who leads it writes down what each of those present says.
    present : sequence of str
        Who is there.
    force : bool
        Replace the sheet if it exists.
    sheet_name : str
        Sheet of a workbook to read.

    Examples
    --------
    Every case of the task:
    $ accordant project cases
    Those in which bob must act:
    $ accordant project cases --waiting-for bob
    What is not settled, for a spreadsheet:
    $ accordant project cases --live -f csv
    By cause and question:
    $ accordant project cases --cause c --question scope
    A sheet to fill in:
    $ accordant project cases --live --sheet bob.xlsx --as bob
    What reading it back would do:
    $ accordant project cases bob.xlsx --as bob --preview
    Read it back:
    $ accordant project cases bob.xlsx --as bob
    A sheet for a meeting that mia leads:
    $ accordant project cases --sheet m.xlsx --meeting --present ana --present bob --as mia
    And back: each consents in their own column:
    $ accordant project cases m.xlsx --meeting --present ana --present bob --as mia
    """
    if file and (sheet or filters):
        raise click.UsageError("a sheet is read as it is: give no --sheet and no filter with FILE")
    if meeting is not bool(present):
        raise click.UsageError("give --meeting and --present NAME for each who is there")
    if acting.looks and not file:
        raise click.UsageError("--preview is of a FILE")
    with acting.opened(reads=file is None) as opened:
        if sheet is not None:
            _write(opened, sheet, present, force, filters)
        elif file is not None:
            _read(opened, file, sheet_name, present)
        else:
            show(opened, "cases", output, **filters)


def _write(
    opened: Opened, path: Path, present: Sequence[str], force: bool, filters: dict[str, Any]
) -> None:
    from ...data.worksheet import write_blank
    from ...resolution.case_sheets import case_columns
    from ...resolution.views import cases as case_rows

    check_new(path, force=force)
    if filters.pop("earlier", False):
        raise RequestError("a sheet holds cases of the current task only")
    named = {"states": "in_state", "waiting_for": "waits_for"}
    rows = case_rows(opened.state, opened.by, **{named.get(k, k): x for k, x in filters.items()})
    columns = case_columns(opened.state, opened.by, rows, present=present)
    n = len(columns[0].cells)
    if not n:
        raise RequestError("no case is like that: the sheet would be empty")
    write_blank(columns, path, frozen=3)  # case, item, question
    words = [w for name in present for w in ("--present", name)]
    then = shlex.join(["cases", str(path), *(("--meeting", *words) if present else ())])
    told = f"{count_of(n, 'case')} written to {path}: fill in what you have to say"
    click.echo(f"{told}, then: {opened.again(then)}", err=True)


def _read(opened: Opened, path: Path, sheet: str | None, present: Sequence[str]) -> None:
    from ...data.worksheet import read_filled
    from ...resolution.sheet_acts import sheet_acts

    events = opened.together(sheet_acts(read_filled(path, sheet), opened.by, present))
    if opened.looks:
        return
    if not events:
        click.echo(f"nothing in {path.name} is new")
    elif len(events) <= FEW:
        opened.tell(events)
    else:
        kinds = Counter(event.kind for event in events)
        told = joined((f"{kind}: {n:,}" for kind, n in kinds.items()), most=30)
        click.echo(f"✓ {path.name}: {told}")
        opened.ask(events)


@step("case accept")
def accept(
    acting: Acting, *, cases: Numbers = (), proposals: Proposals = (), yes: bool = False
) -> None:
    """Accept the cause or, once that is settled, the outcome.

    Parameters
    ----------
    proposals : sequence of int
        Which one is meant, by its number; needed where you have left another one unanswered.
    yes : bool
        Do not ask at a terminal whether this is meant.

    Examples
    --------
    What was proposed for one case:
    $ accordant project case 3 accept --as bob
    For several:
    $ accordant project case 3-7 accept --as bob
    For a group, without asking:
    $ accordant project case wording accept --as bob --yes
    One of several that were proposed:
    $ accordant project case 3 accept --proposal 48 --as bob
    """
    from ...resolution.assessment import accept_cause
    from ...resolution.directions import direction_question
    from ...resolution.disagreement import awaited_assessment, cases_named
    from ...resolution.outcomes import accept_outcome
    from ...resolution.procedure import decided
    from ...resolution.words import Cause

    with acting.opened() as opened:
        named = cases_named(opened.state, cases)
        causes = [one for one in named if awaited_assessment(one)]
        if causes and len(causes) < len(named):
            raise RequestError(
                f"a cause is proposed for case {joined(str(c.number) for c in causes)}, an outcome "
                "for the others: accept them one after the other"
            )
        function = accept_cause if causes else accept_outcome
        given = {"cases": [one.number for one in named], "proposals": proposals}
        shown = [_proposed(opened.state, one) for one in named]
        if asks := not (yes or acting.looks) and at_terminal():
            given["proposals"] = proposals or [number for _, number in shown if number]
        decided(opened.state, opened.by, function, **given)  # who is refused reads nothing of it
        of_c = [one for one in causes if one.assessments[-1].cause == Cause.C]
        asked = (direction_question(opened.state, opened.by, one.number) for one in of_c)
        tell(filter(None, asked))
        if asks:
            for line, _ in shown:
                click.echo(line)
            click.confirm("Accept?", default=False, abort=True)
        opened.do(function, **given)


def _proposed(state: State, one: Case) -> tuple[str, int]:
    """What is to be accepted, and the number of the proposal."""
    from ...resolution.disagreement import awaited_assessment, awaited_proposal, label_of_case

    what, number = "nothing is proposed", 0
    if (cause := awaited_assessment(one)) is not None:
        what, number = f"cause {cause.cause}, proposed by {cause.by}", cause.seq
    elif (new := awaited_proposal(one)) is not None:
        what = f"“{new.answer}”, proposed by {new.by} ({joined(new.cites)}): {new.text}"
        number = new.seq
    return f"{label_of_case(state, one)}: {what}", number


@step("case refuse")
def refuse(acting: Acting, case: int, reason: str, *, proposals: Proposals = ()) -> None:
    """Refuse the cause or, once that is settled, the outcome.

    Parameters
    ----------
    reason : str
        Why.
    proposals : sequence of int
        Which one is meant, by its number; needed where you have left another one unanswered.

    Examples
    --------
    The cause or outcome:
    $ accordant project case 3 refuse 'I meant what I said' --as bob
    With a longer reason:
    $ accordant project case 3 refuse - --as bob < why.txt
    """
    from ...resolution.assessment import refuse_cause
    from ...resolution.disagreement import awaited_assessment, the_case
    from ...resolution.outcomes import refuse_outcome

    with acting.opened() as opened:
        of_cause = awaited_assessment(the_case(opened.state, case)) is not None
        function = refuse_cause if of_cause else refuse_outcome
        opened.do(function, case=case, reason=reason, proposals=proposals)


@step("reannotate")
def reannotate(
    acting: Acting,
    order: Annotated[int, Typed("ORDER", argument=True)] = 0,
    *,
    waive: Annotated[str, Typed("REASON")] = "",
    output: Output,
) -> None:
    """Show what must be annotated again, carry it out, or waive it.

    When a concept or a rule changes, everything it bears on is annotated again, blind, also the
    items on which coders agreed. There is no ground truth while one is owed.

    Parameters
    ----------
    order : int
        Which one: a blind round opens that carries it out.
    waive : str
        Why it need not be carried out: the reason is printed with every release.

    Examples
    --------
    What is owed, done, waived:
    $ accordant project reannotate
    Open a blind round that carries it out:
    $ accordant project reannotate 1
    Waive it, and say why:
    $ accordant project reannotate 2 --waive 'no item has the word'
    """
    from ...resolution.orders import waive_order
    from ...resolution.rounds import open_round

    with acting.opened(reads=not order) as opened:
        known = [one.number for one in opened.state.epoch.orders]
        if not order:
            show(opened, "reannotate", output)
        elif order not in known:
            raise unknown("re-annotation", order, known, "there are")
        elif waive:
            opened.do(waive_order, order=order, reason=waive)
        else:
            opened.do(open_round, orders=[order])


@step("release")
def release(
    acting: Acting,
    *,
    check: bool = False,
    reason: str = "",
    listed: Annotated[bool, Typed(option="--list")] = False,
    output: Output,
) -> None:
    """Finish and release, as ground truth or as what it is.

    The status is computed, never chosen. Ground truth: everything is agreed, nothing is owed.
    Comparison only: nothing was resolved. Deprecated: something was left disagreed or decided by
    one person.

    Parameters
    ----------
    check : bool
        Only say what a release would be now.
    reason : str
        Why cases or conflicts remain, if any do.
    listed : bool
        Show the releases.

    Examples
    --------
    What a release would be now, and what is missing:
    $ accordant project release --check
    Finish as ground truth, if everything is agreed:
    $ accordant project release
    Finish with what is unresolved:
    $ accordant project release --reason 'two readings stand'
    The releases there are:
    $ accordant project release --list
    """
    from ...resolution.completion import finish

    with acting.opened(reads=check or listed) as opened:
        if check or listed:
            show(opened, "releases" if listed else "release", output)
            return
        if not opened.do(finish, reason=reason):
            return
        last = opened.state.releases[-1]
        for flag in last.flags:
            click.echo(f"  · {flag}")
        click.echo(f"  {joined(f'{name} {n:,}' for name, n in last.counts.items())}")
        click.echo("Next: accordant project export labels.csv, accordant project report")
