"""The page of benchmarks/crowds.md: goals, means, and a table for each measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from .gold import CAP, FOURTEEN, FURTHER, LEFT_OUT
from .methods import VOTE
from .table import about, read

__all__ = ["goals", "page"]

PERSONS = (*FOURTEEN, "snow_wsd")
CROWD_KIT = "crowd-kit DS"
ALLOWED = 0.005  # of accuracy below the vote
RISE = 0.03  # of log-loss above that of before
HEAD = "# Labels and coders on public crowds whose true labels are known\n"
INTRO = """\
`python -m benchmarks.crowds --write` writes this page, `python -m benchmarks.crowds.peers` the rows
of crowd-kit and cleanlab ({peers}). Nothing is tuned by the crowd that is judged: constants that
models have learned from crowds are learned anew from the others. *Default* is `{default}`. Ties
count for a part; a gold label outside the categories has probability 0; log-loss is cut at
probability 1e-6; calibration error is the mean distance of confidence and accuracy in ten bins.
*Own* log-loss is that before recalibration. Where gold labels cover (99 % of) the items, a coder's
interval should hold the accuracy by gold labels (of coders with 20 or more), that of the prevalence
the share of the category. Repeated annotations count each time; peers get the last one. Values with
* are from {cap:,} items, those with gold labels first. What a method does not have is left empty:
KOS takes two categories; KOS and MMSR have labels only; CROWDLAB, which is made to stand beside a
classifier, is given one that knows how frequent labels are.
"""


class Found:
    """Rows of a file by method and crowd, and the model that was the default."""

    def __init__(self, *paths: Path) -> None:
        rows = [row for path in paths for row in read(path)]
        self.rows = {(row["method"], row["crowd"]): row for row in rows}
        self.methods = list(dict.fromkeys(row["method"] for row in rows))
        self.default = about(paths[0]).get("default", "")

    def value(self, method: str, crowd: str, name: str) -> float:
        """A measure; NaN where there is none."""
        found = self.rows.get((method, crowd), {}).get(name)
        return math.nan if found is None else float(found)

    def values(self, method: str, name: str, crowds: Sequence[str] = FOURTEEN) -> dict[str, float]:
        """A measure on several crowds, where there is one."""
        each = {crowd: self.value(method, crowd, name) for crowd in crowds}
        return {crowd: x for crowd, x in each.items() if not math.isnan(x)}

    def mean(self, method: str, name: str) -> float:
        """Over the fourteen crowds, or those of them that have the measure."""
        each = self.values(method, name)
        return float(np.mean(list(each.values()))) if each else math.nan

    def sure(self, method: str, crowds: Sequence[str]) -> tuple[int, float]:
        """How many labels have a probability of .95 or more, and the share that is right."""
        n = self.values(method, "n_sure", crowds)
        right = sum(x * self.value(method, crowd, "sure_right") for crowd, x in n.items() if x)
        total = int(sum(n.values()))
        return total, right / total if total else math.nan

    def complete(self, crowd: str) -> bool:
        """Whether the gold labels cover the items."""
        return bool(self.rows.get((self.default, crowd), {}).get("complete"))


def page(found: Path, before: Path, frozen: Path) -> str:
    """The whole page, from the files with the rows of ours, of ours before, and of peers."""
    ours, all_of = Found(found), Found(found, frozen)
    versions = ", ".join(f"{name} {v}" for name, v in about(frozen).items()) or "not there"
    parts = [
        HEAD,
        INTRO.format(peers=versions, default=ours.default, cap=CAP),
        "## Goals\n",
        table(("goal", "now", "before", "reached"), goals(ours, Found(before), Found(frozen))),
        "## Means of fourteen crowds\n",
        "Shares of right labels among those of .95 or more are of all such labels together, and "
        "the lowest of a crowd with ten of them.\n",
        table(HEADINGS, means(all_of)),
    ]
    for title, name, digits in MEASURES:
        parts += [f"## {title}\n", table(("", *map(short, CROWDS)), by_crowd(all_of, name, digits))]
    parts += [
        "## Number of labels with a probability of .95 or more (share that is right)\n",
        table(("", *map(short, CROWDS)), certain(all_of)),
        "## Apart\n",
        *(f"- {name} is in no mean: {why}." for name, why in FURTHER.items()),
        *(f"- {name} is left out: {why}." for name, why in LEFT_OUT.items()),
    ]
    return "\n".join(parts) + "\n"


CROWDS = (*FOURTEEN, *FURTHER)
MEASURES = (
    ("Accuracy", "accuracy", 3),
    ("Log-loss", "log_loss", 2),
    ("Log-loss before recalibration", "own_log_loss", 2),
    ("Brier score", "brier", 2),
    ("Calibration error", "calibration_error", 2),
    ("Share of coders' intervals that hold the accuracy by gold labels", "coders_held", 2),
    ("Seconds of one processor", "seconds", 1),
)
HEADINGS = (
    "",
    "crowds",
    "accuracy",
    "log-loss",
    "own",
    "Brier",
    "calibration error",
    "labels ≥ .95",
    "right",
    "lowest",
    "coders' intervals",
    "prevalence",
    "seconds",
)


def means(found: Found) -> Iterator[list[str]]:
    """A row for each method, over the fourteen."""
    for method in found.methods:
        n, right = found.sure(method, FOURTEEN)
        each = {
            c: found.value(method, c, "sure_right")
            for c in FOURTEEN
            if found.value(method, c, "n_sure") >= 10
        }
        has_sure = bool(found.values(method, "n_sure"))
        yield [
            named(found, method),
            str(len(found.values(method, "accuracy"))),
            number(found.mean(method, "accuracy")),
            number(found.mean(method, "log_loss")),
            number(found.mean(method, "own_log_loss")),
            number(found.mean(method, "brier")),
            number(found.mean(method, "calibration_error")),
            f"{n:,}" if has_sure else "",
            number(right),
            number(min(each.values(), default=math.nan)),
            number(found.mean(method, "coders_held"), 2),
            number(found.mean(method, "prevalence_held"), 2),
            number(sum(found.values(method, "seconds").values()) or math.nan, 1),
        ]


def by_crowd(found: Found, name: str, digits: int) -> Iterator[list[str]]:
    """A row for each method that has the measure, a column for each crowd."""
    for method in found.methods:
        if found.values(method, name, CROWDS):
            yield [named(found, method), *(cell(found, method, c, name, digits) for c in CROWDS)]


def certain(found: Found) -> Iterator[list[str]]:
    """How many labels are said to be sure, and the share that is right."""
    for method in found.methods:
        if found.values(method, "n_sure", CROWDS):
            each = [(found.value(method, c, "n_sure"), c) for c in CROWDS]
            yield [
                named(found, method),
                *(
                    ""
                    if math.isnan(n)
                    else f"{n:,.0f} ({number(found.value(method, c, 'sure_right'), 2)})"
                    if n
                    else "0"
                    for n, c in each
                ),
            ]


# ------------------------------------------------------------------ goals


def goals(now: Found, before: Found, peers: Found) -> Iterator[list[str]]:
    """Each goal: what is found now, what was found before, whether it is reached."""

    def both(name: str, value: Callable[[Found], tuple[str, bool]]) -> list[str]:
        told, reached = value(now)
        return [name, told, value(before)[0], "yes" if reached else "**no**"]

    def at_most(x: float, most: float) -> tuple[str, bool]:
        return number(x), x <= most

    def at_least(x: float, least: float) -> tuple[str, bool]:
        return number(x), x >= least

    def none(each: Sequence[str], allowed: int = 0) -> tuple[str, bool]:
        return ", ".join(each) or "none", len(each) <= allowed

    def rises(found: Found) -> list[str]:
        old = before.values(before.default, "log_loss")
        new = found.values(found.default, "log_loss")
        return [f"{c} +{number(new[c] - old[c], 2)}" for c in new if new[c] > old.get(c, 99) + RISE]

    def not_below(found: Found, peer: str) -> list[str]:
        theirs, own = peers.values(peer, "log_loss"), found.values(found.default, "log_loss")
        return [f"{c} +{number(own[c] - theirs[c], 2)}" for c in own if own[c] >= theirs.get(c, 99)]

    def unsure(found: Found) -> list[str]:
        each = found.values(found.default, "sure_right", PERSONS)
        return [f"{c} {number(x, 2)}" for c, x in each.items() if x < 0.9 and found.complete(c)]

    def below_vote(found: Found, method: str) -> list[str]:
        vote, own = (found.values(m, "accuracy", PERSONS) for m in (VOTE, method))
        return [f"{c} {number(own[c] - vote[c])}" for c in own if own[c] < vote[c] - ALLOWED]

    def best_peer(found: Found) -> list[str]:
        return sorted(
            {
                c
                for peer in peers.methods
                if peer.startswith("crowd-kit")
                for c in (x.split()[0] for x in not_below(found, peer))
            }
        )

    yield both(
        "mean log-loss of the default ≤ .44", lambda x: at_most(x.mean(x.default, "log_loss"), 0.44)
    )
    yield both(
        f"crowds with a log-loss more than {RISE} above that of before: none",
        lambda x: none(rises(x)),
    )
    if peers.rows:
        yield both(
            f"crowds with a log-loss not below that of {CROWD_KIT}: none",
            lambda x: none(not_below(x, CROWD_KIT)),
        )
        yield both("the same beside every model of crowd-kit: none", lambda x: none(best_peer(x)))
    yield both(
        "labels of .95 or more: right, of all crowds of persons ≥ .95",
        lambda x: at_least(x.sure(x.default, PERSONS)[1], 0.95),
    )
    yield both(
        "crowds whose gold labels cover the items where it is < .90: none",
        lambda x: none(unsure(x)),
    )
    yield both(
        f"crowds where the default is more than {ALLOWED} below the vote: at most one",
        lambda x: none(below_vote(x, x.default), 1),
    )
    yield both(
        "intervals of coders that hold the accuracy by gold labels, mean ≥ .90",
        lambda x: at_least(x.mean(x.default, "coders_held"), 0.9),
    )
    yield both(
        "intervals of the prevalence that hold it, mean ≥ .85",
        lambda x: at_least(x.mean(x.default, "prevalence_held"), 0.85),
    )


# ------------------------------------------------------------------ Markdown


def table(headings: Sequence[str], rows: Iterator[list[str]] | list[list[str]]) -> str:
    """A table of Markdown."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    rule = "|" + "|".join("---" if i == 0 else "--:" for i in range(len(headings))) + "|"
    return "\n".join([f"| {' | '.join(headings)} |", rule, *lines]) + "\n"


def cell(found: Found, method: str, crowd: str, name: str, digits: int) -> str:
    """A number; with a star if it is from a part of the items."""
    row = found.rows.get((method, crowd), {})
    told = number(found.value(method, crowd, name), digits)
    return f"{told}*" if told and row.get("part") else told


def number(x: float, digits: int = 3) -> str:
    """Rounded; empty for NaN."""
    return "" if math.isnan(x) else f"{x:.{digits}f}"


def named(found: Found, method: str) -> str:
    """The name of a row."""
    return f"**{method}** (default)" if method == found.default else method


def short(crowd: str) -> str:
    """The name of a column."""
    return crowd.replace("_60docs", "").replace("_", " ")
