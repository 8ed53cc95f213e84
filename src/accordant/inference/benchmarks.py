"""Words for numbers: published scales, and how sure it is that a band is reached.

An adjective alone hides who chose it, for what, and how far sampling error reaches. So a
coefficient is placed on a named scale with a probability for each band (Gwet 2014, ch. 6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..errors import RequestError
from ..results import Result
from .distributions import normal_tail
from .settings import number_of

__all__ = ["BENCHMARKS", "Band", "Benchmark", "BenchmarkScale", "benchmark"]


@dataclass(frozen=True)
class Band:
    """A word and the values it stands for: from ``low``, which is included, to the band above.

    Authors print limits to two decimals (".61-.80", ".81-1.00") and leave open what lies
    between; here the limit itself belongs to the upper band.
    """

    name: str
    low: float


@dataclass(frozen=True)
class BenchmarkScale:
    """A published scale, with what its authors said about it.

    Parameters
    ----------
    key, name : str
    bands : tuple of Band
        From the highest to the lowest. The last holds everything below too, whatever its limit.
    source : str
        Key of the literature.
    place : str
        Author, year and page.
    caveat : str
        What the authors meant it for and warned of.
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


def _scale(
    key: str, name: str, source: str, place: str, caveat: str, **bands: float
) -> BenchmarkScale:
    found = tuple(Band(word.replace("_", " "), low) for word, low in bands.items())
    return BenchmarkScale(key, name, found, source, place, caveat)


_BELOW = -math.inf

BENCHMARKS = {
    s.key: s
    for s in (
        _scale(
            "landis_koch",
            "Landis & Koch",
            "landis1977",
            "Landis & Koch (1977, p. 165)",
            "The authors call the divisions clearly arbitrary and made them to discuss one "
            "example, with kappa.",
            almost_perfect=0.8,
            substantial=0.6,
            moderate=0.4,
            fair=0.2,
            slight=0.0,
            poor=_BELOW,
        ),
        _scale(
            "fleiss",
            "Fleiss",
            "fleiss1981",
            "Fleiss (1981, p. 218)",
            "Offered for most purposes, with kappa, and without a derivation.",
            excellent=0.75,
            fair_to_good=0.4,
            poor=_BELOW,
        ),
        _scale(
            "altman",
            "Altman",
            "altman1991",
            "Altman (1991, p. 404)",
            "Adapted from Landis & Koch for clinical measurements; the author notes that what is "
            "good enough depends on the circumstances.",
            very_good=0.8,
            good=0.6,
            moderate=0.4,
            fair=0.2,
            poor=_BELOW,
        ),
        _scale(
            "cicchetti",
            "Cicchetti",
            "cicchetti1994",
            "Cicchetti (1994, p. 286), after Cicchetti & Sparrow (1981)",
            "Guidelines for clinical assessment instruments: the words are about clinical "
            "significance and do not replace a test.",
            excellent=0.75,
            good=0.6,
            fair=0.4,
            poor=_BELOW,
        ),
        _scale(
            "regier",
            "Regier and others",
            "regier2013",
            "Regier and others (2013, p. 61)",
            "Set for psychiatric diagnoses in the DSM-5 field trials (intraclass kappa, two "
            "clinicians on different days); far more lenient than scales for coding text.",
            excellent=0.8,
            very_good=0.6,
            good=0.4,
            questionable=0.2,
            unacceptable=_BELOW,
        ),
        _scale(
            "krippendorff",
            "Krippendorff",
            "krippendorff2004",
            "Krippendorff (2004, pp. 241–242)",
            "For alpha in content analysis. The author relates the thresholds to the cost of wrong "
            "conclusions, requires the lower confidence limit to reach them, and sets no "
            "universal threshold.",
            **{"reliable": 0.8, "tentative conclusions only": 2 / 3, "not reliable": _BELOW},
        ),
        _scale(
            "artstein_poesio",
            "Artstein & Poesio",
            "artstein2008",
            "Artstein & Poesio (2008, p. 591)",
            "From experience with annotation of language: below 0.8 quality was not assured. The "
            "authors doubt that one limit suits all purposes.",
            **{"reasonable quality": 0.8, "quality not assured": _BELOW},
        ),
    )
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
    """Place a coefficient on a published scale, with the probability of each band."""
    found = _find(scale)
    if not 0 < number_of("level", level) < 1:
        raise RequestError(f"the level must lie between 0 and 1, not {level}")
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


def _find(scale: str | BenchmarkScale) -> BenchmarkScale:
    if isinstance(scale, BenchmarkScale):
        lows = [band.low for band in scale.bands]
        if not lows or any(not a > b for a, b in pairwise(lows)):
            raise RequestError(
                f"the bands of {scale.name!r} must go from the highest to the lowest; their "
                f"limits are {', '.join(map(str, lows)) or 'none'}"
            )
        return scale
    if not isinstance(scale, str):
        raise RequestError(f"a scale is a name or a BenchmarkScale, not {scale!r}")
    key = scale.strip().lower().replace("-", "_").replace(" ", "_")
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
