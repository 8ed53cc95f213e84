"""The summary of a report on a terminal: the verdict, the figures, what to watch out for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..numbers import count_of
from ..public import AgreementTable
from ..views.document import Chart, Finding
from ..views.names import POOLED, key_of_row
from ..views.report import Report
from .tables import print_list, print_sentences, print_signature, print_table
from .terminal import spoken
from .views import agreement_table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_summary"]

MOST = 4  # findings; the report has all
MOST_REASONS = 3  # patterns in disagreements


def print_summary(console: Console, made: Report, *, tested: bool) -> None:
    """Print the essentials of a report, as wide as the console."""
    console.print()
    print_sentences(console, [made.title], style="bold")
    for paragraph in made.verdict:
        console.print()
        print_sentences(console, [paragraph])
    console.print()
    table = agreement_table(_short(made))
    if len({key_of_row(row) for row in made.table}) > 1 and table.title != "Agreement":
        print_sentences(console, [table.title], style="bold")
    print_table(console, table, unnamed=POOLED)
    print_findings(console, made, "why", "Why coders disagree", MOST_REASONS)
    print_findings(console, made, "findings", "What to know", MOST)
    console.print()
    print_signature(console, made.signature)


def _short(made: Report) -> AgreementTable:
    """All coefficients of the only question; of several, one coefficient of each."""
    if not any(section.key == "questions" for section in made.sections):
        return made.table
    chart = made["questions"].blocks[0]
    shown = chart.table.columns if isinstance(chart, Chart) else ()
    known = {key_of_row(row) for row in made.table}
    keys = [column.key for column in shown if column.key in known]
    return replace(made.table, rows=tuple(r for r in made.table if key_of_row(r) in keys[:1]))


def print_findings(console: Console, made: Report, key: str, heading: str, most: int) -> None:
    """Print the most severe findings, each with what it says of the first question it holds for."""
    if all(section.key != key for section in made.sections):
        return
    blocks = [b for b in made[key].every_block() if isinstance(b, Finding)]
    serious = [b for b in blocks if b.severity != "note"][:most]
    if serious:
        console.print()
        print_sentences(console, [heading], style="bold")
        print_list(console, [_told(finding) for finding in serious])
    left = len(blocks) - len(serious)
    if left and (serious or key != "why"):
        console.print()
        what = "pattern" if key == "why" else "finding"
        more = count_of(left, f"more {what}" if serious else what)
        print_sentences(console, [f"{more} in the report"], style="dim")


def _told(finding: Finding) -> str:
    name, sentence = finding.about[0]
    others = len(finding.about) - 1
    where = f"{name}: " if others and name else ""
    more = f" Likewise {count_of(others, 'other')}." if others else ""
    stake = f" ({finding.at_stake})" if finding.at_stake else ""
    return f"{finding.title}{stake}. {where}{spoken(sentence)}{more}"
