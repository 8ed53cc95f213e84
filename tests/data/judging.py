"""What files of annotations say, and a judge of how they are read.

The judge looks only at the public result of `accordant.read`: items, coders, questions, rows. Items
are equal up to their names, since ids, texts and row numbers may stand for the same items.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

import accordant as ac
from accordant import AccordantError

Cell: TypeAlias = str | int | float | bool | datetime | None
Labels: TypeAlias = tuple[Cell, ...]
Outcome: TypeAlias = Literal[
    "right", "doubted right", "doubted wrong", "refused", "wrong in silence", "crash"
]
OUTCOMES: tuple[Outcome, ...] = Outcome.__args__  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Annotation:
    """What a coder said about an item: one label, or several in no order."""

    item: Cell
    question: str
    coder: str
    labels: Labels


@dataclass(frozen=True)
class Truth:
    """What a file says.

    ``coders`` are the names in the order of the file. They are compared by ``name``, by their
    ``order`` (the file has no names), or not at all (``any``: the file does not say who is who).
    """

    annotations: tuple[Annotation, ...]
    coders: tuple[str, ...]
    known_by: Literal["name", "order", "any"] = "name"


@dataclass(frozen=True)
class Variant:
    """A file (or several) with its truth.

    ``readings`` are admissible; a file with ``ambiguous`` must be asked about, since nobody could
    know which of them it is.
    """

    name: str
    seed: int
    layout: str
    files: Mapping[str, bytes]
    readings: tuple[Truth, ...]
    ambiguous: bool = False


@dataclass(frozen=True)
class Verdict:
    """How a variant was read; ``cured``: as it stands or with an option that was offered."""

    outcome: Outcome
    cured: bool
    why: str = ""
    offered: tuple[str, ...] = ()
    cure: str = ""


def word(x: Any) -> str:
    """A label without case, outer blanks and the spelling of numbers: 'Yes ' and '4,50' as 4.5."""
    text = str(x).strip().casefold()
    try:
        return f"{float(text.replace(',', '.')):.9g}"
    except ValueError:
        return text


def _parts(name: str) -> frozenset[str]:
    name = name.strip().casefold().partition("@")[0]
    return frozenset(filter(None, re.split(r"[\W_]+", name)))


def matched(read: Sequence[str], true: Sequence[str]) -> dict[str, str] | None:
    """Names that were read -> true names, one to one: equal, or one with further words."""
    found = {}
    for name in read:
        equal = [t for t in true if _parts(t) == _parts(name)]
        near = [t for t in true if _parts(t) <= _parts(name) or _parts(name) <= _parts(t)]
        if len(hits := equal or near) != 1:
            return None
        found[name] = hits[0]
    return found if len({*found.values()}) == len(found) == len(true) else None


def _profiles(cells: Iterable[tuple[Any, str, str, Labels]]) -> Counter[Any]:
    """What is said about an item, and about how many items: items are equal up to their names."""
    said = defaultdict(list)
    for item, *rest in cells:
        said[item].append(tuple(rest))
    return Counter(tuple(sorted(x)) for x in said.values())


def difference(data: Any, truth: Truth) -> str:
    """How a reading differs from the truth; empty if it does not."""
    who = dict(zip(data.coders, data.persons or data.coders, strict=True))
    rows = [r | {"coder": who[r["coder"]]} for r in data.to_rows() if r["label"] is not None]
    spelled = [
        (r["item"], r.get("question", ""), r["coder"], r["label"])
        if isinstance(r["label"], tuple | list | set | frozenset)
        else (r["item"], r.get("question", ""), r["coder"], (r["label"],))
        for r in rows
    ]
    read_coders = [c for c in dict.fromkeys(who.values()) if any(r["coder"] == c for r in rows)]
    coders = _names(read_coders, truth)
    if coders is None:
        return f"coders {read_coders[:8]} instead of {list(truth.coders)}"
    read_questions = list(dict.fromkeys(q for _, q, _, _ in spelled))
    true_questions = list(dict.fromkeys(a.question for a in truth.annotations))
    one = len(read_questions) == len(true_questions) == 1
    questions = (
        dict.fromkeys(read_questions, "") if one else matched(read_questions, true_questions)
    )
    if questions is None:
        return f"questions {read_questions[:8]} instead of {true_questions}"
    for q in read_questions:
        raw = {str(x) for _, r, _, labels in spelled if r == q for x in labels}
        if len(raw) > len({word(x) for x in raw}):
            return f"spellings of a label are several categories: {sorted(raw)[:8]}"
    read = _profiles(
        (i, questions[q], coders[c], tuple(sorted(map(word, x)))) for i, q, c, x in spelled
    )
    true = _profiles(
        (
            a.item,
            "" if one else a.question,
            "" if truth.known_by == "any" else a.coder,
            tuple(sorted(map(word, a.labels))),
        )
        for a in truth.annotations
    )
    if read == true:
        return ""
    seen = f"{(true - read).total()} of {true.total()} items are not read as they are"
    return f"{seen}; {read.total()} were read, for example {next(iter(read - true), '')}"


def _names(read: Sequence[str], truth: Truth) -> dict[str, str] | None:
    if truth.known_by == "any":
        return dict.fromkeys(read, "")
    if truth.known_by == "order":
        return dict(zip(read, truth.coders)) if len(read) == len(truth.coders) else None
    return matched(read, truth.coders)


def _placeholder(x: Any) -> bool:
    if isinstance(x, Mapping):
        return any(map(_placeholder, x.values()))
    return any(map(_placeholder, x)) if isinstance(x, list | tuple) else x is ...


def reading(source: Any, options: Mapping[str, Any]) -> tuple[Any, list[str], list[Any]]:
    """What is read, the doubts, and the actions that they offer."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = ac.read(source, **options)
    said = [w.message for w in caught if w.category.__module__.startswith("accordant")]
    doubts = [*data.reading.warnings, *said]
    return data, [str(x) for x in doubts], [a for x in doubts for a in getattr(x, "do", ())]


def cured(
    source: Any, readings: Sequence[Truth], do: Sequence[Any], given: Any = None, depth: int = 2
) -> str:
    """The offered options that give an admissible reading, if need be in two steps; or nothing."""
    for action in do:
        if action.call not in ("", "read") or any(map(_placeholder, action.options.values())):
            continue
        options = {**(given or {}), **action.options}
        try:
            data, _, more = reading(source, options)
            if any(not difference(data, truth) for truth in readings):
                return repr(options)
        except AccordantError as error:
            more = list(error.do)
        except Exception:
            continue
        if depth > 1 and (found := cured(source, readings, more, options, depth - 1)):
            return found
    return ""


def written(variant: Variant, folder: Path) -> Any:
    """The files in a folder: the path, or the list of paths."""
    for name, content in variant.files.items():
        (folder / name).write_bytes(content)
    paths = [folder / name for name in variant.files]
    return paths[0] if len(paths) == 1 else paths


def judge(variant: Variant, folder: Path) -> Verdict:
    """Write the files, read them, and compare what was read with the truth."""
    return judged(written(variant, folder), variant.readings, ambiguous=variant.ambiguous)


def judged(
    source: Any, readings: Sequence[Truth], *, ambiguous: bool = False, **options: Any
) -> Verdict:
    """How a source is read, compared with the admissible readings."""
    try:
        data, doubts, do = reading(source, options)
    except AccordantError as error:
        cure = cured(source, readings, error.do, options)
        offered = tuple(repr(a.options) for a in error.do)
        return Verdict("refused", bool(cure), str(error), offered, cure)
    except Exception as error:
        return Verdict("crash", False, f"{type(error).__name__}: {error}")
    differs = [difference(data, truth) for truth in readings]
    right = not all(differs)
    why = "" if right else differs[0]
    if not doubts:
        if right and ambiguous:
            return Verdict("wrong in silence", False, "nobody can know: it has to be asked")
        return Verdict("right" if right else "wrong in silence", right, why)
    cure = "" if right else cured(source, readings, do, options)
    why = "; ".join(filter(None, (why, *doubts)))
    outcome: Outcome = "doubted right" if right else "doubted wrong"
    return Verdict(outcome, right or bool(cure), why, tuple(repr(a.options) for a in do), cure)
