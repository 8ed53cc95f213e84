"""`accordant convert`: the same annotations in another shape or format."""

from __future__ import annotations

from pathlib import Path

import click

from ...data.saving import check_target
from ...errors import RequestError
from ..group import OUTPUT, Option, command
from ..options import bundle, files, source_options
from ..source import Source
from ..terminal import tell, waiting

__all__ = ["convert"]

LAYOUTS = ("long", "wide", "table", "counts")


@command(
    examples=(
        ("accordant convert survey.xlsx ratings.csv", "one row per annotation, as CSV"),
        ("accordant convert ratings.csv wide.xlsx --to wide", "a column per coder"),
        ("accordant convert anna.csv bob.csv both.csv", "several files into one"),
        ("accordant convert wide.csv confusion.csv --to table", "contingency table of two coders"),
    )
)
@bundle("source", Source, (files, *source_options))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--to", type=click.Choice(LAYOUTS), default="long", show_default=True, cls=Option,
    section=OUTPUT,
    help="One row per annotation; a column per coder (and question); the contingency table of "
    "two coders; how many coders chose each category.",
)  # fmt: skip
@click.option("--force", is_flag=True, cls=Option, section=OUTPUT, help="Replace OUT if it exists.")
def convert(source: Source, target: Path, to: str, force: bool) -> None:
    """Write annotations in another shape or format.

    The last name is the file to write; its suffix says the format: .csv, .tsv, .xlsx, .parquet
    or .jsonl. What the shape cannot hold is told. A file that exists is not replaced.
    """
    from ...data.write import FORMATS, write

    check_target(target, tuple(FORMATS))
    if target.exists() and not force:
        raise RequestError(
            f"{str(target)!r} exists and may hold annotations; give another name (the last name "
            "is the file to write), or --force to replace it"
        )
    data = source.read()
    with waiting(f"writing {target.name}", quiet=source.quiet):
        lost = write(data, target, to)  # type: ignore[arg-type]
    tell(lost)
    click.echo(f"written to {target}", err=True)
