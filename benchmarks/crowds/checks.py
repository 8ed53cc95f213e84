"""``python -m benchmarks.crowds.checks``: fifty labels checked, chosen in three ways.

`to_check` (a part at random, then where accounts differ, then the least certain), all at random,
and the least certain alone. Of each crowd at most 1,500 items whose gold label is a category. The
log-loss is that of all these items, where a checked one costs nothing, and that of those nobody
checked, beside what it was for the same items before. Intervals for the labels that nobody checked
should hold what gold says of them. ``--write`` keeps the rows in checks.json.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import accordant as ac
from accordant import __version__

from .gold import Crowd, crowds
from .scores import LEAST
from .table import Row, written

FOUND = Path(__file__).with_name("checks.json")
N = 50
MOST = 1_500
SEEDS = 3

Gold = Mapping[str, str]


def of_gold(given: Crowd) -> Crowd:
    """The items with one gold label that is a category."""
    used = {*given.frame.label}
    known = [
        x for x, labels in sorted(given.gold.items()) if len(labels) == 1 and labels[0] in used
    ]
    order = np.random.default_rng(2).permutation(len(known))[:MOST]
    chosen = {known[k] for k in order.tolist()}
    gold = {item: labels for item, labels in given.gold.items() if item in chosen}
    return replace(given, frame=given.frame[given.frame.item.isin(chosen)], gold=gold)


def judged(found: Any, gold: Gold) -> tuple[np.ndarray, np.ndarray]:
    """(n,) whether the label of each item is right, and the surprise at the truth."""
    place = {str(c): k for k, c in enumerate(found.categories)}
    at = {str(item): i for i, item in enumerate(found.items)}
    rows = [at[item] for item in gold]
    codes = [place.get(label, -1) for label in gold.values()]
    p = np.where(np.array(codes) >= 0, found.probabilities[rows, codes], 0)
    right = [str(found.labels[i]) == label for i, label in zip(rows, gold.values(), strict=True)]
    return np.array(right), -np.log(np.clip(p, LEAST, 1))


def after(
    method: str, before: Any, found: Any, gold: Gold, checked: set[str], seed: int
) -> dict[str, Any]:
    """What was gained by some checked labels."""
    (was, cost), (now, left) = judged(before, gold), judged(found, gold)
    rest = np.array([item not in checked for item in gold])
    return {
        "method": method,
        "seed": seed,
        "n": len(gold),
        "accuracy": float(now.mean() - was.mean()),
        "log_loss": float(left.mean() - cost.mean()),
        "unchecked_log_loss": float(left[rest].mean() - cost[rest].mean()),
        "unchecked_accuracy": float(now[rest].mean()),
    }


def rows_of(given: Crowd, seeds: int) -> Iterator[dict[str, Any]]:
    """One row for each way of choosing and each seed."""
    crowd = of_gold(given)
    gold = {item: labels[0] for item, labels in crowd.gold.items()}
    before = ac.fit(crowd.data)
    by_name = sorted(gold)
    sure = dict(zip(map(str, before.items), before.standing.max(1).tolist(), strict=True))
    least = sorted(by_name, key=lambda item: (sure[item], item))[:N]
    told = {item: gold[item] for item in least}
    yield after("least certain", before, ac.fit(crowd.data, gold=told), gold, {*told}, 0)
    for seed in range(seeds):
        chosen = np.random.default_rng([seed, 3]).permutation(by_name)[:N].tolist()
        told = {item: gold[item] for item in chosen}
        yield after("random", before, ac.fit(crowd.data, gold=told), gold, {*told}, seed)
        sheet = ac.to_check(crowd.data, N, seed=seed).to_frame().astype({"item": str})
        sheet["gold"] = [gold[item] for item in sheet["item"]]
        asked = ac.to_check(crowd.data, N, gold=sheet[["item", "gold", "chosen"]], seed=seed + 1)
        row = after("to_check", before, asked.fitted, gold, {*sheet["item"]}, seed)
        about, right = asked.unchecked, row["unchecked_accuracy"]
        wrong = [str(asked.fitted.labelled()[x]) != gold[str(x)] for x in asked.items]
        yield row | {
            "said": about.accuracy,
            "low": about.low,
            "high": about.high,
            "held": about.low <= right <= about.high,
            "said_wrong": asked.wrong,
            "wrong": int(np.sum(wrong)),
        }


def told(rows: list[Row]) -> Iterator[str]:
    """The means over crowds, and the worst crowd."""
    for method in ("random", "least certain", "to_check"):
        own = [row for row in rows if row["method"].split(" #")[0] == method]
        names = sorted({row["crowd"] for row in own})

        def by_crowd(key: str, own: list[Row] = own, names: list[str] = names) -> np.ndarray:
            return np.array([np.mean([r[key] for r in own if r["crowd"] == n]) for n in names])

        x, rest = by_crowd("log_loss"), by_crowd("unchecked_log_loss")
        error = x.std(ddof=1) / np.sqrt(len(x)) if len(x) > 1 else math.nan
        worst = [f"{names[int(y.argmax())]} {y.max():+.3f}" for y in (x, rest)]
        yield (
            f"{method:13} {len(names)} crowds: accuracy {by_crowd('accuracy').mean():+.3f}, "
            f"log-loss {x.mean():+.3f} ± {error:.3f} (worst {worst[0]}), "
            f"unchecked {rest.mean():+.3f} (worst {worst[1]})"
        )
    own = [row for row in rows if "held" in row]
    held, width, wrong, said = (
        np.mean([value(row) for row in own])
        for value in (
            lambda row: row["held"],
            lambda row: row["high"] - row["low"],
            lambda row: row["wrong"],
            lambda row: row["said_wrong"],
        )
    )
    yield (
        f"intervals hold {held:.3f} of {len(own)}, width {width:.2f}; of {N} more {wrong:.1f} are "
        f"wrong, said {said:.1f}"
    )


def main() -> None:
    """Measure, print, and keep what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowds.checks", description=__doc__)
    parser.add_argument("--crowd", default="", metavar="NAME")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N")
    parser.add_argument("--write", action="store_true", help="checks.json")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    every: list[Row] = []
    for given in crowds(options.crowd):
        if given.data.anonymous:
            continue
        rows = [
            {**row, "method": f"{row['method']} #{row['seed']}", "crowd": given.name}
            for row in rows_of(given, options.seeds)
        ]
        every += rows
        print(given.name, *told(rows), sep="\n  ", flush=True)
        if options.write:
            written(FOUND, rows, {"accordant": __version__})
    print("all", *told(every), sep="\n  ")


if __name__ == "__main__":
    main()
