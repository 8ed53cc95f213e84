"""``python -m benchmarks.files``: from a file to every coefficient, against the bare read.

The bare read is what any tool must do at least: DuckDB reads the three columns and counts the
coders of each item and label.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from .data import write_long

BARE = """
select count(*), sum(n) from (
    select item, label, count(*) as n from read_parquet(?) group by item, label
)
"""


def bare(path: Path) -> float:
    """Seconds of the bare read and group-by."""
    import duckdb

    begin = time.perf_counter()
    with duckdb.connect() as connection:
        connection.execute(BARE, [str(path)]).fetchone()
    return time.perf_counter() - begin


def ours(path: Path) -> float:
    """Seconds of all coefficients with standard errors and intervals."""
    import accordant as ac

    begin = time.perf_counter()
    ac.agreement(path)
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.files", description=__doc__)
    parser.add_argument("--items", type=int, default=10**6)
    parser.add_argument("--coders", type=int, default=5)
    parser.add_argument("--categories", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.parquet"
        write_long(path, options.items, options.coders, options.categories)
        rows = options.items * options.coders
        print(
            f"{rows:,} annotations, {path.stat().st_size / 1e6:.0f} MB of Parquet, long, shuffled"
        )
        runs = [(bare(path), ours(path)) for _ in range(options.repeat)]  # in turn
    least_bare, least_ours = (min(times) for times in zip(*runs, strict=True))
    print(f"bare read and group-by   {least_bare:.3f} s")
    print(f"accordant, everything    {least_ours:.3f} s   ratio {least_ours / least_bare:.2f}")


if __name__ == "__main__":
    main()
