"""What a reader sees of the coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnosis.agreement import AgreementTable
from ..numbers import count_of, joined
from ..render.show import sections_of
from ..render.terminal import Terminal, print_sections
from ..views.document import Table
from ..views.view import named
from .advice import print_advice
from .tables import print_signature

if TYPE_CHECKING:
    from rich.console import Console

    from ..data.annotations import Annotations
    from ..diagnosis.diagnose import Diagnosis
    from ..scheme import Scheme

__all__ = ["agreement_table", "print_agreement", "schemes_text"]


def schemes_text(data: Annotations) -> list[str]:
    """Categories and scale: of all questions, or of each where they differ."""
    each: dict[str, list[str]] = {}
    for name, scheme in zip(data.questions, data.schemes, strict=True):
        each.setdefault(_scheme_text(scheme, data), []).append(name)
    if len(each) == 1:
        return next(iter(each)).split(", ")
    return [f"{joined(names)}: {scheme}" for scheme, names in each.items()]


def _scheme_text(scheme: Scheme, data: Annotations) -> str:
    if scheme.max_labels == 1:
        n = count_of(len(scheme.categories), "category", "categories")
        return f"{n}, {scheme.scale}"
    largest = max((len(v) for v in data.values if isinstance(v, tuple)), default=0)
    most = scheme.max_labels or largest
    ranked = ", ranked" if scheme.ranked else ""
    return f"up to {most} of {count_of(len(scheme.categories), 'label')}{ranked}"


def print_agreement(
    console: Console,
    table: AgreementTable,
    *,
    signature: bool,
    advice: Diagnosis | None = None,
    name: str = "",
) -> None:
    """Print coefficients for people; ``name`` is what they called the file."""
    print_sections(console, sections_of(table), Terminal(name))
    if advice is not None:
        print_advice(console, advice, name)
    if signature:
        console.print()
        print_signature(console, table.signature)


def agreement_table(table: AgreementTable) -> Table:
    """The columns that a reader should see of coefficients, and the sentences below them."""
    return named("agreement", "coefficients").table(table.told_parts)
