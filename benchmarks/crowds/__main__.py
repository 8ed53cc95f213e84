"""``python -m benchmarks.crowds``: every model on every public crowd with gold labels.

``--write`` keeps what was measured in crowds.json and writes benchmarks/crowds.md; before.json is
what it was before the models were rebuilt, and does not change. Constants that the models have
learned from crowds are learned anew without the crowd that is judged (`learned`), unless
``--shipped`` leaves those of the package. ``--only`` and ``--crowd`` measure a part, and keep the
rest.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from accordant import __version__
from accordant.errors import AccordantError

from .gold import FOURTEEN, FURTHER, Crowd, crowd, crowds
from .learned import Constants, Lesson, constants, lesson, using
from .methods import DEFAULT, METHODS, fitted
from .page import PERSONS, page
from .scores import scored
from .table import Row, read, written

FOLDER = Path(__file__).parent
FOUND, BEFORE, PEERS = (FOLDER / f"{x}.json" for x in ("crowds", "before", "peers"))
PAGE = FOLDER.with_suffix(".md")
CERTAIN = FOLDER.parents[1] / "src" / "accordant" / "models" / "certain_labels.json"
BANDS = ((1, 3), (4, 7), (8, 1000))  # labels an item
ENOUGH = 10  # certain labels of a crowd, else what is right of them says nothing
FEWEST = 3  # crowds, else their range says nothing


def lessons() -> dict[str, Lesson]:
    """What each crowd teaches."""
    return {name: lesson(crowd(name)) for name in FOURTEEN}


def without(name: str, found: dict[str, Lesson]) -> Constants:
    """Constants that do not know a crowd."""
    return constants([each for other, each in found.items() if other != name])


def measured(given: Crowd, only: str, taught: Constants | None) -> Iterator[Row]:
    """The rows of one crowd."""
    for method in METHODS:
        if only not in ("", method):
            continue
        part = given
        row: dict[str, Any] = {
            "method": method,
            "crowd": given.name,
            "part": part.is_part,
            "complete": given.complete,
            "per_item": given.per_item,
        }
        part.data  # noqa: B018 - reading is not on the clock
        begin = process_time()
        try:
            with using(taught):
                said, row["model"] = fitted(method, part), method
        except AccordantError as error:
            row["not"] = str(error)[:80]
        else:
            row["seconds"] = process_time() - begin
            row |= scored(part, said)
        yield row


def main() -> None:
    """Read the options, measure, print, and keep what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowds", description=__doc__)
    parser.add_argument("--only", default="", choices=("", *METHODS), metavar="MODEL")
    parser.add_argument("--crowd", default="", choices=("", *FOURTEEN, *FURTHER), metavar="NAME")
    parser.add_argument("--write", action="store_true", help="crowds.json and crowds.md")
    parser.add_argument("--show", action="store_true", help="crowds.md from what was kept")
    parser.add_argument("--shipped", action="store_true", help="constants as in the package")
    options = parser.parse_args()
    if options.show:
        show()
        return
    warnings.filterwarnings("ignore")
    taught = {} if options.shipped else lessons()
    for given in crowds(options.crowd):
        own = without(given.name, taught) if taught else None
        rows = []
        for row in measured(given, options.only, own):
            rows.append(row)
            print(line(row), flush=True)
        if options.write:
            written(FOUND, rows, {"accordant": __version__, "default": DEFAULT})
    if options.write:
        show()


def show() -> None:
    """Write the page, and what the package says of certain labels, from what was kept."""
    PAGE.write_text(page(FOUND, BEFORE, PEERS), encoding="utf-8")
    rows = [r for r in read(FOUND) if r["method"] == DEFAULT and r["crowd"] in PERSONS]
    bands = [band for ends in BANDS if (band := certain(rows, *ends))]
    told = ",\n  ".join(json.dumps(one) for one in bands)
    CERTAIN.write_text(f'{{"model": "{DEFAULT}", "bands": [\n  {told}\n]}}\n', encoding="utf-8")


def certain(rows: list[Row], least: int, most: int) -> Row | None:
    """The worst and the best share of certain labels right, of crowds with so many an item."""
    inside = [r for r in rows if least <= round(r["per_item"]) <= most and r["n_sure"] >= ENOUGH]
    right = [r["sure_right"] for r in inside]
    if len(right) < FEWEST:
        return None
    ends = {"least": least, "most": most, "low": min(right), "high": max(right)}
    return {**ends, "crowds": len(right)}


def line(row: Row) -> str:
    """One row, in a line."""
    start = f"{row['crowd']:17} {row['method']:13}"
    if "not" in row:
        return f"{start} {row['not']}"
    names = (
        "accuracy",
        "log_loss",
        "own_log_loss",
        "calibration_error",
        "sure_right",
        "coders_held",
        "prevalence_held",
        "seconds",
    )
    numbers = " ".join(f"{row.get(name, float('nan')):6.3f}" for name in names)
    return f"{start} {numbers}  {row['n_sure']:5} sure{'  part' if row['part'] else ''}"


if __name__ == "__main__":
    main()
