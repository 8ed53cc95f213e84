"""What the columns of a table are: from what the user says, then their names, then their cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ..errors import InputError
from . import shape
from .assemble import status_of
from .names import coder_like, consensus_like, label_like, role_of, tidy, words_of
from .options import Options
from .table import Column, Table

__all__ = ["Cell", "Plan", "facts", "recognise"]


@dataclass(frozen=True)
class Cell:
    """A column of labels: which question it answers, and whose it is (None: unsaid)."""

    column: str
    question: str = ""
    coder: str | None = None


@dataclass(frozen=True)
class Plan:
    """What each column is for."""

    layout: str
    cells: tuple[Cell, ...]
    item: str | None = None
    coder: str | None = None
    question: str | None = None
    text: str | None = None
    status: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def used(self) -> set[str]:
        """The columns that play a role."""
        roles = {self.item, self.coder, self.question, self.text, self.status}
        return {c for c in roles if c} | {c.column for c in self.cells}


def facts(table: Table, options: Options) -> Plan | None:
    """A table that says something about items but holds no coder's labels."""
    item = _by_name(table, options).get("item") or shape.id_column(table)
    return Plan("facts", (), item) if item else None


def recognise(table: Table, options: Options, *, own_coder: bool = False) -> Plan:
    """How to read a table.

    Parameters
    ----------
    own_coder : bool
        True if the whole table belongs to one coder (a file or sheet per coder).
    """
    _check(table, options)
    named = _by_name(table, options)
    layout = options.layout
    if own_coder:
        return _single(table, options, named)
    if layout is None and not options.item and not options.coder and not options.label:
        if shape.is_contingency(table):
            return Plan("table", ())
        if shape.is_counts(table, named.get("item")):
            return _counts(table, named, options)
    if layout == "table":
        return Plan("table", ())
    if layout == "counts":
        return _counts(table, named, options)
    if layout == "wide" or len(options.coder) > 1:
        return _wide(table, options, named)
    if layout == "long" or options.coder or "coder" in named:
        return _long(table, options, named)
    if not options.item and "item" not in named and layout is None:
        found = shape.long_by_structure(table)
        if found:
            known, coder, label = found
            note = f"item, coder and label were told by their cells: {known}, {coder}, {label}"
            return Plan("long", (Cell(label),), known, coder, notes=(note,))
    item = named.get("item")
    if item and options.label and len(options.label) == 1:
        return _long(table, options, named)
    if item and not shape.one_row_per_item(table, item, named.get("question")):
        found = shape.long_by_structure(table, item)
        if found and not named.get("question"):
            return _long(table, options, named | {"coder": found[1]})
        return _long(table, options, named)
    return _wide(table, options, named)


# ---------------------------------------------------------------------- by name


def _check(table: Table, options: Options) -> None:
    roles = {"item": options.item, "question": options.question, "text": options.text}
    asked = [(r, n) for r, n in roles.items() if n]
    asked += [("coder", n) for n in options.coder] + [("label", n) for n in options.label]
    for role, name in asked:
        if name not in table.names:
            raise _unknown(role, name, table)


def _unknown(role: str, name: str, table: Table) -> InputError:
    alike = [n for n in table.names if tidy(n) == tidy(name)]
    close = alike or get_close_matches(name, table.names, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    shown = ", ".join(map(repr, table.names[:12])) + (", …" if len(table.names) > 12 else "")
    return InputError(
        f"there is no column {name!r} to be the {role}; the columns are {shown}{hint}",
        file=table.source,
    )


def _by_name(table: Table, options: Options) -> dict[str, str]:
    """Role to column, as far as the user or the names say."""
    given = {"item": options.item, "question": options.question, "text": options.text}
    named: dict[str, str] = {r: c for r, c in given.items() if c}
    if len(options.coder) == 1:
        named["coder"] = options.coder[0]
    if len(options.label) == 1:
        named["label"] = options.label[0]
    if not table.headed:
        return named
    taken = {*named.values(), *options.coder, *options.label}
    for role in ("item", "coder", "question", "text", "status", "label"):
        if role in named or (role == "coder" and options.coder):
            continue
        found = [c for c in table.columns if role_of(c.name) == role and c.name not in taken]
        found = [c for c in found if _fits(role, c, table)]
        if found:
            best = _best(role, found)
            named[role] = best.name
            taken.add(best.name)
    return named


def _labels_too(column: Column, table: Table) -> bool:
    """Whether 'model' or 'expert' is a coder with a column of labels: others hold the same."""
    item = next((c.name for c in table.columns if role_of(c.name) == "item"), None)
    others = [c for c in table.columns if c is not column and c.name != item and not c.blank]
    found = set(column.text)
    return (
        item is not None
        and shape.one_row_per_item(table, item, None)
        and any(len(found & set(c.text)) * 2 >= len(found) for c in others)
    )


def _best(role: str, found: Sequence[Column]) -> Column:
    """The most telling of several columns: the exact word, else the first."""
    exact = [c for c in found if tidy(c.name) in (role, role + "id")]
    if role == "text" and not exact:
        return max(found, key=lambda c: len(c.words))
    if role == "item" and not exact:
        exact = [c for c in found if "id" in words_of(c.name)]
    return (exact or list(found))[0]


def _fits(role: str, column: Column, table: Table) -> bool:
    n = len(table)
    if role == "status":
        return not column.blank and all(status_of(w) is not None for w in column.text)
    if role == "question":
        return not column.blank and len(column.words) <= max(2, n / 4) and not shape.prose(column)
    if role == "text":
        return not column.blank and not shape.numbers(column) and shape.wordy(column)
    if role == "coder":
        return not column.blank and not _labels_too(column, table)
    return not column.blank


# ---------------------------------------------------------------------- long


def _long(table: Table, options: Options, named: dict[str, str]) -> Plan:
    item, coder, question = named.get("item"), named.get("coder"), named.get("question")
    if item is None:
        item = _item_by_structure(table, named)
    if item == coder:
        coder = None
    labels = _labels_of_long(table, options, named, item, coder)
    notes: tuple[str, ...] = ()
    if coder is None:
        notes = (
            "no column says who the coders are: the annotations of an item count as given by "
            "anonymous coders, and nothing is said about single coders (say coder= if a column "
            "does)",
        )
    if len(labels) > 1:
        notes += (
            f"{len(labels)} columns of labels count as one question each: "
            f"{', '.join(map(repr, labels))} (say label= to choose)",
        )
    cells = tuple(Cell(c, c if len(labels) > 1 or len(options.label) > 1 else "") for c in labels)
    return Plan("long", cells, item, coder, question, named.get("text"), named.get("status"), notes)


def _item_by_structure(table: Table, named: dict[str, str]) -> str:
    """The column with most different cells that is not known to be something else."""
    rest = [c for c in table.columns if c.name not in named.values() and not c.blank]
    text = named.get("text")
    if not rest and text:
        return text
    coder = named.get("coder")
    repeated = [
        c for c in rest if coder and shape.unique_pairs(table, c.name, coder, named.get("question"))
    ]
    rest = repeated or rest
    if not rest:
        raise InputError(
            "no column says which item an annotation is about; say item=", file=table.source
        )
    return max(rest, key=lambda c: len(c.words)).name


def _labels_of_long(
    table: Table, options: Options, named: dict[str, str], item: str, coder: str | None
) -> list[str]:
    if options.label:
        return list(options.label)
    roles = {named.get(r) for r in ("question", "text", "status")} | {item, coder}
    rest = [c for c in table.columns if c.name not in roles and not c.blank]
    by_name = [c for c in rest if label_like(c.name) and not _free(c)]
    if by_name:
        exact = [c for c in by_name if tidy(c.name) == "label"]
        return [c.name for c in exact or by_name[: 1 if named.get("label") else None]]
    varying = [
        c.name
        for c in rest
        if not _free(c)
        and role_of(c.name) not in ("item", "coder", "text")
        and not consensus_like(c.name)
        and not shape.constant_per(table, c.name, item)
        and not shape.looks_like_time(c)
        and not (coder and shape.constant_per(table, c.name, coder))
    ]
    if not varying:
        varying = [c.name for c in rest if label_like(c.name)] or [
            c.name for c in rest if not consensus_like(c.name)
        ][-1:]
    if not varying:
        raise InputError(
            "no column holds labels; the columns are "
            f"{', '.join(map(repr, table.names))}. Say label=",
            file=table.source,
        )
    return varying


def _free(column: Column) -> bool:
    """Whether a column holds prose rather than labels."""
    return shape.prose(column)


# ---------------------------------------------------------------------- wide


def _wide(table: Table, options: Options, named: dict[str, str]) -> Plan:
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
        raise _one_coder(table, chosen)
    return _wide_plan(table, chosen, item, question, text, named)


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
            f"{len(chosen)} columns count as coders and {len(table)} rows as items: if it is the "
            "other way round, say coders_in='rows'",
        )
    return Plan("wide", tuple(cells), item, None, question, text, None, notes)


def _one_coder(table: Table, chosen: Sequence[str]) -> InputError:
    found = f"only one column of labels was found ({chosen[0]!r})" if chosen else (
        "no columns of labels were recognised"
    )  # fmt: skip
    return InputError(
        f"{found} among {', '.join(repr(n[:40]) for n in table.names[:10])}; agreement needs two "
        "coders. If each coder has a file of their own, give all the files; if a column says who "
        "the coder is, say coder=; if each coder has a column, say coder= with their names",
        file=table.source,
    )


# ---------------------------------------------------------------------- one coder per table


def _single(table: Table, options: Options, named: dict[str, str]) -> Plan:
    """A table of one coder: an item column and a column for each question."""
    item = named.get("item") or shape.id_column(table)
    if item is None and table.headed and len(table.columns) > 1:
        first = table.columns[0]
        item = first.name if len(first.words) == len(table) else None
    text = named.get("text")
    chosen = list(options.label)
    if not chosen:
        rest = [c for c in table.columns if c.name not in {item, text} and not c.blank]
        question = named.get("question")
        if question and item and not shape.one_row_per_item(table, item, None):
            rest = [c for c in rest if c.name != question]
            labelled = [c.name for c in rest if label_like(c.name)][:1]
            chosen = labelled or [c.name for c in rest if not shape.prose(c)][:1]
            cells = tuple(Cell(c, "", table.coder) for c in chosen)
            return Plan("files", cells, item, None, question, text, named.get("status"))
        chosen = [c.name for c in rest if not shape.prose(c) and not consensus_like(c.name)]
        labelled = [n for n in chosen if label_like(n)]
        if len(labelled) == 1 and tidy(labelled[0]) != "id":
            chosen = labelled
    cells = tuple(Cell(c, c if len(chosen) > 1 else "", table.coder) for c in chosen)
    if not cells:
        raise _one_coder(table, ())
    status = named.get("status") if named.get("status") not in chosen else None
    return Plan("files", cells, item, None, None, text, status)


def _counts(table: Table, named: dict[str, str], options: Options) -> Plan:
    item = named.get("item")
    if item and not options.item and _is_category(table, item, options):
        item = None  # a category called 'no' or 'case'
    if item is None and not shape.numbers(table.columns[0]):
        item = table.columns[0].name
    cells = tuple(
        Cell(c.name)
        for c in table.columns
        if c.name != item and shape.counting(c) and tidy(c.name) not in ("total", "sum", "n")
    )
    return Plan("counts", cells, item)


def _is_category(table: Table, name: str, options: Options) -> bool:
    """Whether a column of a table of counts is named like an item but counts coders."""
    if name in map(str, options.categories_of("") or ()):
        return True
    return shape.counting(table[name]) and not shape.unique_pairs(table, name)
