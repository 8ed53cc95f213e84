"""The page of a simulation study: the figure, its numbers, what was simulated, how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from inspect import signature
from shlex import quote
from typing import Any, ClassVar, NamedTuple

from .._version import __version__
from ..fields import FIELDS, shown
from ..literature import reference
from ..numbers import decimal, joined, percent, tied
from ..simulate.design import DEFAULT_CATEGORIES, design_of
from ..simulate.study import PAPER, SAME, MultilabelStudy, multilabel_study
from .blocks import Block, Chart, Keys, Prose, Quotation, References, Table
from .charts import BLUE, GREY, INK, LINE, VERMILION, empty
from .document import Document, Evidence, Section
from .view import named, view

__all__ = ["PARTS", "StudyReport", "curves", "means", "study_report"]

MOVED = 0.03  # a smaller change of a mean is not told as one
CITED = "marchal2022"
PARTS = (("observed", "observed"), ("expected", "expected by chance"), ("value", "adjusted"))
COLOURS = (INK, VERMILION, BLUE)
SHAPES = ("circle", "triangle-up", "square")
DASHES = ([1, 0], [5, 3], [1, 0])
LOW = -0.45  # farther down nobody reads a value: it is only worse than chance
SPREAD = (
    "Std. error: Monte Carlo standard error of the mean adjusted agreement; std. deviation: over "
    "data sets, which is how much a single one varies."
)
_LEAD = (
    "Means over data sets. A good measure expects more agreement by chance where coders give more "
    "labels, and is higher where they agree more."
)


@dataclass(frozen=True, eq=False, repr=False)
class StudyReport(Document):
    """A simulation study as a document; ``table`` is the study."""

    table: Any

    endings: ClassVar[tuple[str, ...]] = (
        *Document.endings,
        ".svg",
        ".png",
        ".csv",
    )

    @property
    def chart(self) -> Chart:
        """The figure."""
        return next(b for b in self["figure"].blocks if isinstance(b, Chart))


def study_report(study: MultilabelStudy) -> StudyReport:
    """What a study shows, as a document."""
    told = _verdict(study)
    return StudyReport(
        title="What measures of agreement make of several labels",
        overline=f"Simulation study · Accordant {__version__}",
        verdict=told or (f"Simulated: {study.design}.",),
        figures=(),
        sections=(
            replace(named("study", "means").section([study]), key="figure", lead=_LEAD),
            _design_section(study),
            _again_section(study),
        ),
        evidence=Evidence(),
        table=study,
        basis=(str(study.design), f"seed {study.seed}"),
    )


# ------------------------------------------------------------------ what it shows


class _Move(NamedTuple):
    """How a mean over all agreements changes from the fewest double labels to the most."""

    name: str
    first: float
    last: float

    @property
    def by(self) -> float:
        return self.last - self.first

    def __str__(self) -> str:
        return f"{decimal(self.first)} to {decimal(self.last)}"


def _moves(study: MultilabelStudy, part: str) -> list[_Move]:
    """One for each measure; none if there is nothing to compare."""
    if len(study.double) < 2:
        return []
    found = []
    for measure in study.measures:
        cells = study.of_measure(measure)
        first, last = (
            sum(getattr(c, part) for c in cells if c.double == double) / len(study.agreement)
            for double in (study.double[0], study.double[-1])
        )
        found.append(_Move(cells[0].name, first, last))
    return found


def _verdict(study: MultilabelStudy) -> tuple[str, ...]:
    """What the figure shows, in sentences."""
    expected, value = _moves(study, "expected"), _moves(study, "value")
    if not expected:
        return ()
    told = (
        _told([m for m in expected if m.by > MOVED], "more agreement by chance"),
        _told([m for m in expected if m.by < -MOVED], "less agreement by chance"),
        _told([m for m in expected if abs(m.by) <= MOVED], "as much as before"),
    )
    several = len(study.agreement) > 1
    over = joined(map(short, study.agreement), most=12)
    means = f" (means over agreements of {over})" if several else ""
    found = "; ".join(filter(None, told))
    first = f"From {short(study.double[0])} to {short(study.double[-1])} double labels{means} "
    deepest = min((m for m in value if m.by == m.by), key=lambda m: tied(m.by), default=None)
    if deepest is None or deepest.by >= -MOVED:
        return (f"{first}{found}.",)
    return (
        f"{first}{found}.",
        f"Of the {'mean ' * several}adjusted values {deepest.name} falls most, from {deepest}, "
        "though coders share a label as often as before.",
    )


def _told(moves: list[_Move], how: str) -> str:
    if not moves:
        return ""
    farthest = max(moves, key=lambda m: tied(abs(m.by)))
    return f"{_expecting(moves)} {how} ({farthest.name} from {farthest})"


def _expecting(moves: list[_Move]) -> str:
    return f"{joined(m.name for m in moves)} expect{'s' * (len(moves) == 1)}"


def _title(study: MultilabelStudy) -> str:
    """The finding, above the figure."""
    rising = [m for m in _moves(study, "expected") if m.by > MOVED]
    if not rising:
        return "Observed, expected and adjusted agreement of simulated data sets"
    return f"The more double labels, the more agreement {_expecting(rising)} by chance"


# ------------------------------------------------------------------ the figure


def curves(study: MultilabelStudy) -> dict[str, Any]:
    """Figure 1 of Marchal et al. (2022): a row of panels for each measure.

    The panels of a row differ in how often coders share a label; in each, the share of double
    labels runs from left to right. Colour, mark and dashes tell the three lines apart.
    """
    names = list(dict.fromkeys(cell.name for cell in study))
    columns = [_heading(a) for a in study.agreement]
    points = [
        {
            "name": cell.name,
            "agreement": _heading(cell.agreement),
            "double": 100 * cell.double,
            "what": words,
            "mean": getattr(cell, key),
        }
        for cell in study
        for key, words in PARTS
    ]
    text = {"title": None, "labelFontSize": 12, "labelColor": INK}
    top = {**text, "labelPadding": 8}
    left = {
        **text,
        "labelAngle": 0,
        "labelAlign": "left",
        "labelFontWeight": 600,
        "labelPadding": 22,
    }
    low = min([0.0, *(c.value for c in study if c.value == c.value)])
    return {
        **empty(points),
        "facet": {
            "row": {"field": "name", "type": "nominal", "sort": names, "header": left},
            "column": {"field": "agreement", "type": "nominal", "sort": columns, "header": top},
        },
        "spacing": {"row": 22 if low == 0 else 12, "column": 16},
        "spec": {"width": 168, "height": 80, "layer": _layers(study, low)},
    }


def _heading(agreement: float) -> str:
    return f"agreement {short(agreement)}"


def short(share: float) -> str:
    r"""A share without a decimal that says nothing.

    Examples
    --------
    >>> short(0.75), short(0.125)
    ('75\xa0%', '12.5\xa0%')
    """
    whole = abs(100 * share - round(100 * share)) < 1e-9
    return percent(share, 0 if whole else 1)


def _layers(study: MultilabelStudy, low: float) -> list[dict[str, Any]]:
    doubles = [round(100 * d, 1) for d in study.double]
    ticks = doubles if len(doubles) <= 6 else [0, 25, 50, 75, 100]
    spare = 0.04 * (max(doubles) - min(doubles)) or 5  # never a single point
    x = {
        "field": "double",
        "type": "quantitative",
        "title": "double labels (%)",
        "scale": {"domain": [min(doubles) - spare, max(doubles) + spare], "nice": False},
        "axis": {"values": ticks, "grid": False, "format": ".4~g", "tickSize": 3},
    }
    y = {
        "field": "mean",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [max(low - 0.03, LOW) if low < 0 else 0, 1], "clamp": True},
        "axis": {
            "values": [0, 0.5, 1],
            "format": ".1f",
            "domain": False,
            "ticks": False,
            "grid": True,
            "gridColor": {"condition": {"test": "datum.value === 0", "value": GREY}, "value": LINE},
        },
    }
    legend = {
        "title": None,
        "orient": "top",
        "symbolSize": 80,
        "labelFontSize": 12.5,
        "columnPadding": 22,
        "symbolStrokeWidth": 2,
        "offset": 14,
    }
    colour, shape, dash = (
        {
            "field": "what",
            "type": "nominal",
            "sort": None,
            "legend": legend,
            "scale": {"domain": [words for _, words in PARTS], "range": list(range_)},
        }
        for range_ in (COLOURS, SHAPES, DASHES)
    )
    return [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 34, "opacity": 1, "clip": False},
            "encoding": {"x": x, "y": y, "color": colour, "shape": shape},
        },
    ]


# ------------------------------------------------------------------ sections


@view("means", of="study", title="Observed, expected and adjusted agreement", place=20)
def means(study: MultilabelStudy) -> Iterator[Block]:
    """One row for each measure and design, means over data sets."""
    yield from (Prose(sentence, "headline") for sentence in _verdict(study))
    rows = (
        {**vars(cell), "measure": cell.name, "apart": k > 0 and cell.double == study.double[0]}
        for k, cell in enumerate(study)
    )
    shared = FIELDS["share"].called(
        "label shared", key="agreement", help="how often coders share one"
    )
    keys: Keys = ("measure*", shared, "double* observed expected value* value_se value_sd")
    table = Table.of(
        keys,
        rows,
        _notes(study),
        called={"value": "adjusted"},
        most=len(study),
        every=tuple(study.to_rows()),
    )
    yield Chart(_title(study), curves(study), table)


def _notes(study: MultilabelStudy) -> Iterator[str]:
    yield SPREAD
    lost = sum(bool(c.n_undefined) and c.undefined is None for c in study)
    if lost:
        yield (
            f"In {lost} rows some data sets have no value, because agreement is certain by chance "
            "there; the means are over the others."
        )
    yield from sorted({f"—: {c.undefined}." for c in study if c.undefined})
    if any(c.value < LOW for c in study):
        yield f"In the figure values below {decimal(LOW)} stand at the lower edge."


def _design_section(study: MultilabelStudy) -> Section:
    shares = joined(map(decimal, study.distribution), most=12)
    chance = "computed exactly from each data set"
    if study.method == "simulation":
        chance = (
            f"simulated {study.n_simulations:,} times for each data set where coders draw labels "
            "(boot-match, -precision, -recall, -F1), else computed"
        )
    designs = len(study.double) * len(study.agreement)
    data_sets = f"{study.n_datasets:,} of {study.n_items:,} items for each of {designs} designs"
    uniform = study.further == "uniform"
    facts = (
        ("Data sets", data_sets),
        ("Coders", f"{study.n_coders}"),
        ("Categories", f"{len(study.categories):,}"),
        ("First label", "all alike" if _even(study) else f"shares {shares}"),
        ("Second label", "any other, all alike" if uniform else "like the first label"),
        ("Entropy", f"{shown('entropy', study.entropy)} bits"),
        ("Double labels", joined(map(short, study.double), most=12)),
        ("Intersection agreement", joined(map(short, study.agreement), most=12)),
        ("Agreement by chance", chance),
    )
    text = (
        "How many labels an annotation has does not depend on the item or on the other coders. "
        "With the probability of the intersection agreement all coders share a label of an item; "
        "every second label is drawn from the other categories, by each coder alone. Of the other "
        "items nobody uses a label that the first coder used. So the true agreement is known, and "
        "only the share of double labels changes from left to right."
    )
    if study.n_coders > 2:
        text += (
            " Coders after the first may share a label by chance, so observed agreement, a mean "
            "over pairs of coders, is higher than that of the first coder with each other one."
        )
    prose = Prose(text)
    return Section("design", "What was simulated", f"{study.design}.", (prose, Prose(facts=facts)))


def _again_section(study: MultilabelStudy) -> Section:
    return Section(
        "again",
        "How to repeat it",
        "The same call gives the same numbers, on any number of cores.",
        (
            Quotation(_python(study), verbatim=True, title="In Python"),
            Quotation(_shell(study), verbatim=True, title="On the command line"),
            Prose(study.signature),
            References(((CITED, reference(CITED), ""),)),
        ),
    )


def _even(study: MultilabelStudy) -> bool:
    return max(study.distribution) - min(study.distribution) < SAME


def _python(study: MultilabelStudy) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in _options(study).items())
    return f"import accordant as ac\n\nac.multilabel_study({given})"


def _shell(study: MultilabelStudy) -> str:
    names = {
        "names": "measure",
        "n_items": "items",
        "n_coders": "coders",
        "rng": "seed",
        "n_datasets": "datasets",
        "n_simulations": "simulations",
    }
    parts = ["accordant simulate multilabel"]
    for name, value in _options(study).items():
        text = ",".join(map(str, value)) if isinstance(value, list) else f"{value}"
        parts.append(f"--{names.get(name, name)} {quote(text)}")
    return " ".join(parts)


def _options(study: MultilabelStudy) -> dict[str, Any]:
    """The keywords of the call that are not its defaults."""
    even, asked, n = _even(study), study.asked_entropy, len(study.categories)
    numbered = design_of(1.0, categories=n).categories == study.categories
    every: dict[str, Any] = {
        "names": list(study.measures),
        "double": list(study.double),
        "agreement": list(study.agreement),
        "categories": n if numbered else list(study.categories),
        "distribution": None if even or asked is not None else list(study.distribution),
        "entropy": asked,
        "further": study.further,
        "n_items": study.n_items,
        "n_coders": study.n_coders,
        "n_datasets": study.n_datasets,
        "method": study.method,
        "n_simulations": study.n_simulations,
        "rng": study.seed,
    }
    usual = {k: p.default for k, p in signature(multilabel_study).parameters.items()}
    usual |= {"names": PAPER, "categories": DEFAULT_CATEGORIES}
    return {
        k: v
        for k, v in every.items()
        if v is not None and v != (list(usual[k]) if isinstance(usual[k], tuple) else usual[k])
    }
