"""The work that is timed on sets of labels: label draw, set distances, reading."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .data import label_sets
from .peers_sets import N_RESAMPLES, N_SIMULATIONS, habits
from .tasks import Task

SIZES = {
    2: ({1: 0.89, 2: 0.11}, {1: 0.35, 2: 0.65}),  # as in the case study of Marchal et al. (2022)
    3: ({1: 0.6, 2: 0.3, 3: 0.1}, {1: 0.4, 2: 0.4, 3: 0.2}),
    6: ({1: 0.4, 2: 0.25, 3: 0.15, 4: 0.1, 5: 0.06, 6: 0.04},) * 2,
}
N_ITEMS = 884


def tasks_of_sets() -> Iterator[Task]:
    """Every row, small before large."""
    for labels, most in ((19, 2), (19, 3), (60, 6)):
        yield Task(
            f"chance of boot-match, {labels} labels, up to {most} at once",
            "label draw",
            labels,
            _table(N_ITEMS, labels, most),
            _chance,
            before=habits,
            us="accordant (exact)",
        )
    for labels, most in ((19, 2), (19, 3), (60, 6)):
        yield Task(
            f"boot-match, {N_ITEMS} x 2, {labels} labels, up to {most} at once",
            "label draw",
            labels,
            _table(N_ITEMS, labels, most),
            _measured("boot_match"),
        )
    yield Task(
        f"boot-match by {N_SIMULATIONS:,} simulations, {N_ITEMS} x 2, 19 labels, up to 2 at once",
        "label draw",
        19,
        _table(N_ITEMS, 19, 2),
        _measured("boot_match", simulations=1000, seed=1),
    )
    for most in (2, 3):
        yield Task(
            f"bootstrap boot-match, {N_ITEMS} x 2, 19 labels, up to {most} at once, "
            f"{N_RESAMPLES:,} resamples",
            f"bootstrap label draw {most}",
            19,
            _table(N_ITEMS, 19, most),
            _measured("boot_match", "low", interval="bootstrap", resamples=N_RESAMPLES, seed=1),
        )
    for n in (N_ITEMS, 10**5):
        yield Task(
            f"alpha with MASI, {n:,} x 2, 19 labels, up to 2 at once",
            "alpha masi",
            19,
            _table(n, 19, 2),
            _measured("alpha_masi", "value"),
        )
    yield Task(
        "reading 100,000 rows, 19 labels, up to 2 in a cell",
        "reading sets",
        19,
        _table(10**5, 19, 2),
        _read,
        before=Written,
        us="accordant",
    )
    yield Task(
        "twelve measures from a file, 100,000 x 2, 19 labels, up to 2 in a cell",
        "all of sets",
        19,
        _table(10**5, 19, 2),
        _everything,
        before=Written,
    )


def _table(n_items: int, labels: int, most: int) -> Callable[[], Any]:
    return lambda: label_sets(n_items, labels, SIZES[most])


def _chance(given: Any) -> float:
    """Expected agreement alone, from how often each label and each number of labels was given."""
    from accordant.measure.multilabel import expected_score
    from accordant.measure.sets import SCORES

    return float(expected_score(SCORES["overlap"], *given))


def _measured(key: str, field: str = "expected", **options: Any) -> Callable[[Any], float]:
    """Our call for one measure with its standard error and interval."""

    def run(table: Any) -> float:
        import accordant as ac

        (row,) = ac.agreement(table, key, layout="wide", **options)
        return float(getattr(row, field))

    return run


class Written:
    """The table as a file, a column for each coder, several labels in a cell: ``a;b``."""

    def __init__(self, table: Any) -> None:
        self.folder = TemporaryDirectory()  # gone with this object
        self.path = Path(self.folder.name) / "sets.csv"
        with self.path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["item", "A", "B"])
            rows.writerows([i, *map(";".join, row)] for i, row in enumerate(table))


def _read(file: Written) -> float:
    import accordant as ac

    return float(len(ac.read(file.path, separator=";").values))


def _everything(file: Written) -> float:
    import accordant as ac

    return ac.agreement(file.path, separator=";")["boot_match"].value
