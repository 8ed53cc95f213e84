"""Chance-corrected agreement coefficients of values: equal or not, near or far.

There is one rule: **a coefficient is a definition of expected agreement.** Each definition below
says how much agreement coders would reach by chance (A_e). Observed agreement (A_o), the
correction, the weights and the undefined cases are shared (Artstein & Poesio 2008, section 2.4).

To add a coefficient, add one definition here; its docstring is the assumption that a reader
must judge. The command line, the report, the documentation and the laws in ``tests/laws`` read
`COEFFICIENTS`. A definition may also say how A_e moves with each item (``@Coefficient.slope``):
then it has the linearised standard error, otherwise that of the bootstrap.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Floats
from ..counts.counts import Counts
from .pairs import doubt_on_pairs, mean_of_pairs, remark_on_pairs
from .registry import Coefficient
from .weights import Weights


def _sets_that_occur(counts: Counts, w: Weights) -> str | None:
    """What the number of values is where values are sets."""
    if not counts.of_sets:
        return None
    return f"K is the number of label sets that occur ({counts.n_values:,})"


@Coefficient(
    symbol="A_o",
    name="Percent agreement",
    aliases=("ita", "observed", "raw", "pa", "percent_agreement"),
    sources=("artstein2008",),
    formula=r"A_e = 0",
    corrected=False,
)
def percent(counts: Counts, w: Weights) -> Floats:
    """Nothing is agreed by chance."""
    return np.zeros(counts.n_items.shape)


@percent.slope
def _(counts: Counts, w: Weights) -> Floats:
    return np.zeros(counts.n_patterns)


@Coefficient(
    symbol="S",
    name="Bennett's S",
    variants=(
        "Brennan-Prediger (weighted, any number of coders)",
        "Randolph's free-marginal kappa",
        "PABAK and 2A_o - 1 (two categories)",
    ),
    aliases=(
        "bennett",
        "bennett_s",
        "brennan_prediger",
        "bp",
        "randolph",
        "pabak",
        "free_marginal",
        "g_index",
    ),
    sources=("bennett1954", "brennan1981", "randolph2005", "byrt1993"),
    formula=r"A_e = \frac{1}{K^2} \sum_{k,l} w_{kl}",
    remark_of=_sets_that_occur,
)
def s(counts: Counts, w: Weights) -> Floats:
    """By chance, coders give every category of the scheme equally often."""
    k = w.n_values
    return np.full(counts.n_items.shape, w.total / k**2 if k else np.nan)


@s.slope
def _(counts: Counts, w: Weights) -> Floats:
    return np.zeros(counts.n_patterns)


@Coefficient(
    symbol="π",
    name="Scott's π, Fleiss' κ",
    variants=("Scott's pi (two coders)", "Fleiss' kappa, multi-pi (any number of coders)"),
    aliases=("scott", "fleiss", "multi_pi", "fleiss_kappa", "scott_pi"),
    sources=("scott1955", "fleiss1971", "gwet2014"),
    formula=r"A_e = \sum_{k,l} w_{kl}\, \bar p_k \bar p_l",
)
def pi(counts: Counts, w: Weights) -> Floats:
    """By chance, all coders draw from one shared distribution."""
    return w.expected(counts.share, counts.share)


@pi.slope
def _(counts: Counts, w: Weights) -> Floats:
    p = counts.share
    return 2 * (_mean_over_annotations(counts, _both_ways(w, p)) - w.expected(p, p))


@Coefficient(
    symbol="κ",
    name="Cohen's κ",
    variants=(
        "Cohen's kappa, weighted kappa (two coders)",
        "multi-kappa: Davies-Fleiss, Conger, Hubert (any number of coders)",
    ),
    aliases=(
        "cohen",
        "cohen_kappa",
        "conger",
        "conger_kappa",
        "multi_kappa",
        "davies_fleiss",
        "hubert",
        "weighted_kappa",
    ),
    sources=("cohen1960", "cohen1968", "hubert1977", "conger1980", "davies1982"),
    formula=r"A_e = \binom{C}{2}^{-1} \sum_{c<d} \sum_{k,l} w_{kl}\, p_{ck}\, p_{dl}",
    needs_coders=True,
)
def kappa(counts: Counts, w: Weights) -> Floats:
    """By chance, each coder draws from their own distribution; mean over pairs of coders."""
    p, present = _coder_shares(counts)
    earlier = np.cumsum(p, -2) - p
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * w.expected(earlier, p).sum(-1) / (present * (present - 1)))


@kappa.slope
def _(counts: Counts, w: Weights) -> Floats:
    p, present = _coder_shares(counts)
    others = w.apply(p.sum(-2) - p) if w.symmetric else _first_and_second(w, p)
    pull = 2 * others / (present * (present - 1))  # (C, K) dA_e / dp_ck
    level = (pull * p).sum(-1)
    coder, per_coder = counts.coder, counts.by_coder.sum(-1)
    weight = counts.n_items / np.where(per_coder > 0, per_coder, 1)
    return counts.sum_entries(weight[coder] * (pull[coder, counts.value] - level[coder]))


@Coefficient(
    symbol="κ̄",
    name="Light's κ",
    variants=("mean of the kappas of all pairs of coders",),
    aliases=("light_kappa", "mean_kappa", "mean_pairwise_kappa", "pairwise_kappa"),
    sources=("light1971", "conger1980", "warrens2010"),
    formula=r"\bar\kappa = \binom{C}{2}^{-1} \sum_{c<d} \kappa_{cd}",
    needs_coders=True,
    pairs_only=True,
    parts_of=mean_of_pairs,
    remark_of=remark_on_pairs,
    doubt_of=doubt_on_pairs,
)
def light(counts: Counts, w: Weights) -> Floats:
    """By chance, each coder draws from their own distribution; κ is the mean of pairwise κ."""
    return mean_of_pairs(counts, w).expected


@Coefficient(
    symbol="α",
    name="Krippendorff's α",
    aliases=("krippendorff", "krippendorff_alpha", "kripp"),
    sources=("krippendorff1980", "krippendorff2004", "krippendorff2011", "hayes2007"),
    formula=r"A_e = \frac{\sum_{k,l} w_{kl}\, n_k n_l - \sum_k w_{kk} n_k}{n(n - 1)}",
    per_value=True,
    pairs_only=True,
)
def alpha(counts: Counts, w: Weights) -> Floats:
    """By chance, labels are drawn without replacement from all pairable annotations."""
    pool = counts.pool
    n = pool.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((w.expected(pool, pool) - pool @ w.diagonal) / (n * (n - 1)))


@alpha.slope
def _(counts: Counts, w: Weights) -> Floats:
    pairable = counts.size >= 2
    p = counts.pool / counts.pool.sum(-1, keepdims=True)
    mean_size = counts.pool.sum() / counts.n_pairable
    drawn = counts.sum_entries(counts.n * _both_ways(w, p)[counts.value])
    return np.asarray(2 * pairable * (drawn - w.expected(p, p) * counts.size) / mean_size)


@Coefficient(
    symbol="AC",
    name="Gwet's AC",
    variants=("AC1 (identity weights)", "AC2 (any other weights)"),
    aliases=("gwet", "gwet_ac", "gwet_ac1", "gwet_ac2", "ac1", "ac2"),
    sources=("gwet2008", "gwet2014"),
    formula=r"A_e = \frac{\sum_{k,l} w_{kl}}{K(K-1)} \sum_k \bar p_k (1 - \bar p_k)",
    remark_of=_sets_that_occur,
)
def ac(counts: Counts, w: Weights) -> Floats:
    """Coders guess only on hard items, and then give every category equally often."""
    p, k = counts.share, w.n_values
    hard = w.total / (k * (k - 1)) if k > 1 else np.nan
    return np.asarray(hard * (p * (1 - p)).sum(-1))


@ac.slope
def _(counts: Counts, w: Weights) -> Floats:
    p, k = counts.share, w.n_values
    hard = w.total / (k * (k - 1)) if k > 1 else np.nan
    return np.asarray(-2 * hard * (_mean_over_annotations(counts, p) - (p * p).sum(-1)))


# ------------------------------------------------------------------ shared sums


def _mean_over_annotations(counts: Counts, x: Floats) -> Floats:
    """Mean of ``x`` (K,) over the annotations of an item: (P,)."""
    return np.asarray(counts.sum_entries(counts.n * x[counts.value]) / counts.size)


def _both_ways(w: Weights, p: Floats) -> Floats:
    """(W p + W' p) / 2, for own weights that are not symmetric."""
    if w.symmetric:
        return w.apply(p)
    return np.asarray(p @ (w.matrix + w.matrix.T) / 2)


def _coder_shares(counts: Counts) -> tuple[Floats, Any]:
    """(..., C, K) each coder's distribution, zero where a resample lost the coder; their number."""
    n = counts.by_coder
    total = n.sum(-1, keepdims=True)
    return n / np.where(total > 0, total, 1), (total[..., 0] > 0).sum(-1)


def _first_and_second(w: Weights, p: Floats) -> Floats:
    """(2, K) agreement of each value of one coder with the values of the other."""
    return np.stack([w.apply(p[1]), p[0] @ w.matrix])
