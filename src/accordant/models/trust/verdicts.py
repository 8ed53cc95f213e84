"""The verdict on a fit: what a reader of its labels must know before using them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...actions import FILE, Action
from ...arrays import Ints
from ...diagnosis.finding import Contrast, Evidence, Finding, ranked
from ...diagnosis.words import listed, quoted
from ...numbers import count_of, decimal, joined, percent
from ..em import STILL, How
from ..estimate import Estimate
from ..estimators.pooling import answers_by_truth
from ..model import Model
from ..votes import UNKNOWN, Votes
from .about_labels import about_labels
from .learnable import what_can_be_learned, withheld

__all__ = ["FEW", "arranged", "disjoint", "parts_of", "verdicts"]


FEW = 5  # annotations; with fewer a coder is hardly known
LEVEL = 0.05  # for all coders together
LEAST = 5  # annotations of a coder who may be called worse than chance
WITHOUT_POOLING = ("dawid_skene", "map", "variational", "one_coin")
SHOWN = 3  # groups of coders who share no item
LAST = ("converged", "mixed")  # how a search ended, if it ended well


def verdicts(model: Model, votes: Votes, estimate: Estimate, how: How) -> tuple[Finding, ...]:
    """What is to be said of a fit, whatever the model.

    Parameters
    ----------
    model : Model
    votes : Votes
    estimate : Estimate
    how : How

    Returns
    -------
    tuple of Finding
        ``nothing_to_learn``, ``not_categories``, ``one_label``, ``not_identified``,
        ``single_annotations``, ``objective_fell``, ``iteration_limit``, ``degenerate_class``,
        ``repurposed_category``, ``against_all_coders``, ``disjoint_coders``, ``ties``,
        ``coder_below_chance``, ``coder_with_few``, ``converged``.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.fit([["a", "b", "a", "a"], ["a", "b", "b", "a"]], "dawid_skene")
    >>> [f.code for f in verdicts(found.model, found.votes, found.estimate, found.how)]
    ['not_identified', 'ties', 'coder_with_few', 'converged']
    """
    told = [*what_can_be_learned(model, votes, estimate)]
    if withheld(model, votes).labels_too:  # what a model says beyond that means nothing
        return tuple(told)
    told += disjoint(votes)
    if model.probabilistic:
        told += _climb(model, estimate, how)
    told += about_labels(model, votes, estimate)
    told += _below_chance(votes, estimate)
    told += _few(votes)
    return tuple(sorted(told, key=lambda f: f.code in LAST))


def arranged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The most severe first; last of all that the search ended, which most searches do."""
    return tuple(sorted(ranked(findings), key=lambda f: f.code in LAST))


def _climb(model: Model, estimate: Estimate, how: How) -> Iterator[Finding]:
    """How the loop ended."""
    run = estimate.climb
    if run.objective == "none" or not run.history:
        return
    if run.fell:
        falls = -np.diff(run.history)
        yield Finding(
            "objective_fell",
            "problem",
            f"The {run.objective} fell by {decimal(float(falls.max()), 6)} in iteration "
            f"{int(falls.argmax()) + 2:,} of {run.n_iterations:,}, which is a numerical error.",
            "Do not use these labels; please report the case with the data.",
            {"fall": float(falls.max()), "n": run.n_iterations},
        )
    if run.converged:
        refused = any(f.code == "solutions_refused" for f in estimate.findings)
        yield Finding(
            "converged",
            "note",
            f"The model converged: after {count_of(run.n_iterations, 'iteration')} the "
            f"{run.objective} and the labels no longer change"
            + (
                f"; {count_of(len(estimate.restarts), 'further start')} found no better "
                f"{'admissible ' if refused else ''}solution."
                if estimate.restarts
                else "."
            ),
            "Convergence does not show that the model fits.",
            {"n": run.n_iterations, "restarts": len(estimate.restarts), "value": run.value},
        )
    else:
        rise = run.history[-1] - run.history[-2] if run.n_iterations > 1 else float("nan")
        yield Finding(
            "iteration_limit",
            "warning",
            f"The model did not converge: it stopped after "
            f"{count_of(run.n_iterations, 'iteration')} (the limit is {how.max_iterations:,}), and "
            f"in the last one the {run.objective} still rose by {rise:.3g} or a label "
            f"moved by more than {STILL:g}.",
            "Allow more iterations. If that does not help, the data hardly determine the model: "
            + ("use the pooled prior." if model.key in WITHOUT_POOLING else "use another one."),
            {"n": run.n_iterations, "limit": how.max_iterations, "rise": rise},
            do=(
                Action("", {"max_iterations": 10 * how.max_iterations}),
                *((Action("", {"prior": "pooled"}),) if model.key in WITHOUT_POOLING else ()),
            ),
        )


def _below_chance(votes: Votes, estimate: Estimate) -> Iterator[Finding]:
    """Coders who are right less often than their own labels dealt out at random would be."""
    from scipy.special import bdtr  # scipy.stats takes a second to import

    k = np.arange(votes.n_categories)
    counts = answers_by_truth(votes, estimate.probabilities)[:, :, : len(k)]
    said, seen = counts.sum(1), counts.sum(2)
    n = np.round(said.sum(1))  # sums of probabilities: rounding apart, whole numbers
    right = counts[:, k, k].sum(1) / np.where(n > 0, n, np.nan)
    enough = n >= LEAST
    share = np.where(enough, n, 1)[:, None]
    chance = ((said / share) * (seen / share)).sum(1)
    hits = np.where(enough, np.round(np.nan_to_num(right) * n), 0)
    p = bdtr(hits, np.maximum(np.round(n), 1).astype(int), np.clip(chance, 0, 1))
    bad = np.flatnonzero(enough & (hits < n * chance) & (p < LEVEL / max(int(enough.sum()), 1)))
    if not len(bad):
        return
    bad = bad[np.argsort((right - chance)[bad], kind="stable")]
    lines = tuple(
        Contrast(votes.coders[c], int(n[c]), float(right[c]), float(chance[c])) for c in bad
    )
    first = lines[0]
    one = len(bad) == 1
    yield Finding(
        "coder_below_chance",
        "warning",
        f"{len(bad):,} of {count_of(votes.n_coders, 'coder')} {'is' if one else 'are'} right less "
        f"often than by chance: {listed(x.name for x in lines)}. "
        f"{quoted(first.name)} is right in {percent(first.share)} of {first.n:,} annotations; the "
        f"same labels in random order would be in {percent(first.other)}.",
        "Ask whether categories were exchanged. A model with a confusion matrix "
        "corrects for such labels; a vote and the one-coin model do not.",
        {
            "coder": first.name if one else None,
            "coders": [x.name for x in lines],
            "n": len(bad),
            "p_value": float(p[bad].min()),
        },
        seen=Evidence(
            lines, "coder", "annotations", "right", "by chance",
        ),
    )  # fmt: skip


def _few(votes: Votes) -> Iterator[Finding]:
    """Coders of whom hardly anything is known."""
    few = np.flatnonzero(votes.per_coder < FEW)
    if not len(few):
        return
    few = few[np.argsort(votes.per_coder[few], kind="stable")]
    least = int(votes.per_coder[few[0]])
    names = [votes.coders[c] for c in few.tolist()]
    one = len(few) == 1
    yield Finding(
        "coder_with_few",
        "note",
        f"{len(few):,} of {count_of(votes.n_coders, 'coder')} gave fewer than {FEW} annotations "
        f"({listed(names)}{'' if one else '; the least'}: {least:,}): the prior dominates their "
        "estimates, or chance without one.",
        "Do not judge coders by so few annotations; the pooled prior borrows from the others.",
        {"coder": names[0] if one else None, "coders": names, "n": len(few), "least": least},
        do=(Action("", {"prior": "pooled"}),),
    )


def parts_of(votes: Votes) -> Ints:
    """(C,) the part of each coder: coders of different parts share no item, however indirectly.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> rows = [["a", "b", None], ["a", "a", None], [None, None, "b"], [None, None, "a"]]
    >>> parts_of(votes(read(rows))).tolist()
    [0, 0, 1, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = votes.n_coders + votes.n_items
    edges = (votes.coder.astype(np.int64), votes.item.astype(np.int64) + votes.n_coders)
    graph = coo_array((np.ones(len(votes.coder), np.int8), edges), shape=(n, n))
    found = connected_components(graph, directed=False)[1][: votes.n_coders]
    return np.asarray(np.unique(found, return_inverse=True)[1])


def disjoint(votes: Votes) -> Iterator[Finding]:
    """The finding that coders of different parts cannot be compared.

    Control items connect whoever annotated some of them: what is known is the same for all.

    Parameters
    ----------
    votes : Votes

    Yields
    ------
    Finding
        ``disjoint_coders``.
    """
    of = parts_of(votes)
    n_parts = int(of.max(initial=0)) + 1
    if n_parts < 2:
        return
    part = of[votes.coder]
    controlled = np.unique(part[votes.known[votes.item] != UNKNOWN])
    free = n_parts - len(controlled)
    if free + (len(controlled) > 0) < 2:
        return
    n_items = np.array([len(np.unique(votes.item[part == g])) for g in range(n_parts)])
    size = np.bincount(of, minlength=n_parts)
    names = [sorted(votes.coders[c] for c in np.flatnonzero(of == g)) for g in range(n_parts)]
    order = sorted(range(n_parts), key=lambda g: (-size[g], -n_items[g], names[g]))
    each = joined(
        (
            f"{listed(names[g], most=3)} ({count_of(int(n_items[g]), 'item')})"
            for g in order
        ),
        most=SHOWN,
    )  # fmt: skip
    alone = int((size == 1).sum())
    also = (
        f" {count_of(alone, 'coder shares', 'coders share')} no item with anybody." if alone else ""
    )
    yield Finding(
        "disjoint_coders",
        "warning",
        f"The design is disconnected: coders fall into {n_parts:,} parts that share no item, "
        f"{each}.{also} Coders of different parts cannot be compared: an accuracy says how far a "
        "coder agrees with the own part, and a part whose coders make the same errors looks as "
        "good as one that makes none. Labels rest on the coders of their own part; only the "
        "prevalence and the typical coder are estimated from all parts.",
        "Give some of the same items to coders of every part, or control items to all of them. "
        "Until then fit each part separately, and compare coders within it only.",
        {"parts": tuple(tuple(names[g]) for g in order), "n": n_parts, "alone": alone},
        title="Disconnected design",
        do=(Action("", {"gold": FILE}, "control items"),),
    )
