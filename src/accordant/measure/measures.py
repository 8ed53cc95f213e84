"""Measures: a coefficient with its weights, under the names by which the literature knows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import RequestError, meant
from ..literature import reference
from ..results import Result
from ..validation import checked
from .coefficients import COEFFICIENTS, find, plain_name
from .distances import ALIASES, NAMES, OF_SETS, WeightsLike
from .ratings import MOST_CODERS, RATINGS
from .registry import Coefficient

NAMED: dict[str, tuple[str, str, str]] = {
    "augmented": ("kappa", "divided-vote", "augmented κ"),
    "boot_match": ("boot", "overlap", "boot-match"),
    "boot_recall": ("boot", "recall", "boot-recall"),
    "boot_precision": ("boot", "precision", "boot-precision"),
    "boot_f1": ("boot", "f1", "boot-F1"),
    "alpha_masi": ("alpha", "masi", "α (MASI)"),
    "alpha_jaccard": ("alpha", "jaccard", "α (Jaccard)"),
    "kappa_sets": ("kappa", "identity", "κ of whole sets"),
}
"""Of a key: coefficient, weights, and the name that readers know."""

SAME_AS = {
    "ccc": "kappa_quadratic",
    "lin_ccc": "kappa_quadratic",
    "iota": "kappa_quadratic",
    "finn": "s_quadratic",
}
"""What the literature on ratings calls a coefficient with weights."""

_ANY_WEIGHTS = ("alpha", "kappa", "percent")


@dataclass(frozen=True)
class Measure:
    """A coefficient and the weights that it is asked for with.

    ``weights`` is None for those of the call, or those that fit the data.
    """

    coefficient: Coefficient
    weights: str | None = None

    def weighed(self, weights: WeightsLike | None) -> WeightsLike | None:
        """Its own weights, or those of the call if it has none.

        Raises
        ------
        RequestError
            If both say something else: one would be left aside in silence.
        """
        own = self.coefficient.of_sets if self.coefficient.fixed_weights else self.weights
        if weights is None or own is None:
            return self.weights if weights is None else weights
        if isinstance(weights, str):
            base = weights.strip().lower().replace("_", "-").partition(":")[0]
            if ALIASES.get(base, base) == own:  # a divided vote by rank is a divided vote
                return weights
        asked = repr(weights) if isinstance(weights, str) else "other weights"
        fixed = self.coefficient.fixed_weights
        hint = "" if fixed else f"; ask for {self.coefficient.key!r} to give it {asked}"
        raise RequestError(f"{self.key} has weights of its own ({own}), not {asked}{hint}")

    @property
    def key(self) -> str:
        """What users type: ``'boot_match'``, ``'alpha'``."""
        return key_of(self.coefficient.key, self.weights)


OF_LABEL_SETS = (
    "soft_match",
    "augmented",
    "boot_match",
    "boot_recall",
    "boot_precision",
    "boot_f1",
    "alpha_masi",
    "alpha_jaccard",
    "label_kappa",
    "label_alpha",
    "kappa_sets",
    "percent",
)
"""Table 2 of Marchal et al. (2022), then what others use."""


def default_measures(*, of_sets: bool, weights: WeightsLike | None = None) -> list[Measure]:
    """What is measured if nobody says what, of label sets perhaps with ``weights`` alone."""
    if of_sets and weights is not None:
        drawn = isinstance(weights, str) and ":" not in weights
        return measures(("boot", *_ANY_WEIGHTS) if drawn else _ANY_WEIGHTS)
    if of_sets:
        return measures(OF_LABEL_SETS)
    return [Measure(c) for c in COEFFICIENTS.values() if not (c.only_sets or c.is_mean)]


def rating_measures(n_coders: int) -> list[Measure]:
    """What is measured besides where labels are measurements."""
    keys = ("icc_a", "icc_c") if n_coders <= MOST_CODERS else ("icc_one",)
    return [Measure(RATINGS[key]) for key in keys]


def measures(names: str | Iterable[str]) -> list[Measure]:
    """The measures of some names.

    Parameters
    ----------
    names : str or iterable of str
        Keys, symbols and aliases of coefficients; names of `NAMED`; or a coefficient with its
        weights, such as ``'kappa_quadratic'``.

    Raises
    ------
    RequestError
        If there is none; says which there are.

    Examples
    --------
    >>> [(m.coefficient.key, m.weights) for m in measures(["boot-F1", "alpha", "kappa_linear"])]
    [('boot', 'f1'), ('alpha', None), ('kappa', 'linear')]
    """
    return [_measure(n) for n in ([names] if isinstance(names, str) else names)]


def _measure(name: str) -> Measure:
    wanted = plain_name(str(name))
    wanted = SAME_AS.get(wanted, wanted)
    if wanted in _SHORT:
        key, weights, _ = NAMED[_SHORT[wanted]]
        return Measure(COEFFICIENTS[key], weights)
    first, _, rest = wanted.partition("_")
    weights = rest.replace("_", "-")
    if ALIASES.get(weights, weights) in (*NAMES, *OF_SETS):
        try:
            return Measure(find(first), ALIASES.get(weights, weights))
        except RequestError:
            pass
    if wanted in _RATINGS:
        return Measure(_RATINGS[wanted])
    try:
        return Measure(find(name))
    except RequestError as error:
        more = meant(wanted, NAMED) or f"; for sets of labels also {', '.join(NAMED)}"
        raise RequestError(f"{error}{more}") from None


_SHORT = {plain_name(n): n for n in NAMED} | {
    "boot_rec": "boot_recall",
    "boot_prec": "boot_precision",
    "bootmatch": "boot_match",
    "augmented_kappa": "augmented",
    "rosenberg_binkowski": "augmented",
    "masi": "alpha_masi",
    "passonneau": "alpha_masi",
    "set_kappa": "kappa_sets",
}


_RATINGS = {plain_name(n): c for c in RATINGS.values() for n in (c.key, c.symbol, *c.aliases)}


def definition(key: str) -> Coefficient:
    """The coefficient of a key, of labels or of ratings."""
    return COEFFICIENTS[key] if key in COEFFICIENTS else RATINGS[key]


def key_of(coefficient: str, weights: str | None) -> str:
    """The key of a measure; that of the coefficient alone where labels have no sets.

    Examples
    --------
    >>> key_of("boot", "overlap"), key_of("kappa", "linear"), key_of("pi", "masi")
    ('boot_match', 'kappa', 'pi_masi')
    """
    base = (weights or "").partition(":")[0]
    found = [k for k, (c, w, _) in NAMED.items() if (c, w) == (coefficient, base)]
    if found and base != "identity":
        return found[0]
    compared = base in OF_SETS and not definition(coefficient).fixed_weights
    return f"{coefficient}_{base.replace('-', '_')}" if compared else coefficient


def shown(coefficient: str, weights: str | None, *, of_sets: bool = False) -> str:
    """The name of a measure in a table; ``of_sets`` where the annotations are sets of labels.

    Examples
    --------
    >>> shown("boot", "f1"), shown("kappa", "divided-vote"), shown("kappa", "linear")
    ('boot-F1', 'augmented κ', 'κ')
    >>> shown("kappa", "identity", of_sets=True), shown("percent", "identity", of_sets=True)
    ('κ of whole sets', 'percent agreement')
    """
    base, _, shares = (weights or "").partition(":")
    key = key_of(coefficient, weights)
    if key in NAMED:
        return NAMED[key][2] + (f" ({shares.replace(',', ' : ')})" if shares else "")
    if of_sets and weights == "identity" and coefficient in _WHOLE:
        return _WHOLE[coefficient]
    symbol = definition(coefficient).symbol
    compared = base in OF_SETS and not definition(coefficient).fixed_weights
    return f"{symbol} ({_SPELLED.get(base, base)})" if compared else symbol


_SPELLED = {
    "masi": "MASI",
    "jaccard": "Jaccard",
    "f1": "F1",
    "passonneau": "Passonneau",
    "divided-vote": "divided vote",
}


_WHOLE = {"kappa": NAMED["kappa_sets"][2], "percent": "percent agreement"}


# ------------------------------------------------------------------ names that readers know

SOURCES_OF_WEIGHTS = {"divided-vote": ("rosenberg2004",), "masi": ("passonneau2006",)}
_TWO = {"pi": "Scott's π", "kappa": "Cohen's κ"}
_MANY = {"pi": "Fleiss' κ", "kappa": "Conger's κ"}
_WEIGHTS = {
    "identity": "unweighted (identity)",
    "linear": "linear",
    "quadratic": "quadratic",
    "ordinal": "ordinal (Gwet)",
    "ordinal-metric": "ordinal (Krippendorff)",
    "overlap": "a label in common",
    "precision": "share of the first coder's labels that the second gave too",
    "recall": "share of the second coder's labels that the first gave too",
    "f1": "F1: twice the common labels, of all labels given",
    "jaccard": "Jaccard: common labels, of all different ones",
    "masi": "MASI: Jaccard, less where neither set holds the other",
    "divided-vote": "divided vote: whether a label drawn from each set is the same",
}


def name_of(
    key: str, *, n_coders: int = 2, weights: str = "identity", of_sets: bool = False
) -> str:
    """The name of a coefficient or a measure for a number of coders and weights.

    Examples
    --------
    >>> name_of("pi", n_coders=3), name_of("boot", weights="f1"), name_of("alpha_masi")
    ("Fleiss' κ", 'boot-F1', 'α (MASI)')
    >>> name_of("kappa", of_sets=True)
    'κ of whole sets'
    """
    if key in NAMED:
        key, weights, _ = NAMED[key]
    base, _, parts = weights.partition(":")
    if of_sets or base in OF_SETS or definition(key).only_sets:
        return _name_of_sets(key, base, parts)
    if key == "ac":
        return "Gwet's AC1" if weights == "identity" else "Gwet's AC2"
    names = _TWO if n_coders == 2 else _MANY
    if key not in names:
        return definition(key).name
    return names[key] if weights == "identity" else f"{names[key]}, weighted"


def _name_of_sets(key: str, weights: str, parts: str) -> str:
    """'boot-match', 'α (MASI)', 'κ of whole sets', 'augmented κ (0.6, 0.4)'."""
    name, symbol = shown(key, weights), COEFFICIENTS[key].symbol
    whole = weights == "identity"
    if key == "ac":  # Gwet's name for it depends on the weights
        name = name.replace(symbol, "AC1" if whole else "AC2", 1)
    if key == "percent":
        name = name.replace(symbol, COEFFICIENTS[key].name.lower(), 1)
    elif whole and not definition(key).only_sets:
        name = f"{name} of whole sets"
    if not parts:
        return name
    shares = parts.replace(",", ", ")
    return f"{name[:-1]} {shares})" if name.endswith(")") else f"{name} ({shares})"


def weights_text(name: str) -> str:
    """The weights in words."""
    base, _, parts = name.partition(":")
    return _WEIGHTS.get(base, base) + (f", by rank {parts.replace(',', ', ')}" if parts else "")


def sources_of(coefficient: str, weights: str) -> tuple[str, ...]:
    """Keys of the literature on a coefficient with its weights, the origin first."""
    own = SOURCES_OF_WEIGHTS.get(weights.partition(":")[0], ())
    return tuple(dict.fromkeys([*own, *definition(coefficient).sources]))


# ------------------------------------------------------------------ which coefficients there are


@dataclass(frozen=True, repr=False)
class CoefficientList(Result):
    """Coefficients with what they assume; made by `list_coefficients`.

    Parameters
    ----------
    measures : tuple of Measure
        Coefficients, and coefficients with weights that have a name of their own.
    in_full : bool
        Whether everything is told, or the assumption only.
    """

    told_as: ClassVar[str] = "coefficients"
    question: ClassVar[None] = None

    measures: tuple[Measure, ...]
    in_full: bool = False

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coefficient."""
        return [_row(m) for m in self.measures]


def _row(m: Measure) -> dict[str, Any]:
    c, weights = m.coefficient, m.weights or ""
    own = name_of(c.key, weights=weights, of_sets=True) if weights else ""
    return {
        "coefficient": typed_name(m),
        "symbol": own or c.symbol,
        "name": own or c.name,
        "weights": weights,
        "assumption": c.assumption,
        "expected_agreement": "" if c.key in RATINGS else c.formula,
        "also_known_as": "" if own else "; ".join(c.variants),
        "aliases": "" if own else ", ".join(c.aliases),
        "sources": " ".join(map(reference, sources_of(c.key, weights))),
    }


def typed_name(m: Measure) -> str:
    """What a user types: 'alpha', 'boot_match', 'kappa_linear'."""
    if m.weights is None:
        return m.coefficient.key
    own = (m.coefficient.key, m.weights)
    return next((key for key, (c, w, _) in NAMED.items() if (c, w) == own), "_".join(own))


@checked
def list_coefficients(*names: str) -> CoefficientList:
    """The coefficients that `agreement` takes; of those that are named, everything.

    All are (A_o − A_e) / (1 − A_e) and differ in expected agreement A_e. With weights for sets of
    labels some have names of their own, such as boot-match; these stand last.

    Parameters
    ----------
    *names : str
        Keys or aliases; all coefficients by default.

    Returns
    -------
    CoefficientList

    Raises
    ------
    RequestError
        If there is no such coefficient.

    Examples
    --------
    >>> [row["coefficient"] for row in list_coefficients("fleiss", "boot_match").to_rows()]
    ['pi', 'boot_match']
    """
    return CoefficientList(tuple(measures(names) if names else _every()), bool(names))


def _every() -> Iterator[Measure]:
    """Each coefficient, and then those with weights that have a name of their own."""
    yield from map(Measure, COEFFICIENTS.values())
    for key, weights, _ in NAMED.values():
        yield Measure(COEFFICIENTS[key], weights)
    yield from map(Measure, RATINGS.values())
