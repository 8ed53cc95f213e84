"""`cases` and its sheets, `reannotate`, `release`: steps that choose between several."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import click

from ...errors import RequestError, unknown
from ...kinds import Typed
from ...numbers import count_of
from ..output import Output, check_new
from .actor import Acting
from .definitions import step
from .steps import show

__all__ = ["cases", "reannotate", "release"]


@step("cases", takes="cases", changes=True)
def cases(
    acting: Acting,
    file: Annotated[Path | None, Typed("FILE", argument=True)] = None,
    *,
    sheet: Annotated[Path | None, Typed("FILE")] = None,
    force: bool = False,
    output: Output,
    **filters: Any,
) -> None:
    """List the cases, write a sheet of them, or read one.

    There is a case for each disagreement. A sheet has a row for each case, and empty columns for a
    reason, a cause with its evidence, an answer, and a consent of each coder. Read again, each row
    is one act of yours: all are done or, if something is not possible, none.

    Parameters
    ----------
    file : path
        A sheet that is filled in.
    sheet : path
        Write a sheet to fill in: .xlsx or .csv.
    force : bool
        Replace the sheet if it exists.

    Examples
    --------
    Every case of the task:
    $ accordant project cases
    Those in which bob must act:
    $ accordant project cases --waiting-for bob
    A sheet to fill in:
    $ accordant project cases --live --sheet cases.xlsx --as bob
    What reading it back would do:
    $ accordant project cases cases.xlsx --as bob --preview
    Read it back:
    $ accordant project cases cases.xlsx --as bob
    """
    from ...data.worksheet import read_filled, write_blank
    from ...resolution.case_sheets import case_columns, sheet_acts
    from ...resolution.views import cases as case_rows

    if file and (sheet or filters):
        raise click.UsageError("a sheet is read as it is: give no --sheet and no filter with FILE")
    if acting.looks and not file:
        raise click.UsageError("--preview is of a FILE")
    with acting.opened(reads=file is None) as opened:
        if file is not None:
            events = opened.together(sheet_acts(read_filled(file), opened.by))
            if not opened.looks:
                opened.tell(events)
        elif sheet is None:
            show(opened, "cases", output, **filters)
        else:
            check_new(sheet, force=force)
            named = {"states": "in_state", "waiting_for": "waits_for"}
            given = {named.get(key, key): value for key, value in filters.items()}
            columns = case_columns(
                opened.state, opened.by, case_rows(opened.state, opened.by, **given)
            )
            if not (n := len(columns[0].cells)):
                raise RequestError("no case is like that: the sheet would be empty")
            write_blank(columns, sheet, frozen=1)
            then = opened.again(f"cases {shlex.quote(str(sheet))}")
            click.echo(f"{count_of(n, 'case')} written to {sheet}; then: {then}", err=True)


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
    from ...resolution.steps import open_round, waive_order

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
    from ...resolution.steps import finish

    with acting.opened(reads=check or listed) as opened:
        if check or listed:
            show(opened, "releases" if listed else "release", output)
        elif opened.do(finish, reason=reason):
            for flag in opened.state.releases[-1].flags:
                click.echo(f"  · {flag}")
            click.echo("Next: accordant project export labels.csv, accordant project report")
