"""The command `accordant`: which commands there are, and where each is found."""

from __future__ import annotations

import os
import sys
import warnings

import click

from .._version import __version__
from .ending import DEBUG, INTERRUPTED
from .group import Group

__all__ = ["COMMANDS", "cli", "main"]

COMMANDS = (
    "report", "agreement", "diagnose", "decompose", "fit", "soft", "compare", "describe", "plan",
    "simulate", "project", "coefficients", "models", "convert", "demo", "completion",
)  # fmt: skip
"""Every command, in the order of the help; each is the function of that name in its module."""


@click.command(
    cls=Group,
    commands_in=("accordant.cli.commands", COMMANDS),
    context_settings={
        "help_option_names": ["-h", "--help"],
        "auto_envvar_prefix": "ACCORDANT",
        "max_content_width": 100,
    },
    examples=(
        ("accordant demo", "try everything on a bundled example"),
        ("accordant report ratings.csv", "read the file, print a summary, write the report"),
        ("accordant agreement ratings.csv -c alpha -c kappa", "two coefficients, nothing else"),
    ),
)
@click.version_option(__version__, "-V", "--version", message="accordant %(version)s")
def cli() -> None:
    """Say how far coders agree, how sure that is, and what to report.

    Reads annotations from CSV, TSV, XLSX, Parquet and JSON lines, with one annotation per row or
    a column per coder. `accordant COMMAND --help` explains a command and gives examples.

    Every option can also be set by the environment: ACCORDANT_AGREEMENT_LEVEL=0.9 is
    `accordant agreement --level 0.9`.
    """


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
