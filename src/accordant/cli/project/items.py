"""`items`, `assign`: what is annotated, and by whom."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import InputError
from ...numbers import count_of, joined
from ..group import GIVEN, READING, command
from ..options import option, output
from ..output import Output
from .acting import Acting, acting
from .shown import show_rows

__all__ = ["ID", "assign", "items"]

ID = ("item", "id", "item_id")
TEXT, CONTEXT, BATCH = ("text", "content", "item_text"), ("context",), ("batch",)
SHEET = option(READING, "--sheet", metavar="NAME", help="Sheet of a workbook.")


@command(
    examples=(
        ("accordant project items items.csv", "columns item, text, context, batch, and others"),
        ("accordant project items --freeze", "settle what is to be annotated"),
        ("accordant project items", "show them"),
    )
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@option(GIVEN, "--freeze", is_flag=True, help="Settle the items; those added later are told.")
@SHEET
@output
@acting
def items(
    acting: Acting, file: Path | None, freeze: bool, sheet: str | None, output: Output
) -> None:
    """Add items from a file, settle which there are, or show them.

    The file has a column "item" with an id for each, and may have "text", "context" and "batch";
    any other column is kept as metadata. A round opens only when the items are settled.
    """
    with acting.opened(reads=file is None and not freeze) as opened:
        if file is not None:
            from ...resolution.commands.items import add_items

            opened.do(add_items, items=_items(file, sheet))
        if freeze:
            from ...resolution.commands.items import freeze_items

            opened.do(freeze_items)
        if file is not None or freeze:
            return
        table = opened.state.items
        parts = {"text": table.texts, "context": table.contexts, "batch": table.batches,
                 **table.metadata}  # fmt: skip
        rows = tuple(
            {"item": name} | {key: cells[k] if cells else "" for key, cells in parts.items()}
            for k, name in enumerate(table.ids)
        )
        settled = "settled" if table.frozen else "not settled yet (--freeze)"
        notes = (f"{count_of(len(rows), 'item')}, {settled}",)
        show_rows(output, "Items", ("item", *parts), rows, notes)


def _items(file: Path, sheet: str | None) -> object:
    from ...resolution.records import Items
    from .rows_file import read_rows

    rows = read_rows(file, sheet)
    ids = rows.column(ID, needed="the id of each item")
    seen: set[str] = set()
    for k, name in enumerate(ids):
        if not name or name in seen:
            raise rows.wrong(k, f"item {name!r} stands there twice" if name else "there is no id")
        seen.add(name)
    known = (*ID, *TEXT, *CONTEXT, *BATCH)
    return Items(
        ids=tuple(ids),
        texts=tuple(rows.column(TEXT)),
        contexts=tuple(rows.column(CONTEXT)),
        batches=tuple(rows.column(BATCH)),
        metadata={name: tuple(cells) for name, cells in rows.others(known).items()},
    )


@command(
    examples=(
        ("accordant project assign bob --items bob.csv", "a file with a column item"),
        ("accordant project assign bob --item p1 --item p2", "single items"),
        ("accordant project assign", "who annotates what"),
    )
)
@click.argument("coder", metavar="[CODER]", required=False)
@option(GIVEN, "--item", "single", multiple=True, metavar="ITEM", help="An item (repeat it).")
@option(
    GIVEN, "--items", "file", metavar="FILE", type=click.Path(path_type=Path),
    help="A file with a column item.",
)  # fmt: skip
@SHEET
@acting
def assign(
    acting: Acting,
    coder: str | None,
    single: tuple[str, ...],
    file: Path | None,
    sheet: str | None,
) -> None:
    """Say which items a coder annotates; all by default."""
    with acting.opened(reads=coder is None) as opened:
        state = opened.state
        if coder is None:
            for name in state.coders:
                mine = state.assigned.get(name)
                told = "all items" if mine is None else count_of(len(mine), "item")
                click.echo(f"{name}  {told}")
            return
        from ...resolution.commands.items import assign as assigned
        from .rows_file import read_rows

        named = list(single)
        if file is not None:
            named += filter(None, read_rows(file, sheet).column(ID, needed="which items"))
        if not named:
            raise InputError("no item is named: say --item ITEM or --items FILE")
        twice = {name for name in named if named.count(name) > 1} if len(named) < 1000 else set()
        if twice:
            raise InputError(f"items named twice: {joined(sorted(twice))}")
        opened.do(assigned, coder=coder, items=tuple(named))
