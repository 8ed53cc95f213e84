"""Commands whose help groups the options and ends with examples, and groups that load them late."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from .ending import ended
from .parameters import OTHER

__all__ = ["Command", "Examples", "Group"]

Examples = Sequence[tuple[str, str]]  # (what to type, what it does)


class Command(click.Command):
    """A command whose options stand under headings, in the order of their first option."""

    examples: Examples = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section; the general ones last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(getattr(parameter, "section", OTHER), []).append(record)
        for title in sorted(sections, key=lambda title: title == OTHER):
            with formatter.section(title):
                formatter.write_dl(sections[title], col_max=26)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                for typed, effect in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}# {effect}\n")
                    formatter.write(f"{'':{formatter.current_indent}}{typed}\n")


class Group(Command, click.Group):
    """Commands that are made when they are called; every error becomes one message.

    Parameters
    ----------
    parts : mapping
        Headings of the help to the commands below each: name to a function that makes it.
    summary : callable
        Name → what the help says of it, without making it; by default the command is made.
    """

    def __init__(
        self,
        *args: Any,
        parts: Mapping[str, Mapping[str, Callable[[], click.Command]]],
        summary: Callable[[str], str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.parts = parts
        self.made = {name: make for part in parts.values() for name, make in part.items()}
        self.summary = summary

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(self.made)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, made now."""
        make = self.made.get(cmd_name)
        return None if make is None else make()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first word, or the nearest name if there is none."""
        name = args[0]
        if not ctx.resilient_parsing and name not in self.made and not name.startswith("-"):
            ctx.fail(f"There is no command {name!r}.{self._hint(name)}")
        return super().resolve_command(ctx, args)

    def _hint(self, name: str) -> str:
        from difflib import get_close_matches  # slow to import

        close = get_close_matches(name, self.made, 1)
        if close:
            return f" Did you mean {close[0]!r}?"
        if os.path.exists(name):
            return f" For the report of that file: accordant report {name}"
        return f" Commands: {', '.join(self.made)}."

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, heading by heading, then the options."""
        for title, part in self.parts.items():
            with formatter.section(title or "Commands"):
                formatter.write_dl([(name, self._told(ctx, name)) for name in part])
        Command.format_options(self, ctx, formatter)

    def _told(self, ctx: click.Context, name: str) -> str:
        if self.summary is not None:
            return self.summary(name)
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str(80)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and exit with 0 (answered), 1 (an error), 2 (usage) or 130 (interrupted)."""
        kwargs["standalone_mode"] = False
        sys.exit(ended(lambda: click.Group.main(self, *args, **kwargs)))
