"""Write `reference/cli.md`: every command with its options and examples, from the commands.

Run `python docs/cli_page.py` after a change of the command line; a test tells if it was forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from accordant.cli.help import EXPLAINED, OTHER
from accordant.cli.main import cli

PAGE = Path(__file__).parent / "reference" / "cli.md"

INTRODUCTION = """\
<!-- Made by docs/cli_page.py from the commands; do not edit. -->
# Command line

Answers go to standard output and everything else, such as how the file was understood, to
standard error; `-q` leaves that out. `--format json` and `--format csv` print the rows of the
table unrounded, with the same columns as in Python. An option has the name of the parameter in
Python. `NAME=VALUE` gives a value to one question, coder or kind of several.

Options that many commands take are explained once: [how to read the
file](#how-to-read-the-file), [output](#output), and [which project, and
who](#which-project-and-who). Those of output may also stand before the command, as in
`accordant -q report ratings.csv`, and those of a project before the step, as in
`accordant project --as bob status`.

The exit code is 0 if the question was answered, 1 if it could not be (one message says why), 2 if
the request was not understood or does not fit the data, and 130 if it was interrupted. Files are
written whole or not at all.

Every option can be set by the environment: `ACCORDANT_AGREEMENT_LEVEL=0.9` is
`accordant agreement --level 0.9`. With `ACCORDANT_DEBUG=1` an error shows where it happened.
"""


def page() -> str:
    """The whole page."""
    context = click.Context(cli, info_name="accordant")
    every = [*commands(cli, context, "")]
    explaining = (cli, *(command for _, command in every))
    shared = {t: max((of_section(c, t) for c in explaining), key=len) for t in EXPLAINED}
    parts = [section(name, command, shared) for name, command in every]
    told = ["\n".join([f"## {title}", "", *listed(own)]) for title, own in shared.items()]
    return "\n".join([INTRODUCTION, *parts, *told])


def commands(
    group: click.Group, context: click.Context, before: str
) -> Iterator[tuple[str, click.Command]]:
    """Every command with its words; those of a group after it."""
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if found is None:
            continue
        yield f"{before}{name}", found
        if isinstance(found, click.Group):
            inside = click.Context(found, parent=context, info_name=name)
            yield from commands(found, inside, f"{before}{name} ")


def section(name: str, command: click.Command, shared: dict[str, list[click.Option]]) -> str:
    """One command, without the options that are told once for all."""
    lines = [f"## {name}", "", "```text", usage(name, command), "```", ""]
    lines += [cleandoc(command.help or ""), ""]
    if typed := [*examples(command)]:
        lines += ["```bash", *typed, "```", ""]
    titles = dict.fromkeys(
        getattr(p, "section", OTHER) for p in command.params if isinstance(p, click.Option)
    )
    for title in (t for t in titles if t not in EXPLAINED):
        lines += listed(of_section(command, title))
    also = []
    for title, every in shared.items():
        taken = [one for one in every if one in (*command.params, *command.shared)]
        names = ", ".join(f"`{one.opts[-1]}`" for one in taken)
        link = f"[{title.lower()}](#{title.lower().replace(' ', '-').replace(',', '')})"
        also += [link if taken == every else f"{link} ({names})"] if taken else []
    if also:
        lines += [f"And options that several commands share: {', '.join(also)}.", ""]
    return "\n".join(lines)


def usage(name: str, command: click.Command) -> str:
    """The command with its arguments; numbers of cases come before what is done about them."""
    name = re.sub(r"project case\b", "project case CASE...", name)
    if isinstance(command, click.Group):
        inside = command.list_commands(click.Context(command))
        return f"accordant {name} [{'|'.join(inside)}] [OPTIONS]"
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    names = [p.make_metavar(click.Context(command)) for p in arguments]
    return " ".join(["accordant", name, "[OPTIONS]", *names])


def examples(command: click.Command) -> Iterator[str]:
    """What to type, each with what it does above it."""
    for typed, effect in getattr(command, "examples", ()):
        yield f"# {effect}"
        yield typed


def of_section(command: click.Command, title: str) -> list[click.Option]:
    """The options under one heading of the help."""
    options = [p for p in command.params if isinstance(p, click.Option)]
    return [option for option in options if getattr(option, "section", OTHER) == title]


def listed(options: list[click.Option]) -> Iterator[str]:
    """A definition list."""
    for option in options:
        context = click.Context(click.Command("accordant"))
        record = option.get_help_record(context)
        if record is not None:
            yield from (f"`{record[0]}`", f": {' '.join(record[1].split())}", "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
