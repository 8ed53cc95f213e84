"""The public call: all coders at a glance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...arrays import Floats
from ...errors import RequestError
from ...validation import checked
from ..call import Posteriors, fit
from ..gold import Gold
from ..model import DEFAULT, Model
from ..posterior import Posterior
from ..sets.set_posterior import SetPosterior
from ..uncertainty import JEFFREYS, beta_ends
from ..votes import Votes
from .coders import Coder, Coders, CodersOfQuestions
from .leave_one_out import leaving_out
from .schools import schools
from .verdicts import (
    LEAST_AMONG_VOTES,
    LEAST_USUAL,
    agreement_with_others,
    beyond_chance,
    control,
    judged,
)

__all__ = ["above_chance", "bits", "chance", "coders", "spammer_score"]

OVERUSED = 1.2  # times as often as true: less is not worth a word
NEVER = 1e-12


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


@checked
def coders(
    data: Any,
    model: str | Model = DEFAULT,
    *,
    gold: Gold | None = None,
    level: float = 0.95,
    leave_out: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **more: Any,
) -> Coders | CodersOfQuestions:
    """Annotator reliability, with intervals, and the labels that change without each coder."""
    if isinstance(data, Posterior | SetPosterior | Posteriors):
        if gold is not None or more:
            name = "gold" if gold is not None else next(iter(more))
            raise RequestError("the model of this posterior is fitted already", parameter=name)
        found: Posterior | SetPosterior | Posteriors = data
    else:
        found = fit(data, model, gold=gold, seed=seed, progress=progress, **more)
    each = tuple(_of_posterior(one, level, leave_out, progress) for one in _single(found))
    return each[0] if isinstance(found, Posterior) else CodersOfQuestions(each)


def _single(found: Posterior | SetPosterior | Posteriors) -> Iterator[Posterior]:
    """The posteriors of single labels; of sets one for each label, named by it."""
    if isinstance(found, Posterior):
        yield found
    elif isinstance(found, SetPosterior):
        before = f"{found.question}: " if found.question else ""
        yield from (replace(one, question=f"{before}{one.question}") for one in found)
    else:
        for part in found:
            yield from _single(part)


def _of_posterior(post: Posterior, level: float, leave_out: int | None, progress: Any) -> Coders:
    votes, believes = post.votes, post.model.probabilistic
    counted = post.answers
    prevalence = post.prevalence
    own = counted.confusion if post.confusion is None or not believes else post.confusion
    right, use = counted.right_interval(level), counted.use_interval(level)
    by_chance = chance(own, prevalence)
    # a verdict compares coders of one crowd: what all may be misjudged by stands on both sides
    among = replace(counted, misjudged=0.0).right_interval(level)
    shares = counted.right, right.low, right.high, among.low, among.high
    skills, skill_low, skill_high, least, most = (above_chance(x, by_chance) for x in shares)
    competence, low, high, method = post.competence, right.low, right.high, right.method
    if not believes:  # how often the vote has the coder's label, where skill is against others
        n = votes.per_coder
        low, high = beta_ends(competence * n + JEFFREYS, (1 - competence) * n + JEFFREYS, level)
    of_use = use.low, use.high
    if post.withheld:  # an interval would only look like knowledge
        nothing = np.full_like(skills, np.nan)
        low = high = skill_low = skill_high = least = most = nothing
        of_use = (np.full_like(use.low, np.nan),) * 2
        method = f"none, since {post.withheld}"
    beyond = beyond_chance(votes, skills, post.how)
    verdicts, against = judged(
        votes,
        post.estimate.probabilities,
        counted,
        skills,
        least,
        most,
        beyond,
        level,
        LEAST_USUAL if believes else LEAST_AMONG_VOTES,
    )
    split = schools(post, progress=progress)
    # coders of a school that the model does not follow are no bad coders
    verdicts = ["school" if g > 0 else v for v, g in zip(verdicts, split.of, strict=True)]
    if post.data.anonymous:
        verdicts, leave_out = ["few"] * len(verdicts), 0
    given = votes.per_coder - (votes.abstained if votes.informative else 0)
    known, beyond_ends = control(votes, level), beyond.interval(level)
    figures = {
        "competence": competence,
        "low": low,
        "high": high,
        "skill": skills,
        "skill_low": skill_low,
        "skill_high": skill_high,
        "spammer_score": spammer_score(own),
        "bits": bits(own, prevalence),
        "agreement": agreement_with_others(votes),
        "beyond_chance_low": beyond_ends[0],
        "beyond_chance_high": beyond_ends[1],
        "accuracy": known.accuracy,
        "accuracy_low": known.low,
        "accuracy_high": known.high,
    }
    overused = _overused(votes, counted.use(), *of_use)
    each = tuple(
        Coder(
            question=post.question,
            coder=name,
            n_annotations=int(given[c]),
            n_abstained=int(votes.abstained[c]),
            verdict=verdicts[c],
            level=level,
            method=method,
            against=against,
            n_control=int(known.n[c]),
            **overused[c],
            **{key: float(x[c]) for key, x in figures.items()},
        )
        for c, name in enumerate(votes.coders)
    )
    left = leaving_out(post, leave_out, progress=progress)
    return Coders(post, each, split, left, counted, level, against, beyond)


def above_chance(right: Floats, by_chance: Floats) -> Floats:
    """(C,) skill: how far shares of right labels are above chance; NaN where that leaves no room.

    Cohen's kappa of the coder with the truth: 1 for a coder who is always right, 0 for one whose
    labels do not depend on the truth, below 0 for one whose labels tell what is *not* true.

    Examples
    --------
    >>> above_chance(np.array([0.8, 0.5]), np.array([0.5, 0.5])).round(2).tolist()
    [0.6, 0.0]
    """
    room = np.where(by_chance < 1 - NEVER, 1 - by_chance, np.nan)
    return np.maximum((right - by_chance) / room, -1)


def _overused(votes: Votes, use: Floats, low: Floats, high: Floats) -> list[dict[str, Any]]:
    """For each coder the label that is most certainly given too often, if there is one."""
    certain = np.where((low > 1) & (use >= OVERUSED), low, -np.inf)
    names = "overused", "overuse", "overuse_low", "overuse_high"
    found = []
    for c, k in enumerate(certain.argmax(1).tolist()):
        told: tuple[Any, ...] = (None, math.nan, math.nan, math.nan)
        if certain[c, k] > 0:
            most = max(high[c, k], use[c, k])
            told = (votes.categories[k], float(use[c, k]), float(low[c, k]), float(most))
        found.append(dict(zip(names, told, strict=True)))
    return found
