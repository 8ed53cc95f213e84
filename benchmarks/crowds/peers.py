"""What crowd-kit and cleanlab say of the same crowds, frozen in peers.json.

``.venv-crowdkit/bin/python -W ignore -m benchmarks.crowds.peers`` with PYTHONPATH=src writes the
file anew (`make crowdkit` makes that environment). Every model has the options its makers chose.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from .gold import Crowd, crowds
from .scores import Beliefs, scored
from .table import written

FROZEN = Path(__file__).with_name("peers.json")
SLOW = ("crowd-kit GLAD",)

Peer = Callable[[Crowd], Beliefs]


def with_probabilities(name: str) -> Peer:
    """A model of crowd-kit that has probabilities."""

    def run(given: Crowd) -> Beliefs:
        from crowdkit import aggregation

        found = getattr(aggregation, name)().fit_predict_proba(named(given)).fillna(0)
        return Beliefs(found.index.tolist(), found.columns.tolist(), found.to_numpy())

    return run


def with_skills(name: str) -> Peer:
    """A vote of crowd-kit that is weighted by skills.

    Its own `predict_proba` does the same, after a check that fails beside today's scikit-learn.
    """

    def run(given: Crowd) -> Beliefs:
        from crowdkit import aggregation

        frame = named(given)
        skills = getattr(aggregation, name)().fit(frame).skills_
        found = aggregation.MajorityVote().fit_predict_proba(frame, skills=skills).fillna(0)
        return Beliefs(found.index.tolist(), found.columns.tolist(), found.to_numpy())

    return run


def with_labels(name: str) -> Peer:
    """A model of crowd-kit that has labels only."""

    def run(given: Crowd) -> Beliefs:
        from crowdkit import aggregation

        found = getattr(aggregation, name)().fit_predict(named(given))
        categories = sorted(given.frame.label.unique())
        hot = found.to_numpy()[:, None] == np.array(categories)[None]
        return Beliefs(found.index.tolist(), categories, hot.astype(float), labels_only=True)

    return run


def named(given: Crowd) -> Any:
    """A frame with the names that crowd-kit wants, one label for a coder and an item."""
    frame = given.frame.drop_duplicates(["item", "coder"], keep="last")
    return frame.rename(columns={"item": "task", "coder": "worker"})


def crowdlab(given: Crowd) -> Beliefs:
    """The consensus of cleanlab, beside a classifier that knows how frequent labels are.

    It tells the probability of its own label; the others share the rest.
    """
    from cleanlab.multiannotator import get_label_quality_multiannotator

    frame = given.frame.drop_duplicates(["item", "coder"], keep="last")
    categories = sorted(frame.label.unique())
    codes = frame.assign(label=frame.label.map({c: k for k, c in enumerate(categories)}))
    wide = codes.pivot(index="item", columns="coder", values="label").astype(float)
    share = np.bincount(codes.label, minlength=len(categories)) / len(codes)
    found = get_label_quality_multiannotator(
        wide.to_numpy(), np.tile(share, (len(wide), 1)), verbose=False
    )["label_quality"]
    p = np.repeat(
        (1 - found.consensus_quality_score.to_numpy())[:, None] / (len(categories) - 1),
        len(categories),
        axis=1,
    )
    p[np.arange(len(p)), found.consensus_label.to_numpy()] = found.consensus_quality_score
    return Beliefs(wide.index.tolist(), categories, p)


PEERS: dict[str, Peer] = {
    "crowd-kit DS": with_probabilities("DawidSkene"),
    "crowd-kit one-coin DS": with_probabilities("OneCoinDawidSkene"),
    "crowd-kit MACE": with_probabilities("MACE"),
    "crowd-kit GLAD": with_probabilities("GLAD"),
    "crowd-kit Wawa": with_skills("Wawa"),
    "crowd-kit zero-based skill": with_skills("ZeroBasedSkill"),
    "crowd-kit KOS": with_labels("KOS"),
    "crowd-kit MMSR": with_labels("MMSR"),
    "cleanlab CROWDLAB": crowdlab,
}
TWO_CATEGORIES = ("crowd-kit KOS",)


def main() -> None:
    """Run every peer on every crowd and freeze the measures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowds.peers", description=__doc__)
    parser.add_argument("--only", default="", metavar="PEER")
    parser.add_argument("--crowd", default="", metavar="NAME")
    options = parser.parse_args()
    versions = {name: version(name) for name in ("crowd-kit", "cleanlab")}
    for given in crowds(options.crowd):
        rows = []
        for name, run in PEERS.items():
            binary = given.frame.label.nunique() == 2
            if options.only not in ("", name) or (name in TWO_CATEGORIES and not binary):
                continue
            part = given.capped if name in SLOW else given
            row: dict[str, Any] = {"method": name, "crowd": given.name, "part": part.is_part}
            try:
                row |= scored(part, run(part))
            except Exception as error:
                row["not"] = f"{type(error).__name__}: {str(error)[:80]}"
            rows.append(row)
            print(row, flush=True)
        written(FROZEN, rows, versions)


if __name__ == "__main__":
    main()
