"""The command that was typed, so that it can be typed again with another wish."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterator
from typing import Any

import click
from click.core import ParameterSource

from .group import READING, Option

__all__ = ["again"]


def again(*more: str, keep: Container[str] = (), without: Container[str] = ()) -> str:
    """The command that is running, with how its file is read, as a line for a shell.

    Parameters
    ----------
    *more : str
        Words to add at the end, which are quoted where a shell needs it.
    keep : container of str
        Names of parameters that are repeated beside those of reading, if they were given.
    without : container of str
        Names of parameters of reading that are not.
    """
    context = click.get_current_context()
    words = ["accordant", *(context.info_name or "").split()]
    words += [str(path) for path in context.params.get("files", ())]
    for option in context.command.params:
        name = option.name or ""
        reads = isinstance(option, Option) and option.section == READING and name not in without
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if isinstance(option, click.Option) and given and (reads or name in keep):
            words += _typed(option, context.params[name])
    return " ".join(map(shlex.quote, [*words, *more]))


def _typed(option: click.Option, value: Any) -> Iterator[str]:
    """An option with its value, or with each of its values."""
    name = next((x for x in option.opts if x.startswith("--")), option.opts[0])
    if option.is_flag:
        yield name if value else option.secondary_opts[0]
        return
    for one in value if option.multiple else [value]:
        each = [str(x) for x in one] if isinstance(one, tuple) else [str(one)]
        if len(each) == 1 and each[0].startswith("-"):
            yield f"{name}={each[0]}"
        else:
            yield name
            yield from each
