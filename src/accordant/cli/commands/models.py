"""`accordant models`: every model of coders, and the options of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from ..fit_options import INTERNAL
from ..group import command
from ..options import output
from ..output import Output
from ..terminal import MARGIN

if TYPE_CHECKING:
    from rich.console import Console

    from ...models.model import Model

__all__ = ["models"]


@command(
    examples=(
        ("accordant models", "read what each model assumes"),
        ("accordant models mace", "its options, with their defaults, and what to cite"),
        ("accordant models --format json", "the same for a program"),
    )
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@output
def models(names: tuple[str, ...], output: Output) -> None:
    """List the models of coders: assumption, options, source.

    With names, the options of these models, each with its default and what it does. A model says
    how coders come to their labels, and so who can be trusted and what is probably true.
    `accordant fit -m NAME` takes one, --set OPTION=VALUE its options, and --which tells which of
    them predicts the annotations best.
    """
    from ...models.listing import list_models
    from ...views.document import Column, Table

    wanted = [one.strip() for name in names for one in name.split(",") if one.strip()]
    found = list_models(*wanted)
    rows = [row for row in found.to_rows() if row.get("option") not in INTERNAL]
    keys = rows[0] if rows else ("model", "option", "default", "allowed", "meaning")
    columns = tuple(Column(key, key) for key in keys)

    def pretty(console: Console) -> None:
        for model in found.models:
            print_model(console, model, in_full=found.in_full)

    output.show(rows, lambda: Table("Models of coders", columns, tuple(rows)), pretty)


def print_model(console: Console, model: Model, *, in_full: bool) -> None:
    """One model as a paragraph; ``in_full`` with its options and what to cite."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from ...literature import cite, reference
    from ...models.listing import aliases_of, options_of

    title = (model.name, "bold"), (f"   -m {model.key}", "dim")
    console.print(Text.assemble("\n", " " * MARGIN, *title))
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column()
    options = [x for x in options_of(model) if x.name not in INTERNAL]
    source = "\n".join(map(reference, model.sources)) if in_full else (
        ", ".join(map(cite, model.sources))
    )  # fmt: skip
    names = ", ".join(x.name for x in options)
    for name, fact in (
        ("assumes", model.assumption),
        ("finds", "" if model.probabilistic else "shares of votes: opinions, no probabilities"),
        ("--set", "" if in_full else names),
        ("or -m", ", ".join(aliases_of(model))),
        ("source", source),
    ):
        if fact:
            facts.add_row(name, fact)
    if in_full and not options:
        facts.add_row("--set", "it has no options")
    console.print(Padding(facts, (0, 0, 0, MARGIN)))
    for x in options if in_full else ():
        typed = f"--set {x.name}={_typed(x.default)}"
        head = Text.assemble("\n", (typed, "bold"), (f"   {_choices(x.allowed)}", "dim"))
        console.print(Padding(head, (0, 0, 0, MARGIN + 2)))
        console.print(Padding(_plain(x.meaning), (0, 0, 0, MARGIN + 4)))


def _choices(allowed: str) -> str:
    """What may be typed: '{'vb', 'em'}' is 'vb, em'."""
    return re.sub("[{}']", "", allowed).removesuffix(", optional")


def _typed(default: Any) -> str:
    """The default as it is typed."""
    return "…" if default is None else str(default)


def _plain(meaning: str) -> str:
    """What the docstring says, without its marks."""
    return meaning.replace("``", "").replace("`", "")
