"""All models, which importing this registers, and which options each takes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..literature import cite
from ..numbers import joined
from ..results import Result
from .model import MODELS as MODELS
from .model import Model

# isort: off
from .estimators import (  # noqa: F401 - models are listed in this order
    blend,
    vote,
    dawid_skene,
    mace,
    glad,
)
# isort: on


NOT_OPTIONS = ("votes", "how")  # what every fitting function takes
SECTION = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)


@dataclass(frozen=True)
class ModelOption:
    """An option of a model.

    Parameters
    ----------
    name : str
    default : object
        Under the name of the model, which may stand for a choice of its own.
    allowed : str
        What it may be, as in the docstring.
    meaning : str
        What it does.
    """

    name: str
    default: Any
    allowed: str
    meaning: str


def sections_of(model: Model) -> dict[str, str]:
    """The sections of a model's docstring, the summary under an empty name."""
    pieces = SECTION.split(inspect.cleandoc(model.fitting.__doc__ or ""))
    return dict(zip(["", *pieces[1::2]], [x.strip() for x in pieces[::2]], strict=True))


def options_of(model: Model) -> tuple[ModelOption, ...]:
    """The options of a model, in the order in which its docstring explains them.

    Examples
    --------
    >>> [(x.name, x.default) for x in options_of(MODELS["pooled"])][:1]
    [('prior', 'pooled')]
    """
    defaults = {k: p.default for k, p in inspect.signature(model.fitting).parameters.items()}
    found = []
    for block in filter(None, re.split(r"\n(?=\S)", sections_of(model).get("Parameters", ""))):
        head, _, told = block.partition("\n")
        names, _, allowed = head.partition(" : ")
        found += [
            ModelOption(
                name, model.options.get(name, defaults[name]), allowed, " ".join(told.split())
            )
            for name in names.split(", ")
            if name not in NOT_OPTIONS
        ]
    return tuple(found)


def takers_of(option: str) -> tuple[str, ...]:
    """The keys of the models that have an option.

    Examples
    --------
    >>> takers_of("method")
    ('mace',)
    """
    return tuple(key for key, one in MODELS.items() if option in one.takes)


def owned_by(keys: Sequence[str]) -> str:
    """Models as the owners of an option: 'the models map and mace'."""
    return f"the model{'s' if len(keys) > 1 else ''} {joined(keys)}"


@dataclass(frozen=True, repr=False)
class ModelList(Result):
    """Models of coders, with what they assume and the options they take; made by `list_models`.

    Parameters
    ----------
    models : tuple of Model
    in_full : bool
        Whether every option is told, or its name only.
    """

    told_as: ClassVar[str] = "list_models"
    question: ClassVar[None] = None

    models: tuple[Model, ...]
    in_full: bool = False

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model, or in full one for each option."""
        if not self.in_full:
            return [_row(m) for m in self.models]
        return [
            {
                "model": m.key,
                "option": x.name,
                "default": x.default,
                "allowed": x.allowed,
                "meaning": x.meaning,
            }
            for m in self.models
            for x in options_of(m)
        ]


def _row(m: Model) -> dict[str, Any]:
    return {
        "model": m.key,
        "name": m.name,
        "assumption": m.assumption,
        "options": ", ".join(x.name for x in options_of(m)),
        "aliases": ", ".join(m.aliases),
        "probabilities": "beliefs" if m.probabilistic else "shares of votes",
        "sources": ", ".join(map(cite, m.sources)),
    }
