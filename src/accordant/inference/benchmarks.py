"""Words for numbers: published scales, and how sure it is that a band is reached.

An adjective alone hides who chose it, for what, and how far sampling error reaches. So a
coefficient is placed on a named scale with a probability for each band (Gwet 2014, ch. 6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import RequestError
from ..results import Result
from .distributions import normal_tail


class Band(NamedTuple):
    """A word and the values it stands for: from ``low``, which is included, to the band above.

    Authors print limits to two decimals (".61-.80", ".81-1.00") and leave open what lies
    between; here the limit itself belongs to the upper band.
    """

    name: str
    low: float


@dataclass(frozen=True)
class BenchmarkScale:
    """A published scale, with what its authors said about it.

    ``bands`` go from the highest to the lowest; the last holds everything below too. ``source`` is
    the key of the literature, ``place`` author, year and page, ``caveat`` what the authors meant
    it for and warned of.
    """

    key: str
    name: str
    bands: tuple[Band, ...]
    source: str
    place: str
    caveat: str

    def band(self, value: float) -> Band:
        """The band that holds a value."""
        return next((b for b in self.bands if value >= b.low), self.bands[-1])


def _bands(text: str) -> tuple[Band, ...]:
    """The bands of "word limit, word limit, word"; the last has no limit."""
    *words, last = text.split(", ")
    limits = (word.rsplit(" ", 1) for word in words)
    return (*(Band(name, float(Fraction(low))) for name, low in limits), Band(last, -math.inf))


_PUBLISHED = (
    (
        "landis_koch",
        "Landis & Koch",
        "almost perfect 0.8, substantial 0.6, moderate 0.4, fair 0.2, slight 0, poor",
        "landis1977",
        "Landis & Koch (1977, p. 165)",
        "The authors call the divisions clearly arbitrary and made them to discuss one example, "
        "with kappa.",
    ),
    (
        "fleiss",
        "Fleiss",
        "excellent 0.75, fair to good 0.4, poor",
        "fleiss1981",
        "Fleiss (1981, p. 218)",
        "Offered for most purposes, with kappa, and without a derivation.",
    ),
    (
        "altman",
        "Altman",
        "very good 0.8, good 0.6, moderate 0.4, fair 0.2, poor",
        "altman1991",
        "Altman (1991, p. 404)",
        "Adapted from Landis & Koch for clinical measurements; the author notes that what is good "
        "enough depends on the circumstances.",
    ),
    (
        "cicchetti",
        "Cicchetti",
        "excellent 0.75, good 0.6, fair 0.4, poor",
        "cicchetti1994",
        "Cicchetti (1994, p. 286), after Cicchetti & Sparrow (1981)",
        "Guidelines for clinical assessment instruments: the words are about clinical significance "
        "and do not replace a test.",
    ),
    (
        "regier",
        "Regier and others",
        "excellent 0.8, very good 0.6, good 0.4, questionable 0.2, unacceptable",
        "regier2013",
        "Regier and others (2013, p. 61)",
        "Set for psychiatric diagnoses in the DSM-5 field trials (intraclass kappa, two clinicians "
        "on different days); far more lenient than scales for coding text.",
    ),
    (
        "krippendorff",
        "Krippendorff",
        "reliable 0.8, tentative conclusions only 2/3, not reliable",
        "krippendorff2004",
        "Krippendorff (2004, pp. 241–242)",
        "For alpha in content analysis. The author relates the thresholds to the cost of wrong "
        "conclusions, requires the lower confidence limit to reach them, and sets no universal "
        "threshold.",
    ),
    (
        "artstein_poesio",
        "Artstein & Poesio",
        "reasonable quality 0.8, quality not assured",
        "artstein2008",
        "Artstein & Poesio (2008, p. 591)",
        "From experience with annotation of language: below 0.8 quality was not assured. The "
        "authors doubt that one limit suits all purposes.",
    ),
)

BENCHMARKS = {
    key: BenchmarkScale(key, name, _bands(bands), *about) for key, name, bands, *about in _PUBLISHED
}
"""Every scale by its key."""

_ALIASES = {"landis": "landis_koch", "cicchetti_sparrow": "cicchetti", "dsm": "regier"}


@dataclass(frozen=True)
class Benchmark(Result):
    """A coefficient on a scale.

    Parameters
    ----------
    scale : BenchmarkScale
    value, se : float
    level : float
        How sure one must be that a band is reached.
    membership : tuple of float
        Probability of each band of the scale, highest first; NaN without a standard error.
    cumulative : tuple of float
        Probability that the band or a higher one holds the coefficient.
    band : Band or None
        The highest band that is reached with the probability ``level``.
    estimate_band : Band or None
        Where the estimate itself falls, its error ignored.
    """

    scale: BenchmarkScale
    value: float
    se: float
    level: float
    membership: tuple[float, ...]
    cumulative: tuple[float, ...]
    band: Band | None
    estimate_band: Band | None

    @property
    def probability(self) -> float:
        """How probable it is that `band` or a higher one holds the coefficient."""
        if self.band is None:
            return math.nan
        return self.cumulative[self.scale.bands.index(self.band)]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each band, highest first."""
        return [
            {
                "scale": self.scale.key,
                "band": band.name,
                "low": band.low if math.isfinite(band.low) else -1.0,
                "probability": p,
                "cumulative": total,
                "reached": band == self.band,
                "holds_estimate": band == self.estimate_band,
                "source": self.scale.place,
            }
            for band, p, total in zip(
                self.scale.bands, self.membership, self.cumulative, strict=True
            )
        ]

    def __str__(self) -> str:
        if self.band is None:
            return f"no band of {self.scale.place}: there is no value with a standard error"
        here = self.estimate_band.name if self.estimate_band else "none"
        lowest = self.band == self.scale.bands[-1]
        reach = f"{'' if lowest else 'at least '}'{self.band.name}'"
        sure = "no higher band is sure" if lowest else f"probability {self.probability:.3f}"
        return f"{reach} ({self.scale.place}; {sure}); the estimate falls in '{here}'"


def benchmark(
    value: float, se: float, scale: str | BenchmarkScale = "landis_koch", *, level: float = 0.95
) -> Benchmark:
    """Place a coefficient on a published scale; documented as `accordant.benchmark`."""
    found = scale if isinstance(scale, BenchmarkScale) else _find(scale)
    if se < 0 or math.isinf(se) or math.isinf(value):
        raise RequestError(
            f"a value and a standard error are finite and the latter is not negative: {value}, {se}"
        )
    if math.isnan(value) or math.isnan(se):
        nothing = (math.nan,) * len(found.bands)
        here = None if math.isnan(value) else found.band(value)
        return Benchmark(found, value, se, level, nothing, nothing, None, here)
    lows = [band.low for band in found.bands[:-1]] + [-math.inf]
    cumulative = tuple(_at_least(low, value, se) for low in lows)
    above = (0.0, *cumulative[:-1])
    membership = tuple(p - q for p, q in zip(cumulative, above, strict=True))
    band = next(b for b, p in zip(found.bands, cumulative, strict=True) if p > level)
    return Benchmark(found, value, se, level, membership, cumulative, band, found.band(value))


def _find(scale: str) -> BenchmarkScale:
    key = str(scale).strip().lower().replace("-", "_").replace(" ", "_")
    key = _ALIASES.get(key, key)
    if key not in BENCHMARKS:
        raise RequestError(f"unknown scale {scale!r}: choose one of {', '.join(BENCHMARKS)}")
    return BENCHMARKS[key]


def _at_least(low: float, value: float, se: float) -> float:
    """P(coefficient >= low) for a normal distribution that is cut to -1 … 1."""
    if low <= -1:
        return 1.0
    above_1 = normal_tail((1 - value) / se) if se > 0 else 0.0
    inside = normal_tail((-1 - value) / se) - above_1 if se > 0 else 0.0
    if inside <= 0:  # no error, or so far outside -1 … 1 that nothing is left of the curve
        return float(value >= low)
    return (normal_tail((low - value) / se) - above_1) / inside
