"""The columns of a wide table: one for each coder, or for each question and coder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..actions import Action, Notice
from ..errors import InputError
from . import shape
from .names import coder_like, consensus_like, label_like, role_of
from .options import Options
from .plan import Cell, Plan
from .table import BLANK, Column, Table

__all__ = ["looks_wide", "one_coder", "wide_plan"]


def wide_plan(table: Table, options: Options, named: dict[str, str]) -> Plan:
    """The roles of the columns, of which some are known."""
    item = named.get("item")
    question, text = named.get("question"), named.get("text")
    if question and item and shape.one_row_per_item(table, item, None) and not options.question:
        question = None
    if options.coder or options.label:
        chosen = list(options.coder or options.label)
        return _wide_plan(table, chosen, item, question, text, named)
    if item is None:
        found = shape.id_column(table)
        item = None if found == text else found
    roles = {item, question, text}
    rest = [c for c in table.columns if c.name not in roles]
    chosen = _coder_columns(rest, table)
    if item is None and len(chosen) == len(table.columns) and table.headed:
        chosen, item = _first_is_item(table, chosen)
    if len(chosen) < 2:
        raise one_coder(table, chosen)
    return _wide_plan(table, chosen, item, question, text, named)


def looks_wide(table: Table, item: str, named: Mapping[str, str]) -> bool:
    """Whether a table is wide although a few items have two rows, which is a slip."""
    again = int(np.count_nonzero(table[item].codes != BLANK)) - len(table[item].words)
    roles = {item, named.get("question"), named.get("text")}
    chosen = _coder_columns([c for c in table.columns if c.name not in roles], table)
    return len(chosen) > 1 and again * 10 <= max(len(table), 10) and len(
        shape.alike([table[c] for c in chosen])
    ) == len(chosen)  # fmt: skip


def _first_is_item(table: Table, chosen: list[str]) -> tuple[list[str], str | None]:
    """A first column of different cells, none of which another column holds, names the items."""
    first = table.columns[0]
    others = {w for c in table.columns[1:] for w in c.text}
    alone = len(first.words) == len(table) and not others & set(first.text)
    return (chosen[1:], first.name) if alone and len(chosen) > 2 else (chosen, None)


def _coder_columns(rest: Sequence[Column], table: Table) -> list[str]:
    """The columns that hold the labels of a coder each."""
    candidates = [
        c for c in rest
        if not consensus_like(c.name) and not shape.prose(c) and not _question_like(c.name)
        and not shape.nested(c)
    ]  # fmt: skip
    if not table.headed:
        return [c.name for c in candidates]
    by_name = [c.name for c in candidates if coder_like(c.name)]
    pairs = _pairs([c.name for c in candidates])
    if len({p[1] for p in pairs.values()}) > 1:
        together = [n for n in pairs if not consensus_like(n)]
        alike = shape.alike([c for c in candidates if c.name in together])
        if len(alike) > 1 or len({q for q, _ in pairs.values()}) > 1:
            return together
    if len(by_name) > 1:
        return by_name
    filled = [c for c in candidates if not c.blank]
    known = {"item", "text", "status", "question"}
    plain = [c for c in filled if role_of(c.name) not in known]
    alike = shape.alike(plain)
    if len(alike) < 2 and len(plain) == len(table.columns) - 1:
        alike = [c.name for c in plain]
    if len(alike) == len(plain):
        return [c.name for c in candidates if c.blank or c.name in alike]
    return alike


def _question_like(name: str) -> bool:
    return name.rstrip().endswith("?") or len(name) > 60


def _pairs(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Columns named by question and coder, such as q1_A and q1_B: to (question, coder).

    Only if at least two columns share a question, and every question has the same coders.
    """
    for at_end in (True, False):
        for separator in ("__", " - ", "::", ":", "/", "|", "_", ".", " ", "-"):
            split = {}
            for name in names:
                left, found, right = (
                    name.rpartition(separator) if at_end else name.partition(separator)
                )
                if found and left.strip() and right.strip():
                    split[name] = (left.strip(), right.strip())
            full = _complete(split)
            if full:
                return full
    return {}


def _complete(split: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """The part of the split names that is a full product of questions and coders."""
    rights: dict[str, list[str]] = {}
    for left, right in split.values():
        rights.setdefault(left, []).append(right)
    groups: dict[frozenset[str], list[str]] = {}
    for left, coders in rights.items():
        if len(coders) > 1 and len(set(coders)) == len(coders):
            groups.setdefault(frozenset(coders), []).append(left)
    if not groups:
        return {}
    names, questions = max(groups.items(), key=_likely)
    kept = {n: p for n, p in split.items() if p[0] in questions}
    if len(questions) == 1 and coder_like(questions[0]):
        return {}  # annotator_1, annotator_2
    if len(questions) > 1 and all(map(coder_like, questions)) and not all(map(coder_like, names)):
        return {n: (right, left) for n, (left, right) in kept.items()}  # annotator1_q1
    return kept


def _likely(group: tuple[frozenset[str], list[str]]) -> tuple[bool, bool, int]:
    coders, questions = group
    return (
        all(map(coder_like, coders)),
        all(map(label_like, questions)),
        len(coders) * len(questions),
    )


def _wide_plan(
    table: Table,
    chosen: list[str],
    item: str | None,
    question: str | None,
    text: str | None,
    named: dict[str, str],
) -> Plan:
    numbered = {c: ("", c.replace("column", "coder")) for c in chosen}
    pairs = _pairs(chosen) if table.headed else numbered
    if set(pairs) != set(chosen):
        pairs = {}
    questions = list(dict.fromkeys(q for q, _ in pairs.values()))
    _check_one_annotation(pairs, table)
    cells = []
    for name in chosen:
        asked, coder = pairs.get(name, ("", name))
        if len(questions) == 1 and (label_like(asked) or question or not table.headed):
            asked = ""
        cells.append(Cell(name, asked, coder))
    notes: tuple[str, ...] = ()
    if len(questions) > 1:
        notes = (
            f"columns are question × coder: questions {', '.join(map(repr, questions))}; coders "
            f"{', '.join(map(repr, dict.fromkeys(c.coder for c in cells)))}",
        )
    if len(chosen) > 20 and len(chosen) > 3 * len(table):
        notes += (
            Notice(
                f"{len(chosen)} columns count as coders and {len(table)} rows as items",
                Action("", {"coders_in": "rows"}, "if it is the other way round"),
            ),
        )
    return Plan("wide", tuple(cells), item, None, question, text, notes=notes)


def _check_one_annotation(pairs: Mapping[str, tuple[str, str]], table: Table) -> None:
    """Refuse rows that hold several items: their ids are repeated as the labels are."""
    ids = [name for name, (asked, _) in pairs.items() if role_of(asked) in ("item", "coder")]
    if len(ids) > 1 and len({asked for asked, _ in pairs.values()}) > 1:
        raise InputError(
            f"columns {', '.join(map(repr, ids[:4]))} name an item or a coder each: a row holds "
            "several annotations. Make it a row for each item and coder",
            file=table.source,
            do=[Action("", {"coder": [...]}, "the columns of the coders")],
        )


def one_coder(table: Table, chosen: Sequence[str]) -> InputError:
    """The error for a table in which fewer than two columns of labels were found."""
    found = f"only one column of labels was found ({chosen[0]!r})" if chosen else (
        "no columns of labels were recognised"
    )  # fmt: skip
    return InputError(
        f"{found} among {', '.join(repr(n[:40]) for n in table.names[:10])}; agreement needs two "
        "coders. If each coder has a file of their own, give all the files",
        file=table.source,
        do=[Action("", {"coder": ...}, "if a column names the coders"),
            Action("", {"coder": [...]}, "if each coder has a column")],
    )  # fmt: skip
