"""The command `accordant`: which commands there are, and where each is found."""

from __future__ import annotations

import os
import re
import sys
import warnings
from functools import partial
from importlib import import_module
from pathlib import Path

import click

from .._version import __version__
from ..docstrings import parsed
from .calls import COMMANDS as DEFINED
from .calls import Definition
from .help import DEBUG, INTERRUPTED, Group

__all__ = ["COMMANDS", "cli", "main"]

_DEFINITION = re.compile(r"^@command\(.*?\)(?:  #[^\n]*)?\ndef (\w+)\(", re.MULTILINE | re.DOTALL)


def _defined_in(module: str) -> dict[str, str]:
    """The commands that a module defines, read from its source: nothing is imported for a name."""
    source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    return {name.replace("_", "-"): module for name in _DEFINITION.findall(source)}


HOME = (
    {"report": "tools"}
    | _defined_in("analyses")
    | {"simulate": "simulations", "project": ""}
    | _defined_in("tools")
)
"""Every command, in the order of the help, and the module that defines it."""
COMMANDS = tuple(HOME)


def _defined(name: str) -> Definition:
    """The definition of a command; its module is imported now."""
    import_module(f"{__package__}.{HOME[name.split()[0]]}")
    return DEFINED[name]


def _made(name: str) -> click.Command:
    if name == "project":
        from .project.steps import project

        return project()
    return _simulate() if name == "simulate" else _defined(name).command()


def _simulate() -> click.Command:
    """Simulate annotations whose truth is known.

    Coders share a label as often as you say, and give two labels as often as you say: what the
    measures make of that tells which of them fits your data before there are any. Or coders
    disagree for one known reason: what a diagnosis makes of it tells what it can see. Or a crowd of
    coders of several kinds annotates items whose truth is known: what models of coders find.

    Examples
    --------
    The study of Marchal et al. (2022) as a table:

    $ accordant simulate multilabel

    A data set to try things on:

    $ accordant simulate data -o made.csv --double 0.25

    Annotations that disagree for one reason:

    $ accordant simulate cause drift -o made.csv

    Good, careless and useless coders, with the truth:

    $ accordant simulate crowd -o made.csv
    """
    _defined("simulate data")
    names = [name.split()[1] for name in DEFINED if name.startswith("simulate ")]
    parts = {"": {name: DEFINED[f"simulate {name}"].command for name in names}}
    doc = parsed(_simulate.__doc__)
    made = Group("simulate", parts=parts, help=doc.text)
    made.examples = doc.examples
    return made


TOLD = {
    "simulate": "Simulate annotations whose truth is known",
    "project": "Resolve disagreement, to a documented ground truth",
}
"""What the help says of groups."""


def _summary(name: str) -> str:
    """What the help says of a command, without making it."""
    return TOLD.get(name) or parsed(_defined(name).run.__doc__).summary.rstrip(".")


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
