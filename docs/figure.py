"""Write the figure and the tables of `reference/simulation.md`, from a simulation study.

Run `python docs/figure.py` after a change of the simulation; a test tells if it was forgotten.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import accordant as ac
from accordant.numbers import decimal
from accordant.render.vega import svg
from accordant.simulation.study import MultilabelStudy
from accordant.views.simulation import study_report

DOCS = Path(__file__).parent
PAGE = DOCS / "reference" / "simulation.md"
FIGURE = DOCS / "_static" / "figure1.svg"
BLOCK = re.compile(r"(<!-- made by docs/figure.py: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
SEED, DATA_SETS = 1, 1000
LOWER = 1.15  # bits, of shares in geometric proportion
PARTS = ("expected", "value")


@cache
def study(categories: int, entropy: float | None = None) -> MultilabelStudy:
    """The study of the paper with more data sets."""
    small = {"measures": "boot_match", "double": [0, 1]} if categories > 5 else {}
    shares = None if entropy is None else geometric(entropy, categories)
    return ac.multilabel_study(
        categories=categories, shares=shares, datasets=DATA_SETS, seed=SEED, **small
    )


def geometric(entropy: float, n: int) -> list[float]:
    """Shares p_k ~ x^k with this entropy in bits, which rises with x."""
    low, high = 0.0, 1.0
    for _ in range(60):
        x = (low + high) / 2
        p = [x**k / sum(x**j for j in range(n)) for k in range(n)]
        below = -sum(q * math.log2(q) for q in p if q) < entropy
        low, high = (x, high) if below else (low, x)
    return p


# ------------------------------------------------------------------ tables

NO, ALL = "no double labels", "double labels only"
PRINTED = (
    (f"adjusted, {NO}, every measure, agreement 60 %", 5, "soft_match", 0.6, 0, "value", 0.50),
    ("the same, agreement 75 %", 5, "soft_match", 0.75, 0, "value", 0.69),
    ("the same, agreement 90 %", 5, "soft_match", 0.9, 0, "value", 0.87),
    ("expected, soft-match, all data sets", 5, "soft_match", None, None, "expected", 0.21),
    (f"expected, boot-match, {NO}", 5, "boot_match", None, 0, "expected", 0.20),
    (f"expected, boot-match, {ALL}", 5, "boot_match", None, 1, "expected", 0.70),
    (f"expected, boot-match, {NO}", 10, "boot_match", None, 0, "expected", 0.11),
    (f"expected, boot-match, {ALL}", 10, "boot_match", None, 1, "expected", 0.38),
    (f"adjusted, boot-match, {ALL}, 90 %", 5, "boot_match", 0.9, 1, "value", 0.67),
    (f"adjusted, boot-match, {ALL}, 75 %", 5, "boot_match", 0.75, 1, "value", 0.17),
    (f"adjusted, boot-match, {ALL}, 75 %", 10, "boot_match", 0.75, 1, "value", 0.60),
    (f"adjusted, boot-match, {ALL}, 60 %", 5, "boot_match", 0.6, 1, "value", None),
    ("adjusted, augmented κ, 25 % double labels, 90 %", 5, "augmented", 0.9, 0.25, "value", 0.49),
)


def printed() -> str:
    """What the paper prints in section 5, and what the study gives."""
    rows = []
    for what, categories, measure, agreement, double, part, figure in PRINTED:
        mean, error = mean_of(categories, measure, agreement, double, part)
        shown = "negative" if figure is None else decimal(figure, 2)
        impossible = " (impossible, see below)" if (measure, double) == ("augmented", 0.25) else ""
        spread = "< 0.0001" if error < 5e-5 else f"{error:.4f}"
        rows.append([what, f"{categories}", shown + impossible, decimal(mean), spread])
    return table(["figure", "categories", "printed", "here", "standard error"], rows)


def mean_of(
    categories: int, measure: str, agreement: float | None, double: float | None, part: str
) -> tuple[float, float]:
    """A mean over the cells that fit, with its Monte Carlo standard error."""
    cells = [
        c
        for c in study(categories).of_measure(measure)
        if agreement in (None, c.agreement) and double in (None, c.double)
    ]
    mean = sum(getattr(c, part) for c in cells) / len(cells)
    return mean, math.sqrt(sum(getattr(c, f"{part}_se") ** 2 for c in cells)) / len(cells)


def entropy() -> str:
    """Expected and adjusted agreement, from no double labels to double labels only."""
    return table(
        ["measure", "log2 5: expected", "adjusted", f"{LOWER} bits: expected", "adjusted"],
        [
            [cell.name, *(moved(s, cell.measure, x) for s in both() for x in PARTS)]
            for cell in study(5)
            if (cell.agreement, cell.double) == (0.75, 0)
        ],
    )


def both() -> Iterator[MultilabelStudy]:
    """All labels alike, and some common, others rare."""
    yield study(5)
    yield study(5, LOWER)


def moved(found: MultilabelStudy, measure: str, part: str) -> str:
    """From no double labels to double labels only, at 75 % agreement."""
    first, last = (getattr(found[measure, 0.75, d], part) for d in (0, 1))
    return f"{decimal(first)} → {decimal(last)}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(text: str) -> str:
    """The page with its tables."""
    makers = {"printed": printed, "entropy": entropy}
    return BLOCK.sub(lambda found: found[1] + makers[found[2]]() + "\n" + found[3], text)


# ------------------------------------------------------------------ the figure

_NOTHING = re.compile(r'<path d="(?:M0,0h[\d.]*v[\d.]*h-?[\d.]*Z)?"(?: display="none")?/>')
_EMPTY = re.compile(r"<g[^>]*></g>")
_LABEL = re.compile(r'(<(?:g|path|text)[^>]*?) aria-label="[^"]*"')
_NUMBER = re.compile(r"-?\d+\.\d{2,}")


def figure() -> str:
    """Figure 1 as SVG on white, without what cannot be seen."""
    text = svg(study_report(study(5)).chart)
    text = _LABEL.sub(r"\1", _NOTHING.sub("", text)).replace(' opacity="1"', "")
    while (smaller := _EMPTY.sub("", text)) != text:
        text = smaller
    text = _NUMBER.sub(lambda n: f"{float(n[0]):.1f}", text)
    return re.sub(
        r"(<svg[^>]*>)", r'\1<rect width="100%" height="100%" fill="#fff"/>', text, count=1
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    FIGURE.write_text(figure() + "\n", encoding="utf-8", newline="\n")
