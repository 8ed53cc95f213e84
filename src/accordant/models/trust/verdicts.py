"""The verdict on a fit: what a reader of its labels must know before using them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from ...actions import FILE, Action
from ...arrays import Ints
from ...diagnosis.finding import Contrast, Evidence, Finding, Told, found_by, ranked, rule
from ...diagnosis.words import listed
from ...numbers import ESTIMATED, count_of, decimal, joined, tied
from ..em import STILL, How
from ..emission import answers_by_truth
from ..estimate import TIE, Estimate, label_codes
from ..fitted_model import FittedModel
from ..model import Model
from ..solutions import repurposed, repurposed_category
from ..votes import UNKNOWN, Votes
from .identifiability import category_name, lost_lead, what_can_be_learned, withheld

__all__ = ["FEW", "arranged", "disjoint_coders", "of_persons", "parts_of", "positions", "verdicts"]


FEW = 5  # annotations; with fewer a coder is hardly known
LEVEL = 0.05  # for all coders together
LEAST = 5  # annotations of a coder who may be called worse than chance
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
    run = estimate.climb
    rest = [disjoint_coders(votes)]
    if model.probabilistic and run.objective != "none" and run.history:
        ended = converged(estimate) if run.converged else iteration_limit(estimate, model, how)
        rest += [objective_fell(estimate), ended]
    if model.probabilistic:
        q = estimate.probabilities
        expected, led = q.sum(0), lost_lead(votes, q)
        rare = np.flatnonzero((np.count_nonzero(votes.counts, axis=0) > 1) & (expected < 1))
        rest += [
            degenerate_class(votes, estimate, k, float(expected[k]), int(led[k]))
            for k in rare.tolist()
        ]
        rest += [
            repurposed_category(votes, repurposed(votes, q)),
            against_all_coders(votes, estimate),
        ]
    if not any(f.code == "ties" for f in estimate.findings):
        rest.append(ties(votes, estimate))
    rest += [coder_below_chance(votes, estimate), coder_with_few(votes)]
    return tuple(sorted((*told, *found_by(*rest)), key=lambda f: f.code in LAST))


def arranged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The most severe first; last of all that the search ended, which most searches do."""
    return tuple(sorted(ranked(findings), key=lambda f: f.code in LAST))


@rule("problem")
def objective_fell(estimate: Estimate) -> Told | None:
    """Numerical problem in the optimisation.

    The {objective} fell by {fall} in iteration {at:,} of {n:,}, which is a numerical error.

    Do not use these labels; please report the case with the data.
    """
    run = estimate.climb
    if not run.fell:
        return None
    falls = -np.diff(run.history)
    most = float(falls.max())
    words = {"objective": run.objective, "at": int(falls.argmax()) + 2}
    return Told({"fall": most, "n": run.n_iterations}, words | {"fall": decimal(most, 6)})


@rule("note")
def converged(estimate: Estimate) -> Told:
    """Convergence.

    The model converged: after {n:iteration} the {objective} and the labels no longer change{also}.

    Convergence does not show that the model fits.
    """
    run, n = estimate.climb, len(estimate.restarts)
    refused = any(f.code == "solutions_refused" for f in estimate.findings)
    better = f"better {'admissible ' if refused else ''}solution"
    also = f"; {count_of(n, 'further start')} found no {better}" if n else ""
    facts = {"n": run.n_iterations, "restarts": n, "value": run.value}
    return Told(facts, {"objective": run.objective, "also": also})


@rule("warning")
def iteration_limit(estimate: Estimate, model: Model, how: How) -> Told:
    """No convergence.

    The model did not converge: it stopped after {n:iteration} (the limit is {limit:,}), and in the
    last one the {objective} still rose by {rise:.3g} or a label moved by more than {still}.

    Allow more iterations. If that does not help, the data hardly determine the model: use
    {other}.
    """
    run = estimate.climb
    rise = run.history[-1] - run.history[-2] if run.n_iterations > 1 else math.nan
    apart = model.unpooled
    other = "the pooled prior" if apart else "another one"
    do = [Action("", {"max_iterations": 10 * how.max_iterations})]
    do += [Action("", {"prior": "pooled"})] * apart
    return Told(
        {"n": run.n_iterations, "limit": how.max_iterations, "rise": rise},
        {"objective": run.objective, "still": f"{STILL:g}", "other": other},
        do=tuple(do),
    )


@rule("warning")
def coder_below_chance(votes: Votes, estimate: Estimate) -> Told | None:
    """Coders below chance.

    {n:,} of {of:coder} {n:is|are} right less often than by chance: {coders:listed}.
    {first.name:quoted} is right in {first.share:%} of {first.n:,} annotations; the same labels in
    random order would be in {first.other:%}.

    Ask whether categories were exchanged. A model with a confusion matrix corrects for such labels;
    a vote and the one-coin model do not.
    """
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
        return None
    bad = bad[np.argsort(tied((right - chance)[bad], ESTIMATED), kind="stable")]
    lines = tuple(
        Contrast(votes.coders[c], int(n[c]), float(right[c]), float(chance[c])) for c in bad
    )
    facts = {
        "coder": lines[0].name if len(bad) == 1 else None,
        "coders": [x.name for x in lines],
        "n": len(bad),
        "p_value": float(p[bad].min()),
    }
    seen_here = Evidence(lines, "coder", "annotations", "right", "by chance")
    return Told(facts, {"of": votes.n_coders, "first": lines[0]}, seen=seen_here)


@rule("note")
def coder_with_few(votes: Votes) -> Told | None:
    """Coders with few annotations.

    {n:,} of {of:coder} gave fewer than {few} annotations ({coders:listed}{who}: {least:,}): the
    prior dominates their estimates, or chance without one.

    Do not judge coders by so few annotations; the pooled model borrows from the others.
    """
    few = np.flatnonzero(votes.per_coder < FEW)
    if not len(few):
        return None
    few = few[np.argsort(votes.per_coder[few], kind="stable")]
    names = [votes.coders[c] for c in few.tolist()]
    one = len(few) == 1
    return Told(
        {
            "coder": names[0] if one else None,
            "coders": names,
            "n": len(few),
            "least": int(votes.per_coder[few[0]]),
        },
        {"of": votes.n_coders, "few": FEW, "who": "" if one else "; the least"},
        do=(Action("fit", {"model": "pooled"}),),
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


@rule("warning")
def disjoint_coders(votes: Votes) -> Told | None:
    """Disconnected design.

    The design is disconnected: coders fall into {n:,} parts that share no item, {each}.{also}
    Coders of different parts cannot be compared: an accuracy says how far a coder agrees with the
    own part, and a part whose coders make the same errors looks as good as one that makes none.
    Labels rest on the coders of their own part; only the prevalence and the typical coder are
    estimated from all parts.

    Give some of the same items to coders of every part, or control items to all of them. Until then
    fit each part separately, and compare coders within it only.
    """
    of = parts_of(votes)
    n_parts = int(of.max(initial=0)) + 1
    part = of[votes.coder]
    # control items connect whoever annotated some of them: what is known is the same for all
    controlled = np.unique(part[votes.known[votes.item] != UNKNOWN])
    if n_parts - len(controlled) + (len(controlled) > 0) < 2:
        return None
    n_items = np.array([len(np.unique(votes.item[part == g])) for g in range(n_parts)])
    size = np.bincount(of, minlength=n_parts)
    names = [sorted(votes.coders[c] for c in np.flatnonzero(of == g)) for g in range(n_parts)]
    order = sorted(range(n_parts), key=lambda g: (-size[g], -n_items[g], names[g]))
    each = [f"{listed(names[g], most=3)} ({count_of(int(n_items[g]), 'item')})" for g in order]
    alone = int((size == 1).sum())
    shares = count_of(alone, "coder shares", "coders share")
    also = f" {shares} no item with anybody." if alone else ""
    return Told(
        {"parts": tuple(tuple(names[g]) for g in order), "n": n_parts, "alone": alone},
        {"each": joined(each, most=SHOWN), "also": also},
        title="Disconnected design",
        do=(Action("", {"gold": FILE}, "control items"),),
    )


ALIKE = 3  # coders who give an item the same label
SOME = 0.01  # share of the items that so many coders label alike
MUCH = 0.1
MOST_NAMES = 5


@rule("warning")
def degenerate_class(
    votes: Votes, estimate: Estimate, k: int, expected: float, led: int
) -> Told | None:
    """A category that coders gave to several items, and that is believed of less than one.

    The model assigns {name} to less than one item ({expected:.2} of {items:,} expected), though
    coders gave it {n:time}, {where}.

    Read the items with this label. If it is real but rare, have them annotated by more coders, or
    label some of them with care as control items.
    """
    category = votes.categories[k]
    told = [f.evidence["categories"] for f in estimate.findings if f.code == "repurposed_category"]
    if any(category in held for held in told):
        return None
    # it is lost if it leads the votes on an item with another label; else coders outvoted it
    on_items = int(np.count_nonzero(votes.counts[:, k]))
    where = f"to {count_of(on_items, 'item')}: it was outvoted everywhere"
    if led:
        items = count_of(led, "item that has", "items that have")
        where = f"as the most frequent label of {items} another label now"
    return Told(
        {"category": category, "expected": expected, "n": int(votes.counts[:, k].sum())},
        {"name": category_name(votes, k), "items": votes.n_items, "where": where},
        None if led else "note",
        (Action("", {"gold": FILE}, "control items"),),
    )


@rule("warning")
def against_all_coders(votes: Votes, estimate: Estimate) -> Told | None:
    """Estimated labels that no coder gave.

    {n:,} of the {of:item} ({share:%}) to which {alike} coders or more all gave the same label
    {n:gets|get} another one from the model: {items:listed}{more} ({first:quoted}: {said:coder} say
    {label}, the model says {other}).

    Read these items: if the coders are right, so is the majority vote. A model does so if it has
    learned that these coders confuse the two categories.
    """
    counts, p = votes.counts, estimate.probabilities
    free = votes.known == UNKNOWN
    coders = np.diff(votes.item_start)  # of one label: a row for each coder
    alike = free & (coders >= ALIKE) & (counts.max(1) == votes.per_item)
    of = int(alike.sum())
    label = counts.argmax(1)
    at = np.arange(len(p))
    against = np.flatnonzero(alike & (p[at, label] < p.max(1) - TIE))
    n = len(against)
    if n <= SOME * of:
        return None
    first = against[np.argsort(-coders[against], kind="stable")]
    names = [votes.items[int(i)] for i in first[:MOST_NAMES]]
    words = {
        "of": of,
        "alike": ALIKE,
        "more": _more(n),
        "first": names[0],
        "said": int(coders[first[0]]),
        "label": category_name(votes, label[first[0]]),
        "other": category_name(votes, p[first[0]].argmax()),
    }
    facts = {"n": n, "share": n / of, "items": names}
    return Told(facts, words, None if n > MUCH * of else "note")


@rule("note")
def ties(votes: Votes, estimate: Estimate) -> Told | None:
    """Items without a label, since two categories are equally probable.

    {n:,} of {of:item} ({share:%}) {n:is a tie and has|are ties and have} no label: two categories
    are equally probable ({items:listed}{more}).

    Have them annotated once more, or use a model that weighs coders; ties are not broken at random
    or by the alphabet.
    """
    tied = np.flatnonzero(label_codes(estimate.probabilities) < 0)
    n = len(tied)
    names = [votes.items[int(i)] for i in tied[:MOST_NAMES]]
    words = {"of": votes.n_items, "share": n / votes.n_items, "more": _more(n)}
    return Told({"n": n, "items": names}, words) if n else None


def _more(n: int) -> str:
    """What stands behind the first few names of so many."""
    return ", …" if n > MOST_NAMES else ""


OF_CODERS = ("coder_below_chance", "coder_with_few", "copied_labels", "disjoint_coders")


@rule("warning")
def positions(posterior: FittedModel) -> Told:
    """Coders are positions, so that no statement about a coder holds.

    The data do not say who annotated what: the {n:,} columns are positions, which different people
    may have filled. Coders are not judged, and coder groups are not searched for. The model treats
    each position as one person: read its probabilities with care.

    Name the column of the coders if it is known who annotated what. Otherwise use the majority, or
    soft labels.
    """
    do = Action("", {"coder": ...}, "the column of the coders"), Action("soft_labels")
    facts = {"n": len(posterior.coders)}
    return Told(facts, title="Coders are positions, not persons", do=do)


def of_persons(posterior: FittedModel, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; of positions without those that name coders, and with one that says why."""
    of_positions = posterior.data.anonymous
    yield from (f for f in found if not (of_positions and f.code in OF_CODERS))
    if of_positions:
        yield from found_by(positions(posterior))
