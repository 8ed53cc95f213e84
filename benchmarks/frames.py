"""``python -m benchmarks.frames``: from a frame to annotations, against an array of the same cells.

Numbers and categories against an array of the same codes, which takes least: whole numbers that
lie close together, all of one type. Texts against an array of the same texts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .data import ratings

WORDS = np.array(["anger", "fear", "joy", "other", "sadness"])


def frames(table: Any) -> dict[str, Any]:
    """The same annotations in every kind of frame."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    names = [f"coder {k + 1}" for k in range(table.shape[1])]
    whole = pd.DataFrame(table.astype(np.int64), columns=names)
    text = pd.DataFrame({n: WORDS[table[:, k] - 1] for k, n in enumerate(names)}, dtype="str")
    of_polars = pl.from_pandas(text)
    return {
        "pandas, integers": whole,
        "pandas, categories": text.astype("category"),
        "pandas, strings": text,
        "pandas, Python strings": text.astype(object),
        "polars, integers": pl.from_pandas(whole),
        "polars, categories": of_polars.cast(pl.Categorical),
        "polars, strings": of_polars,
        "arrow, integers": pa.Table.from_pandas(whole),
        "arrow, dictionary": pa.Table.from_pandas(text.astype("category")),
        "arrow, strings": pa.Table.from_pandas(text),
    }


def seconds(run: Callable[[], Any]) -> float:
    """Wall time of one call."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def main() -> None:
    import accordant as ac

    parser = argparse.ArgumentParser(prog="python -m benchmarks.frames", description=__doc__)
    parser.add_argument("--items", type=int, default=10**6)
    parser.add_argument("--coders", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    table = ratings(options.items, options.coders, len(WORDS)).astype(np.int64)
    kinds, texts = frames(table), WORDS[table - 1].astype(object)
    runs = [
        [seconds(lambda: ac.read(table, layout="wide")),
         seconds(lambda: ac.read(texts, layout="wide")),
         *(seconds(lambda f=f: ac.read(f)) for f in kinds.values())]
        for _ in range(options.repeat)
    ]  # fmt: skip  # in turn
    least = [min(times) for times in zip(*runs, strict=True)]
    print(f"{options.items:,} items x {options.coders} coders")
    names = ["array of integers", "array of strings", *kinds]
    for name, time_of in zip(names, least, strict=True):
        base = least["strings" in name]
        print(f"{name:24} {time_of:.3f} s   ratio {time_of / base:.2f}")


if __name__ == "__main__":
    main()
