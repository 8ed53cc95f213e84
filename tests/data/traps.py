"""Files of annotations as people really have them, with the truth.

A small study is drawn and written out by recombining layout, header, dialect, scale and further
columns; everything follows from one seed. In the folder of the tests::

    python -m data.traps --seed 9000 --n 200     # layout × verdict, and what was read wrong
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from .judging import OUTCOMES, Cell, Truth, Variant, judge
from .sheets import (
    Column,
    Table,
    annotation_columns,
    as_text,
    as_workbook,
    averaged,
    derived,
    item_columns,
    mail,
    plain_number,
    remarks,
    repeated_rows,
    said,
    spelled,
    summed,
)
from .studies import ENDS, MODELS, PEOPLE, Design, study


@dataclass(frozen=True)
class Made:
    """What a layout makes of a study: tables or records, and the admissible readings."""

    tables: tuple[Table, ...]
    readings: tuple[Truth, ...]
    scale: str
    workbook: bool | None = None
    records: tuple[Mapping[str, Any], ...] = ()
    ambiguous: bool = False


def wide(d: Design) -> Made:
    """A row for each item, a column for each coder."""
    s = study(d, many=d.chance(0.15))
    n = len(s.ids)
    left, right = item_columns(s, d, range(n))
    coders = [
        Column(c, said(s, d, 0, [(i, j) for i in range(n)]), label=True)
        for j, c in enumerate(s.coders)
    ]
    table = Table((*left, *coders, *derived(s, d), *right))
    known_by = "order" if d.header == "none" else "name"
    return Made((table,), (s.truth(known_by),), s.questions[0].scale)


def long(d: Design) -> Made:
    """A row for each annotation; two questions are two columns, or rows of their own."""
    s = study(d, questions=1 if d.header == "none" else d.pick(1, 1, 2))
    pairs = s.pairs
    if by := d.pick("item", "coder", ""):
        pairs.sort(key=lambda x: x if by == "item" else x[::-1])
    else:
        d.shuffle(pairs)
    two = len(s.questions) == 2
    stacked = two and d.chance(0.5)
    asked = [q for _ in pairs for q in range(2)] if stacked else []
    where = [x for x in pairs for _ in range(1 + stacked)]
    left, right = item_columns(s, d, [i for i, _ in where])
    head_coder, head_label = d.pick(
        ("coder", "label"),
        ("annotator", "answer"),
        ("Rater", "Score"),
        ("user", "category"),
        ("who", "what"),
        ("Kodierer", "Wert"),
    )
    middle = [Column(head_coder, [s.coders[j] for _, j in where])]
    if stacked:
        cells = [spelled(d, s.questions[q], s.labels[q, i, j]) for q, (i, j) in zip(asked, where)]
        middle.append(Column("question", [s.questions[q].name for q in asked]))
        middle.append(Column(head_label, cells, label=True))
    else:
        for q, question in enumerate(s.questions):
            head = question.name if two else head_label
            middle.append(Column(head, said(s, d, q, where), label=True))
    table = Table((*left, *middle, *annotation_columns(s, d, where), *right))
    return Made((table,), (s.truth(),), s.questions[0].scale)


def crossed(d: Design) -> Made:
    """A row for each item, a column for each question of each coder."""
    s = study(d, questions=d.pick(2, 2, 3), coders=(2, 4))
    rows = range(len(s.ids))
    left, right = item_columns(s, d, rows)
    form = d.pick("{}_{}", "{}.{}", "{} {}", "{}-{}", "{}: {}", "{}/{}", "{} ({})")
    coder_first, by_coder = d.chance(0.5), d.chance(0.5)
    asked = [*range(len(s.questions)), *(x for x in ("comment", "seconds") if x in d.extras)]
    order = [(q, j) for q in asked for j in range(len(s.coders))]
    order.sort(key=lambda x: x[1] if by_coder else 0)
    columns = []
    for q, j in order:
        names = (s.coders[j], q if isinstance(q, str) else s.questions[q].name)
        head = form.format(*(names if coder_first else names[::-1]))
        if isinstance(q, int):
            columns.append(Column(head, said(s, d, q, [(i, j) for i in rows]), label=True))
        elif q == "comment":
            columns.append(Column(head, remarks(d, len(rows))))
        else:
            columns.append(Column(head, [d.randint(3, 90) for _ in rows]))
    table = Table((*left, *columns, *right))
    return Made((table,), (s.truth(),), s.questions[0].scale)


def two_rows(d: Design) -> Made:
    """Two header rows: questions over coders, coders over questions, or a title over coders."""
    s = study(d, questions=d.pick(1, 2, 2), coders=(2, 4))
    n, one = len(s.ids), len(s.questions) == 1
    left, right = item_columns(s, d, range(n))
    over = one or d.chance(0.5)
    order = [(q, j) for q in range(len(s.questions)) for j in range(len(s.coders))]
    order.sort(key=lambda x: x if over else x[::-1])
    columns = []
    for q, j in order:
        title = "Annotators" if one else s.questions[q].name
        upper, head = (title, s.coders[j]) if over else (s.coders[j], s.questions[q].name)
        cells = said(s, d, q, [(i, j) for i in range(n)])
        columns.append(Column(head, cells, label=True, upper=upper))
    top = d.chance(0.4)  # other heads stand in the upper row, merged downwards
    sides = [
        [replace(c, upper=c.head, head="") if top else replace(c, upper="") for c in side]
        for side in (left, right)
    ]
    table = Table((*sides[0], *columns, *sides[1]), spread=d.chance(0.3))
    return Made((table,), (s.truth(),), s.questions[0].scale)


def merged_items(d: Design) -> Made:
    """A row for each annotation, the item only in the first of its rows."""
    s = study(d, coders=(2, 4))
    left, _ = item_columns(s, d, [i for i, _ in s.pairs])
    left = [replace(c, down=True) for c in left]
    middle = (
        Column(d.pick("annotator", "Coder"), [s.coders[j] for _, j in s.pairs]),
        Column(d.pick("label", "Code"), said(s, d, 0, s.pairs), label=True),
    )
    table = Table((*left, *middle, *annotation_columns(s, d, s.pairs)))
    return Made((table,), (s.truth(),), s.questions[0].scale)


def per_coder(d: Design, *, workbook: bool) -> Made:
    """A file or sheet for each coder, with one or several questions."""
    s = study(d, questions=d.pick(1, 2, 2, 3), coders=(2, 4), names=plain_names)
    n, tables = len(s.ids), []
    form = "{}" if workbook else d.pick("{}", "ratings_{}", "{}_final")
    side = Design(d.random())
    side.extras = d.extras
    state = side.getstate()
    for j, coder in enumerate(s.coders):
        side.setstate(state)  # the same heads in each
        rows = [i for i in range(n) if (0, i, j) in s.labels] if d.chance(0.5) else list(range(n))
        left, right = item_columns(s, side, range(n))
        asked = [
            Column(x.name, said(s, d, q, [(i, j) for i in rows]), label=True)
            for q, x in enumerate(s.questions)
        ]
        facts = [replace(c, cells=[c.cells[i] for i in rows]) for c in left + right]
        notes = [Column("comment", remarks(d, len(rows)))] if "comment" in d.extras else []
        columns = (*facts[: len(left)], *asked, *facts[len(left) :], *notes)
        tables.append(Table(columns, form.format(coder)))
    return Made(tuple(tables), (s.truth(),), s.questions[0].scale, workbook=workbook)


def file_per_coder(d: Design) -> Made:
    """A text file for each coder."""
    return per_coder(d, workbook=False)


def sheet_per_coder(d: Design) -> Made:
    """A sheet for each coder."""
    return per_coder(d, workbook=True)


def plain_names(d: Design, n: int) -> tuple[str, ...]:
    """Names that may be the names of files and sheets."""
    return d.choice((tuple(d.sample(PEOPLE, n)), tuple(f"rater{k + 1}" for k in range(n))))


def coders_in_rows(d: Design) -> Made:
    """A row for each coder, a column for each item."""
    s = study(d, coders=(3, 6), items=(12, 25))
    head = d.pick("{}", "Text {}", "{}").format
    who = Column(d.pick("coder", "Rater", "Annotator", "name"), list(s.coders))
    columns = [
        Column(head(x), said(s, d, 0, [(i, j) for j in range(len(s.coders))]), label=True)
        for i, x in enumerate(s.ids)
    ]
    if "gold" in d.extras:
        who = replace(who, cells=[*who.cells, "gold"])
        columns = [
            replace(c, cells=[*c.cells, spelled(d, s.questions[0], s.gold[0, i])])
            for i, c in enumerate(columns)
        ]
    return Made((Table((who, *columns)),), (s.truth(),), s.questions[0].scale)


def form_respondents(d: Design) -> Made:
    """Google Forms: a row for each respondent, a column for each item."""
    scales = ("words", "integers", "yes/no", "agreement words")
    s = study(d, coders=(3, 6), items=(12, 20), scales=scales)
    start, k = datetime(2024, 3, 5, 9, 12, 30), range(len(s.coders))
    columns = [
        Column("Timestamp", [start + timedelta(minutes=37 * j + d.randint(0, 20)) for j in k])
    ]
    known = d.pick("mail", "name", "both", "nobody")
    if known in ("mail", "both"):
        columns.append(Column(d.pick("Email Address", "Username"), [mail(x) for x in s.coders]))
    if known in ("name", "both"):
        columns.append(Column(d.pick("Your name", "Name"), list(s.coders)))
    stem = d.pick("How would you rate this text? [{}]", "{}", "{}")
    for i, text in enumerate(s.texts):
        cells = said(s, d, 0, [(i, j) for j in k])
        columns.append(Column(stem.format(text), cells, label=True))
    if "comment" in d.extras:
        columns.append(Column("Any comments?", remarks(d, len(k))))
    truth = s.truth("order" if known == "nobody" else "name")
    if known in ("mail", "both"):
        truth = replace(truth, known_by="order")  # any of their names will do
    return Made((Table(tuple(columns)),), (truth,), s.questions[0].scale)


def form_submissions(d: Design) -> Made:
    """Google Forms: a submission for each item, with time and e-mail."""
    s = study(d, questions=d.pick(1, 1, 2), coders=(2, 4))
    pairs = s.pairs
    d.shuffle(pairs)
    start = datetime(2024, 3, 5, 9, 12, 30)
    times = [start + timedelta(seconds=97 * k + d.randint(0, 90)) for k in range(len(pairs))]
    asked = [
        Column(f"What is its {x.name}?", said(s, d, q, pairs), label=True)
        for q, x in enumerate(s.questions)
    ]
    item = d.pick([s.texts[i] for i, _ in pairs], [plain_number(s.ids[i]) for i, _ in pairs])
    columns = (
        Column("Timestamp", list(times)),
        Column(d.pick("Email Address", "Username"), [mail(s.coders[j]) for _, j in pairs]),
        Column(d.pick("Which text did you read?", "Text"), list(item)),
        *asked,
        *([Column("Comments (optional)", remarks(d, len(pairs)))] if "comment" in d.extras else []),
    )
    truth = replace(s.truth(), coders=tuple(map(mail, s.coders)))
    said_by = tuple(replace(a, coder=mail(a.coder)) for a in truth.annotations)
    truth = replace(truth, annotations=said_by)
    return Made((Table(columns),), (truth,), s.questions[0].scale)


def one_hot(d: Design) -> Made:
    """A column of marks for each label: in a row of each annotation, or for each coder."""
    many, parts = d.chance(0.5), d.chance(0.5)
    marks = d.pick(("x", None), ("X", None), (1, 0), (True, False), (1, None))
    s = study(d, many=many, scales=("words", "agreement words"), coders=(2, 4), full=parts)
    words = s.questions[0].categories

    def marked(where: Sequence[tuple[int, int]], x: Cell) -> list[Cell]:
        return [marks[0 if x in s.labels[0, i, j] else 1] for i, j in where]

    if parts:
        left, right = item_columns(s, d, range(len(s.ids)))
        form = d.pick("{}_{}", "{}: {}", "{} {}")
        middle = [
            Column(form.format(c, x), marked([(i, j) for i in range(len(s.ids))], x), label=True)
            for j, c in enumerate(s.coders)
            for x in words
        ]
    else:
        left, right = item_columns(s, d, [i for i, _ in s.pairs])
        middle = [Column(d.pick("annotator", "coder"), [s.coders[j] for _, j in s.pairs])]
        middle += [Column(str(x), marked(s.pairs, x), label=True) for x in words]
    readings = [s.truth()]
    ambiguous = many and marks[1] is not None
    if ambiguous:  # each label may be a question of its own
        apart = tuple(
            replace(a, question=str(x), labels=(marks[0 if x in a.labels else 1],))
            for a in readings[0].annotations
            for x in words
        )
        readings.append(replace(readings[0], annotations=apart))
    table = Table((*left, *middle, *right))
    return Made((table,), tuple(readings), "sets" if many else "words", ambiguous=ambiguous)


def judges(d: Design) -> Made:
    """JSON lines of language models as judges, with rationale, confidence and usage."""
    scales = ("words", "integers", "half points", "agreement words")
    s = study(d, scales=scales, coders=(2, 4), names=lambda d, n: tuple(d.sample(MODELS, n)))
    pairs = s.pairs
    d.shuffle(pairs)
    key, who = d.pick("id", "sample_id", "question_id"), d.pick("model", "judge")
    label, nested = d.pick("score", "label", "verdict", "rating"), d.chance(0.3)
    records, text = [], d.chance(0.5)
    for k, (i, j) in enumerate(pairs):
        answer = {
            label: s.labels[0, i, j][0],
            "rationale": f"It says that {d.choice(ENDS)}, so case {k} is clear.",
            "confidence": round(d.uniform(0.4, 1), 2),
        }
        records.append(
            {key: plain_number(s.ids[i])}
            | ({"prompt": s.texts[i]} if text else {})
            | {who: s.coders[j], "temperature": 0.0}
            | ({"output": answer} if nested else answer)
            | {"usage": {"tokens": d.randint(200, 900), "seconds": round(d.uniform(1, 9), 2)}}
        )
    return Made((), (s.truth(),), s.questions[0].scale, records=tuple(records))


def contingency(d: Design) -> Made:
    """The labels of one coder against those of another, with or without totals."""
    s = study(
        d, scales=("words", "integers", "agreement words"), coders=(2, 2), full=True, items=(25, 60)
    )
    words, n = s.questions[0].categories, range(len(s.ids))
    pairs = Counter((s.labels[0, i, 0], s.labels[0, i, 1]) for i in n)
    known, totals = d.chance(0.6), d.chance(0.5)
    count = [[pairs[(a,), (b,)] for b in words] for a in words]
    rows, cells = list(words), [list(x) for x in zip(*count)]
    if totals:
        rows.append("Total")
        cells = [[*x, sum(x)] for x in cells]
        cells.append([sum(x) for x in zip(*cells)])
    corner = d.pick("{} \\ {}", "{}/{}", "{} x {}").format(*s.coders) if known else ""
    heads = [*map(str, words), *(["Total"] if totals else [])]
    columns = [Column(corner, rows), *(Column(h, list(c)) for h, c in zip(heads, cells))]
    truth = s.truth("name" if known else "order")
    return Made((Table(tuple(columns)),), (truth,), s.questions[0].scale)


def counts(d: Design) -> Made:
    """How many coders chose each category, a row for each item."""
    s = study(d, scales=("words",), coders=(3, 6), full=True)
    left, right = item_columns(s, d, range(len(s.ids)))
    columns = [
        Column(
            str(x),
            [
                sum(s.labels[0, i, j] == (x,) for j in range(len(s.coders)))
                for i in range(len(s.ids))
            ],
        )
        for x in s.questions[0].categories
    ]
    table = Table((*left, *columns, *right))
    return Made((table,), (s.truth("any"),), "words")


def bare(d: Design) -> Made:
    """Nothing but labels: the longer side are items; nearly square, nobody knows."""
    square = d.chance(0.2)
    size = {"items": (5, 6), "coders": (4, 5)} if square else {"coders": (2, 4)}
    s = study(d, full=d.chance(0.5), **size)  # type: ignore[arg-type]
    n, k = range(len(s.ids)), range(len(s.coders))
    cells = [[spelled(d, s.questions[0], s.labels.get((0, i, j))) for i in n] for j in k]
    if d.chance(0.4):
        cells = [list(x) for x in zip(*cells)]
    table = Table(tuple(Column("", x) for x in cells), header=False)
    readings = [s.truth("order")]
    if square:
        turned = [replace(a, item=a.coder, coder=str(a.item)) for a in readings[0].annotations]
        readings.append(Truth(tuple(turned), tuple(map(str, s.ids)), "order"))
    return Made((table,), tuple(readings), s.questions[0].scale, ambiguous=square)


WHEN = ("{}_r{}", "{} ({})", "{}_t{}", "{} round {}", "{} Runde {}", "{}-round{}")


def rounds(d: Design) -> Made:
    """Coders who annotated the items twice: a column for each time, or rows with the round."""
    s = study(d, coders=(2, 3), names=people, full=d.chance(0.5))
    n, form, rows = len(s.ids), d.choice(WHEN), d.chance(0.5)
    k = len(s.questions[0].categories)
    again = {}
    for (_, i, j), x in s.labels.items():  # mostly the same again
        other = (s.questions[0].categories[d.randrange(k)],)
        again[i, j] = x if d.chance(0.8) else other
    times: tuple[Any, Any] = ({(i, j): x for (_, i, j), x in s.labels.items()}, again)
    question = s.questions[0]
    if rows:
        pairs = [(i, j, r) for i, j in s.pairs for r in (0, 1)]
        left, right = item_columns(s, d, [i for i, _, _ in pairs])
        middle = (
            Column(d.pick("coder", "Rater"), [s.coders[j] for _, j, _ in pairs]),
            Column(d.pick("round", "Runde", "wave", "Durchgang"), [r + 1 for _, _, r in pairs]),
            Column(
                "label", [spelled(d, question, times[r][i, j]) for i, j, r in pairs], label=True
            ),
        )
    else:
        left, right = item_columns(s, d, range(n))
        by_round = d.chance(0.5)
        order = [(j, r) for j in range(len(s.coders)) for r in (0, 1)]
        order.sort(key=lambda x: x[1] if by_round else 0)
        middle = tuple(
            Column(
                form.format(s.coders[j], r + 1),
                [spelled(d, question, times[r].get((i, j))) for i in range(n)],
                label=True,
            )
            for j, r in order
        )
    truth = s.truth()
    second = [
        replace(a, labels=again[s.ids.index(a.item), s.coders.index(a.coder)])
        for a in truth.annotations
    ]
    truth = replace(truth, annotations=(*truth.annotations, *second))
    return Made((Table((*left, *middle, *right)),), (truth,), question.scale)


def people(d: Design, n: int) -> tuple[str, ...]:
    """Names of persons."""
    return tuple(d.sample(PEOPLE, n))


def codes_for_missing(d: Design) -> Made:
    """Ratings with a number where a coder gave none: nobody can know, so it has to be asked."""
    s = study(d, scales=("integers",), full=True)
    code = d.pick(9, 99, -1, -99, 999, -9)
    n, j_of = len(s.ids), range(len(s.coders))
    gone = {(i, j) for i in range(n) for j in j_of if d.chance(0.08)} | {(0, 0)}
    left, right = item_columns(s, d, range(n))
    columns = [
        Column(c, [code if (i, j) in gone else s.labels[0, i, j][0] for i in range(n)], label=True)
        for j, c in enumerate(s.coders)
    ]
    whole = s.truth()
    kept = [
        a for a in whole.annotations if (s.ids.index(a.item), s.coders.index(a.coder)) not in gone
    ]
    coded = [a if a in kept else replace(a, labels=(code,)) for a in whole.annotations]
    readings = tuple(replace(whole, annotations=tuple(x)) for x in (kept, coded))
    table = Table((*left, *columns, *right))
    return Made((table,), readings, "integers", ambiguous=True)


def nested(d: Design) -> Made:
    """Every item has other judges than the rest."""
    s = study(d, coders=(2, 4), full=True, names=people)
    each = {(i, j): f"J{i * len(s.coders) + j + 1:03}" for i, j in s.pairs}
    pairs = s.pairs
    if d.chance(0.5):
        d.shuffle(pairs)
    left, right = item_columns(s, d, [i for i, _ in pairs])
    middle = (
        Column(d.pick("judge", "rater", "worker_id"), [each[x] for x in pairs]),
        Column(d.pick("rating", "label", "answer"), said(s, d, 0, pairs), label=True),
    )
    whole = s.truth()
    own = [
        replace(a, coder=each[s.ids.index(a.item), s.coders.index(a.coder)])
        for a in whole.annotations
    ]
    truth = replace(whole, annotations=tuple(own), coders=tuple(each.values()))
    return Made((Table((*left, *middle, *right)),), (truth,), s.questions[0].scale)


def ratings(d: Design) -> Made:
    """Few items on a long scale, as in textbooks: 6 targets by 4 judges."""
    s = study(d, scales=("ten",), coders=(3, 5), items=(6, 9), full=True, names=judge_names)
    left, _ = item_columns(s, d, range(len(s.ids)))
    columns = [
        Column(c, said(s, d, 0, [(i, j) for i in range(len(s.ids))]), label=True)
        for j, c in enumerate(s.coders)
    ]
    return Made((Table((*left, *columns)),), (s.truth(),), "ten")


def judge_names(d: Design, n: int) -> tuple[str, ...]:
    """Judges by number."""
    form = d.pick("{}", "judge{}", "J{}", "Judge {}", "rater_{}")
    return tuple(form.format(k + 1) for k in range(n))


PLAIN, ABOVE = ("plain",), ("plain", "plain", "preamble")
BELOW, AROUND = (*ABOVE, "footer"), (*ABOVE, "footer", "empty columns")

LAYOUTS: dict[str, tuple[Callable[[Design], Made], str, Sequence[str]]] = {
    "wide": (
        wide,
        "text, row number, genre, batch, gold, agree?, mean, no id, following",
        (*AROUND, "none", "repeated"),
    ),
    "long": (
        long,
        "text, row number, genre, batch, gold, timestamp, e-mail, seconds, comment, "
        "confidence, duplicates, no id, following, age",
        (*AROUND, "none"),
    ),
    "question × coder": (crossed, "text, row number, genre, batch, comment, seconds", AROUND),
    "two header rows": (two_rows, "text, row number, genre", BELOW),
    "wide, again": (
        wide,
        "text, genre, gold, agree?, mean, duplicates, following",
        (*AROUND, "none", "repeated"),
    ),
    "merged items": (merged_items, "text, comment, seconds, timestamp", ABOVE),
    "file per coder": (file_per_coder, "text, genre, comment", AROUND),
    "sheet per coder": (sheet_per_coder, "text, genre, comment", AROUND),
    "coders in rows": (coders_in_rows, "gold", ABOVE),
    "form: respondents": (form_respondents, "comment", PLAIN),
    "form: submissions": (form_submissions, "comment, duplicates", PLAIN),
    "one-hot": (one_hot, "text, row number, genre", (*ABOVE, "empty columns")),
    "judges": (judges, "", PLAIN),
    "contingency table": (contingency, "", ABOVE),
    "counts": (counts, "text, genre", (*ABOVE, "empty columns")),
    "rounds": (rounds, "text, genre, batch", AROUND),
    "codes for missing": (codes_for_missing, "text, genre, batch", AROUND),
    "nested judges": (nested, "text, genre, comment, seconds", ABOVE),
    "ratings": (ratings, "", PLAIN),
    "following": (wide, "following, genre, batch", PLAIN),
    "following, long": (long, "following, genre, age", PLAIN),
    "bare matrix": (bare, "", ("none",)),
}
"""Every layout, the further columns that may come with it, and the kinds of header."""


def decorated(d: Design, made: Made) -> Made:
    """The tables with what people put above, below and between."""
    tables, header = [], d.header
    for table in made.tables:
        cs = list(table.columns)
        if header == "empty columns":
            at, head = d.pick(len(cs), len(cs), 1), d.pick("", f"Unnamed: {len(cs)}")
            cs.insert(at, Column(head, [None] * len(cs[0].cells)))
        if header == "repeated":
            for k in [k for k, c in enumerate(cs) if c.label][::-1]:
                cs.insert(k + 1, Column("Comment", remarks(d, len(cs[0].cells))))
        table = replace(table, columns=tuple(cs))
        table = replace(table, header=table.header and header != "none")
        if header == "preamble":
            title: Cell = d.pick("Annotation study 2024", "Hate speech, round 2", "Auswertung")
            more = d.pick((), ((),), (("Project:", "pilot"), ()), (("Exported", "2024-03-05"), ()))
            table = replace(table, before=((title,), *more))
        if header == "footer":
            total = ("Total", *(summed(c.cells) if c.label else None for c in cs[1:]))
            if made.scale in ("integers", "half points") and d.chance(0.5):
                total = ("Mean", *(averaged(c.cells) if c.label else None for c in cs[1:]))
            remark = ((), ("Note: Anna was ill in the last week, so some cells are blank.",))
            table = replace(table, after=d.pick((total,), remark, (total, *remark)))
        tables.append(table)
    return replace(made, tables=tuple(tables))


DIALECTS = {
    "utf-8, comma": (",", "utf-8", "."),
    "BOM, comma": (",", "utf-8-sig", "."),
    "UTF-16, tab": ("\t", "utf-16", "."),
    "cp1252, semicolon": (";", "cp1252", ","),
    "utf-8, semicolon": (";", "utf-8", ","),
    "utf-8, tab": ("\t", "utf-8", "."),
    "workbook": ("", "", "."),
}


def variant(seed: int) -> Variant:
    """The variant of a seed; layouts take turns."""
    layout = list(LAYOUTS)[seed % len(LAYOUTS)]
    make, possible, headers = LAYOUTS[layout]
    d = Design(seed)
    d.header = d.choice(headers)
    d.extras = frozenset(x for x in possible.split(", ") if x and d.chance(0.35))
    d.extras |= {"following"} if layout.startswith("following") else set()
    if "duplicates" in d.extras:
        d.extras -= {"row number", "no id"}
    if d.header == "none":  # nobody could tell further columns from coders
        d.extras &= {"text", "row number"}
    d.separator = d.pick("; ", ", ", "|", ";")
    d.blank = d.pick(None, None, None, "NA", "n/a", "k.A.")
    made = make(d)
    if "duplicates" in d.extras:
        made = replace(made, tables=tuple(repeated_rows(d, x) for x in made.tables))
    made = decorated(d, made)
    dialect = d.choice([x for x in DIALECTS if x != "workbook" or made.workbook is None])
    files = {}
    if made.records:
        dialect = d.pick("utf-8", "utf-8-sig")
        lines = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in made.records)
        files["data.jsonl"] = lines.encode(dialect)
    elif made.workbook or dialect == "workbook":
        dialect = "workbook"
        words = sorted({str(x) for a in made.readings[0].annotations for x in a.labels})
        codebook = words if d.chance(0.3) else []
        d.extras |= {"codebook"} if codebook else set()
        files["data.xlsx"] = as_workbook(made.tables, codebook, first=d.chance(0.5))
    else:
        delimiter, encoding, decimal = DIALECTS[dialect]
        end, day_first = "tsv" if delimiter == "\t" else "csv", d.chance(0.5)
        for x in made.tables:
            files[f"{x.name}.{end}"] = as_text(x, delimiter, encoding, decimal, day_first)
    more = "+".join(sorted(d.extras)) or "–"
    name = " / ".join((layout, d.header, dialect, made.scale, more))
    return Variant(name, seed, layout, files, made.readings, made.ambiguous)


def variants(n: int, seed: int) -> Iterator[Variant]:
    """The variants of ``n`` seeds from ``seed`` on."""
    return map(variant, range(seed, seed + n))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--n", type=int, default=200)
    given = parser.parse_args()
    table: dict[str, Counter[str]] = defaultdict(Counter)
    listed = []
    with tempfile.TemporaryDirectory() as folder:
        for k, one in enumerate(variants(given.n, given.seed)):
            (place := Path(folder) / str(k)).mkdir()
            verdict = judge(one, place)
            table[one.layout][verdict.outcome] += 1
            table[one.layout]["cured"] += verdict.outcome == "refused" and verdict.cured
            if verdict.outcome in ("wrong in silence", "crash"):
                listed.append(f"{one.seed} {verdict.outcome}: {one.name}: {verdict.why[:150]}")
    columns = [*OUTCOMES[:4], "cured", *OUTCOMES[4:]]
    print(f"{'':20}" + "".join(f"{x:>18}" for x in columns))
    for layout, row in [*table.items(), ("all", sum(table.values(), Counter()))]:
        print(f"{layout:20}" + "".join(f"{row[x] or '·':>18}" for x in columns))
    print(*listed, sep="\n")


if __name__ == "__main__":
    main()
