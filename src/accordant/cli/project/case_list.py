"""`cases`: the list of cases, as a table, or as a sheet that is filled in and read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from ...errors import RequestError
from ...numbers import count_of, joined
from ...resolution.parameters import Typed
from ..output import Output, check_new
from .acting import Acting, Opened
from .definitions import step
from .steps import show

__all__ = ["cases"]

FEW = 12  # events that are told one by one


@step("cases", takes="cases")
def cases(
    acting: Acting, file: Annotated[Path | None, Typed("FILE", argument=True)] = None, *,
    sheet: Annotated[Path | None, Typed("FILE")] = None, meeting: bool = False,
    present: Annotated[Sequence[str], Typed("NAME", "--present")] = (),
    force: bool = False,
    sheet_name: Annotated[str | None, Typed("NAME", "--sheet-name")] = None,
    output: Output, **filters: Any,
) -> None:  # fmt: skip
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
    words = "".join(f" --present {name}" for name in present)
    more = f" --meeting{words}" if present else ""
    click.echo(f"{count_of(n, 'case')} written to {path}: fill in what you have to say, then: "
               f"accordant project cases {path}{more}", err=True)  # fmt: skip


def _read(opened: Opened, path: Path, sheet: str | None, present: Sequence[str]) -> None:
    from ...data.worksheet import read_filled
    from ...resolution.sheet_acts import sheet_acts

    acts = sheet_acts(read_filled(path, sheet), opened.by, present)
    events = opened.project.together(acts)
    if not events:
        click.echo(f"nothing in {path.name} is new")
    elif len(events) <= FEW:
        opened.tell(events)
    else:
        kinds = Counter(event.kind for event in events)
        click.echo(
            f"✓ {path.name}: {joined((f'{n:,} {kind}' for kind, n in kinds.items()), most=30)}"
        )
        opened.ask(events)
