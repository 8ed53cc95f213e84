"""The names under which readers know coefficients and weights, and whom to cite for them."""

from __future__ import annotations

from .coefficients import COEFFICIENTS
from .distances import OF_SETS
from .measures import NAMED, shown

__all__ = ["SOURCES_OF_WEIGHTS", "name_of", "sources_of", "weights_text"]

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
    if of_sets or base in OF_SETS or COEFFICIENTS[key].only_sets:
        return _name_of_sets(key, base, parts)
    if key == "ac":
        return "Gwet's AC1" if weights == "identity" else "Gwet's AC2"
    names = _TWO if n_coders == 2 else _MANY
    if key not in names:
        return COEFFICIENTS[key].name
    return names[key] if weights == "identity" else f"{names[key]}, weighted"


def _name_of_sets(key: str, weights: str, parts: str) -> str:
    """'boot-match', 'α (MASI)', 'κ of whole sets', 'augmented κ (0.6, 0.4)'."""
    name, symbol = shown(key, weights), COEFFICIENTS[key].symbol
    whole = weights == "identity"
    if key == "ac":  # Gwet's name for it depends on the weights
        name = name.replace(symbol, "AC1" if whole else "AC2", 1)
    if key == "percent":
        name = name.replace(symbol, COEFFICIENTS[key].name.lower(), 1)
    elif whole and not COEFFICIENTS[key].only_sets:
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
    return tuple(dict.fromkeys([*own, *COEFFICIENTS[coefficient].sources]))
