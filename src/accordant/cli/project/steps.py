"""A group of many commands, whose help lists them step by step."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from ..group import Group

__all__ = ["Steps", "function_of"]

Parts = Sequence[tuple[str, Mapping[str, str]]]  # heading, command → module


def function_of(name: str) -> str:
    """Name of the function of a command.

    Examples
    --------
    >>> function_of("sign-off"), function_of("import"), function_of("round")
    ('sign_off', 'import_', 'round_')
    """
    word = name.replace("-", "_")
    return f"{word}_" if keyword.iskeyword(word) or hasattr(builtins, word) else word


class Steps(Group):
    """Commands in parts; several may stand in one module."""

    def __init__(self, *args: Any, parts_in: str, parts: Parts, **kwargs: Any) -> None:
        self.modules = {name: module for _, inside in parts for name, module in inside.items()}
        super().__init__(*args, commands_in=(parts_in, tuple(self.modules)), **kwargs)
        self.parts = parts

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.modules:
            return None
        module = import_module(f"{self.package}.{self.modules[cmd_name]}")
        found: click.Command = getattr(module, function_of(cmd_name))
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, part by part, with one column for all."""
        room = formatter.width - 6 - max(map(len, self.modules))
        for heading, inside in self.parts:
            lines = []
            for name in inside:
                found = self.get_command(ctx, name)
                if found is not None and not found.hidden:
                    width = max(map(len, self.modules))
                    lines.append((name.ljust(width), found.get_short_help_str(room)))
            if lines:
                with formatter.section(heading):
                    formatter.write_dl(lines)
