"""Compare what every case says now with the recording: `python -m tests.contract.compare`.

Prints each difference as `case | key | before | after`; ends with 1 if there is any that
intended.toml does not name.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from . import outcome
from .record import Unit, answers, inventory, units

Difference = tuple[str, Any, Any]  # key, before, after
GONE = "(lost)"


class Intended:
    """The table of intended differences, and which of its rules were needed."""

    def __init__(self) -> None:
        self.rules: dict[str, list[dict[str, Any]]] = tomllib.loads(outcome.INTENDED.read_text(encoding="utf-8"))
        self.used: set[int] = set()
        for rule in [r for rules in self.rules.values() for r in rules]:
            if not rule.get("why"):
                sys.exit(f"intended.toml: a rule without why: {rule}")

    def of(self, kind: str, case: str, path: str | None = None) -> Iterator[dict[str, Any]]:
        """The rules of a kind for a case and the path of a key; who takes one has used it."""
        for rule in self.rules.get(kind, ()):
            if not re.search(rule.get("case", ""), case):
                continue
            key = rule.get("key", ".*")
            if path is None or re.fullmatch(key, path) or re.fullmatch(key, path.rpartition(".")[2]):
                self.used.add(id(rule))
                yield rule

    def argv(self, case: str, typed: str) -> str:
        """What is typed now."""
        for rule in self.rules.get("argv", ()):
            if re.search(rule.get("case", ""), case) and re.search(rule["typed"], typed):
                self.used.add(id(rule))
                typed = re.sub(rule["typed"], rule["as"], typed)
        return typed

    def row(self, case: str, path: str, row: dict[str, Any]) -> dict[str, Any]:
        """A recorded row under the keys and with the words of today, without what was dropped."""
        made = {}
        for key, value in row.items():
            full = f"{path}.{key}" if path else key
            if any(self.of("drop", case, full)):
                continue
            for rule in self.of("value", case, full):
                value = re.sub(rule["from"], rule["to"], value) if isinstance(value, str) else value
            name = next((rule["to"] for rule in self.of("rename", case, full)), key)
            made[name] = self.rows(case, full, value)
        return made

    def rows(self, case: str, path: str, value: Any) -> Any:
        """The same of whatever holds rows."""
        if isinstance(value, dict):
            return self.row(case, path, value)
        return [self.rows(case, path, v) for v in value] if isinstance(value, list) else value

    def allowed(self, case: str, path: str) -> bool:
        """Whether a value may differ."""
        return any(self.of("correct", case, path))

    def tolerance(self, case: str, path: str) -> float:
        """How far apart numbers may be, relative to the larger."""
        return max([1e-6, *(rule["relative"] for rule in self.of("tolerance", case, path))])

    def matches(self, kind: str, case: str, word: str, text: str) -> bool:
        """Whether a rule names what was lost or added."""
        found = [r for r in self.rules.get(kind, ()) if word in r and re.search(r.get("case", ""), case) and re.search(r[word], text)]
        self.used |= {id(rule) for rule in found}
        return bool(found)


def differences(case: str, before: Any, after: Any, path: str, intended: Intended) -> Iterator[Difference]:
    """What differs between two values that stand at the same place."""
    numbers = [isinstance(v, int | float) and not isinstance(v, bool) for v in (before, after)]
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            full = f"{path}.{key}" if path else key
            yield from differences(case, value, after.get(key, GONE), full, intended)
    elif isinstance(before, list) and isinstance(after, list):
        yield from lists(case, before, after, path, intended)
    elif all(numbers):
        if abs(before - after) > max(1e-9, intended.tolerance(case, path) * max(abs(before), abs(after))) and not intended.allowed(case, path):
            yield path, before, after
    elif before != after and not (before == outcome.PROSE and isinstance(after, str) and after not in ("", GONE)):
        if not intended.allowed(case, path):
            yield path, before, after


def lists(case: str, before: list[Any], after: list[Any], path: str, intended: Intended) -> Iterator[Difference]:
    """Rows are brought together by their words and whole numbers, then in order."""
    if len(before) == len(after) and not any(differences_of(case, before, after, path, intended)):
        return
    pairs, lost, added = together(before, after)
    for k, (i, j) in enumerate(pairs):
        spot = f"{path}[{i}]" if path else f"[{i}]"
        for key, x, y in differences(case, before[i], after[j], path, intended):
            yield key.replace(path, spot, 1) if path else f"{spot} {key}", x, y
        if k and j < pairs[k - 1][1] and not any(intended.of("unordered", case, path)):
            yield f"{spot} order", f"row {i + 1}", f"row {j + 1}"
    for word, which, values in (("lost", lost, before), ("added", added, after)):
        for i in which:
            text = json.dumps(values[i], ensure_ascii=False)
            if not intended.matches("rows", case, word, text) and not intended.allowed(case, path):
                yield f"{path}[{i}]", *((short(text), "row lost") if word == "lost" else ("row added", short(text)))


def differences_of(case: str, before: list[Any], after: list[Any], path: str, intended: Intended) -> Iterator[Difference]:
    """Row by row."""
    for x, y in zip(before, after, strict=True):
        yield from differences(case, x, y, path, intended)


def together(before: list[Any], after: list[Any]) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs of positions that hold the same row, and the positions that are left on both sides."""
    pairs, left = {}, list(range(len(after)))
    for exact in (True, False):
        for i in [i for i in range(len(before)) if i not in pairs]:
            mine = _words(before[i], exact)
            scores = [(len(mine & _words(after[j], exact)), -abs(i - j), j) for j in left]
            best = max(scores, default=(0, 0, 0))
            enough = best[0] == len(mine) > 0 if exact else best[0] * 2 > len(mine)
            if scores and (enough or not isinstance(before[i], dict | list) and before[i] == after[best[2]]):
                pairs[i] = best[2]
                left.remove(best[2])
    lost = [i for i in range(len(before)) if i not in pairs]
    while lost and left and len(before) == len(after):  # as many as before: each has its successor
        pairs[lost.pop(0)] = left.pop(0)
    return sorted(pairs.items()), lost, left


def _words(row: Any, exact: bool) -> frozenset[str]:
    """What tells a row from others: its words and whole numbers; or also its rounded numbers."""
    items = row.items() if isinstance(row, dict) else [("", v) for v in (row if isinstance(row, list) else [row])]
    kinds = str | int if exact else str | int | float
    return frozenset(f"{k}={f'{v:.4g}' if isinstance(v, float) else v}" for k, v in items if isinstance(v, kinds))


def short(value: Any) -> str:
    """At most 120 characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "..."


def of_tables(case: str, before: Any, after: Any, intended: Intended) -> Iterator[Difference]:
    """Tables by their names; those of a report wherever they went, by what they hold."""
    place = {name: name for name in before if name in after}
    if case.startswith("report ") or "report" in case.split()[-1]:
        place = moved(before, after)
    for name, rows in before.items():
        if name not in place:
            if not intended.matches("table", case, "lost", name):
                yield name, short(rows), "table lost"
        else:
            yield from differences(case, rows, after[place[name]], name, intended)


def moved(before: dict[str, Any], after: dict[str, Any]) -> dict[str, str]:
    """The table of today that holds most of each recorded one: each once, the surest first."""
    def cells(rows: Any) -> Counter[str]:
        return Counter(w for row in (rows if isinstance(rows, list) else [rows]) for w in _words(row, False))

    kind = {name: name.rpartition("/")[2].split()[0] for name in [*before, *after]}
    was, now = ({n: cells(rows) for n, rows in all_.items()} for all_ in (before, after))
    scored = sorted(
        ((sum((was[a] & now[b]).values()) / max(sum(was[a].values()), 1), a == b, a, b) for a in was for b in now if kind[a] == kind[b]),
        key=lambda s: (-s[0], not s[1]),
    )
    found = {name: name for name in before if not before[name] and name in after}
    for score, _, a, b in scored:
        if a not in found and b not in found.values() and score >= 0.4:
            found[a] = b
    return found


def compared(case: str, before: dict[str, Any], after: dict[str, Any], intended: Intended) -> Iterator[Difference]:
    """The differences of a case that are not intended."""
    if before["exit"] != after["exit"]:
        if not any(intended.of("exit", case)):
            yield "exit", before["exit"], f"{after['exit']} {after.get('said', '')}"
        return
    if before["exit"] == 0:
        now = after["tables"]
        for rule in intended.of("unwrap", case):
            now = {n: t.get(rule["path"], t) if isinstance(t, dict) else t for n, t in now.items()}
        then = {name: intended.rows(case, name, rows) for name, rows in before["tables"].items()}
        yield from of_tables(case, then, now, intended)


def of_inventory(intended: Intended) -> Iterator[str]:
    """Recorded commands, options, choices and defaults that are no more, by the names of today."""
    now = set(inventory()["commands"])
    for line in json.loads(outcome.INVENTORY.read_text(encoding="utf-8"))["commands"]:
        if intended.argv(line, line) not in now and not any(intended.of("gone", f"inventory {line}")):
            yield line


def work(recorded: dict[str, Any], only: str, intended: Intended) -> list[Unit]:
    """What is run: the cases asked for, walks whole."""
    typed = {n: intended.argv(n, c["argv"]) for n, c in recorded.items() if not any(intended.of("gone", n))}
    walks: dict[str, Unit] = {}
    for name in [n for n in typed if n.startswith("project ")]:
        walks.setdefault(name.split()[1], []).append((name, typed.pop(name)))
    walks = {w: u for w, u in walks.items() if any(re.search(only, name) for name, _ in u)}
    return units({n: t for n, t in typed.items() if re.search(only, n)}, walks)


def main() -> None:
    """Run the cases and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="regular expression that is searched in the names of cases")
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--most", type=int, default=8, help="differences that are printed of a case (default 8)")
    parser.add_argument("--list", action="store_true", help="print the cases and what is typed, run nothing")
    given = parser.parse_args()
    recorded, intended = json.loads(lzma.decompress(outcome.RECORDED.read_bytes())), Intended()
    asked = work(recorded, given.only, intended)
    names = {name for unit in asked for name, _ in unit if re.search(given.only, name)}
    if given.list:
        print(*(f"{name}   <  accordant {typed}" for unit in asked for name, typed in unit if name in names), sep="\n")
        return
    count = failed = 0
    for case, after in ((c, a) for found in answers(asked, given.j) for c, a in found.items() if c in names):
        found = list(compared(case, recorded[case], after, intended))
        count, failed = count + len(found), failed + bool(found)
        for key, x, y in found[: given.most]:
            print(f"{case} | {key} | {short(x)} | {short(y)}")
        if len(found) > given.most:
            print(f"{case} | … and {len(found) - given.most} more")
    missing = [] if given.only else list(of_inventory(intended))
    print(*(f"inventory | {line} | | lost" for line in missing), sep="\n", end="\n" if missing else "")
    if not given.only:
        unused = [r for rules in intended.rules.values() for r in rules if id(r) not in intended.used]
        print(*(f"intended.toml | never needed: {rule}" for rule in unused), sep="\n", end="\n" if unused else "")
    print(f"{len(names)} cases, {failed} with {count} differences, {len(missing)} lost from the inventory")
    sys.exit(1 if count or missing or not names else 0)


if __name__ == "__main__":
    main()
