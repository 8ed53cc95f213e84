"""The command `accordant`: which commands there are, and where each is found."""

from __future__ import annotations

import os
import sys
import warnings
from functools import partial

import click

from .._version import __version__
from ..inputs import parsed
from .calls import HOMES, defined
from .help import DEBUG, INTERRUPTED, Group

__all__ = ["COMMANDS", "cli", "main"]

TOLD = {
    "simulate": "Simulate annotations whose truth is known",
    "project": "Resolve disagreement, to a documented ground truth",
}
"""What the help says of groups."""


def _made(name: str) -> click.Command:
    if name == "project":
        from .project.steps import project

        return project()
    return defined(name).command()


def _summary(name: str) -> str:
    """What the help says of a command, without making it."""
    return TOLD.get(name) or parsed(defined(name).run.__doc__).summary.rstrip(".")


COMMANDS = (*HOMES, "project")
"""Every command, in the order of the help."""

cli = Group(
    "accordant",
    parts={"": {name: partial(_made, name) for name in COMMANDS}},
    summary=_summary,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "auto_envvar_prefix": "ACCORDANT",
        "max_content_width": 100,
    },
    help="""Agreement between coders, its uncertainty, and what to report.

    Reads annotations from CSV, TSV, XLSX, Parquet and JSON lines, with one annotation per row or
    a column per coder. `accordant COMMAND --help` explains a command and gives examples.

    Every option can also be set by the environment: ACCORDANT_AGREEMENT_LEVEL=0.9 is
    `accordant agreement --level 0.9`.""",
    params=[],
)
cli = click.version_option(__version__, "-V", "--version", message="accordant %(version)s")(cli)
cli.examples = (
    ("accordant demo", "try everything on a bundled example"),
    ("accordant report ratings.csv", "read the file, print a summary, write the report"),
    ("accordant agreement ratings.csv -c alpha -c kappa", "two coefficients, nothing else"),
)


def main() -> None:
    """Entry point of the console script."""
    if not (sys.warnoptions or os.environ.get(DEBUG)):
        warnings.simplefilter("ignore")  # a warning of a library says nothing to a user
    try:
        cli(prog_name="accordant")
    except SystemExit as end:
        if end.code == INTERRUPTED:  # else Python may end by the signal, with a code of its own
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        raise


if __name__ == "__main__":
    main()
