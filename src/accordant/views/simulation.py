"""The page of a simulation study: the figure and its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from .._version import __version__
from ..fields import FIELDS
from ..numbers import decimal, tied
from ..simulation.study import MultilabelStudy
from .blocks import Block, Chart, Keys, Prose, Table
from .charts import BLUE, INK, LINE, VERMILION, empty
from .document import CellItems, Document
from .view import named, view

PARTS = (("observed", "observed"), ("expected", "expected by chance"), ("value", "adjusted"))
COLOURS = (INK, VERMILION, BLUE)
SHAPES = ("circle", "triangle-up", "square")
DASHES = ([1, 0], [5, 3], [1, 0])
LOW = -0.45  # farther down nobody reads a value: it is only worse than chance
SPREAD = "Std. error: of the mean adjusted agreement (Monte Carlo); std. deviation: over data sets."


@dataclass(frozen=True, eq=False, repr=False)
class StudyReport(Document):
    """A simulation study as a document; ``table`` is the study."""

    table: Any

    endings: ClassVar[tuple[str, ...]] = (*Document.endings, ".svg", ".png", ".csv")

    @property
    def chart(self) -> Chart:
        """The figure."""
        return next(b for b in self["figure"].blocks if isinstance(b, Chart))


def study_report(study: MultilabelStudy) -> StudyReport:
    """What a study shows, as a document."""
    return StudyReport(
        title="What measures of agreement make of several labels",
        overline=f"Simulation study · Accordant {__version__}",
        verdict=(f"Simulated: {study.design}.",),
        figures=(),
        sections=(replace(named("study", "means").section([study]), key="figure"),),
        evidence=CellItems(),
        table=study,
        basis=(str(study.design), f"seed {study.seed}"),
    )


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
    left = {**text, "labelAngle": 0, "labelAlign": "left", "labelFontWeight": 600}
    left["labelPadding"] = 22
    low = min([0.0, *(c.value for c in study if c.value == c.value)])
    return {
        **empty(points),
        "facet": {
            "row": {
                "field": "name",
                "type": "nominal",
                "sort": names,
                "header": left,
            },
            "column": {"field": "agreement", "type": "nominal", "sort": columns, "header": text},
        },
        "spacing": {"row": 22 if low == 0 else 12, "column": 16},
        "spec": {"width": 168, "height": 80, "layer": _layers(study, low)},
    }


def _heading(agreement: float) -> str:
    return f"agreement {short(agreement)}"


def short(share: float) -> str:
    """A share without a decimal that says nothing."""
    return f"{100 * share:.4g}\N{NO-BREAK SPACE}%"


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
            "gridColor": LINE,
        },
    }
    legend = {"title": None, "orient": "top", "symbolSize": 80, "labelFontSize": 12.5, "offset": 14}
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
    line, point = {"type": "line", "strokeWidth": 2}, {"type": "point", "filled": True, "size": 34}
    return [
        {"mark": line, "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash}},
        {"mark": point, "encoding": {"x": x, "y": y, "color": colour, "shape": shape}},
    ]


# ------------------------------------------------------------------ sections


@view("means", of="study", title="Observed, expected and adjusted agreement", place=20)
def means(study: MultilabelStudy) -> Iterator[Block]:
    """One row for each measure and design, means over data sets."""
    yield Prose(f"{study.design[0].upper()}{study.design[1:]}.", "headline")
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
        [SPREAD, *sorted({f"—: {c.undefined}." for c in study if c.undefined})],
        called={"value": "adjusted"},
        most=len(study),
        every=tuple(study.to_rows()),
    )
    yield Chart(_title(study), curves(study), table)


def _title(study: MultilabelStudy) -> str:
    """The measure whose agreement by chance changes most with double labels."""
    first, last = (
        {c.name: c for c in reversed(study.cells) if c.double == double}
        for double in (study.double[0], study.double[-1])
    )
    name = max(first, key=lambda x: tied(abs(last[x].expected - first[x].expected)))
    return (
        f"From {short(study.double[0])} to {short(study.double[-1])} double labels {name} goes "
        f"from {decimal(first[name].expected)} to {decimal(last[name].expected)} by chance"
    )
