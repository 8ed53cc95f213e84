"""What models make of simulated crowds, and a table: ``python -m claims.crowd_judging`` in tests/.

``--n 40 --world NAME … --model NAME …`` chooses, ``--labels`` leaves coders and groups out, which
is faster; ``--json FILE`` keeps every row. A model is judged as somebody gets it who gives no
option.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.crowds.methods import DEFAULT, believed, table_of
from benchmarks.crowds.scores import Beliefs, scored

import accordant as ac
from accordant.errors import AccordantError
from accordant.models.call import MODELS
from claims.crowd_worlds import CROWDS, CrowdWorld, crowd_world

__all__ = ["Row", "judged", "summary"]

Row = dict[str, Any]

WORSE = 0.02  # of log-loss: recalibration that costs more is more than noise
COUNTS = 0.9  # what an annotation of independent coders counts at least, in the mean
ALIKE = 0.6  # coders that a group found and the planted one share, of those in either
FITTED = [m for m in MODELS if m != "ordinal"]  # the categories of these crowds have no order
ROLES = {"adversarial": "adversarial", "constant": "constant", "random": "random"}
"""Role of a planted coder -> the verdict that is right."""


def judged(world: CrowdWorld, model: str, *, coders: bool = True) -> Row:
    """Every measure of a model on a simulated crowd.

    Parameters
    ----------
    world : CrowdWorld
    model : str
    coders : bool
        Whether coders and groups of them are judged too, which takes longer.

    Returns
    -------
    dict
        Those of `scored`, where coders and prevalence are held against what the crowd was drawn
        with; ``recalibrated``: beyond noise, either because it ``costs`` log-loss or because an
        annotation counts too little; ``groups``: whether groups of coders are told;
        ``group_right``: whether one of them is the planted one; ``verdict_ROLE``; ``codes`` of all
        messages; ``not``: why there is nothing.
    """
    row: Row = {"world": world.name, "model": model}
    try:
        found: Any = ac.fit(world.crowd.data, model)
    except AccordantError as error:
        return row | {"not": str(error)}
    table = table_of(found) if coders else None
    said = believed(found, table)
    row |= scored(world.crowd, said) | held(world, said)
    if said.own is not None:
        row["costs"] = row["log_loss"] > row["own_log_loss"] + WORSE
        row["recalibrated"] = row["costs"] or row["worth"] < COUNTS
    row["codes"] = sorted({f.code for f in found.findings})
    return row if table is None else row | about_coders(world, table)


def held(world: CrowdWorld, said: Beliefs) -> Row:
    """Whose interval holds what the crowd was drawn with."""
    out: Row = {}
    if said.coders is not None:
        true = dict(zip(world.coders, world.right.tolist()))
        ends = [(low, true[c], high) for c, (low, high) in said.coders.items()]
        each = [low <= x <= high for low, x, high in ends if not math.isnan(low)]
        out |= {"coders": len(each), "coders_held": float(np.mean(each)) if each else math.nan}
    if said.prevalence is not None:
        at = [ord(str(c)) - ord("a") for c in said.categories]
        each = [
            low <= world.prevalence[k] <= high
            for k, (low, high) in zip(at, said.prevalence)
            if not math.isnan(low)
        ]
        out |= {"prevalence_held": float(np.mean(each)) if each else math.nan}
    return out


def about_coders(world: CrowdWorld, table: Any) -> Row:
    """What is said of coders and groups of them."""
    groups = [set(names) for names in table.schools.names]
    planted = world.of_role("reading") or world.of_role("strict")
    out: Row = {
        "groups": bool(groups),
        "group_right": any(len(g & planted) >= ALIKE * len(g | planted) for g in groups if planted),
        "codes_of_coders": sorted({f.code for f in table.findings}),
    }
    verdicts = {c.coder: c.verdict for c in table}
    for role, right in ROLES.items():
        names = world.of_role(role)
        if names:
            out[f"verdict_{role}"] = float(np.mean([verdicts[n] == right for n in names]))
    good = world.of_role("good")
    bad = [verdicts[n] in ROLES.values() for n in good if n in verdicts]
    return out | {"good_called_bad": float(np.mean(bad)) if bad else math.nan}


# ------------------------------------------------------------------ tables

SHOWN = {
    "accuracy": "right",
    "log_loss": "log-loss",
    "own_log_loss": "own",
    "worth": "worth",
    "costs": "costs",
    "recalibrated": "recal.",
    "confidence": "conf.",
    "sure_right": "≥ .95",
    "coders_held": "coders",
    "prevalence_held": "prev.",
    "groups": "groups",
    "group_right": "found",
    "verdict_adversarial": "advers.",
    "verdict_constant": "const.",
    "verdict_random": "random",
    "good_called_bad": "good bad",
}


def summary(rows: Sequence[Row]) -> Row:
    """Means over crowds of one kind; messages with the share of crowds that have them."""
    out: Row = {"n": len(rows)}
    for name in SHOWN:
        each = [float(r[name]) for r in rows if name in r and not math.isnan(float(r[name]))]
        out[name] = float(np.mean(each)) if each else math.nan
    codes = Counter(c for r in rows for c in {*r.get("codes", ()), *r.get("codes_of_coders", ())})
    out["codes"] = {code: n / len(rows) for code, n in codes.most_common()}
    out["not"] = next((r["not"] for r in rows if "not" in r), "")
    return out


def main() -> None:
    """Read the options and print a line for each kind of crowd and model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=40)
    parser.add_argument("--world", nargs="*", default=[*CROWDS], choices=CROWDS, metavar="NAME")
    parser.add_argument("--model", nargs="*", default=FITTED, choices=MODELS, metavar="NAME")
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    kept: list[Row] = []
    print(f"{options.n} crowds of each kind; default {DEFAULT}")
    print(f"{'':31}" + "".join(f"{name:>9}" for name in SHOWN.values()))
    for name in options.world:
        for model in options.model:
            rows = [
                judged(crowd_world(name, seed), model, coders=not options.labels)
                for seed in range(options.n)
            ]
            kept += [row | {"seed": seed} for seed, row in enumerate(rows)]
            told = summary(rows)
            numbers = "".join(" " * 9 if math.isnan(told[x]) else f"{told[x]:9.3f}" for x in SHOWN)
            codes = ", ".join(f"{code} {share:.2f}" for code, share in told["codes"].items())
            print(f"{name:18}{model:13}{numbers}  {told['not'] or codes}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(kept), encoding="utf-8")


if __name__ == "__main__":
    main()
