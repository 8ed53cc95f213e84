"""What to make of the figures, in a few lines: which to report, and the worst traps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..diagnosis.diagnose import Diagnosis
from ..diagnosis.finding import Finding
from ..diagnosis.patterns.pattern import PATTERNS
from ..diagnosis.recommend import Recommendation
from ..numbers import count_of, joined
from ..views.names import begun, coefficient_name
from .spoken import spoken
from .tables import print_list, print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_advice"]

MOST = 3  # findings; the report has all


def print_advice(console: Console, found: Diagnosis, name: str) -> None:
    """Print the recommendation, the worst traps, and the first reason why coders disagree."""
    advice = found.recommendation
    if advice.primary is not None:
        console.print()
        print_sentences(console, ["What to report"], style="bold")
        print_sentences(console, [_recommended(found, advice)])
    traps = [f for f in found.findings if f.code not in PATTERNS]
    reasons = [f for f in found.findings if f.code in PATTERNS]
    told = [
        *_print_serious(console, "What to know", traps, MOST),
        *_print_serious(console, "Why they disagree, first of all", reasons, 1),
    ]
    left = len(found.findings) - len(told)
    more = count_of(left, "more finding" if told else "finding")
    further = [f"{more}: accordant report {name}"] if left else []
    if reasons:
        further.append(f"why they disagree, with the items: accordant diagnose {name}")
    if further:
        console.print()
        print_sentences(console, further, style="dim")


def _print_serious(
    console: Console, heading: str, findings: Iterable[Finding], most: int
) -> list[Finding]:
    """Print the most severe findings, one of each kind, under a heading; notes are not told."""
    serious = [f for f in _one_of_each(findings) if f.severity != "note"][:most]
    if serious:
        console.print()
        print_sentences(console, [heading], style="bold")
        print_list(console, [_told(f) for f in serious])
    return serious


def _recommended(found: Diagnosis, advice: Recommendation) -> str:
    rows = found.pooled.facts.coefficients
    of_sets = found.pooled.facts.label_sets
    names = {key: coefficient_name(row, of_sets=of_sets) for key, row in rows.items()}
    first, beside = names[advice.primary or "alpha"], joined(names[key] for key in advice.beside)
    always = joined(names[key].lower() for key in advice.always)
    with_it = f", {beside} beside it," if beside else ""
    return f"{begun(first)}{with_it} and always {always}. {advice.reasons[0]}"


def _one_of_each(findings: Iterable[Finding]) -> list[Finding]:
    kinds: dict[str, Finding] = {}
    for finding in findings:
        kinds.setdefault(finding.code, finding)
    return list(kinds.values())


def _told(finding: Finding) -> str:
    where = f"Question {finding.question}: " if finding.question else ""
    return where + spoken(str(finding))
