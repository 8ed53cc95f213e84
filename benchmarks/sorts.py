"""``python -m benchmarks.sorts``: what has no peer, in sorts of a million numbers; fails beyond.

The reference is NumPy's stable sort of a million random numbers in the same process: seconds
differ from machine to machine, their ratio little. Each limit is several times what was
measured, so that it notices a change of order and no bad day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .__main__ import best
from .data import ratings

REPEAT, SECONDS = 3, 60.0
Case = tuple[str, float, Callable[[], Any]]  # name, limit in sorts, the work


def cases() -> Iterator[Case]:
    """Every row; what the work is given is made before the clock starts."""
    yield from of_diagnosis()
    yield from of_crowds()


def of_diagnosis() -> Iterator[Case]:
    import accordant as ac

    few, many = (ac.read(ratings(n, 5, 5), layout="wide") for n in (20_000, 200_000))
    yield "diagnosis, 200,000 x 5", 30, lambda: ac.diagnose(many).findings
    yield "report, 20,000 x 5", 200, lambda: ac.report(few)
    crowd = ac.read(ratings(2_000, 50, 5, 0.8), layout="wide", missing=[0])
    yield "diagnosis, 2,000 x 50, 80 % missing", 50, lambda: ac.diagnose(crowd).findings


def of_crowds() -> Iterator[Case]:
    import accordant as ac

    yield (
        "simulated annotations, 500,000",
        20,
        lambda: ac.simulate(100_000, 5, 5, seed=1),
    )
    rare = ac.read(ratings(600, 4, 420), layout="wide")
    yield "fit and coders, 600 x 4, 420 categories", 400, lambda: ac.coders(ac.fit(rare))


def main() -> None:
    numbers = np.random.default_rng(0).random(1_000_000)
    unit, _ = best(lambda: np.sort(numbers, kind="stable"), 9, SECONDS)
    print(f"one sort of a million numbers: {unit:.4f} s\n{'':44}     sorts     limit")
    beyond = []
    for name, limit, run in cases():
        sorts = best(run, REPEAT, SECONDS)[0] / unit
        print(f"{name:44} {sorts:9.1f} {limit:9.0f}", flush=True)
        beyond += [name] if sorts > limit else []
    if beyond:
        raise SystemExit(f"beyond their limits: {'; '.join(beyond)}")


if __name__ == "__main__":
    main()
