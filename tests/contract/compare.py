"""Compare what every case says now with the recording: `python -m tests.contract.compare`.

Prints each difference as `case | key | before | after`; ends with 1 if there is any that
intended.toml does not name.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from . import outcome
from .record import Unit, answers, inventory, units

Difference = tuple[str, Any, Any]  # key, before, after
LOST, ADDED = "(lost)", "(added)"
TOLERANCE, NOTHING = 1e-6, 1e-9  # relative; absolute, for numbers that are zero but for rounding
WORDS, ALL = str | int, str | int | float
MOST_PAIRS = 100_000  # of rows that are tried with each other to find those that belong together


class Intended:
    """The rules of intended.toml, and which of them were needed."""

    def __init__(self) -> None:
        self.rules = tomllib.loads(outcome.INTENDED.read_text(encoding="utf-8"))
        self.used: set[int] = set()
        for rule in (rule for rules in self.rules.values() for rule in rules):
            if not rule.get("why"):
                sys.exit(f"intended.toml: a rule without why: {rule}")

    def of(self, kind: str, case: str, path: str = "") -> Iterator[dict[str, Any]]:
        """The rules of a kind for a case and the path of a key."""
        path = re.sub(r"\[\d+\]", "", path).strip(".")
        for rule in self.rules.get(kind, ()):
            if re.search(rule.get("case", ""), case) and any(
                re.fullmatch(rule.get("key", ".*"), key) for key in (path, path.rpartition(".")[2])
            ):
                self.used.add(id(rule))
                yield rule

    def argv(self, case: str, typed: str) -> str:
        """What is typed now."""
        for rule in self.of("argv", case):
            typed = re.sub(rule["typed"], rule["as"], typed)
        return typed

    def now(self, case: str, path: str, value: Any) -> Any:
        """A recorded value under the keys and with the words of today."""
        if isinstance(value, list):
            return [self.now(case, path, v) for v in value]
        if isinstance(value, dict):
            pairs = ((key, f"{path}.{key}", inside) for key, inside in value.items())
            return {
                next((rule["to"] for rule in self.of("rename", case, full)), key): self.now(
                    case, full, inside
                )
                for key, full, inside in pairs
            }
        for rule in self.of("value", case, path) if isinstance(value, str) else ():
            value = re.sub(rule["from"], rule["to"], value)
        return value

    def named(self, case: str, difference: Difference) -> bool:
        """Whether the table names a difference."""
        key, *values = difference
        return any(
            all(re.search(rule.get(side, ""), text(value)) for side, value in zip(("before", "after"), values))
            for rule in self.of("differs", case, key)
        )  # fmt: skip


def differences(
    case: str, before: Any, after: Any, path: str, intended: Intended
) -> Iterator[Difference]:
    """What differs between two values that stand at the same place."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            yield from differences(case, value, after.get(key, LOST), f"{path}.{key}", intended)
    elif isinstance(before, list) and isinstance(after, list):
        yield from lists(case, before, after, path, intended)
    elif all(isinstance(v, int | float) and not isinstance(v, bool) for v in (before, after)):
        rules = intended.of("tolerance", case, path)
        relative = max([TOLERANCE, *(rule["relative"] for rule in rules)])
        if abs(before - after) > max(NOTHING, relative * max(abs(before), abs(after))):
            yield path, before, after
    elif before == outcome.PROSE and isinstance(after, str) and after not in ("", LOST):
        return  # another sentence
    elif before != after:
        yield path, before, after


def lists(
    case: str, before: list[Any], after: list[Any], path: str, intended: Intended
) -> Iterator[Difference]:
    """Row by row; where something differs, the rows that belong together."""
    if len(before) == len(after):
        pairs = [(f"{path}[{i}]", x, y) for i, (x, y) in enumerate(zip(before, after))]
        if not any(any(differences(case, x, y, where, intended)) for where, x, y in pairs):
            return
    pairs_of, lost, added = together(before, after)
    for k, (i, j) in enumerate(pairs_of):
        yield from differences(case, before[i], after[j], f"{path}[{i}]", intended)
        if k and j < pairs_of[k - 1][1]:
            yield f"{path}.order", f"row {i + 1}", f"row {j + 1}"
    yield from ((f"{path}[{i}]", before[i], LOST) for i in lost)
    yield from ((f"{path}[{j}]", ADDED, after[j]) for j in added)


def together(
    before: list[Any], after: list[Any]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs of positions that hold the same row, and the positions that are left on both sides.

    First rows with the same words and whole numbers, then those that share most, then in order.
    """
    keys = {key for row in before if isinstance(row, dict) for key in row}
    pairs: dict[int, int] = {}
    by_words: dict[frozenset[str], list[int]] = {}
    for j in reversed(range(len(after))):
        by_words.setdefault(words(after[j], WORDS, keys), []).append(j)
    for i, row in enumerate(before):
        if found := by_words.get(words(row, WORDS, keys)):
            pairs[i] = found.pop()
    left = sorted(set(range(len(after))) - set(pairs.values()))
    lost = [i for i in range(len(before)) if i not in pairs]
    for i in lost if len(lost) * len(left) <= MOST_PAIRS else []:
        mine = words(before[i], ALL, keys)
        most = max(((len(mine & words(after[j], ALL, keys)), -j) for j in left), default=(0, 0))
        if most[0] * 2 > len(mine):
            pairs[i] = -most[1]
            left.remove(pairs[i])
    lost = [i for i in lost if i not in pairs]
    while lost and left and len(before) == len(after):  # as many as before: each has its successor
        pairs[lost.pop(0)] = left.pop(0)
    return sorted(pairs.items()), lost, left


def words(row: Any, kinds: Any, keys: Collection[str] = ()) -> frozenset[str]:
    """What tells a row from others."""
    listed = row if isinstance(row, list) else [row]
    items = row.items() if isinstance(row, dict) else [("", value) for value in listed]
    return frozenset(
        f"{key}={f'{value:.4g}' if isinstance(value, float) else value}"
        for key, value in items
        if isinstance(value, kinds) and (not keys or key in keys)
    )


def moved(before: dict[str, Any], after: dict[str, Any]) -> dict[str, str]:
    """The table of today that holds most of each recorded one: each once, the surest first."""

    def cells(rows: Any) -> Counter[str]:
        listed = rows if isinstance(rows, list) else [rows]
        return Counter(word for row in listed for word in words(row, ALL))

    kind = {name: name.rpartition("/")[2].split()[0] for name in [*before, *after]}
    was, now = ({name: cells(rows) for name, rows in all_.items()} for all_ in (before, after))
    scored = [
        ((was[a] & now[b]).total() / max(was[a].total(), 1), a == b, a, b)
        for a in was
        for b in now
        if kind[a] == kind[b]
    ]
    found = {name: name for name in before if not before[name] and name in after}
    for score, _, a, b in sorted(scored, key=lambda s: (-s[0], not s[1])):
        if a not in found and b not in found.values() and score >= 0.4:
            found[a] = b
    return found


def compared(
    case: str, before: dict[str, Any], after: dict[str, Any], intended: Intended
) -> Iterator[Difference]:
    """The differences of a case: tables by name, those of a report wherever they went."""
    if before["exit"] != after["exit"]:
        yield "exit", before["exit"], f"{after['exit']} {after.get('said', '')}"
    elif before["exit"] == 0:
        now = after["tables"]
        then = {name: intended.now(case, name, rows) for name, rows in before["tables"].items()}
        place = moved(then, now) if "coefficients" in then else {n: n for n in then if n in now}
        for name, rows in then.items():
            if name in place:
                yield from differences(case, rows, now[place[name]], name, intended)
            else:
                yield name, rows, LOST


def text(value: Any) -> str:
    """As it is compared with the table of intended differences."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def short(value: Any) -> str:
    """At most 120 characters."""
    return text(value)[:120] + ("…" if len(text(value)) > 120 else "")


def work(recorded: dict[str, Any], only: str, intended: Intended) -> list[Unit]:
    """What is run: the cases asked for, walks whole."""
    typed = {name: intended.argv(name, case["argv"]) for name, case in recorded.items()}
    walks: dict[str, Unit] = {}
    for name in [name for name in typed if name.startswith("project ")]:
        walks.setdefault(name.split()[1], []).append((name, typed.pop(name)))
    walks = {w: u for w, u in walks.items() if any(re.search(only, name) for name, _ in u)}
    return units({name: t for name, t in typed.items() if re.search(only, name)}, walks)


def of_inventory(intended: Intended) -> Iterator[Difference]:
    """Recorded commands, options, choices and defaults that are no more, by the words of today."""
    now = set(inventory())
    lines = json.loads(outcome.INVENTORY.read_text(encoding="utf-8"))
    yield from ((line, "", LOST) for line in lines if intended.argv(line, line) not in now)


def main() -> None:
    """Run the cases and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="regular expression, searched in names of cases")
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--most", type=int, default=8, help="differences printed of a case")
    parser.add_argument("--list", action="store_true", help="print the cases, run nothing")
    given = parser.parse_args()
    recorded, intended = outcome.recorded(), Intended()
    asked = work(recorded, given.only, intended)
    typed = {n: t for unit in asked for n, t in unit if re.search(given.only, n)}
    if given.list:
        print(*(f"{name}   <  accordant {line}" for name, line in typed.items()), sep="\n")
        return
    found = {
        case: compared(case, recorded[case], after, intended)
        for answer in answers(asked, given.j)
        for case, after in answer.items()
        if case in typed
    }
    found |= {} if given.only else {"inventory": of_inventory(intended)}
    count = 0
    for case, all_ in found.items():
        kept = [one for one in all_ if not intended.named(case, one)]
        count += len(kept)
        most = given.most if case != "inventory" else len(kept)
        for key, before, after in kept[:most]:
            print(f"{case} | {key.lstrip('.')} | {short(before)} | {short(after)}")
        print(f"{case} | … and {len(kept) - most} more\n" if len(kept) > most else "", end="")
    for rule in (rule for rules in intended.rules.values() for rule in rules):
        if not given.only and id(rule) not in intended.used:
            print(f"intended.toml | never needed: {rule}")
    print(f"{len(typed)} cases, {count} differences")
    sys.exit(1 if count or not typed else 0)


if __name__ == "__main__":
    main()
