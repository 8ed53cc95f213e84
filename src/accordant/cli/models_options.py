"""The options of a model, from the function that fits it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from .parameters import Option, hints_of, option

__all__ = ["options_of_model"]

HELP = ("-h", "--help")


def options_of_model(args: Sequence[str]) -> Iterator[Option]:
    """The options of the model that was typed; for a help text without a model none."""
    name = _typed(args)
    if name is None and (not args or any(word in HELP for word in args)):
        return
    from ..models.listing import options_of
    from ..models.model import model_of

    model = model_of(name or "blend")
    hints = hints_of(model.fitting)
    signature = inspect.signature(model.fitting).parameters
    for told in options_of(model):
        if told.name in signature and told.name != "history":
            hint = _hint(told.allowed, hints[told.name])
            made = option(told.name, hint, told.default, told.meaning, model.name)
            if made is not None:
                yield made


def _hint(allowed: str, hint: Any) -> Any:
    """The choices that the docstring names, and other numbers where it has any."""
    words = tuple(re.findall(r"'([^']+)'", allowed))
    if not words:
        return hint
    return Literal[words] | (float if "float" in allowed else None)


def _typed(args: Sequence[str]) -> str | None:
    """The value of --model; several are compared and have no options."""
    for word, after in zip(args, [*args[1:], ""], strict=True):
        if word in ("-m", "--model"):
            return after
        if word.startswith("--model="):
            return word.partition("=")[2]
    return None
