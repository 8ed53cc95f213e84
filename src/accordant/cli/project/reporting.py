"""`report`: how disagreement was resolved, as a document to send."""

from __future__ import annotations

from pathlib import Path

import click

from ...data.saving import check_target
from ..group import OUTPUT, command
from ..options import option
from ..output import Output, check_new
from ..terminal import progress, waiting
from .acting import SUFFIX, Acting, acting

__all__ = ["SUFFIXES", "report"]

SUFFIXES = (".html", ".pdf", ".md", ".json")  # spelled out, so that the help stays light


@command(
    examples=(
        ("accordant project report", "print a summary and write NAME-report.html"),
        ("accordant project report -o report.html -o report.pdf", "two formats"),
        ("accordant project report --bundle study.zip", "the report with all data and hashes"),
    )
)
@option(
    OUTPUT, "-o", "--output", "outputs", metavar="FILE", multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Write there; the name says the format: {', '.join(SUFFIXES)}. Repeat it for several. "
    "Default: the name of the project with -report.html, in this folder.",
)  # fmt: skip
@option(
    OUTPUT, "--bundle", metavar="FILE", type=click.Path(path_type=Path),
    help="Write the report with all data: a .zip file, or a folder that does not exist yet.",
)  # fmt: skip
@option(OUTPUT, "--force", is_flag=True, help="Replace the bundle if it exists.")
@option(OUTPUT, "--open", "shown", is_flag=True, help="Open the report when it is written.")
@acting
def report(
    acting: Acting, outputs: tuple[Path, ...], bundle: Path | None, force: bool, shown: bool
) -> None:
    """Report how disagreement was resolved, from round to release.

    The procedure with its deviations, agreement of each round with intervals, causes, each case
    with its reasons and outcome, the history of the toolbox, re-annotation, and a data statement.
    """
    where = acting.where()
    stem = Path(where).name.removesuffix(SUFFIX) if "://" not in where else "project"
    targets = outputs or (() if bundle else (Path(f"{stem}-report.html"),))
    for target in targets:
        check_target(target, SUFFIXES)
    if bundle is not None:
        check_new(bundle, force=force)
    from ...views.project_report import project_report

    with acting.opened(reads=True, where=where) as opened:
        with waiting("making the report", quiet=False):
            made = project_report(opened.project, person=opened.viewer)
        _print(made.verdict)
        for target in targets:
            with waiting(f"writing {target.name}", quiet=False):
                made.save(target)
            click.echo(f"written to {target}", err=True)
        if bundle is not None:
            with progress(f"writing {bundle.name}", quiet=False) as watch:
                made.save_bundle(bundle, progress=watch)
            click.echo(f"written to {bundle}", err=True)
    if shown and targets:
        click.launch(str(targets[0]))


def _print(verdict: tuple[str, ...]) -> None:
    from ..tables import print_sentences

    Output().print(lambda console: print_sentences(console, verdict))
