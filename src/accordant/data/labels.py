"""From distinct cells to categories: what is missing, what is a number, what is in the scheme."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..actions import Action, Notice
from ..errors import InputError, RequestError
from ..scheme import Label, Scheme
from .options import Options
from .separators import guess, guesses, parts
from .table import BLANK, Words, as_words, plain
from .word_scales import in_order

__all__ = [
    "MISSING",
    "TICKS",
    "Doubt",
    "Place",
    "Question",
    "as_declared",
    "check_names",
    "is_number",
    "label_key",
    "listed",
    "outside",
    "remedies",
]

Place: TypeAlias = Callable[[int], dict[str, Any]]  # row of annotations -> file, row, column

# Written by programs for "nothing here". A scheme that lists one of them makes it a category.
MISSING = frozenset(
    (
        "#DIV/0!",
        "#N/A",
        "#NA",
        "#NAME?",
        "#NULL!",
        "#NUM!",
        "#REF!",
        "#VALUE!",
        "<NA>",
        "N/A",
        "NA",
        "NAN",
        "NULL",
        "NaN",
        "n/a",
        "nan",
        "null",
        # German and French, the errors of their spreadsheets too.
        "#BEZUG!",
        "#NV",
        "#WERT!",
        "#ZAHL!",
        "#NOM?",
        "#NOMBRE!",
        "#VALEUR!",
        "n.a.",
        "n. a.",
        "k.A.",
        "k. A.",
        "k.a.",
        "keine Angabe",
        "keine Angaben",
        "sans objet",
        "non renseigné",
    )
)
# May mean missing or be a category; missing where all other labels are numbers.
PLACEHOLDERS = frozenset((".", "-", "--", "?", "#", "*", "None", "none", "nil", "missing"))
NOTHING = frozenset(("none", "nothing", "no label", "nil", "empty", "-", "--", "none of these"))
# What says that something is so, and what that it is not.
TICKS = (
    ("1", "0"),
    ("true", "false"),
    ("yes", "no"),
    ("y", "n"),
    ("t", "f"),
    ("ja", "nein"),
    ("oui", "non"),
    ("sí", "no"),
    ("x", ""),
    ("✓", "✗"),
    ("✔", "✘"),
    ("☑", "☐"),
    ("x", "-"),
)
# Numbers that stand for no answer, beside those of a scale.
CODES_OF_NOTHING = frozenset((-1, -8, -9, -98, -99, -999, 98, 99, 998, 999, 9999))
LARGEST_OF_A_SCALE = 10
_DIGITS = 4  # of a point of a scale
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]\d{2,3})?")
_COMMA = re.compile(r"-?\d+,\d+")
_END = re.compile(r"(0|[1-9]\d?)\s*[-–—:=.,)(]\s*[^\W\d].*", re.DOTALL)
_DATE = re.compile(r"\d{1,2}-[A-Z][a-z]{2}(-\d+)?|\d{4}-\d{2}-\d{2}")
_MANY, _TOO_MANY = 1_000, 10_000  # distinct texts that begin to look, and do look, like free text


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


class Question:
    """The labels of one question: a category for each distinct cell, or missing."""

    def __init__(
        self,
        name: str,
        words: Words,
        times: NDArray[np.integer[Any]],
        options: Options,
        first: Callable[[int], dict[str, Any]],
        *,
        sets: bool = False,
    ) -> None:
        self.name, self.times, self.options, self.first = name, times, options, first
        self.sets = sets  # whether each word is one of several labels of a cell
        self.notes: list[Notice] = []
        self.missing: Counter[str] = Counter()
        self.codes = np.full(len(words), BLANK, np.int64)  # word -> category
        declared = options.categories_of(name)
        if declared is not None:
            categories = self._declared(words, declared)
        elif isinstance(words, np.ndarray):
            categories = self._numbers(words)
        else:
            categories = self._words(words)
        scale = options.scale_of(name)
        self.scheme = Scheme(categories, scale or "nominal", declared is not None)
        self._judge_scale(scale, numeric=isinstance(words, np.ndarray) and declared is None)

    def _note(self, text: str, *do: Action) -> None:
        self.notes.append(Notice(text, *do))

    def _present(self) -> list[int]:
        return np.flatnonzero(self.times).tolist()

    def _numbers(self, words: NDArray[Any]) -> tuple[Label, ...]:
        """Cells that were numbers when they came: sorted, no loop over them."""
        here = self.times > 0
        for token in self.options.missing:
            if is_number(token) and (gone := here & (words == float(token))).any():
                self.missing[token] += int(self.times[gone].sum())
                here &= ~gone
        found = words[here]
        order = np.argsort(found, kind="stable")
        ranks = np.empty(len(found), np.int64)
        ranks[order] = np.arange(len(found))
        self.codes[here] = ranks
        return _whole(found[order])

    def _words(self, cells: Sequence[Any]) -> tuple[Label, ...]:
        text = {k: plain(w) for k, w in enumerate(cells) if self.times[k]}
        gone = {k for k, w in text.items() if w in MISSING or w in self.options.missing}
        rest = self._numbered_ends({k: w for k, w in text.items() if k not in gone})
        numbers = {k for k, w in rest.items() if is_number(w)}
        placed = {k for k, w in rest.items() if w in PLACEHOLDERS}
        if placed and numbers and len(placed) + len(numbers) == len(rest):
            gone |= placed
            rest = {k: w for k, w in rest.items() if k in numbers}
        for k in gone:
            self.missing[text[k]] += int(self.times[k])
        zeros = {k for k, w in rest.items() if re.fullmatch("-?00+", w)}
        if zeros and len(numbers) > 2 and len(zeros) + len(numbers) == len(rest):
            numbers |= zeros  # 00 among 0, 5, 10 …, but not 00 beside 01 and 10
        if rest and len(numbers) == len(rest):
            return self._sorted_numbers(rest)
        self._check_free_text(rest)
        same = self._one_pair(rest)
        if same is rest:
            self._warn_of_words(rest, numbers)
        rest = same
        rest = self._one_spelling(rest)
        categories = sorted(set(rest.values()))
        if self.options.scale_of(self.name) == "ordinal" and not self.sets:
            categories = self._in_order(categories, rest)
        position = {c: k for k, c in enumerate(categories)}
        for k, w in rest.items():
            self.codes[k] = position[w]
        if rest and all(isinstance(cells[k], bool) for k in rest):
            return tuple(c == "True" for c in categories)
        return tuple(categories)

    def _numbered_ends(self, text: dict[int, str]) -> dict[int, str]:
        """The labels, '1 – not at all' as the 1 of a scale whose other points are bare numbers."""
        points = {
            k: int(w)
            for k, w in text.items()
            if w.isdecimal() and len(w) <= _DIGITS and is_number(w)
        }
        named = {k: int(m[1]) for k, w in text.items() if (m := _END.fullmatch(w))}
        scale = sorted([*points.values(), *named.values()])
        if (
            not points
            or not named
            or self.sets
            or len(scale) < len(text)
            or scale != list(range(scale[0], scale[0] + len(scale)))
            or not {*named.values()} <= {scale[0], scale[-1]}
        ):
            return text
        shown = listed([text[k] for k in named])
        numbers = listed(map(str, named.values()))
        self.notes.append(
            Doubt(
                f"labels {shown} are read as {numbers}, the ends of a scale",
                Action("", {"categories": [*text.values()]}, "to keep them as they are written"),
            )
        )
        return text | {k: str(n) for k, n in named.items()}

    def _in_order(self, categories: list[str], text: Mapping[int, str]) -> list[str]:
        """The words of a scale that is known by name; the order of others is asked for."""
        known = in_order(categories) if len(categories) > 1 else categories
        if known is None:
            raise InputError(
                f"the order of the labels {listed(categories, 12)} is not known, which an ordinal "
                "scale needs",
                **self.first(next(iter(text))) | {"row": None},
                do=[Action("", {"categories": [...]}, "all categories in order")],
            )
        if len(known) > 1:
            self._note(f"the labels are ordered as the words are: {listed(known, 12)}")
        return known

    def _sorted_numbers(self, text: Mapping[int, str]) -> tuple[Label, ...]:
        """'1' and '1.0' are one number."""
        whole = all(float(w).is_integer() for w in text.values())
        number: Callable[[str], Label] = _integer if whole else float
        found = {k: number(w) for k, w in text.items()}
        categories = sorted(set(found.values()))
        position = {c: k for k, c in enumerate(categories)}
        for k, w in found.items():
            self.codes[k] = position[w]
        return tuple(categories)

    def _declared(self, cells: Words, declared: Sequence[Label]) -> tuple[Label, ...]:
        """The scheme of the user; a label outside it is an error."""
        declared = as_declared(declared)
        position = {label_key(c): k for k, c in enumerate(declared)}
        words = as_words(cells)
        unknown = []
        for k in self._present():
            key = label_key(words[k])
            if key in position:
                self.codes[k] = position[key]
            elif plain(words[k]) in MISSING or plain(words[k]) in self.options.missing:
                self.missing[plain(words[k])] += int(self.times[k])
            else:
                unknown.append(k)
        if unknown:
            raise self._outside([plain(words[k]) for k in unknown], unknown, declared)
        return tuple(declared)

    def _outside(
        self, unknown: list[str], codes: list[int], declared: Sequence[Label]
    ) -> InputError:
        message = outside(unknown, declared, int(self.times[codes].sum()))
        return InputError(
            message, **self.first(codes[0]), do=remedies(unknown, declared, sets=self.sets)
        )

    def _check_free_text(self, text: Mapping[int, str]) -> None:
        total = int(self.times.sum())
        if len(text) > _TOO_MANY or (len(text) > _MANY and len(text) * 5 > total):
            raise InputError(
                f"{len(text):,} different labels in {total:,} annotations, such as "
                f"{listed((w[:40] for w in text.values()), 2)}: this looks like free text, not "
                "labels",
                **self.first(next(iter(text))) | {"row": None},
                do=[
                    Action("", {"label": ...}, "another column"),
                    Action("", {"categories": [...]}, "if these really are the categories"),
                ],
            )

    def _warn_of_words(self, text: Mapping[int, str], numbers: set[int]) -> None:
        words = [k for k in text if k not in numbers]
        if numbers and len(numbers) > 1 and len(words) <= 2:
            for k in words:
                at = _where(self.first(k))
                n = int(self.times[k])
                self._note(
                    f"{at}label {text[k]!r} ({_times(n)}) is not a number as the other labels "
                    "are; it counts as a category. If it is a slip, correct it",
                    Action("", {"missing": text[k]}, "to leave it out"),
                )
        for k in words:
            if text[k] in PLACEHOLDERS and not (numbers and len(words) <= 2):
                none = Action("", {"empty": text[k]}, "if it means that no label applies")
                self._note(
                    f"label {text[k]!r} ({_times(int(self.times[k]))}) counts as a category",
                    Action("", {"missing": text[k]}, "if it means that nothing was given"),
                    *[none] * self.sets,
                )
        self._warn_of_lists(text)
        if text and all(is_number(w) or _COMMA.fullmatch(w) for w in text.values()):
            self._note(
                "labels look like numbers with a decimal comma; they are read as words. Write "
                "them with a decimal point to use their size"
            )
        dates = [w for w in text.values() if _DATE.fullmatch(w)]
        if dates and len(dates) < len(text):
            self._note(
                f"labels {listed(dates)} look like dates; a spreadsheet may have changed labels "
                "such as 3-4 into them"
            )

    def _one_pair(self, text: dict[int, str]) -> dict[int, str]:
        """The labels, those of the usual pair where True and False stand beside 1 and 0."""
        folded = {k: _folded(w) for k, w in text.items()}
        known = {*folded.values()}
        pairs = [pair for pair in TICKS if known.issuperset(pair)]
        if self.sets or len(pairs) < 2 or known != {x for pair in pairs for x in pair}:
            return text
        times = Counter[str]()
        for k, w in folded.items():
            times[w] += int(self.times[k])
        usual = max(pairs, key=lambda pair: times[pair[0]] + times[pair[1]])
        spelled = {w: text[k] for k, w in folded.items() if w in usual}
        side = {pair[k]: usual[k] for k in (0, 1) for pair in pairs}
        self.notes.append(
            Doubt(
                f"labels {listed(dict.fromkeys(text.values()), 12)} are read as "
                f"{spelled[usual[0]]!r} and {spelled[usual[1]]!r}, which seem to mean the same",
                Action("", {"categories": sorted({*text.values()})}, "to keep them apart"),
            )
        )
        return {k: spelled[side[w]] for k, w in folded.items()}

    def _one_spelling(self, text: Mapping[int, str]) -> dict[int, str]:
        """The labels with their most frequent spelling: 'Yes' for 'yes' and 'YES'."""
        alike: defaultdict[str, list[int]] = defaultdict(list)
        for k, w in text.items():
            alike[_folded(w)].append(k)
        same = dict(text)
        for group in alike.values():
            if len(group) > 1:
                usual = text[max(group, key=lambda k: (int(self.times[k]), text[k]))]
                same |= dict.fromkeys(group, usual)
                shown = ", ".join(f"{text[k]!r} ({int(self.times[k]):,})" for k in group)
                self._note(
                    f"labels that differ only in case or spaces are read as {usual!r}: {shown}",
                    Action("", {"categories": [...]}, "to keep them apart"),
                )
        return same

    def _warn_of_lists(self, text: Mapping[int, str]) -> None:
        if self.sets:
            self._warn_of_other_marks(text)
            return
        found = None if self.options.single else guess(text.values())
        if found is None:
            return
        shown = repr(min(found.joined, key=len))
        n = (
            f"{len(found.joined)} labels such as {shown} look"
            if len(found.joined) > 1
            else (f"label {shown} looks")
        )
        self.notes.append(
            Doubt(
                f"{n} like several labels in a cell; each combination counts as one category",
                Action("", {"separator": ""}, "if they are one label, as it is read"),
                Action("", {"separator": found.mark}, "if they are several labels"),
            )
        )

    def _warn_of_other_marks(self, text: Mapping[int, str]) -> None:
        """Point at 'a|c' among cells that were taken apart at ';'."""
        known = set(text.values())
        found = [
            w
            for g in guesses(known)
            for w in g.joined
            if g.mark != " " and all(p in known for p in parts(w, g.mark))
        ]
        if found:
            n = "label" if len(found) == 1 else "labels"
            self._note(
                f"{n} {listed(dict.fromkeys(found))} may hold several labels each, separated "
                "otherwise than in the other cells; each counts as one category. Write all cells "
                "in one way if they are several labels"
            )

    def _judge_scale(self, scale: str | None, *, numeric: bool) -> None:
        n = len(self.scheme.categories)
        numbers = (
            [True] * n if numeric else [type(c) in (int, float) for c in self.scheme.categories]
        )
        if scale in ("interval", "ratio", "circular", "bipolar") and not self.scheme.declared:
            bad = [k for k in self._present() if self.codes[k] >= 0]
            bad = [k for k in bad if not numbers[self.codes[k]] and not self._is_numeric(k)]
            if bad:
                label = self.scheme.categories[self.codes[bad[0]]]
                raise InputError(
                    f"label {label!r} is not a number, which the {scale} scale needs",
                    **self.first(bad[0]),
                    do=[
                        Action("", {"missing": str(label)}, "to leave it out"),
                        Action("", {"categories": [...]}, "all categories in order"),
                    ],
                )
        if scale is None and len(numbers) > 2 and all(numbers) and not self.sets:
            self._note(
                "labels are numbers; they are treated as nominal categories",
                Action("", {"scale": "ordinal"}, "for ordered categories"),
                Action("", {"scale": "interval"}, "for measurements"),
            )

        categories = self.scheme.categories
        codes = codes_of_nothing(categories, scale)
        if not codes or self.scheme.declared or scale in ("bipolar", "circular"):
            return
        self.notes.append(
            Doubt(
                f"labels {listed(map(plain, codes))} count as categories, but may say that nothing "
                "was given",
                Action("", {"categories": list(categories)}, "if they are categories"),
                Action("", {"missing": list(map(plain, codes))}, "if nothing was given"),
            )
        )

    def _is_numeric(self, word: int) -> bool:
        label = self.scheme.categories[self.codes[word]]
        return isinstance(label, str) and is_number(label)


def codes_of_nothing(categories: Iterable[Any], scale: str | None = None) -> list[Any]:
    """The numbers beside those of a scale that may say that nothing was given.

    Examples
    --------
    >>> codes_of_nothing([1, 2, 99]), codes_of_nothing([-1, 1]), codes_of_nothing([-1, 0, 1])
    ([99], [], [-1])
    """
    codes, rest = list[Any](), list[Any]()
    for c in categories:
        (codes if c in CODES_OF_NOTHING else rest).append(c)
    few = 2 if -1 in codes and scale else 1  # on a given scale -1 is the end across from 1
    scaled = len(rest) > few and all(
        isinstance(c, int | float) and 0 <= c <= LARGEST_OF_A_SCALE for c in rest
    )
    return codes if scaled else []


def _folded(word: str) -> str:
    return " ".join(unicodedata.normalize("NFC", word).casefold().split())


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


def _whole(found: NDArray[Any]) -> tuple[Label, ...]:
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


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n:,} times"


def listed(words: Iterable[str], most: int = 5) -> str:
    """Some of the words, quoted, and how many more there are."""
    found = list(words)
    shown = ", ".join(map(repr, found[:most]))
    return shown + (f" and {len(found) - most:,} more" if len(found) > most else "")
