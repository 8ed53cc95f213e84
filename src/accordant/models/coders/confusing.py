"""What a confusion matrix says of a coder, each as one number: skill, spammer score, bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["bits", "chance", "right", "skill", "spammer_score"]

Floats = NDArray[np.float64]


def right(confusion: Floats, prevalence: Floats) -> Floats:
    """The probability of being right: Σ_k prevalence_k confusion_kk.

    Parameters
    ----------
    confusion : ndarray
        (..., K, O) that the coder answers o where k is true, O ≥ K; rows sum to 1.
    prevalence : ndarray
        (K,) or (..., K).

    Returns
    -------
    ndarray
        (...), 0 to 1.

    Examples
    --------
    >>> right(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.5, 0.5])).item()
    0.8
    """
    k = np.arange(confusion.shape[-2])
    return np.asarray((confusion[..., k, k] * prevalence).sum(-1))


def chance(confusion: Floats, prevalence: Floats) -> Floats:
    """The probability of being right if the same labels fell on items without regard to them.

    Parameters
    ----------
    confusion : ndarray
        (..., K, O)
    prevalence : ndarray
        (K,) or (..., K).

    Returns
    -------
    ndarray
        (...), 0 to 1.

    Examples
    --------
    >>> chance(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.5, 0.5])).round(3).item()
    0.5
    """
    n = confusion.shape[-2]
    given = (confusion * prevalence[..., None]).sum(-2)[..., :n]
    return np.asarray((given * prevalence).sum(-1))


def skill(confusion: Floats, prevalence: Floats) -> Floats:
    """How far above chance the coder is: Cohen's kappa of the coder with the truth.

    1 for a coder who is always right, 0 for one whose labels do not depend on the truth, however
    they are chosen, below 0 for one whose labels tell what is *not* true. NaN where chance leaves
    nothing to get right.

    Parameters
    ----------
    confusion : ndarray
        (..., K, O)
    prevalence : ndarray
        (K,) or (..., K).

    Returns
    -------
    ndarray
        (...), -1 to 1.

    Examples
    --------
    >>> rare = np.array([0.9, 0.1])
    >>> skill(np.array([[1.0, 0.0], [1.0, 0.0]]), rare).item(), skill(np.eye(2), rare).item()
    (0.0, 1.0)
    """
    by_chance = chance(confusion, prevalence)
    room = np.where(by_chance < 1 - 1e-12, 1 - by_chance, np.nan)
    return np.asarray((right(confusion, prevalence) - by_chance) / room)


def spammer_score(confusion: Floats) -> Floats:
    """How different the answers to different categories are (Raykar & Yu 2012).

    1 / (K (K - 1)) Σ_{k<k'} Σ_o (confusion_ko - confusion_k'o)²: 0 for a spammer, whose rows are
    all the same, 1 for a coder who tells all categories apart (also one who mistakes each for
    another). With two categories it is (sensitivity + specificity - 1)².

    Parameters
    ----------
    confusion : ndarray
        (..., K, O)

    Returns
    -------
    ndarray
        (...), 0 to 1; NaN with a single category.

    Examples
    --------
    >>> spammer_score(np.array([[0.8, 0.2], [0.1, 0.9]])).round(3).item()
    0.49
    >>> spammer_score(np.array([[0.3, 0.7], [0.3, 0.7]])).item(), spammer_score(np.eye(4)).item()
    (0.0, 1.0)
    """
    k = confusion.shape[-2]
    if k < 2:
        return np.full(confusion.shape[:-2], np.nan)
    spread = confusion - confusion.mean(-2, keepdims=True)  # Σ over pairs = K Σ (x - mean)²
    return np.asarray((spread**2).sum((-2, -1)) / (k - 1))


def bits(confusion: Floats, prevalence: Floats) -> Floats:
    """What one annotation tells about the truth: their mutual information, in bits.

    Parameters
    ----------
    confusion : ndarray
        (..., K, O)
    prevalence : ndarray
        (K,) or (..., K).

    Returns
    -------
    ndarray
        (...), 0 to the entropy of the prevalence.

    Examples
    --------
    >>> bits(np.eye(2), np.array([0.5, 0.5])).item()
    1.0
    """
    joint = confusion * prevalence[..., None]
    given = joint.sum(-2, keepdims=True)
    safe = np.where(joint > 0, confusion / np.where(given > 0, given, 1), 1.0)
    return np.asarray(np.maximum((joint * np.log2(safe)).sum((-2, -1)), 0))
