"""The command `accordant`: which commands there are, and where each is found."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module

import click

from .._version import __version__
from . import analyses, simulations, tools  # noqa: F401 - importing them registers the commands
from .calls import COMMANDS as DEFINED
from .docstrings import parsed
from .ending import DEBUG, INTERRUPTED
from .help import Group

__all__ = ["COMMANDS", "cli", "main"]

COMMANDS = (
    "report", "agreement", "diagnose", "decompose", "fit", "soft", "compare", "describe", "plan",
    "simulate", "project", "coefficients", "models", "convert", "demo", "completion",
)  # fmt: skip
"""Every command, in the order of the help."""
TOLD = {
    "simulate": "Simulate annotations whose truth is known.",
    "project": "Resolve disagreement, to a documented ground truth.",
    "describe": "Who annotated what: coverage, gaps, labels.",
}
"""What the help says of groups."""
SIMULATIONS = ("multilabel", "data", "cause", "crowd")


def _old(name: str) -> click.Command:
    found: click.Command = getattr(import_module(f"accordant.cli.commands.{name}"), name)
    return found


def _simulate() -> click.Command:
    """Simulate annotations whose truth is known.

    Coders share a label as often as you say, and give two labels as often as you say: what the
    measures make of that tells which of them fits your data before there are any. Or coders
    disagree for one known reason: what a diagnosis makes of it tells what it can see. Or a crowd of
    coders of several kinds annotates items whose truth is known: what models of coders find.
    """
    made = Group(
        "simulate",
        parts={"": {n: DEFINED[f"simulate {n}"].command for n in SIMULATIONS}},
        help=_simulate.__doc__,
    )
    made.examples = ()
    return made


OLD = ("diagnose", "fit", "describe")
"""Commands whose views are still to come."""


def _make(name: str) -> Callable[[], click.Command]:
    if name == "simulate":
        return _simulate
    return DEFINED[name].command if name not in (*OLD, "project") else partial(_old, name)


def _summary(name: str) -> str:
    """What the help says of a command, without making it."""
    return parsed(DEFINED[name].run.__doc__ if name in DEFINED else TOLD[name]).summary


cli = Group(
    "accordant",
    parts={"": {name: _make(name) for name in COMMANDS}},
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
