"""How often findings are right: ``python -m benchmarks.findings`` in tests/ writes the page.

Data sets whose causes are known come from `claims.worlds`; what is said of them is judged there.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from benchmarks.pages import put
from claims.null_worlds import FURTHER, further_world
from claims.worlds import NULLS, PLANTS, TOGETHER, Verdict, judged, null_world, planted_world

PAGE = Path(__file__).parents[1] / "docs/reference/findings.md"
N_NULLS, N_FURTHER, N_PLANTED = 40, 200, 20
STRENGTHS = (1, 1 / 2)
HEADS = {
    "nulls": ("data", "any statement", "warning"),
    "further": ("data", "any statement", "warning", "headline"),
    "planted": ("cause", "full", "half", "spurious"),
    "together": ("causes", "both found", "spurious"),
}
"""Parts of the page, and the columns of their tables."""


def null(name: str) -> list[Verdict]:
    """Of data without a cause."""
    return [judged(null_world(name, seed)) for seed in range(N_NULLS)]


def further(name: str) -> list[Verdict]:
    """Of data without a cause that break what the null assumes."""
    return [judged(further_world(name, seed)) for seed in range(N_FURTHER)]


def planted(name: str, strength: float = 1) -> list[Verdict]:
    """Of data with one."""
    return [judged(planted_world(name, seed, strength)) for seed in range(N_PLANTED)]


def mean(each: list[Verdict], fact: str) -> float:
    """Of a fact of data sets."""
    return sum(getattr(v, fact) for v in each) / len(each)


def table(part: str, found: dict[str, list[float]]) -> str:
    """Percents, and the means below them."""
    heads = HEADS[part]
    means = [sum(x) / len(found) for x in zip(*found.values(), strict=True)]
    lines = [" | ".join(heads), " | ".join(["---", *["--:"] * (len(heads) - 1)])]
    for name, numbers in {**found, "**mean**": means}.items():
        lines.append(" | ".join([name.replace(" + ", " and "), *(f"{x:.3g}" for x in numbers)]))
    return "\n".join(f"| {line} |" for line in lines)


def main() -> None:
    """Measure everything and write the page."""
    with ProcessPoolExecutor(2) as pool:
        nulls = dict(zip(NULLS, pool.map(null, NULLS), strict=True))
        more = dict(zip(FURTHER, pool.map(further, FURTHER), strict=True))
        by_strength = [
            list(pool.map(partial(planted, strength=strength), PLANTS)) for strength in STRENGTHS
        ]
        both = dict(zip(TOGETHER, pool.map(planted, TOGETHER), strict=True))
    tables = {
        "nulls": {
            n: [100 * mean(v, fact) for fact in ("warned", "page")] for n, v in nulls.items()
        },
        "further": {
            n: [100 * mean(v, fact) for fact in ("warned", "page", "headline")]
            for n, v in more.items()
        },
        "planted": {
            name: [
                *(100 * mean(each[k], "first") for each in by_strength),
                mean(by_strength[0][k], "spurious"),
            ]
            for k, name in enumerate(PLANTS)
        },
        "together": {n: [100 * mean(v, "found"), mean(v, "spurious")] for n, v in both.items()},
    }
    for part, found in tables.items():
        put(PAGE, part, table(part, found))


if __name__ == "__main__":
    main()
