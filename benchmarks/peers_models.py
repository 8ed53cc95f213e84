"""How other programs infer labels and coders: crowd-kit, cleanlab, CrowdTruth, MACE.

The first three have an environment of their own (`make crowdkit`), in which ours runs too. MACE's
program may not be passed on; it is run where MACE_JAR names the file.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from .data import Crowd
from .peers import Run, peer

N_ITERATIONS = 10
ENDLESS = -float("inf")  # a tolerance that stops nothing: exactly so many iterations


@peer("majority", "crowd-kit")
def _(given: Crowd, k: int) -> Run:
    from crowdkit.aggregation import MajorityVote

    return fitted(given, MajorityVote)


@peer("dawid_skene", "crowd-kit")
def _(given: Crowd, k: int) -> Run:
    from crowdkit.aggregation import DawidSkene

    return fitted(given, lambda: DawidSkene(n_iter=N_ITERATIONS, tol=ENDLESS))


@peer("one_coin", "crowd-kit")
def _(given: Crowd, k: int) -> Run:
    from crowdkit.aggregation import OneCoinDawidSkene

    return fitted(given, lambda: OneCoinDawidSkene(n_iter=N_ITERATIONS, tol=ENDLESS))


@peer("mace", "crowd-kit")
def _(given: Crowd, k: int) -> Run:
    from crowdkit.aggregation import MACE

    return fitted(given, lambda: MACE(n_iter=N_ITERATIONS, n_restarts=1))


@peer("glad", "crowd-kit")
def _(given: Crowd, k: int) -> Run:
    from crowdkit.aggregation import GLAD

    return fitted(given, lambda: GLAD(n_iter=N_ITERATIONS, tol=ENDLESS))


def as_called(kind: str, name: str, who: str = "crowd-kit") -> None:
    """Register a model of crowd-kit with the options that its makers chose, restarts included."""

    @peer(kind, who)
    def _(given: Crowd, k: int) -> Run:
        from crowdkit import aggregation

        return fitted(given, getattr(aggregation, name))


for ours, theirs in {"dawid_skene": "DawidSkene", "mace": "MACE", "glad": "GLAD"}.items():
    as_called(f"{ours} as called", theirs)
as_called("blend as called", "DawidSkene", "crowd-kit, Dawid–Skene")
for ours, theirs in {"majority": "MajorityVote", "one_coin": "OneCoinDawidSkene"}.items():
    as_called(f"{ours} of many categories", theirs)


def fitted(given: Crowd, made: Any) -> Run:
    """Labels by one of its models."""

    def run() -> float:
        found = made().fit_predict(given.frame)
        return given.accuracy(found.index, found.to_numpy())

    return run


@peer("majority", "cleanlab")
def _(given: Crowd, k: int) -> Run:
    """It takes a table of items and coders, which is made before the clock starts."""
    from cleanlab.multiannotator import get_majority_vote_label

    wide = given.frame.pivot(index="task", columns="worker", values="label")

    def run() -> float:
        return given.accuracy(wide.index, get_majority_vote_label(wide, verbose=False))

    return run


@peer("CrowdTruth 2.0", "CrowdTruth 2.1 (without loading)")
def _(given: Crowd, k: int) -> Run:
    """Loading takes it longer than counting, for it reads dates, and is not on the clock."""
    import crowdtruth
    from crowdtruth.configuration import DefaultConfig

    names = ["judgment", "task", "worker", "started", "submitted", "label", "text"]
    frame = given.frame.astype(str).assign(started="2020-01-01", submitted="2020-01-01")
    frame = frame.assign(judgment=range(len(frame)), text=frame.task)[names]
    settings = {
        "inputColumns": ["text"],
        "outputColumns": ["label"],
        "customPlatformColumns": names[:5],
        "open_ended_task": False,
        "annotation_vector": [str(x) for x in range(k)],
    }
    made = type("Config", (DefaultConfig,), settings)()
    data, config = crowdtruth.load(data_frame=frame, config=made)

    def run() -> float:
        found = crowdtruth.run(data, config)["units"]["unit_annotation_score"]
        best = [int(max(scores, key=scores.get)) for scores in found]
        return given.accuracy(found.index.astype(int), best)

    return run


@peer("mace", "MACE.jar (with start and files)")
def _(given: Crowd, k: int) -> Run:
    """It takes a file with a column for each coder, which is written before the clock starts."""
    jar = os.environ.get("MACE_JAR")
    if not jar or not Path(jar).exists():
        raise ImportError("MACE_JAR does not name the program")
    folder = TemporaryDirectory()
    path = Path(folder.name, "annotations.csv")
    tasks = written(given, path)
    command = [
        "java",
        "-jar",
        jar,
        "--iterations",
        str(N_ITERATIONS),
        "--restarts",
        "1",
        "--prefix",
        str(path.with_suffix("")),
        str(path),
    ]

    def run() -> float:
        subprocess.run(command, check=True, capture_output=True)
        said = path.with_suffix(".prediction").read_text().split()
        return given.accuracy(tasks, np.array(said, np.int64))

    run.folder = folder  # type: ignore[attr-defined]  # as long as the call
    return run


def written(given: Crowd, path: Path) -> Any:
    """Write a row for each task, with an empty cell where a coder gave no label; the tasks."""
    wide = given.frame.pivot(index="task", columns="worker", values="label").astype("Int64")
    wide.to_csv(path, header=False, index=False)
    return wide.index.to_numpy()
