"""Commands that load when called, show examples in their help, and end with one clear message."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from .ending import ended

__all__ = [
    "ACTING", "FITTING", "GIVEN", "MEASURING", "OUTPUT", "READING", "SIMULATING", "SOFT",
    "STANDING_IN", "Command", "Examples", "Group", "Option", "command",
]  # fmt: skip

SIMULATING, MEASURING, OUTPUT, READING, OTHER = (
    "What to simulate", "What to measure", "Output", "How to read the file", "Other options",
)  # fmt: skip
FITTING, SOFT, STANDING_IN = "Which model", "What to learn from", "Models beside humans"
GIVEN, ACTING = "What to say", "Which project, and who"
SECTIONS = (
    SIMULATING, FITTING, SOFT, STANDING_IN, MEASURING, GIVEN, OUTPUT, READING, ACTING, OTHER,
)  # fmt: skip
"""Headings of the options in a help text, in their order."""

Examples = Sequence[tuple[str, str]]  # (what to type, what it does)


class Option(click.Option):
    """An option that stands under a heading of its own in the help."""

    def __init__(self, *args: Any, section: str = OTHER, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class Command(click.Command):
    """A command whose help groups the options and ends with examples that can be typed in."""

    def __init__(self, *args: Any, examples: Examples = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections[getattr(parameter, "section", OTHER)].append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=26)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                for typed, effect in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}# {effect}\n")
                    formatter.write(f"{'':{formatter.current_indent}}{typed}\n")


def command(examples: Examples, name: str | None = None) -> Callable[[Callable[..., Any]], Command]:
    """A decorator: the function as a command, with examples for its help."""
    return click.command(name, cls=Command, examples=examples)


class Group(Command, click.Group):
    """Commands that are imported when they are called; every error becomes one message."""

    def __init__(self, *args: Any, commands_in: tuple[str, Sequence[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.package, self.names = commands_in

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.names:
            return None
        found: click.Command = getattr(import_module(f"{self.package}.{cmd_name}"), cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first word, or the nearest name if there is none."""
        name = args[0]
        if not ctx.resilient_parsing and name not in self.names and not name.startswith("-"):
            ctx.fail(f"There is no command {name!r}.{self._hint(name)}")
        return super().resolve_command(ctx, args)

    def _hint(self, name: str) -> str:
        close = get_close_matches(name, self.names, 1)
        if close:
            return f" Did you mean {close[0]!r}?"
        if os.path.exists(name):
            return f" For the report of that file: accordant report {name}"
        return f" Commands: {', '.join(self.names)}."

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        Command.format_options(self, ctx, formatter)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and exit with 0 (answered), 1 (an error), 2 (usage) or 130 (interrupted)."""
        kwargs["standalone_mode"] = False
        sys.exit(ended(lambda: click.Group.main(self, *args, **kwargs)))
