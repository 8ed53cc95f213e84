"""From distinct cells to categories: what is missing, what is a number, what is in the scheme."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError, RequestError
from ..scheme import Label, Scale, Scheme
from .names import role_of
from .options import Options
from .separators import guess
from .table import BLANK, Column, Table, Words, as_words, plain


def _each(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


# Written by programs for "nothing here", in German and French too. A scheme that lists one of them
# makes it a category.
MISSING = frozenset(
    _each(
        "#DIV/0!|#N/A|#NA|#NAME?|#NULL!|#NUM!|#REF!|#VALUE!|<NA>|N/A|NA|NAN|NULL|NaN|n/a|nan|null|"
        "#BEZUG!|#NV|#WERT!|#ZAHL!|#NOM?|#NOMBRE!|#VALEUR!|n.a.|n. a.|k.A.|k. A.|k.a.|"
        "keine Angabe|keine Angaben|sans objet|non renseigné"
    )
)
# May mean missing or be a category; missing where all other labels are numbers.
PLACEHOLDERS = frozenset((".", "-", "--", "?", "#", "*", "None", "none", "nil", "missing"))
NOTHING = frozenset(("none", "nothing", "no label", "nil", "empty", "-", "--", "none of these"))
# What says that something is so, and what that it is not.
TICKS = tuple(
    pair.partition("/")[::2]
    for pair in _each("1/0|true/false|yes/no|y/n|t/f|ja/nein|oui/non|sí/no|x/|✓/✗|✔/✘|☑/☐|x/-")
)
# Numbers that stand for no answer, beside those of a scale.
CODES_OF_NOTHING = frozenset(
    (-1, -7, -8, -9, -77, -88, -97, -98, -99, -999, 77, 88, 97, 98, 99, 997, 998, 999, 9999)
)
AT_THE_END = ((7, 8, 9), (8, 9), (9,))  # the same, where the scale ends before: 9 beside 1 to 5
MANY_NUMBERS = 20  # more are measurements, unless the user says otherwise
LARGEST_OF_A_SCALE = 10
RARE = 0.15  # of the annotations: -1 beside 0 and 1 is then hardly a negative sentiment
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]\d{2,3})?")
_MANY, _TOO_MANY = 1_000, 10_000  # distinct texts that begin to look, and do look, like free text
_SEVERAL = 10  # words from which more than half given once may be the coders' own


class Doubt(Notice):
    """What may be meant otherwise: a warning that knows the options for both."""


def is_number(text: str) -> bool:
    """Whether a text is a number as a program writes it: '1', '-2.5', but not '007' or '1e5'.

    Examples
    --------
    >>> [is_number(x) for x in ("3", "-2.50", "007", "1e5", "1e-05", "")]
    [True, True, False, False, True, False]
    """
    return _NUMBER.fullmatch(text) is not None


@dataclass(frozen=True)
class Question:
    """The labels of one question: ``codes`` (W,) leads from a distinct cell to its category or -1.

    ``missing`` counts the cells that mean missing, by what they say.
    """

    name: str
    scheme: Scheme
    codes: NDArray[np.int64]
    missing: Counter[str]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Cells:
    """The distinct cells of one question that occur, and what the user said of them.

    ``sets`` says whether each word is one of several labels of a cell; ``first`` where one first
    occurs.
    """

    name: str
    words: Words
    times: NDArray[np.integer[Any]]
    options: Options
    first: Callable[[int], dict[str, Any]]
    sets: bool

    @cached_property
    def text(self) -> dict[int, str]:
        """The cells that occur, as text."""
        words = as_words(self.words)
        return {k: plain(words[k]) for k in np.flatnonzero(self.times).tolist()}


def question_of(
    name: str,
    words: Words,
    times: NDArray[np.integer[Any]],
    options: Options,
    first: Callable[[int], dict[str, Any]],
    *,
    sets: bool = False,
) -> Question:
    """What the distinct cells (W,) of a question mean, which occur ``times`` (W,)."""
    cells = _Cells(name, words, times, options, first, sets)
    declared, scale = options.categories_of(name), options.scale_of(name)
    notes = list[str]()
    if declared is not None:
        meant, categories = _declared(cells, as_declared(declared))
    elif isinstance(words, np.ndarray):
        meant, categories = _numbers(cells, words)
    else:
        meant, categories = _words(cells, notes)
    codes = np.full(len(words), BLANK, np.int64)
    codes[list(meant)] = list(meant.values())
    missing = Counter[str]()
    for k, text in cells.text.items() if len(meant) < np.count_nonzero(times) else ():
        if k not in meant:
            missing[text] += int(times[k])
    numbers = declared is None and not sets and measured(categories)
    unsaid: Scale = "interval" if numbers else "nominal"
    scheme = Scheme(categories, scale or unsaid, declared is not None)
    if scale in ("interval", "ratio", "circular", "bipolar") and declared is None:
        _check_numbers(cells, categories, meant)
    below = sum(int(times[k]) for k, c in meant.items() if categories[c] == -1)
    rare = below < RARE * sum(int(times[k]) for k in meant)
    notes += _told_of_scales(scheme, scale, sets=sets, rare=rare)
    return Question(name, scheme, codes, missing, tuple(notes))


# ------------------------------------------------------------------ numbers as people write them

_COMMA = re.compile(r"[-+]?\d+,\d+")
_PER_CENT = re.compile(r"([-+]?\d+(?:[.,]\d+)?) ?%")


def with_numbers(table: Table) -> Table:
    """The numbers of columns that write them as 1,5 or 85 % as programs do, with a note.

    All cells are numbers, and those in per cent all have the sign.
    """
    whole = {w for c in table.columns for w in c.text if w.isdigit()}
    columns, told = list[Column](), dict[str, list[Column]]()
    for column in table.columns:
        words = {w: w for w in column.text if w not in MISSING}
        what = ""
        if column.numeric or role_of(column.name) in ("item", "coder"):
            words = {}
        if words and all(map(_PER_CENT.fullmatch, words)):
            words, what = {w: w.rstrip("% ") for w in words}, "are in per cent"
        joined = [w for w in words.values() if _COMMA.fullmatch(w)]
        if joined and all(_COMMA.fullmatch(w) or is_number(w) for w in words.values()):
            what = what or ("have a decimal comma" if _decimals(joined, whole) else "")
            words = {w: x.replace(",", ".") for w, x in words.items()}
        if what:
            told.setdefault(what, []).append(column)
            column = replace(column, words=tuple(words.get(w, w) for w in column.text))
        columns.append(column)
    notes = [
        f"numbers such as {next(w for w in found[0].text if not is_number(w))!r} {what} "
        f"(columns {listed((c.name for c in found), 6)})"
        for what, found in told.items()
    ]
    return replace(table, columns=tuple(columns), notes=(*table.notes, *notes)) if told else table


def _decimals(joined: Sequence[str], whole: Collection[str]) -> bool:
    """Whether numbers with a comma are not two codes of labels, as 1,2 and 1,3 beside 2 may be.

    They are all halves, or are made of other numbers, and some as no codes are: 2,0 or 3,25.
    """
    pairs = [w.lstrip("+-").split(",") for w in joined]
    known = all({*p} <= {*whole} for p in pairs)
    halves = {p[1] for p in pairs} == {"5"} and (len(pairs) > 2 or not known)
    return halves or (not known and any(len(p[1]) > 1 or p[1] <= p[0] for p in pairs))


# ------------------------------------------------------------------ what the cells mean


def nothing_said(options: Options) -> frozenset[str]:
    """The cells that mean missing; on a platform only those that the user names."""
    return options.missing if options.literal else MISSING | options.missing


Meant = dict[int, int]  # from a distinct cell to its category; cells that mean missing are not here


def _declared(cells: _Cells, declared: tuple[Label, ...]) -> tuple[Meant, tuple[Label, ...]]:
    """The scheme of the user; a label outside it is an error."""
    position = {label_key(c): k for k, c in enumerate(declared)}
    words, gone = as_words(cells.words), nothing_said(cells.options)
    meant = {k: position.get(label_key(words[k]), BLANK) for k in cells.text}
    odd = [k for k, text in cells.text.items() if meant[k] == BLANK and text not in gone]
    if odd:
        unknown = [cells.text[k] for k in odd]
        raise InputError(
            outside(unknown, declared, int(cells.times[odd].sum())),
            **cells.first(odd[0]),
            do=remedies(unknown, declared, sets=cells.sets),
        )
    return {k: code for k, code in meant.items() if code != BLANK}, declared


def _numbers(cells: _Cells, words: NDArray[Any]) -> tuple[Meant, tuple[Label, ...]]:
    """Cells that were numbers when they came: sorted."""
    here = cells.times > 0
    for token in cells.options.missing:
        if is_number(token):
            here &= words != float(token)
    at = np.flatnonzero(here)
    order = at[np.argsort(words[at], kind="stable")]
    return dict(zip(order.tolist(), range(len(order)), strict=True)), as_whole(words[order])


def _words(cells: _Cells, notes: list[str]) -> tuple[Meant, tuple[Label, ...]]:
    """Cells that came as text, or a mixture: numbers if all are."""
    gone = nothing_said(cells.options)
    text = {k: w for k, w in cells.text.items() if w not in gone}
    numbers = {k for k, w in text.items() if is_number(w)}
    zeros = {k for k, w in text.items() if re.fullmatch("-?00+", w)}
    if zeros and len(numbers) > 2 and len(zeros) + len(numbers) == len(text):
        numbers |= zeros  # 00 among 0, 5, 10 …, but not 00 beside 01 and 10
    placed = {k for k, w in text.items() if w in PLACEHOLDERS and not cells.options.literal}
    if placed and numbers and len(placed) + len(numbers) == len(text):
        text = {k: w for k, w in text.items() if k in numbers}
    if text and len(numbers) == len(text):
        whole = all(float(w).is_integer() for w in text.values())
        found: dict[int, Label] = {k: _integer(w) if whole else float(w) for k, w in text.items()}
        categories: list[Any] = sorted(set(found.values()))
    else:
        _check_free_text(cells, text)
        notes += _told_of_words(cells, text, numbers)
        found = {**_one_spelling(cells, text, notes)}
        categories = sorted(set(found.values()))
        if cells.options.scale_of(cells.name) == "ordinal" and not cells.sets:
            categories = _in_order(cells, categories, next(iter(text), 0), notes)
    position = {c: k for k, c in enumerate(categories)}
    meant = {k: position[x] for k, x in found.items()}
    if text and all(isinstance(cells.words[k], bool) for k in text):
        categories = [c == "True" for c in categories]
    return meant, tuple(categories)


def _check_free_text(cells: _Cells, text: Mapping[int, str]) -> None:
    total = int(cells.times.sum())
    if len(text) > _TOO_MANY or (len(text) > _MANY and len(text) * 5 > total):
        raise InputError(
            f"{len(text):,} different labels in {total:,} annotations, such as "
            f"{listed((w[:40] for w in text.values()), 2)}: this looks like free text, not labels",
            **cells.first(next(iter(text))) | {"row": None},
            do=_no_labels(),
        )


def _one_spelling(cells: _Cells, text: Mapping[int, str], notes: list[str]) -> dict[int, str]:
    """The labels with their most frequent spelling: 'Yes' for 'yes' and 'YES'."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for k, w in text.items():
        alike[" ".join(unicodedata.normalize("NFC", w).casefold().split())].append(k)
    same = dict(text)
    for group in alike.values():
        if len(group) > 1:
            usual = text[max(group, key=lambda k: (int(cells.times[k]), text[k]))]
            same |= dict.fromkeys(group, usual)
            shown = ", ".join(f"{text[k]!r} ({int(cells.times[k]):,})" for k in group)
            told = f"labels that differ only in case or spaces are read as {usual!r}: {shown}"
            notes.append(Notice(told, Action("", {"categories": [...]}, "to keep them apart")))
    return same


def _in_order(cells: _Cells, categories: list[str], first: int, notes: list[str]) -> list[str]:
    """The words of a scale that is known by name; the order of others is asked for."""
    known = in_order(categories) if len(categories) > 1 else categories
    if known is None:
        raise InputError(
            f"the order of the labels {listed(categories, 12)} is not known, which an ordinal "
            "scale needs",
            **cells.first(first) | {"row": None},
            do=[Action("", {"categories": [...]}, "all categories in order")],
        )
    if len(known) > 1:
        notes.append(f"the labels are ordered as the words are: {listed(known, 12)}")
    return known


def _check_numbers(cells: _Cells, categories: Sequence[Label], meant: Meant) -> None:
    for k, code in meant.items():
        label = categories[code]
        number = isinstance(label, int | float) and not isinstance(label, bool)
        if not number and not is_number(str(label)):
            scale = cells.options.scale_of(cells.name)
            raise InputError(
                f"label {label!r} is not a number, which the {scale} scale needs",
                **cells.first(k),
                do=[
                    Action("", {"missing": str(label)}, "to leave it out"),
                    Action("", {"categories": [...]}, "all categories in order"),
                ],
            )


# ------------------------------------------------------------------ what is told of them


def _told_of_words(cells: _Cells, text: Mapping[int, str], numbers: set[int]) -> Iterator[str]:
    """Texts, slips among numbers, words that may mean nothing, cells of several labels."""
    words = [k for k in text if k not in numbers]
    n_given = int(cells.times[words].sum())
    if len(words) >= _SEVERAL and 2 * len(words) > n_given:
        yield Doubt(
            f"{len(words):,} different labels in {n_given:,} answers: perhaps texts in the "
            "coders' own words, which are none",
            *([] if cells.options.literal else _no_labels()),
        )
    slips = len(numbers) > 1 and len(words) <= 2
    for k in words if slips else [k for k in words if text[k] in PLACEHOLDERS]:
        n = int(cells.times[k])
        times = "once" if n == 1 else f"{n:,} times"
        why = ", though the other labels are numbers" * slips
        none = Action("", {"empty": text[k]}, "if it means that no label applies")
        yield Notice(
            f"{_where(cells.first(k)) if slips else ''}label {text[k]!r} ({times}) counts as a "
            f"category{why}",
            Action("", {"missing": text[k]}, "to leave it out" if slips else "if it means missing"),
            *[none] * (cells.sets and not slips),
        )
    if words and all(float(text[k]) in CODES_OF_NOTHING | {8, 9} for k in numbers):
        yield from _perhaps_nothing([text[k] for k in numbers], sorted({*text.values()}))
    found = None if cells.options.single or cells.sets else guess(text.values())
    if found is not None:
        shown, n = repr(min(found.joined, key=len)), len(found.joined)
        what = f"{n} labels such as {shown} look" if n > 1 else f"label {shown} looks"
        comma = all(is_number(x.replace(",", ".")) for x in found.joined)
        yield Doubt(
            f"{what} like several labels in a cell"
            f"{', or like a number with a decimal comma, which needs a point' * comma}; "
            "each combination counts as one category",
            Action("", {"separator": ""}, "if they are one label, as it is read"),
            Action("", {"separator": found.mark}, "if they are several labels"),
        )


def _no_labels() -> tuple[Action, ...]:
    """What can be done about texts that are perhaps no labels."""
    return (
        Action("", {"label": ...}, "another column"),
        Action("", {"categories": [...]}, "if these really are the categories"),
    )


def measured(categories: Sequence[Any]) -> bool:
    """Whether labels are numbers with decimals, or more of them than a scheme has categories.

    Examples
    --------
    >>> measured([1, 2, 3]), measured([0.5, 1, 2]), measured(range(30)), measured(["1.5", "a"])
    (False, True, True, False)
    """
    numbers = len(categories) > 2 and all(type(c) in (int, float) for c in categories)
    return numbers and (len(categories) > MANY_NUMBERS or any(c % 1 for c in categories))


def _told_of_scales(scheme: Scheme, scale: str | None, *, sets: bool, rare: bool) -> Iterator[str]:
    """Labels that may lie on a scale, and numbers that may say that nothing was given."""
    categories = scheme.categories
    several = scale is None and not sets and len(categories) > 2
    numbers = several and all(type(c) in (int, float) for c in categories)
    words = several and all(isinstance(c, str) for c in categories)
    ordered = words and not scheme.declared and in_order(list(map(str, categories))) is not None
    if several and scheme.scale == "interval":
        yield Notice(
            f"labels are {len(categories):,} different numbers; they are read as measurements, of "
            "which near ones agree in part",
            Action("", {"scale": "nominal"}, "if they are categories"),
            Action("", {"scale": "ordinal"}, "for ordered categories"),
        )
    elif numbers or ordered:
        what = "numbers" if numbers else "words of a scale"
        yield Notice(
            f"labels are {what}; they are treated as nominal categories",
            Action("", {"scale": "ordinal"}, "for ordered categories"),
            *[Action("", {"scale": "interval"}, "for measurements")] * numbers,
        )
    if not scheme.declared and scale not in ("bipolar", "circular"):
        yield from _perhaps_nothing(codes_of_nothing(categories, rare=rare), categories)


def _perhaps_nothing(codes: Iterable[Any], categories: Sequence[Any]) -> Iterator[str]:
    """The doubt whether numbers are categories."""
    if words := list(map(plain, codes)):
        verb = (
            "labels {} count as categories" if len(words) > 1 else "label {} counts as a category"
        )
        yield Doubt(
            f"{verb.format(listed(words))}, but may say that nothing was given",
            Action("", {"categories": list(categories)}, "if they are categories"),
            Action("", {"missing": words}, "if nothing was given"),
        )


def codes_of_nothing(categories: Iterable[Any], *, rare: bool = False) -> list[Any]:
    """The numbers beside those of a scale that may say that nothing was given; -1 if it is rare.

    Examples
    --------
    >>> codes_of_nothing([1, 2, 99]), codes_of_nothing([-1, 0, 1]), codes_of_nothing([-1, 0, 1, 2])
    ([99], [], [-1])
    >>> codes_of_nothing([1, 2, 3, 8, 9]), codes_of_nothing([-1, 0, 1], rare=True)
    ([8, 9], [-1])
    """
    found = [c for c in categories if type(c) in (int, float)]
    codes = [c for c in found if c in CODES_OF_NOTHING]
    rest = [c for c in found if c not in codes]
    two_sided = min(rest, default=0) < 0 or {*rest} <= {0, 1}
    if -1 in codes and two_sided and not (rare and {*rest} == {0, 1}):
        codes.remove(-1)
        rest.append(-1)
    for ends in AT_THE_END:
        run = sorted(c for c in rest if c not in ends)
        whole = len(run) > 1 and run in ([*range(len(run))], [*range(1, len(run) + 1)])
        if whole and {*ends} <= {*rest} and ends[0] > run[-1] + 1 + (len(ends) > 1):
            codes, rest = [*ends, *codes], run
    scaled = len(rest) > 1 and all(abs(c) <= LARGEST_OF_A_SCALE for c in rest)
    return codes if scaled and len(found) == len(rest) + len(codes) else []


def as_declared(given: Sequence[Label]) -> tuple[Label, ...]:
    """The categories a user gave: numbers if all are, though they came as text."""
    if all(isinstance(c, str) and is_number(c) for c in given):
        whole = all(float(c).is_integer() for c in given)
        return tuple(_integer(str(c)) if whole else float(c) for c in given)
    return tuple(given)


def remedies(
    unknown: Sequence[str], declared: Sequence[Label], *, sets: bool = False
) -> tuple[Action, ...]:
    """What can be done about labels that are not in the scheme, other than to correct them."""
    nothing = [w for w in unknown if w.casefold() in NOTHING] if sets else []
    return (
        Action("", {"categories": [*declared, *unknown]}, "if they belong to the scheme"),
        Action("", {"missing": list(unknown)}, "when reading the source, to leave them out"),
        *(Action("", {"empty": w}, "if it says that no label applies") for w in nothing[:1]),
    )


def outside(unknown: Sequence[str], declared: Sequence[Label], n: int) -> str:
    """The sentence about labels that are not in the scheme, in ``n`` annotations."""
    close = get_close_matches(unknown[0], [plain(c) for c in declared], 1)
    same = [plain(c) for c in declared if plain(c).casefold() == unknown[0].casefold()]
    hint = f"; did you mean {(same or close)[0]!r}?" if same or close else "."
    verb = "are" if len(unknown) > 2 else "is"
    others = f", nor {verb} {listed(unknown[1:])}" if len(unknown) > 1 else ""
    return (
        f"label {unknown[0]!r} is not in the scheme {listed(map(plain, declared), 12)}{others} "
        f"({n:,} annotation{'s' * (n != 1)}){hint}"
    )


def check_names(options: Options, names: Sequence[str]) -> None:
    """The error for a scheme that is given to a question which does not exist."""
    for what, given in (("categories", options.categories), ("scale", options.scale)):
        if isinstance(given, Mapping):
            for name in given:
                if name not in names and not options.label:
                    close = get_close_matches(str(name), names, 1)
                    hint = f"; did you mean {close[0]!r}?" if close else ""
                    if list(names) == [""]:
                        raise RequestError(
                            f"question {name!r} is named, but the data hold one question without "
                            "a name: give what holds for it alone",
                            parameter=what,
                        )
                    raise RequestError(
                        f"there is no question {name!r}: the data have {listed(names)}{hint}",
                        parameter=what,
                    )


def as_whole(found: NDArray[Any]) -> tuple[Label, ...]:
    """Numbers as Python integers if all are whole, else as floating numbers."""
    if found.dtype.kind == "f" and np.isfinite(found).all() and (found == np.floor(found)).all():
        return tuple(int(x) for x in found.tolist())
    return tuple(found.tolist())


def _integer(text: str) -> int:
    return int(text) if text.lstrip("-").isdigit() else int(float(text))


def label_key(label: Any) -> str:
    """What two spellings of one label have in common: 1, 1.0 and '1'."""
    text = plain(label)
    return plain(float(text)) if is_number(text) and not text.lstrip("-").isdigit() else text


def _where(place: Mapping[str, Any]) -> str:
    parts = [
        *([str(place["file"])] if place.get("file") else []),
        *([f"row {place['row']}"] if place.get("row") is not None else []),
        *([f"column {place['column']!r}"] if place.get("column") else []),
    ]
    return f"{', '.join(parts)}: " if parts else ""


def listed(words: Iterable[str], most: int = 5) -> str:
    """Some of the words, quoted, and how many more there are."""
    found = list(words)
    shown = ", ".join(map(repr, found[:most]))
    return shown + (f" and {len(found) - most:,} more" if len(found) > most else "")


# ------------------------------------------------------------------ scales of words

# Each line is one scale, from the lowest to the highest; a bar separates words of one rank.
SCALES_OF_WORDS = tuple(
    tuple(tuple(word.strip() for word in rank.split("|")) for rank in line.split(","))
    for line in """
    strongly disagree|disagree strongly|completely disagree|totally disagree,
        disagree|moderately disagree, somewhat disagree|slightly disagree,
        neutral|neither|neither agree nor disagree|undecided, somewhat agree|slightly agree,
        agree|moderately agree, strongly agree|agree strongly|completely agree|totally agree
    very dissatisfied, dissatisfied, neutral|neither satisfied nor dissatisfied, satisfied,
        very satisfied
    very low|lowest, low, medium|mid|middle|moderate|average, high, very high|highest
    none|not at all|no, slight|a little|slightly|mild|minor, some|somewhat|moderate|moderately,
        very|considerable|much|strong|severe|major, extreme|extremely|very much|very strong
    never, rarely|seldom|almost never, sometimes|occasionally|about half the time,
        often|frequently|usually|most of the time|almost always, always
    very poor|very bad|terrible, poor|bad, fair|acceptable|ok|okay|average, good,
        very good, excellent
    very negative|strongly negative, negative, neutral, positive, very positive|strongly positive
    very unlikely, unlikely, neutral|possible, likely, very likely
    small, medium, large
    easy, medium, hard|difficult
    not important|unimportant, slightly important, important, very important
    stimme überhaupt nicht zu|stimme gar nicht zu, stimme nicht zu, stimme eher nicht zu,
        neutral|teils teils|weder noch|unentschieden, stimme eher zu, stimme zu,
        stimme voll zu|stimme voll und ganz zu|stimme völlig zu
    trifft überhaupt nicht zu|trifft gar nicht zu, trifft nicht zu, trifft eher nicht zu,
        neutral|teils teils|weder noch|unentschieden, trifft eher zu, trifft zu,
        trifft voll zu|trifft voll und ganz zu
    sehr niedrig|sehr gering, niedrig|gering, mittel, hoch, sehr hoch
    nie|niemals, selten|fast nie, manchmal|gelegentlich, oft|häufig|meistens|fast immer, immer
    sehr schlecht, schlecht, mittel|mittelmäßig|ausreichend, gut, sehr gut
    ungenügend, mangelhaft, ausreichend, befriedigend, gut, sehr gut
    sehr negativ, negativ, neutral, positiv, sehr positiv
    pas du tout d'accord|tout à fait en désaccord, pas d'accord|en désaccord,
        plutôt pas d'accord|plutôt en désaccord,
        neutre|ni d'accord ni pas d'accord|ni d'accord ni en désaccord|sans opinion,
        plutôt d'accord, d'accord, tout à fait d'accord
    très faible|très bas, faible|bas, moyen, élevé|fort|haut, très élevé|très fort
    jamais, rarement|presque jamais, parfois|quelquefois, souvent|presque toujours, toujours
    très négatif, négatif, neutre, positif, très positif
    muy en desacuerdo|totalmente en desacuerdo, en desacuerdo, algo en desacuerdo,
        neutral|indiferente|ni de acuerdo ni en desacuerdo, algo de acuerdo, de acuerdo,
        muy de acuerdo|totalmente de acuerdo
    muy bajo, bajo, medio, alto, muy alto
    nunca, raramente|rara vez|casi nunca, a veces|algunas veces,
        a menudo|frecuentemente|casi siempre, siempre
    muy negativo, negativo, neutro|neutral, positivo, muy positivo
    """.replace(",\n", ", ")
    .strip()
    .splitlines()
)


def in_order(words: Collection[str]) -> list[str] | None:
    """The words in the order of the scale that has all of them; None if no scale, or two, do.

    Examples
    --------
    >>> in_order(["high", "low", "medium"])
    ['low', 'medium', 'high']
    >>> in_order(["high", "low", "blue"]) is None
    True
    """
    found = []
    for scale in SCALES_OF_WORDS:
        rank = {word: k for k, ranks in enumerate(scale) for word in ranks}
        keys = {w: rank.get(_word_of_a_scale(w)) for w in words}
        ranks = [k for k in keys.values() if k is not None]
        if len(ranks) == len(keys) == len({*ranks}) > 1:
            found.append(sorted(words, key=lambda w, keys=keys: keys[w] or 0))  # type: ignore[misc]
    return found[0] if found and all(f == found[0] for f in found) else None


def _word_of_a_scale(label: str) -> str:
    return re.sub(r"[\s/_-]+", " ", label.casefold().replace("’", "'"))
