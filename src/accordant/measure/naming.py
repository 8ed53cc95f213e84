"""Names of coefficients that the literature gives them together with their weights."""

from __future__ import annotations

from .sets import SCORES

__all__ = ["NAMED", "key_of"]

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
"""Key of the measure: coefficient, weights, and the name that readers know."""


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
    compared = base in SCORES and base != "identity" and coefficient not in _FIXED
    return f"{coefficient}_{base.replace('-', '_')}" if compared else coefficient


_FIXED = ("soft_match", "label_kappa", "label_alpha")
"""Coefficients of one kind of weights, which their key need not tell."""
