"""Tables as people keep them: columns with rows above and below, as text files and workbooks."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import openpyxl

from .judging import Cell, Labels
from .studies import Design, Question, Study


@dataclass(frozen=True)
class Column:
    """A column; ``upper`` stands in a first header row, ``down`` merges equal cells."""

    head: str
    cells: list[Cell]
    label: bool = False
    upper: str | None = None
    down: bool = False


@dataclass(frozen=True)
class Table:
    """A sheet or text file as columns, with rows above the header and below the cells.

    Merged headers stand in their first cell only, unless they are ``spread``.
    """

    columns: tuple[Column, ...]
    name: str = "data"
    before: tuple[tuple[Cell, ...], ...] = ()
    after: tuple[tuple[Cell, ...], ...] = ()
    header: bool = True
    spread: bool = False

    def grid(self) -> tuple[list[list[Cell]], list[tuple[int, ...]]]:
        """All rows, and the merged ranges (first row, column, last row, column; from 1)."""
        rows: list[list[Cell]] = [list(x) for x in self.before]
        ranges, cs = [], self.columns
        if any(c.upper is not None for c in cs):
            starts = [
                k for k, c in enumerate(cs) if not k or not c.upper or c.upper != cs[k - 1].upper
            ]
            for a, b in zip(starts, [*starts[1:], len(cs)]):
                down = bool(cs[a].upper and not cs[a].head)
                ranges.append((len(rows) + 1, a + 1, len(rows) + 1 + down, b))
            rows.append([c.upper if k in starts or self.spread else None for k, c in enumerate(cs)])
        if self.header:
            rows.append([c.head for c in cs])
        top = len(rows)
        rows += [list(x) for x in zip(*(c.cells for c in cs))]
        for k, c in enumerate(cs):
            runs = [r for r in range(len(c.cells)) if not r or c.cells[r] != c.cells[r - 1]]
            for a, b in zip(runs, [*runs[1:], len(c.cells)]) if c.down else ():
                ranges.append((top + a + 1, k + 1, top + b, k + 1))
                for r in range(a + 1, b):
                    rows[top + r][k] = None
        rows += [list(x) for x in self.after]
        return rows, [x for x in ranges if x[:2] != x[2:]]


def spelled(d: Design, question: Question, labels: Labels | None) -> Cell:
    """The cell for an answer."""
    if labels is None:
        return d.blank
    if question.many:
        return d.separator.join(map(str, labels))
    if question.scale == "yes/no":
        x = str(labels[0])
        return d.choice((x, x, x.lower(), x.upper(), x.capitalize() + " "))
    return labels[0]


def said(s: Study, d: Design, q: int, where: Iterable[tuple[int, int]]) -> list[Cell]:
    """The cells of a question at pairs of item and coder."""
    return [spelled(d, s.questions[q], s.labels.get((q, i, j))) for i, j in where]


def item_columns(s: Study, d: Design, rows: Sequence[int]) -> tuple[list[Column], list[Column]]:
    """What a table says about the item of each row: who it is, and facts."""
    left, right = [], []
    if "row number" in d.extras:
        left.append(Column(d.pick("Nr.", "#", "", "row"), list(range(1, len(rows) + 1))))
    if "no id" not in d.extras:
        head = d.pick("item", "id", "Item ID", "text_id", "Satz-Nr.", "document")
        left.append(Column(head, [plain_number(s.ids[i]) for i in rows]))
    if "text" in d.extras or "no id" in d.extras:
        left.append(Column(d.pick("text", "Sentence", "Satz", "post"), [s.texts[i] for i in rows]))
    if "genre" in d.extras:
        genres = [d.pick("news", "blog", "forum") for _ in s.ids]
        right.append(Column(d.pick("genre", "source"), [genres[i] for i in rows]))
    if "batch" in d.extras:
        right.append(Column("batch", [1 + i * 4 // len(s.ids) for i in rows]))
    if "gold" in d.extras:
        head = d.pick("gold", "adjudicated", "consensus", "Gold label", "final")
        gold = [spelled(d, s.questions[0], s.gold[0, i]) for i in range(len(s.ids))]
        right.append(Column(head, [gold[i] for i in rows]))
    return left, right


def plain_number(x: Cell) -> Cell:
    """An id of digits as a number."""
    return int(str(x)) if str(x).isdigit() else x


# What follows from labels, and what people call it in several languages, or do not.
FOLLOWING = {
    "equal": "agree? match Konflikt einig accord désaccord acuerdo conflicto consenso_si einstimmig",
    "majority": "majority Mehrheit majorité mayoría maggioranza voted result Ergebnis",
    "votes": "n_votes Anzahl nombre número conteggio",
    "different": "n_distinct verschiedene distincts distintas diversi",
    "share": "share Anteil taux proporción quota",
    "mean": "mean Mittelwert moyenne media promedio",
    "copy": "copy Kopie copie copia backup",
}
NEUTRAL = ("x1", "col7", "v3", "Spalte9", "aux", "tmp")


def following(s: Study, d: Design, q: int = 0) -> list[Column]:
    """Columns that follow from all labels of a question by any name, a row for each item."""
    n, k = len(s.ids), len(s.coders)
    given = [[s.labels[q, i, j] for j in range(k) if (q, i, j) in s.labels] for i in range(n)]
    numbers = s.questions[q].scale in ("integers", "half points")
    made, names = [], []
    for what in d.sample(sorted(FOLLOWING), d.pick(1, 1, 2)):
        if (what == "mean" and not numbers) or (what == "copy" and len(s.coders) < 3):
            continue
        yes, no = d.pick(("yes", "no"), (True, False), (1, 0), ("ja", "nein"), ("oui", "non"))
        cells: list[Cell] = []
        for i, x in enumerate(given):
            times = Counter(x)
            top = [y for y in times if times[y] == max(times.values())]
            one = spelled(d, s.questions[q], d.choice(top)) if top else None
            first = s.labels.get((q, i, 0))
            found: dict[str, Cell] = {
                "equal": yes if len({*x}) == 1 else no,
                "majority": one,
                "votes": len(x),
                "different": len({*x}),
                "share": round(max(times.values(), default=0) / max(1, len(x)), 2),
                "copy": None if first is None else spelled(d, s.questions[q], first),
            }
            if what == "mean":
                found["mean"] = round(sum(y[0] for y in x) / max(1, len(x)), 2)  # type: ignore[misc]
            cells.append(found[what])
        free = [x for x in (*FOLLOWING[what].split(), *NEUTRAL) if x not in names]
        names.append(d.choice(free))
        made.append(Column(names[-1], cells))
    return made


def derived(s: Study, d: Design) -> list[Column]:
    """Columns that follow from the labels of a question, a row for each item."""
    made, n, k = [], len(s.ids), len(s.coders)
    given = [[s.labels[0, i, j] for j in range(k) if (0, i, j) in s.labels] for i in range(n)]
    if "following" in d.extras:
        return following(s, d)
    if "agree?" in d.extras:
        yes, no = d.pick(("yes", "no"), (True, False), (1, 0), ("x", None))
        cells = [yes if len({*x}) == 1 else no for x in given]
        made.append(Column(d.pick("agree?", "match", "Agreement", "identical"), cells))
    if "mean" in d.extras and s.questions[0].scale in ("integers", "half points"):
        means = [round(sum(x[0] for x in row) / len(row), 2) for row in given]  # type: ignore[misc]
        made.append(Column(d.pick("mean", "Average", "Mittelwert"), list(means)))
    return made


def annotation_columns(s: Study, d: Design, where: Sequence[tuple[int, int]]) -> list[Column]:
    """What a table says about the annotation of each row, beside the label."""
    made, start = [], datetime(2024, 3, 5, 9, 12, 30)
    if "timestamp" in d.extras:
        times = [start + timedelta(seconds=97 * k + d.randint(0, 90)) for k in range(len(where))]
        made.append(Column(d.pick("timestamp", "created_at", "Zeitstempel"), list(times)))
    if "e-mail" in d.extras:
        made.append(Column("email", [mail(s.coders[j]) for _, j in where]))
    if "seconds" in d.extras:
        head = d.pick("seconds", "duration", "lead_time")
        made.append(Column(head, [round(d.uniform(2, 60), 1) for _ in where]))
    if "following" in d.extras:
        for c in following(s, d):
            made.append(replace(c, cells=[c.cells[i] for i, _ in where]))
    if "age" in d.extras:
        ages = [d.randint(19, 64) for _ in s.coders]
        groups = [d.pick("expert", "crowd") for _ in s.coders]
        made.append(Column(d.pick("age", "Alter"), [ages[j] for _, j in where]))
        made.append(Column(d.pick("group", "x5", "Gruppe"), [groups[j] for _, j in where]))
    if "comment" in d.extras:
        made.append(Column(d.pick("comment", "Notes", "Bemerkung"), remarks(d, len(where))))
    if "confidence" in d.extras:
        scores = d.pick((1, 2, 3, 4, 5), (0.25, 0.5, 0.75, 0.9, 1.0))
        made.append(Column("confidence", [d.choice(scores) for _ in where]))
    return made


def mail(name: str) -> str:
    """An address of a coder."""
    plain = name.lower().replace("ü", "ue").replace("ë", "e")
    short = re.sub(r"[^a-z0-9]+", ".", plain).strip(".") or f"u{ord(name[0])}"
    return name if "@" in name else f"{short}@uni.de"


def remarks(d: Design, n: int) -> list[Cell]:
    """Free comments, mostly none."""
    texts = ("not sure here", "typo in the text", "siehe Leitfaden S. 4", "could be both, I think")
    return [d.choice(texts) if d.chance(0.2) else None for _ in range(n)]


def summed(cells: Sequence[Cell]) -> Cell:
    """How many cells are filled."""
    return sum(x is not None for x in cells)


def averaged(cells: Sequence[Cell]) -> Cell:
    """The mean of a column of numbers."""
    numbers = [x for x in cells if isinstance(x, int | float)]
    return round(sum(numbers) / len(numbers), 2) if numbers else None


def repeated_rows(d: Design, table: Table) -> Table:
    """Some rows a second time, equal in every cell."""
    n = len(table.columns[0].cells)
    again = sorted([*range(n), *d.sample(range(n), 2)])
    cells = [replace(c, cells=[c.cells[k] for k in again]) for c in table.columns]
    return replace(table, columns=tuple(cells))


def as_text(table: Table, delimiter: str, encoding: str, decimal: str, day_first: bool) -> bytes:
    """A delimited file."""

    def text(x: Cell) -> str:
        if isinstance(x, float):
            return str(x).replace(".", decimal)
        if isinstance(x, datetime):
            return x.strftime("%d.%m.%Y %H:%M:%S" if day_first else "%Y-%m-%d %H:%M:%S")
        if isinstance(x, bool):
            return str(x).upper()
        return "" if x is None else str(x)

    out = io.StringIO(newline="")
    rows, _ = table.grid()
    width = max(map(len, rows))
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([*map(text, row), *[""] * (width - len(row))] for row in rows)
    try:
        return out.getvalue().encode(encoding)
    except UnicodeEncodeError:  # as programs do where the narrower one has no such letter
        return out.getvalue().encode("utf-8")


def as_workbook(tables: Sequence[Table], codebook: Sequence[Cell], *, first: bool) -> bytes:
    """A workbook with a sheet for each table, merged cells, and perhaps a codebook."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for table in tables:
        sheet = book.create_sheet(table.name[:31])
        rows, ranges = table.grid()
        for row in rows:
            sheet.append([None if x == "" else x for x in row])
        for top, left, bottom, right in ranges:
            sheet.merge_cells(start_row=top, start_column=left, end_row=bottom, end_column=right)
    if codebook:
        sheet = book.create_sheet("Codebook", 0 if first else None)
        sheet.append(["Code", "Meaning"])
        for x in codebook:
            sheet.append([x, f"Use {x} if the text clearly says so, see the guideline."])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
