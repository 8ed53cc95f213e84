"""The command `accordant`: which commands there are, and where each is found."""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from .._version import __version__
from .help import DEBUG, INTERRUPTED, Group, output_options

ANALYSES = (
    "agreement describe diagnose decompose fit check-next soft score compare check alt-test plan"
)
TOOLS = "convert coefficients models demo study simulate"
COMMANDS = {
    "report": "tools",
    **dict.fromkeys(ANALYSES.split(), "analyses"),
    **dict.fromkeys(TOOLS.split(), "tools"),
    "project": "project",
}
"""Every command in the order of the help, and the module that defines it by its name."""


def _made(name: str) -> Any:
    module = import_module(f"{__package__}.{COMMANDS[name]}")
    return getattr(module, name.replace("-", "_"))()


@cache
def _summaries(module: str) -> dict[str, str]:
    """The first line of each function's docstring, from the source: running it loads the calls."""
    spec: Any = find_spec(f"{__package__}.{module}")
    return {
        part.partition("(")[0]: part.partition('"""')[2]
        .partition("\n")[0]
        .removesuffix('"""')
        .rstrip(".")
        for part in (spec.loader.get_source(spec.name) or "").split("\ndef ")
    }


def _summary(name: str) -> str:
    """What the help says of a command, without making it."""
    return _summaries(COMMANDS[name]).get(name.replace("-", "_"), "")


cli = Group(
    "accordant",
    parts={"": {name: partial(_made, name) for name in COMMANDS}},
    summary=_summary,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "auto_envvar_prefix": "ACCORDANT",
    },
    help="""Agreement between coders, its uncertainty, and what to report.

    Reads annotations from CSV, TSV, XLSX, Parquet and JSON lines, with one annotation per row or
    a column per coder. `accordant COMMAND --help` explains a command and gives examples.

    Every option can also be set by the environment: ACCORDANT_AGREEMENT_LEVEL=0.9 is
    `accordant agreement --level 0.9`.""",
    params=[*output_options()],
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
