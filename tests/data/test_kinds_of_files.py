"""Every kind of file that people really have, as one small file with its truth.

A kind is read as it is meant, or it is asked and an option that is offered reads it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

import accordant as ac
from accordant.errors import AccordantError, InputError

from .judging import Annotation, Outcome, Truth, Verdict, difference, judged

ITEMS = [f"t{k:02}" for k in range(1, 13)]
ANNA = ["pro", "con", "pro", "pro", "neutral", "con", "pro", "con", "neutral", "pro", "con", "pro"]
BEN = [
    "pro",
    "con",
    "con",
    "pro",
    "neutral",
    "con",
    "pro",
    "pro",
    "neutral",
    "pro",
    "con",
    "neutral",
]
CEM = ["pro", "neutral", "pro", "pro", "neutral", "con", "pro", "con", "con", "pro", "con", "pro"]
GOLD = ["pro", "con", "pro", "pro", "neutral", "con", "pro", "con", "neutral", "pro", "con", "con"]
ANNA_R = [4, 2, 5, 3, 1, 2, 4, 5, 3, 2, 1, 4]
BEN_R = [4, 3, 5, 3, 1, 2, 4, 4, 3, 2, 1, 5]
CEM_R = [5, 2, 5, 3, 2, 2, 4, 5, 3, 2, 1, 4]
THREE = {"Anna": ANNA, "Ben": BEN, "Cem": CEM}
RATINGS = {"Anna": ANNA_R, "Ben": BEN_R, "Cem": CEM_R}
BOTH = {"role": THREE, "rating": RATINGS}
TEXTS = [
    f"{who} said that {what}."
    for who in ("The café owner", "Frau Müller", "My sister")
    for what in ("the bus was late", "it rained", "taxes would rise", "we won")
]
TIMES = [f"3/5/2024 14:{22 + k}:10" for k in range(36)]

Labels = Mapping[str, Sequence[Any]]
UNDERSTOOD: tuple[Outcome, ...] = ("right", "doubted right")
ASKED: tuple[Outcome, ...] = ("refused", "doubted right", "doubted wrong")


def truth(questions: Labels | Mapping[str, Labels]) -> Truth:
    """Labels by question and coder, in the order of the items; None for missing."""
    nested = questions if isinstance(next(iter(questions.values())), Mapping) else {"": questions}
    said = [
        Annotation(i, q, c, x if isinstance(x, tuple) else (x,))
        for q, coders in nested.items()
        for c, labels in coders.items()  # type: ignore[union-attr]
        for i, x in enumerate(labels)
        if x is not None
    ]
    return Truth(tuple(said), tuple(dict.fromkeys(a.coder for a in said)))


def lines(*rows: Sequence[Any], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """Rows as a text file."""
    cells = [delimiter.join("" if x is None else str(x) for x in row) for row in rows]
    return "\n".join([*cells, ""]).encode(encoding)


def columns(named: Mapping[str, Sequence[Any]], **dialect: str) -> bytes:
    """Named columns as a text file."""
    return lines(list(named), *zip(*named.values()), **dialect)


def workbook(*sheets: tuple[str, Sequence[Sequence[Any]]], merged: Sequence[str] = ()) -> bytes:
    """Sheets of rows; merged ranges are of the first."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    for range_ in merged:
        book.worksheets[0].merge_cells(range_)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def rows_of(named: Mapping[str, Sequence[Any]]) -> list[list[Any]]:
    return [list(named), *map(list, zip(*named.values()))]


def json_lines(records: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(x) + "\n" for x in records).encode()


WIDE = {"item": ITEMS, **THREE}
PAIRS = [(i, c) for i in range(12) for c in THREE]
LONG = {
    "item": [ITEMS[i] for i, _ in PAIRS],
    "coder": [c for _, c in PAIRS],
    "label": [THREE[c][i] for i, c in PAIRS],
}
TWO_ROWS = [
    ["", "role", "", "", "rating", "", ""],
    ["item", "Anna", "Ben", "Cem", "Anna", "Ben", "Cem"],
    *zip(ITEMS, *THREE.values(), *RATINGS.values()),
]
MERGED_ITEMS = [
    ["item", "coder", "label"],
    *([ITEMS[i] if c == "Anna" else None, c, THREE[c][i]] for i, c in PAIRS),
]
SHEETS = {
    c: {"item": ITEMS, "role": THREE[c], "rating": RATINGS[c], "comment": ["", "siehe S. 4"] * 6}
    for c in THREE
}
HOT = {
    f"{c}_{x}": ["x" if said == x else "" for said in THREE[c]]
    for c in THREE
    for x in ("pro", "con", "neutral")
}
MIXED = {
    c: [(x, x.lower(), x.upper(), f"{x} ")[k % 4] for k, x in enumerate(v)]
    for c, v in {
        "Anna": ["Yes", "No", "Yes", "Yes", "No", "No"] * 2,
        "Ben": ["Yes", "No", "No", "Yes", "No", "Yes"] * 2,
    }.items()
}
FOLDED = {c: [x.strip().lower() for x in v] for c, v in MIXED.items()}
TRUTH_WORDS = {"Anna": [1, 0, 1, 1, 0, 0] * 2, "Ben": [1, 0, 0, 1, 0, 1] * 2}
SPELLED = {
    c: [("True", "false")[not x] if k % 3 else ("TRUE", "FALSE")[not x] for k, x in enumerate(v)]
    for c, v in TRUTH_WORDS.items()
}
HALVES = {c: [x / 2 + 1 for x in v] for c, v in RATINGS.items()}
GAPS = {
    c: ["k.A." if k == 3 else "n/a" if k == 7 else x for k, x in enumerate(v)]
    for c, v in THREE.items()
}
WITH_GAPS = {c: [None if k in (3, 7) else x for k, x in enumerate(v)] for c, v in THREE.items()}
MODELS = {"gpt-4o": ANNA_R, "claude-3-opus": BEN_R, "llama-3-70b": CEM_R}
JUDGED = [
    {
        "id": k,
        "model": m,
        "rationale": f"Case {k} is clear to {m}.",
        "score": MODELS[m][k],
        "confidence": 0.5 + (7 * k + len(m)) % 10 / 20,
    }
    for k in range(12)
    for m in MODELS
]
NESTED = [
    {
        "id": x["id"],
        "model": x["model"],
        "output": {"score": x["score"], "rationale": x["rationale"]},
        "usage": {"tokens": 300 + 7 * k % 90},
    }
    for k, x in enumerate(JUDGED)
]
COLUMNS_OF_LISTS = pd.DataFrame(
    {
        "id": range(12),
        "text": TEXTS,
        "annotators": [list(THREE)] * 12,
        "annotations": [[x[k] for x in THREE.values()] for k in range(12)],
    }
)
MAILS = {"anna@uni.de": ANNA, "ben@uni.de": BEN, "cem@uni.de": CEM}
RESPONDENTS = [
    ["Timestamp", "Email Address", *TEXTS, "Any comments?"],
    *(
        [TIMES[k], mail, *said, "" if k else "nice texts"]
        for k, (mail, said) in enumerate(MAILS.items())
    ),
]
SUBMISSIONS = [
    ["Timestamp", "Email Address", "Which text did you read?", "What is its role?", "Comments"],
    *(
        [TIMES[k], m, TEXTS[i], MAILS[m][i], "" if k % 5 else "not sure"]
        for k, (m, i) in enumerate((m, i) for m in MAILS for i in range(12))
    ),
]


def crossed(form: str, *, coder_first: bool) -> bytes:
    heads = {
        form.format(*((c, q) if coder_first else (q, c))): labels
        for q, coders in BOTH.items()
        for c, labels in coders.items()
    }
    return columns({"item": ITEMS, **heads})


Files = Mapping[str, bytes]
KINDS: dict[str, tuple[Any, ...]] = {
    # where the header is
    "title rows above the header": (
        {
            "a.csv": lines(
                ["Annotation study", "", "", ""],
                ["Exported", "2024-03-05", "", ""],
                [""] * 4,
                *rows_of(WIDE),
            )
        },
        truth(THREE),
    ),
    "a total and a remark below": (
        {
            "a.csv": lines(
                *rows_of(WIDE),
                ["Total", 12, 12, 12],
                [""] * 4,
                ["Note: Anna was ill in the last week.", "", "", ""],
            )
        },
        truth(THREE),
    ),
    "two header rows": ({"a.csv": lines(*TWO_ROWS)}, truth(BOTH)),
    "two header rows, merged": (
        {"a.xlsx": workbook(("data", TWO_ROWS), merged=["B1:D1", "E1:G1"])},
        truth(BOTH),
    ),
    "vertically merged items": (
        {
            "a.xlsx": workbook(
                ("data", MERGED_ITEMS), merged=[f"A{k}:A{k + 2}" for k in range(2, 38, 3)]
            )
        },
        truth(THREE),
    ),
    "items only in their first row": ({"a.csv": lines(*MERGED_ITEMS)}, truth(THREE)),
    "empty columns": (
        {"a.csv": columns({**WIDE, "Unnamed: 4": [""] * 12, "": [""] * 12})},
        truth(THREE),
    ),
    "a derived column of formulas": (
        {
            "a.xlsx": workbook(
                (
                    "data",
                    [
                        [*WIDE, "agree?"],
                        *(
                            [*row, f'=IF(B{k}=C{k},"yes","no")']
                            for k, row in enumerate(zip(*WIDE.values()), 2)
                        ),
                    ],
                )
            )
        },
        truth(THREE),
    ),
    # question × coder
    **{
        f"question × coder, {form.format('Anna', 'role') if first else form.format('role', 'Anna')}": (
            {"a.csv": crossed(form, coder_first=first)},
            truth(BOTH),
        )
        for form in ("{}_{}", "{} {}", "{}.{}", "{} ({})")
        for first in (True, False)
    },
    # one coder is named unlike the others
    "rater1, rater2, Maria": (
        {"a.csv": columns({"item": ITEMS, "rater1": ANNA, "rater2": BEN, "Maria": CEM})},
        truth({"rater1": ANNA, "rater2": BEN, "Maria": CEM}),
    ),
    "annotator1, annotator2, chatgpt": (
        {"a.csv": columns({"item": ITEMS, "annotator1": ANNA, "annotator2": BEN, "chatgpt": CEM})},
        truth({"annotator1": ANNA, "annotator2": BEN, "chatgpt": CEM}),
    ),
    # what is no coder
    **{
        f"a column {name}": ({"a.csv": columns({**WIDE, name: GOLD})}, truth(THREE))
        for name in ("gold", "adjudicated", "consensus")
    },
    **{
        f"a column {name}": (
            {
                "a.csv": columns(
                    {
                        "item": ITEMS,
                        "Anna": ANNA,
                        "Ben": BEN,
                        name: [("yes", "no")[a != b] for a, b in zip(ANNA, BEN)],
                    }
                )
            },
            truth({"Anna": ANNA, "Ben": BEN}),
        )
        for name in ("agree?", "match")
    },
    "a column diff": (
        {
            "a.csv": columns(
                {
                    "item": ITEMS,
                    "Anna": ANNA_R,
                    "Ben": BEN_R,
                    "diff": [a - b for a, b in zip(ANNA_R, BEN_R)],
                }
            )
        },
        truth({"Anna": ANNA_R, "Ben": BEN_R}),
    ),
    "a column mean": (
        {
            "a.csv": columns(
                {
                    "item": ITEMS,
                    **RATINGS,
                    "mean": [round(sum(x) / 3, 2) for x in zip(*RATINGS.values())],
                }
            )
        },
        truth(RATINGS),
    ),
    # marks and spellings
    "one-hot, x and blank": ({"a.csv": columns({"item": ITEMS, **HOT})}, truth(THREE)),
    "one-hot, x and blank, a row for each annotation": (
        {
            "a.csv": columns(
                {
                    **{k: LONG[k] for k in ("item", "coder")},
                    **{
                        x: ["x" if y == x else "" for y in LONG["label"]]
                        for x in ("pro", "con", "neutral")
                    },
                }
            )
        },
        truth(THREE),
    ),
    "one-hot, 1 and 0": (
        {
            "a.csv": columns(
                {"item": ITEMS, **{k: [int(x == "x") for x in v] for k, v in HOT.items()}}
            )
        },
        truth(THREE),
    ),
    "Yes, yes, YES, trailing blanks": ({"a.csv": columns({"item": ITEMS, **MIXED})}, truth(FOLDED)),
    "True, true, TRUE": (
        {"a.csv": columns({"item": ITEMS, **SPELLED})},
        truth({c: [str(bool(x)) for x in v] for c, v in TRUTH_WORDS.items()}),
    ),
    "TRUE and 1": (
        {"a.csv": columns({"item": ITEMS, "Anna": SPELLED["Anna"], "Ben": TRUTH_WORDS["Ben"]})},
        truth({c: [str(bool(x)) for x in v] for c, v in TRUTH_WORDS.items()}),
        truth(TRUTH_WORDS),
    ),
    "1 and 1.0": (
        {"a.csv": columns({"item": ITEMS, "Anna": ANNA_R, "Ben": [f"{x}.0" for x in BEN_R]})},
        truth({"Anna": ANNA_R, "Ben": BEN_R}),
    ),
    # forms
    "form, a row for each respondent": ({"a.csv": lines(*RESPONDENTS)}, truth(MAILS)),
    "form, a submission for each item": ({"a.csv": lines(*SUBMISSIONS)}, truth(MAILS)),
    # a file or sheet for each coder
    "a file for each coder, two questions": (
        {f"{c}.csv": columns(x) for c, x in SHEETS.items()},
        truth(BOTH),
    ),
    "a sheet for each coder, two questions": (
        {"a.xlsx": workbook(*((c, rows_of(x)) for c, x in SHEETS.items()))},
        truth(BOTH),
    ),
    "a sheet for each coder, and a codebook": (
        {
            "a.xlsx": workbook(
                (
                    "Codebook",
                    [["Code", "Meaning"], ["pro", "speaks for it"], ["con", "speaks against it"]],
                ),
                *((c, rows_of({"item": ITEMS, "label": THREE[c]})) for c in THREE),
            )
        },
        truth(THREE),
    ),
    # German and French spreadsheets
    "cp1252, semicolon": (
        {"a.csv": columns({"Satz": TEXTS, **THREE}, delimiter=";", encoding="cp1252")},
        truth(THREE),
    ),
    "UTF-16, tab": (
        {"a.txt": columns({"Satz": TEXTS, **THREE}, delimiter="\t", encoding="utf-16")},
        truth(THREE),
    ),
    "decimal comma": (
        {
            "a.csv": columns(
                {
                    "Satz": ITEMS,
                    **{c: [str(x).replace(".", ",") for x in v] for c, v in HALVES.items()},
                },
                delimiter=";",
            )
        },
        truth(HALVES),
    ),
    "k.A. and n/a": ({"a.csv": columns({"item": ITEMS, **GAPS})}, truth(WITH_GAPS)),
    # language models and lists
    "judges as JSON lines": ({"a.jsonl": json_lines(JUDGED)}, truth(MODELS)),
    "judges as JSON lines, nested": ({"a.jsonl": json_lines(NESTED)}, truth(MODELS)),
    "annotators beside annotations": (
        {
            "a.jsonl": json_lines(
                [
                    {
                        "id": k,
                        "text": TEXTS[k],
                        "annotators": list(THREE),
                        "annotations": [x[k] for x in THREE.values()],
                    }
                    for k in range(12)
                ]
            )
        },
        truth(THREE),
    ),
    "lists in Parquet": ({"a.parquet": COLUMNS_OF_LISTS.to_parquet()}, truth(THREE)),
    "a dict for each coder, as JSON": (
        {"a.json": json.dumps({c: dict(zip(ITEMS, x)) for c, x in THREE.items()}).encode()},
        truth(THREE),
    ),
    "-1 as no label": (
        {
            "a.csv": columns(
                {
                    "id": ITEMS,
                    **{
                        c: [-1 if k in (2, 9) else x for k, x in enumerate(v)]
                        for c, v in RATINGS.items()
                    },
                }
            )
        },
        truth(
            {c: [None if k in (2, 9) else x for k, x in enumerate(v)] for c, v in RATINGS.items()}
        ),
    ),
    # rows and names
    "equal rows": ({"a.csv": lines(*rows_of(LONG), *list(zip(*LONG.values()))[4:7])}, truth(THREE)),
    "Dr X; Dr Y; nurse": (
        {
            "a.csv": columns(
                {"patient": ITEMS, "Dr X": ANNA, "Dr Y": BEN, "nurse": CEM}, delimiter=";"
            )
        },
        truth({"Dr X": ANNA, "Dr Y": BEN, "nurse": CEM}),
    ),
}
"""Name -> files and what they say, in one wording or another: read as it is, or asked with an option that reads it."""


def put(files: Files, folder: Path) -> Any:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / next(iter(files)) if len(files) == 1 else [folder / name for name in files]


def told(verdict: Verdict) -> str:
    return f"{verdict.outcome}: {verdict.why}; offered: {verdict.offered}"


@pytest.mark.parametrize("kind", [*KINDS])
def test_it_is_understood_or_asked(kind: str, tmp_path: Path) -> None:
    files, *readings = KINDS[kind]
    verdict = judged(put(files, tmp_path), readings)
    assert verdict.cured, told(verdict)


# ------------------------------------------------------------------------ what has to be asked

SEVERAL = {
    "joy": [1, 0, 1, 0, 1, 1] * 2,
    "anger": [0, 1, 1, 0, 0, 1] * 2,
    "fear": [0, 0, 1, 1, 0, 0] * 2,
}
TICKED = [
    tuple(x for x, marks in SEVERAL.items() if marks[k]) or ("none",) for k in range(12)
]  # one coder's; the other ticks the next item's


def asked_about(name: str) -> tuple[Files, list[Truth]]:
    """Files of which nobody could know what they say, with the admissible readings."""
    if name == "ticks or questions":
        turned = {x: [*v[1:], v[0]] for x, v in SEVERAL.items()}
        heads = {
            f"{c}_{x}": v for c, m in (("Anna", SEVERAL), ("Ben", turned)) for x, v in m.items()
        }
        sets = {"Anna": TICKED, "Ben": [*TICKED[1:], TICKED[0]]}
        questions = {x: {"Anna": SEVERAL[x], "Ben": turned[x]} for x in SEVERAL}
        return {"a.csv": columns({"item": ITEMS, **heads})}, [truth(questions), truth(sets)]
    if name == "different rows of a coder and item":
        rows = [*rows_of(LONG), ["t01", "Anna", "con"]]
        first, last = dict(THREE), {**THREE, "Anna": ["con", *ANNA[1:]]}
        both = {**THREE, "Anna": [("pro", "con"), *ANNA[1:]]}
        return {"a.csv": lines(*rows)}, [truth(first), truth(last), truth(both)]
    if name == "nearly square without names":
        cells = [ANNA[:6], BEN[:6], CEM[:6], GOLD[:6], CEM[3:9]]
        rows, turned = truth({str(k): x for k, x in enumerate(cells)}), list(zip(*cells))
        across = truth({str(k): x for k, x in enumerate(turned)})
        named = [Truth(t.annotations, t.coders, "order") for t in (rows, across)]
        return {"a.csv": lines(*cells)}, named
    slots = [["joy", "fear"], ["joy"], ["anger", "joy"], ["fear"]] * 3
    given = [
        Annotation(i, "", str(k), (x,)) for i, row in enumerate(slots) for k, x in enumerate(row)
    ]
    records = [{"id": i, "text": TEXTS[i], "labels": x} for i, x in enumerate(slots)]
    return {"a.jsonl": json_lines(records)}, [Truth(tuple(given), ("0", "1"), "any")]


@pytest.mark.parametrize(
    "kind",
    [
        "ticks or questions",
        "different rows of a coder and item",
        "nearly square without names",
        "lists of different labels without names",
    ],
)
def test_it_is_asked(kind: str, tmp_path: Path) -> None:
    files, admissible = asked_about(kind)
    verdict = judged(put(files, tmp_path), admissible, ambiguous=True)
    assert verdict.outcome in ASKED, told(verdict)
    assert verdict.cured, told(verdict)


@pytest.mark.parametrize("kind", ["labels by formula"])
def test_formulas_without_values_are_not_left_out_in_silence(kind: str, tmp_path: Path) -> None:
    rows = [[*WIDE], *([*row[:3], f"=B{k}"] for k, row in enumerate(zip(*WIDE.values()), 2))]
    verdict = judged(put({"a.xlsx": workbook(("data", rows))}, tmp_path), [truth(THREE)])
    assert verdict.outcome in ASKED, told(verdict)


def test_different_rows_are_named(tmp_path: Path) -> None:
    files, _ = asked_about("different rows of a coder and item")
    with pytest.raises(InputError, match=r"rows? 2 and 38|row 38"):
        ac.read(put(files, tmp_path))


# ------------------------------------------------------------------------ what has to be said


def said(data: Any) -> str:
    return "\n".join([str(data.reading), *data.reading.notes, *data.reading.warnings])


SAID = {
    "said: cp1252, semicolon": "1252",
    "said: UTF-16, tab": "(?i)utf-?16",
    "said: equal rows": "(?i)duplicate|twice|repeated|equal",
    "said: a column gold": "gold",
    "said: a column agree?": "agree",
    "said: title rows above the header": "(?i)header|rows? above",
    "said: Yes, yes, YES, trailing blanks": "(?i)case|spell|fold",
}


@pytest.mark.parametrize("kind", [*SAID])
def test_what_was_found_is_said(kind: str, tmp_path: Path) -> None:
    files, meant, *_ = KINDS[kind.removeprefix("said: ")]
    data = ac.read(put(files, tmp_path))
    assert difference(data, meant) == ""
    assert re.search(SAID[kind], said(data))


@pytest.mark.parametrize("kind", ["no address: respondents", "no address: submissions"])
def test_addresses_appear_nowhere(kind: str, tmp_path: Path) -> None:
    form = {"no address: respondents": "form, a row for each respondent"}
    files, meant, *_ = KINDS[form.get(kind, "form, a submission for each item")]
    data = ac.read(put(files, tmp_path))
    assert difference(data, meant) == ""
    shown = (data.coders, data.items, data.values, repr(data), said(data), list(data.metadata))
    assert not re.search(r"\w@\w", str(shown))
    assert not re.search(r"\w@\w", str(ac.agreement(data)))


# ------------------------------------------------------------------------ order of categories

AGREEMENT = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]
WORDS = {
    "agreement": AGREEMENT,
    "low, mid, high": ["low", "mid", "high"],
    "German": [
        "stimme gar nicht zu",
        "stimme eher nicht zu",
        "teils/teils",
        "stimme eher zu",
        "stimme voll zu",
    ],
    "French": [
        "pas du tout d'accord",
        "plutôt pas d'accord",
        "plutôt d'accord",
        "tout à fait d'accord",
    ],
    "unknown words": ["beige", "amber", "crimson"],
}


@pytest.mark.parametrize("kind", [f"order: {x}" for x in WORDS])
def test_the_order_of_words_is_known_or_asked(kind: str) -> None:
    """Never alphabetical order in silence."""
    order = WORDS[kind.removeprefix("order: ")]
    coders = {c: [order[min(x, len(order)) - 1] for x in v] for c, v in RATINGS.items()}
    offered: set[str] = set()
    found: list[Any] = []
    try:
        found = [*ac.read({"item": ITEMS, **coders}, scale="ordinal").scheme.categories]
    except AccordantError as error:
        offered = {option for action in error.do for option in action.options}
    assert found == order or "categories" in offered, found


@pytest.mark.parametrize("kind", ["ordered Categorical"])
def test_an_ordered_categorical_brings_its_order(kind: str) -> None:
    order = pd.CategoricalDtype([*AGREEMENT, "no way to tell"], ordered=True)
    coders = {
        c: pd.Categorical([AGREEMENT[x - 1] for x in v], dtype=order) for c, v in RATINGS.items()
    }
    data = ac.read(pd.DataFrame({"item": ITEMS, **coders}))
    assert (list(data.scheme.categories), data.scheme.scale) == ([*order.categories], "ordinal")


# ------------------------------------------------------------------------ formats


def as_xls(rows: Sequence[Sequence[Any]], path: Path) -> None:
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    sheet = book.add_sheet("data")
    for r, row in enumerate(rows):
        for c, x in enumerate(row):
            sheet.write(r, c, x)
    book.save(str(path))


def as_ods(rows: Sequence[Sequence[Any]], path: Path) -> None:
    pytest.importorskip("odf")
    pd.DataFrame(rows[1:], columns=rows[0]).to_excel(path, engine="odf", index=False)


def as_sav(rows: Sequence[Sequence[Any]], path: Path) -> None:
    frame = pd.DataFrame(rows[1:], columns=rows[0])
    pytest.importorskip("pyreadstat").write_sav(frame, str(path))


def as_dta(rows: Sequence[Sequence[Any]], path: Path) -> None:
    pd.DataFrame(rows[1:], columns=rows[0]).to_stata(path, write_index=False)


FORMATS: dict[str, Callable[[Sequence[Sequence[Any]], Path], None]] = {
    ".xls": as_xls,
    ".ods": as_ods,
    ".sav": as_sav,
    ".dta": as_dta,
}


@pytest.mark.parametrize("kind", [*FORMATS])
def test_formats_of_spreadsheets_and_statistics(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{kind}"
    FORMATS[kind](rows_of(WIDE), path)
    verdict = judged(path, [truth(THREE)])
    assert verdict.outcome in UNDERSTOOD, told(verdict)


# ------------------------------------------------------------------------ in memory

TWO = {"0": ANNA, "1": BEN}
MASK = [[k == 4 for k in range(12)], [k == 7 for k in range(12)]]
MASKED = {
    str(j): [None if m else x for m, x in zip(MASK[j], v)] for j, v in enumerate((ANNA_R, BEN_R))
}
MEMORY: dict[str, tuple[Any, Truth]] = {
    "a dict for each coder": ({c: dict(zip(ITEMS, x)) for c, x in THREE.items()}, truth(THREE)),
    "lists in a frame": (COLUMNS_OF_LISTS, truth(THREE)),
    "two series": ((pd.Series(ANNA), pd.Series(BEN)), truth(TWO)),
    "two lists": ((ANNA, BEN), truth(TWO)),
    "two arrays": ((np.array(ANNA), np.array(BEN)), truth(TWO)),
    "masked array": (np.ma.array([ANNA_R, BEN_R], mask=MASK), truth(MASKED)),
}


@pytest.mark.parametrize("kind", [f"memory: {x}" for x in MEMORY])
def test_objects_in_memory(kind: str) -> None:
    source, meant = MEMORY[kind.removeprefix("memory: ")]
    if meant.coders[0].isdigit():
        meant = Truth(meant.annotations, meant.coders, "order")
    verdict = judged(source, [meant])
    assert verdict.cured, told(verdict)


@pytest.mark.parametrize("kind", ["agreement of two series", "agreement of two lists"])
def test_agreement_of_two_arguments(kind: str) -> None:
    kinds = {"agreement of two series": pd.Series, "agreement of two lists": list}
    first, second = map(kinds[kind], (ANNA, BEN))
    table = ac.agreement(first, second)  # type: ignore[arg-type]
    assert str(table) == str(ac.agreement((ANNA, BEN)))


@pytest.mark.parametrize("kind", ["array of 6 × 3"])
def test_an_array_of_six_by_three_is_asked(kind: str) -> None:
    array = np.array([ANNA_R[:6], BEN_R[:6], CEM_R[:6]])
    turned = truth({str(k): list(x) for k, x in enumerate(array.T.tolist())})
    plain = truth({str(k): x for k, x in enumerate(array.tolist())})
    readings = [Truth(t.annotations, t.coders, "order") for t in (turned, plain)]
    verdict = judged(array.T, readings, ambiguous=True)
    assert verdict.outcome in ASKED, told(verdict)
    assert verdict.cured, told(verdict)


# ------------------------------------------------------------------------ what the user says wins

IN_ROWS = lines(["coder", *ITEMS], *([c, *x] for c, x in THREE.items()))
TOLD: dict[str, tuple[bytes, dict[str, Any]]] = {
    "coders in rows, coder": (IN_ROWS, {"coder": "coder", "coders_in": "rows"}),
    "wide, coders": (
        columns({**WIDE, "n": CEM}),
        {"coder": ["Anna", "Ben", "Cem"], "item": "item"},
    ),
    "long, roles": (
        columns({"a": LONG["label"], "b": LONG["item"], "c": LONG["coder"]}),
        {"label": "a", "item": "b", "coder": "c"},
    ),
    "encoding": (columns({"Satz": TEXTS, **THREE}, encoding="cp1252"), {"encoding": "cp1252"}),
    "header row": (lines(["Study", "", "", ""], *rows_of(WIDE)), {"header_row": 2}),
}


@pytest.mark.parametrize("kind", [f"told: {x}" for x in TOLD])
def test_what_the_user_says_wins(kind: str, tmp_path: Path) -> None:
    content, options = TOLD[kind.removeprefix("told: ")]
    verdict = judged(put({"a.csv": content}, tmp_path), [truth(THREE)], **options)
    assert verdict.outcome in UNDERSTOOD, told(verdict)
