"""Write `reference/cli.md`: every command with its options and examples, from the commands.

Run `python docs/cli_page.py` after a change of the command line; a test tells if it was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path

import click

from accordant.cli.group import ACTING, MEASURING, OTHER, READING, SECTIONS, Command, Group, Option
from accordant.cli.main import cli

PAGE = Path(__file__).parent / "reference" / "cli.md"

INTRODUCTION = """\
<!-- Made by docs/cli_page.py from the commands; do not edit. -->
# Command line

Answers go to standard output and everything else, such as how the file was understood, to
standard error; `-q` leaves that out. `--format json` and `--format csv` print the rows of the
table unrounded, with the same columns as in Python; in JSON findings have the evidence behind them
too.

The exit code is 0 if the question was answered, 1 if it could not be (one message says why), 2 if
the command was not understood and 130 if it was interrupted. Files are written whole or not at
all.

Every option can be set by the environment: `ACCORDANT_AGREEMENT_LEVEL=0.9` is
`accordant agreement --level 0.9`. With `ACCORDANT_DEBUG=1` an error shows where it happened.
"""


SHARED = {MEASURING: ("agreement",), READING: ("agreement",), ACTING: ("project", "status")}
"""Options that several commands share, told once, as they are in one of them."""


def page() -> str:
    """The whole page."""
    context = click.Context(cli, info_name="accordant")
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    commands = {name: c for name, c in found.items() if isinstance(c, Command)}
    shared = {title: of_section(at(commands, path), title) for title, path in SHARED.items()}
    known = {option.name: option.help for options in shared.values() for option in options}
    return "\n".join(
        [
            INTRODUCTION,
            *(
                part
                for name, command in commands.items()
                for part in (section(command, name, known), *parts(command, context, name, known))
            ),
            *("\n".join([f"## {title}", "", *listed(own)]) for title, own in shared.items()),
        ]
    )


def at(commands: Mapping[str, Command], path: tuple[str, ...]) -> Command:
    """A command by its words."""
    found = commands[path[0]]
    for word in path[1:]:
        inside = found.get_command(click.Context(found), word) if isinstance(found, Group) else None
        found = inside if isinstance(inside, Command) else found
    return found


def parts(
    command: Command, context: click.Context, name: str, known: Mapping[str | None, str | None]
) -> Iterator[str]:
    """The commands of a group, and of groups within it, with all their options."""
    if isinstance(command, Group):
        inside = click.Context(command, parent=context, info_name=name.split()[-1])
        for part in command.list_commands(inside):
            found = command.get_command(inside, part)
            if isinstance(found, Command):
                yield section(found, f"{name} {part}", known)
                yield from parts(found, inside, f"{name} {part}", known)


def section(command: Command, name: str, known: Mapping[str | None, str | None]) -> str:
    """One command, without the options that are told once for all."""
    lines = [f"## {name}", "", "```text", usage(command, name), "```", ""]
    lines += [cleandoc(command.help or ""), "", "```bash", *examples(command), "```", ""]
    also = []
    for title in SECTIONS:
        own = of_section(command, title)
        # elsewhere a name may mean something else
        told = [o for o in own if title in SHARED and known.get(o.name, "") == o.help]
        lines += listed([option for option in own if option not in told])
        if told:
            also.append(f"[{title.lower()}](#{title.lower().replace(' ', '-').replace(',', '')})")
    if also:
        lines += [f"And the options that several commands share: {', '.join(also)}.", ""]
    return "\n".join(lines)


def usage(command: Command, name: str) -> str:
    """The command with its arguments; numbers of cases come before what is done about them."""
    name = name.replace("project case", "project case CASE...")
    if isinstance(command, Group):
        return f"accordant {name} [{'|'.join(command.names)}] [OPTIONS]"
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    names = [p.metavar or f"[{'|'.join(p.type.choices)}]" for p in arguments]  # type: ignore[attr-defined]
    return " ".join(["accordant", name, "[OPTIONS]", *names])


def examples(command: Command) -> Iterator[str]:
    """What to type, each with what it does above it."""
    for typed, effect in command.examples:
        yield f"# {effect}"
        yield typed


def of_section(command: Command, title: str) -> list[click.Option]:
    """The options under one heading of the help."""
    options = [p for p in command.params if isinstance(p, click.Option)]
    return [option for option in options if getattr(option, "section", OTHER) == title]


def listed(options: list[click.Option]) -> Iterator[str]:
    """A definition list."""
    for option in options:
        yield from (f"`{written(option)}`", f": {told(option)}", "")


def written(option: click.Option) -> str:
    """An option as it is typed."""
    names = ", ".join(option.opts)
    if option.secondary_opts:
        return f"{names} / {', '.join(option.secondary_opts)}"
    if option.is_flag:
        return names
    if isinstance(option.type, click.Choice):
        return f"{names} [{'|'.join(map(str, option.type.choices))}]"
    return f"{names} {option.metavar}"


def told(option: click.Option) -> str:
    """What an option does, and its default."""
    text = " ".join((option.help or "").split())
    shown = isinstance(option, Option) and option.show_default
    return f"{text} Default: {option.default}." if shown else text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
