"""The work that is timed: rows of one table, each with its data and our call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .data import MISSING, measurements, ratings
from .peers import N_RESAMPLES


@dataclass(frozen=True)
class Task:
    """One row.

    ``kind`` selects the peers, ``make`` builds the (items, coders) table, ``ours`` takes it as it
    is (our own conversion and our standard errors are on our clock) and returns the figure that
    the peers compute. ``before`` is not on our clock: what any program must be given, such as a
    file. ``us`` says what our call includes.
    """

    name: str
    kind: str
    n_categories: int
    make: Callable[[], Any]
    ours: Callable[[Any], float]
    slow: frozenset[str] = frozenset()  # peers that take minutes or all memory here
    before: Callable[[Any], Any] = lambda table: table
    us: str = "accordant (with SE, interval)"


def coefficient(key: str, **options: Any) -> Callable[[Any], float]:
    """Our call for one coefficient with its standard error and interval."""

    def run(table: Any) -> float:
        import accordant as ac

        return ac.agreement(table, key, layout="wide", **options)[key].value

    return run


def bootstrap(table: Any) -> float:
    """Our call for an interval from item resamples: its lower end."""
    import accordant as ac

    return ac.agreement(
        table,
        "alpha",
        layout="wide",
        missing=[MISSING],
        interval="bootstrap",
        resamples=N_RESAMPLES,
        seed=1,
    )["alpha"].low


def tasks() -> Iterator[Task]:
    """Every row, small before large."""
    for n in (10**4, 10**5, 10**6):
        for k in (5, 50):
            yield Task(
                f"Cohen's kappa, {n:,} x 2, {k} categories",
                "cohen",
                k,
                lambda n=n, k=k: ratings(n, 2, k),
                coefficient("kappa"),
                frozenset({"nltk"} if n == 10**6 else ()),
            )
    some = {"missing": [MISSING]}
    for kind, key, word in (
        ("alpha", "alpha", "alpha"),
        ("fleiss", "pi", "Fleiss' kappa"),
        ("ac1", "ac", "AC1"),
    ):
        for n in (10**4, 10**5, 10**6):
            for coders in (3, 20):
                yield Task(
                    f"{word}, {n:,} x {coders}, 5 categories, 30 % missing",
                    kind,
                    5,
                    lambda n=n, c=coders: ratings(n, c, 5, 0.3),
                    coefficient(key, **some),
                    frozenset({"nltk"} if n * coders > 10**6 else ()),
                )
                if kind == "fleiss":
                    yield Task(
                        f"{word}, {n:,} x {coders}, 5 categories, complete",
                        kind,
                        5,
                        lambda n=n, c=coders: ratings(n, c, 5),
                        coefficient(key),
                    )
    huge = frozenset({"krippendorff", "krippendorff (counts)"})
    for n in (10**5, 10**6):
        yield Task(
            f"alpha, {n:,} x 3, 50 categories, 30 % missing",
            "alpha",
            50,
            lambda n=n: ratings(n, 3, 50, 0.3),
            coefficient("alpha", **some),
            huge | ({"nltk", "irrCAC (with SE)"} if n == 10**6 else set()),
        )
    for n in (200, 1000, 10**4, 5 * 10**5):
        yield Task(
            f"alpha interval, {n:,} x 2 real numbers",
            "alpha interval",
            0,
            lambda n=n: measurements(n, 2),
            coefficient("alpha", scale="interval"),
            frozenset({"krippendorff", "evalica", "nltk", "irrCAC (with SE)"})
            if n >= 10**4
            else frozenset({"krippendorff"} if n >= 1000 else ()),
        )
    yield Task(
        f"bootstrap alpha, 10,000 x 3, {N_RESAMPLES:,} resamples",
        "bootstrap alpha",
        5,
        lambda: ratings(10**4, 3, 5, 0.3),
        bootstrap,
        frozenset({"krippendorff (counts), in a loop"}),
    )
