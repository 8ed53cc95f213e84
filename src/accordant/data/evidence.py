"""What the cells and the header of a column say about what it is for.

Cells become keys, the same for all columns of a table ('1' and '1.0', 'Yes' and 'yes'), so that
one column can be held against another: how many cells they share, how much they agree. Everything
is computed on arrays of key numbers; -1 is a blank cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lgamma, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .labels import MISSING, TICKS
from .names import (
    PREDICTIONS,
    REMARKS,
    answer_like,
    coder_like,
    consensus_like,
    fact_like,
    label_like,
    personal,
    role_of,
    tidy,
    weight_like,
    words_of,
)
from .separators import guess, parts
from .table import BLANK, Codes, Column, Table
from .values import as_list

__all__ = [
    "SURE",
    "Facts",
    "Grid",
    "Keys",
    "Labels",
    "agreeing",
    "agreement",
    "counted",
    "folded",
    "follows",
    "marked",
    "orders",
    "overlap",
    "pairs_of",
]

Keys = NDArray[np.integer[Any]]
Ints = NDArray[np.int64]

NUMBER = re.compile(r"[-+]?(\d+([.,]\d+)?|[.,]\d+)([eE][-+]?\d+)?%?")
KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("number", NUMBER),
    (
        "time",
        re.compile(
            r"\d{4}[-/]\d\d?[-/]\d\d?([T ].*)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}([ ,].*)?"
            r"|\d{1,2}:\d\d(:\d\d)?( ?[AaPp][Mm])?|\w{3} \w{3} \d+ .*\d{4}"
        ),
    ),
    ("mail", re.compile(r"[^@\s]+@[^@\s]+\.\w+")),
    ("link", re.compile(r"https?://\S+|\S+\.(wav|png|jpe?g|mp[34]|pdf|txt)", re.IGNORECASE)),
    ("nested", re.compile(r"\{(?=.*:).*|\{\s*\}|\[\s*[{\[].*", re.DOTALL)),
)
MARKS = frozenset(("x", "✓", "✔", "☑", "1", "true"))  # a blank beside them is a no
YES = frozenset(pair[0] for pair in TICKS)
MEASURES = frozenset(("conf", "tokens", "latency", "ms", "sec", "secs", "lead", "cost"))
MOST_WORDS = 5  # of a header that says what its column is; longer ones are questions or texts
LONG = 60  # letters of a header that is no name
MANY = 20_000  # distinct cells of a column that holds no labels
A_MEASURE = 12  # distinct numbers from which they are rather measured than chosen
MOST_ROWS = 100_000  # that evidence is taken from
ENOUGH_ROWS = 2_000  # the same, where no column may name items that have several rows
SEEN = 20  # cells of a column that are looked at, however few it has
FEW_WORDS = 50  # of a column that names no items of a table of more rows


def _measured(name: str) -> bool:
    return bool(MEASURES & {*words_of(name)})


@dataclass
class Header:
    """What the name of a column says; nothing where the names are only numbers."""

    name: str
    headed: bool
    predicts: bool = False  # whether predictions are the labels
    role: str | None = field(init=False)

    def __post_init__(self) -> None:
        self.role = role_of(self.name) if self.headed else None
        if self.predicts:
            self.role = "label"

    def _is(self, like: Callable[[str], bool]) -> bool:
        return self.headed and len(words_of(self.name)) <= MOST_WORDS and like(self.name)

    @cached_property
    def coder(self) -> bool:
        """A coder of their own: 'A1', 'coder 2'."""
        return self._is(coder_like)

    @cached_property
    def label(self) -> bool:
        """A column of labels: 'label', 'rating', 'Answer.tone'."""
        return self._is(label_like) or self.answer or self.predicts

    @cached_property
    def answer(self) -> bool:
        """As platforms call an answer: 'Answer.tone', but not how sure it is."""
        return self._is(answer_like) and not (weight_like(self.name) and fact_like(self.name))

    @cached_property
    def consensus(self) -> bool:
        """What coders agreed on, or what is known to be right."""
        return self._is(consensus_like)

    @cached_property
    def fact(self) -> bool:
        """About the items or the study; a measure beside the answers."""
        return not self.predicts and any(map(self._is, (fact_like, weight_like, _measured)))

    @cached_property
    def remark(self) -> bool:
        """In the coder's own words, or about persons."""
        said = self._is(lambda n: not {*REMARKS}.isdisjoint(words_of(n)) or personal(n))
        return said or self.role in ("text", "status")

    @cached_property
    def named_id(self) -> bool:
        """An id of something: 'AssignmentId', 'link'."""
        return self._is(lambda n: tidy(n).endswith(("id", "link", "url")))

    @property
    def asks(self) -> bool:
        """A question in full."""
        return self.headed and (self.name.rstrip().endswith("?") or len(self.name) > LONG)

    @cached_property
    def words(self) -> list[str]:
        """The words and numbers it is made of."""
        return words_of(self.name) if self.headed else []


class Facts:
    """A column: its header, the keys of its cells (N,), and what kind of cells they are."""

    def __init__(
        self, column: Column, keys: Keys, words: list[str], *, headed: bool, predicts: bool = False
    ) -> None:
        self.column, self.keys, self.words = column, keys, words
        self.at = 0  # where it stands
        self.name, self.header = column.name, Header(column.name, headed, predicts)
        if tidy(self.name) == "no" and self.binary:
            self.header.role = None  # the label, not the number of an item

    @classmethod
    def of(cls, column: Column) -> Facts:
        """A column alone, its cells as they are written."""
        return cls(column, column.codes, column.text, headed=True)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.kind}, {self.n_values} values>"

    @cached_property
    def filled(self) -> Keys:
        """The keys of the cells that are not blank."""
        return self.keys[self.keys >= 0]

    @cached_property
    def values(self) -> NDArray[np.integer[Any]]:
        """The distinct keys."""
        return np.unique(self.filled)

    @property
    def n_values(self) -> int:
        """How many distinct cells there are."""
        return len(self.values)

    @cached_property
    def texts(self) -> list[str]:
        """The distinct cells as folded text."""
        return [self.words[k] for k in self.values[:2000].tolist()]

    @cached_property
    def partition(self) -> bytes:
        """Which rows hold the same cell, whatever it is: an id and the text it stands for."""
        _, first, of = np.unique(self.keys, return_index=True, return_inverse=True)
        return bytes(np.argsort(np.argsort(first))[of.reshape(-1)].astype(np.int64).data)

    @property
    def full(self) -> bool:
        """Whether no cell is blank."""
        return len(self.filled) == len(self.keys)

    @property
    def unique(self) -> bool:
        """Whether every row has a cell of its own."""
        return self.full and self.n_values == len(self.keys) > 1

    @cached_property
    def lists(self) -> bool:
        """Whether cells are lists of labels, or hold several that a mark separates."""
        some = list(self.column.words)[:200]
        if any(isinstance(w, tuple) or as_list(str(w)) is not None for w in some):
            return True
        found = guess(self.texts[:500]) if self.kind == "word" else None
        return found is not None and found.clear

    @cached_property
    def members(self) -> set[str]:
        """The distinct labels, cells that may hold several taken apart."""
        found = set[str]()
        mark = guess(self.texts[:500])
        for word in list(self.column.words)[:500]:
            cell = word if isinstance(word, tuple) else as_list(str(word))
            if cell is not None:
                found |= {folded(str(x)) for x in cell}
            elif mark and mark.clear:
                found |= {p for p in parts(folded(str(word)), mark.mark) if p}
            else:
                found |= {p for p in re.split(r"\s*[;|]\s*", folded(str(word))) if p}
        return found

    @cached_property
    def kind(self) -> str:
        """'number', 'time', 'mail', 'link', 'nested', 'prose', 'word' or 'blank'."""
        cells = [w for w in self.column.text[:500] if w not in MISSING]
        if not cells:
            return "blank"
        if self.column.numeric:
            return "number"
        for kind, pattern in KINDS:
            if sum(bool(pattern.fullmatch(c)) for c in cells) >= 0.9 * len(cells):
                return kind
        if any(isinstance(w, tuple) for w in list(self.column.words)[:200]):
            return "word"
        spaces = sum(c.count(" ") for c in cells) / len(cells)
        long = sum(map(len, cells)) > 40 * len(cells) or spaces >= 2.5
        return "prose" if long and self.n_values > max(A_MEASURE, len(self.keys) / 5) else "word"

    @cached_property
    def measure(self) -> bool:
        """Numbers that were measured rather than chosen: many, or with decimals."""
        if self.kind != "number":
            return False
        return self.n_values > A_MEASURE or any("." in w for w in self.texts)

    @cached_property
    def decimals(self) -> bool:
        """Measures of which some are no whole numbers: they name nothing."""
        return self.measure and any("." in w for w in self.texts)

    @cached_property
    def ticked(self) -> NDArray[np.bool_]:
        """(N,) where a cell says yes."""
        return np.isin(self.keys, [k for k in self.values.tolist() if self.words[k] in YES])

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """(N,) the cells as numbers, NaN where they are none."""
        each = np.full(len(self.words) + 1, np.nan)
        for k in self.values.tolist():
            try:
                each[k] = float(self.words[k].rstrip("%"))
            except ValueError:
                continue
        return each[self.keys]

    @cached_property
    def binary(self) -> bool:
        """Whether every cell says that something is so, or is not."""
        found = {*self.texts}
        return found in ({"0"}, {"false"}) or any(
            found <= {*pair} and pair[0] in found for pair in TICKS
        )

    @cached_property
    def nearly_binary(self) -> bool:
        """Whether most cells that are filled say so, so that another is rather a slip."""
        said = [k for k in self.values.tolist() if any(self.words[k] in pair for pair in TICKS)]
        return 2 * int(np.isin(self.filled, said).sum()) > len(self.filled)

    @cached_property
    def ticks(self) -> bool:
        """Whether there are only ticks: a blank cell is a no."""
        return self.binary and self.n_values == 1 and not self.full and {*self.texts} <= MARKS

    @cached_property
    def counter(self) -> bool:
        """Whether the cells number the rows: 1, 2, 3, …."""
        if not self.unique or self.kind != "number" or len(self.keys) < 4:
            return False
        steps = np.unique(np.diff(self.numbers))
        return len(steps) == 1 and steps[0] == 1

    @property
    def names_rows(self) -> bool:
        """Whether it may name items where each has a row: by its header, or since it varies."""
        return self.header.role == "item" or (self.n_values > A_MEASURE and not self.decimals)

    @cached_property
    def answers(self) -> bool:
        """Whether the column might hold labels at all."""
        if self.header.remark or not self.n_values:
            return False
        ids = self.header.named_id or len(self.keys) >= A_MEASURE
        if self.counter or (self.unique and self.kind == "word" and ids and not self.header.label):
            return False
        dates = self.kind == "time" and 2 * self.n_values <= len(self.filled)
        if self.kind == "prose" and self.header.role == "label":
            return True
        if self.kind not in ("word", "number") and not (dates and not self.header.fact):
            return False
        cells = (
            self.members
            if self.lists
            else {p for w in self.texts for p in re.split(r"\s*[|;,#]\s*", w)}
        )
        many = len(cells) > max(A_MEASURE, 0.6 * len(self.filled))
        return self.measure or self.header.label or not many


class Grid:
    """The columns of a table as evidence, their cells in one lexicon of keys."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.headed = table.headed
        self.n = len(table)
        self._lexicon: dict[str, int] = {}
        self._words: list[str] = []
        labelled = any(map(label_like, table.names))
        self._predictions = [
            n for n in table.names if self.headed and not labelled and tidy(n) in PREDICTIONS
        ]
        rows = _rows_to_look_at(table)
        self.columns = [self._facts(c, rows) for c in table.columns]
        self.columns = [c for c in self.columns if c.n_values or not self.headed]
        if rows is None:
            self._drop_copies()
        self.by_name = {c.name: c for c in self.columns}
        numbered = [c for c in self.columns if self.headed and c.name.isdigit()]
        for at, column in enumerate(self.columns):
            column.at = at
            if column in numbered and 1 < len(numbered) <= self.n:
                column.header.coder = True

    def _drop_copies(self) -> None:
        """Rows that are equal in every cell count once, where one column then names each row."""
        if self.n < 2 or not self.columns or any(c.unique for c in self.columns):
            return
        _, first = np.unique(np.stack([c.keys for c in self.columns]), axis=1, return_index=True)
        n = len(first)
        if n == self.n or not any(c.n_values == n and c.names_rows for c in self.columns):
            return
        first.sort()
        self.n = n
        self.columns = [self._of(c.column, c.keys[first], c.words) for c in self.columns]

    def _facts(self, column: Column, rows: Keys | None) -> Facts:
        codes = np.asarray(column.codes if rows is None else column.codes[rows])
        if len(column.words) > MANY:
            return self._of(column, codes.astype(np.int64), column.text)
        keys = np.array([*(self._key(w) for w in column.text), -1], np.int64)
        return self._of(column, keys[codes], self._words)

    def _of(self, column: Column, keys: Keys, words: list[str]) -> Facts:
        predicts = column.name in self._predictions
        return Facts(column, keys, words, headed=self.headed, predicts=predicts)

    def _key(self, text: str) -> int:
        if text in MISSING:
            return -1
        word = folded(text)
        if not word:
            return -1
        if word not in self._lexicon:
            self._lexicon[word] = len(self._words)
            self._words.append(word)
        return self._lexicon[word]

    def __getitem__(self, name: str) -> Facts:
        if name not in self.by_name:
            raise InputError(f"the column {name!r} is blank", file=self.table.source)
        return self.by_name[name]


def _rows_to_look_at(table: Table) -> Keys | None:
    """Rows at equal distances, and the first of columns that are nearly blank; None for all."""
    several = any(map(_may_repeat_ids, table.columns))
    every = -(-len(table) // (MOST_ROWS if several else ENOUGH_ROWS))
    if every < 2:
        return None
    rows = np.arange(0, len(table), every)
    rare = [
        np.flatnonzero(c.codes != BLANK)[:SEEN]
        for c in table.columns
        if not c.blank and np.count_nonzero(c.codes[rows] != BLANK) < SEEN
    ]
    return np.unique(np.concatenate([rows, *rare]))


def _may_repeat_ids(column: Column) -> bool:
    """Whether a column may name items, or coders, that have several rows each."""
    return FEW_WORDS < len(column.words) <= len(column) / 1.4


def folded(text: str) -> str:
    """A cell without case, outer white space and the form of a number; ids keep every digit.

    Examples
    --------
    >>> folded(" Yes"), folded("2.0"), folded("1,5"), folded("007")
    ('yes', '2', '1.5', '007')
    """
    word = text.strip().casefold()
    if len(word) > 15 or not NUMBER.fullmatch(word) or word.endswith("%"):
        return word
    if re.match(r"[-+]?0\d", word):
        return word
    number = float(word.replace(",", "."))
    return str(int(number)) if number.is_integer() else repr(number)


# ------------------------------------------------------------------ what the cells of a column say

_OWN = 12  # rows from which words that all differ are no labels


def numbers(column: Column) -> bool:
    """Whether the cells are numbers."""
    return Facts.of(column).kind == "number"


def looks_like_time(column: Column) -> bool:
    """Whether the cells are dates or times."""
    return Facts.of(column).kind == "time"


def prose(column: Column) -> bool:
    """Whether a column holds sentences rather than labels: long cells, hardly two the same."""
    found = column.text[:500]
    words = sum(w.count(" ") for w in found) > 6 * len(found)
    return Facts.of(column).kind == "prose" or words


def wordy(column: Column) -> bool:
    """Whether cells are several words long."""
    found = column.text[:500]
    return bool(found) and sum(" " in w for w in found) * 2 > len(found)


def identifies_rows(column: Column) -> bool:
    """Whether every row has its own word: an assignment, a link; no two rows could agree."""
    if column.numeric or len(column.words) < len(column) or len(column) < 2:
        return False
    return len(column) >= _OWN or tidy(column.name).endswith(("id", "link", "url"))


def constant(codes: Codes, item: Codes, n_items: int) -> bool:
    """Whether ``codes`` (N,) have one value for each item, blanks apart."""
    keep = codes != BLANK
    return bool((first_per(codes, item, n_items)[item[keep]] == codes[keep]).all())


def first_per(codes: Codes, item: Codes, n_items: int) -> Codes:
    """(n_items,) the first code of each item that is not blank."""
    keep = codes != BLANK
    found = np.full(n_items + 1, BLANK, np.int32)
    found[item[keep][::-1]] = codes[keep][::-1]
    return found[:-1]


# ------------------------------------------------------------------ pairs of columns
#
# Columns held against one another: what they share, how much they agree, what follows.

SHRUNK = 3.0  # groups that agreement by chance is worth: evidence of few items counts little


def marked(columns: Sequence[Facts]) -> bool:
    """Whether marks in these columns are rather the labels of one question than several answers.

    A mark without a word for its absence, or exactly one mark in each row that has any, says so.
    """
    ticked = np.stack([c.ticked for c in columns]).sum(0)
    blank = np.stack([c.keys < 0 for c in columns]).all(0)
    once = bool((ticked[~blank] == 1).all()) and not blank.all()
    return once or any(c.ticks for c in columns)


def pairs_of(one: Keys, other: Keys) -> tuple[Keys, Keys, Keys]:
    """The pairs of keys that occur in some rows, and how often: three of (P,).

    One key for both is sorted in a hundredth of the time of pairs. Rows with a blank are left out.

    Examples
    --------
    >>> one, other, times = pairs_of(np.array([2, 2, 0, -1]), np.array([1, 1, 3, 0]))
    >>> one.tolist(), other.tolist(), times.tolist()
    ([0, 2], [3, 1], [1, 2])
    """
    keep = (one >= 0) & (other >= 0)
    width = int(other.max(initial=0)) + 1
    pair = one[keep].astype(np.int64) * width + other[keep]
    most = (int(one.max(initial=0)) + 1) * width
    if most <= 4 * len(pair) + (1 << 12):
        times = np.bincount(pair, minlength=most)
        found = np.flatnonzero(times)
        return found // width, found % width, times[found]
    found, times = np.unique(pair, return_counts=True)
    return found // width, found % width, times


def agreement(keys: Keys, group: Keys, numbers: NDArray[np.float64] | None = None) -> float:
    """How much alike cells of one group are, beyond chance: 1 - within / total, shrunk to 0.

    Parameters
    ----------
    keys, group : ndarray
        (N,) the cell and the group (a row, an item) of each; -1 is left out.
    numbers : ndarray, optional
        (N,) the cells as numbers, for measures: variances instead of shares of unequal pairs.

    Examples
    --------
    >>> one = np.array([0, 1, 0, 1, 0, 1])
    >>> agreement(np.tile(one, 2), np.tile(np.arange(6), 2))
    0.666...
    """
    keep = (keys >= 0) & (group >= 0)
    if numbers is not None:
        keep &= ~np.isnan(numbers)
    keys, group = keys[keep], group[keep]
    if not len(keys):
        return 0.0
    _, group = np.unique(group, return_inverse=True)
    size = np.bincount(group)
    several = size > 1
    n_groups = int(np.count_nonzero(several))
    inside = several[group]
    keys, group = keys[inside], group[inside]
    if n_groups < 2 or len(np.unique(keys)) < 2:
        return 0.0
    if numbers is not None:
        x = numbers[keep][inside]
        n = size[group]
        mean = np.bincount(group, x, len(size))[group] / n
        within = np.sum((x - mean) ** 2 / (n - 1)) / n_groups
        total = float(np.var(x))
        found = 1 - within / total if total else 0.0
    else:
        pair = group.astype(np.int64) * (int(keys.max()) + 1) + keys
        _, first, times = np.unique(pair, return_index=True, return_counts=True)
        of = group[first]
        same = np.bincount(of, times * (times - 1.0), len(size))[several]
        differ = float(np.mean(1 - same / (size[several] * (size[several] - 1.0))))
        share = np.unique(keys, return_counts=True)[1] / len(keys)
        found = 1 - differ / (1 - float(share @ share))
    return float(found) * n_groups / (n_groups + SHRUNK)


def agreeing(columns: Sequence[Facts]) -> float:
    """How much columns agree, row by row."""
    n = len(columns[0].keys)
    rows = np.tile(np.arange(n), len(columns))
    if all(c.ticks for c in columns):
        return agreement(np.concatenate([c.ticked.astype(np.int64) for c in columns]), rows)
    measures = all(c.measure for c in columns)
    numbers = np.concatenate([c.numbers for c in columns]) if measures else None
    return agreement(np.concatenate([c.keys for c in columns]), rows, numbers)


def overlap(one: Facts, other: Facts) -> float:
    """The share of cells that the other column holds too, of ranges for measures; 0 to 1."""
    if not one.n_values or not other.n_values:
        return 0.0
    numbers = one.kind == other.kind == "number" and (one.measure or other.measure)
    if numbers and min(one.n_values, other.n_values) > 3:
        (a, b), (c, d) = (np.nanquantile(x.numbers, (0.05, 0.95)).tolist() for x in (one, other))
        width = max(b, d) - min(a, c)
        return max(0.0, (min(b, d) - max(a, c)) / width) if width else 1.0
    if one.lists or other.lists:
        return _overlap_of_sets(one, other)
    here = np.isin(one.filled, other.values).mean()
    there = np.isin(other.filled, one.values).mean()
    return float(here + there) / 2


def _overlap_of_sets(one: Facts, other: Facts) -> float:
    a, b = one.members, other.members
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


# ------------------------------------------------------------------ what follows from labels

SURE = 10.0  # bits: by chance less than one in twenty of the fifty statistics that are tried
MOST_LEFT_OUT = 8  # coders of whom each is held against the others
MOST_CATEGORIES = 40
MOST_WORDS_COUNTED = 500
A_FEW = 100  # items
_SHARES = (1.0, 100.0)  # as a part of 1, or in per cent


@dataclass(frozen=True)
class Statistic:
    """What may be computed from the labels of each item (I,).

    Either a number; or, of labels, which (I, K) are most frequent, of which several may be tied.
    ``groups``: the items of one value, which a column may call anything.
    """

    says: str
    value: NDArray[np.floating[Any]] | Ints
    labels: NDArray[np.bool_] | None = None
    groups: bool = False

    def matches(self, cells: Keys, words: Sequence[str], labels: Sequence[str]) -> list[Matches]:
        """(I,) where a column says the same, by each way to write it."""
        if self.labels is not None:
            place = {w: k for k, w in enumerate(labels)}
            own = np.array([*(place.get(w, -1) for w in words), -1])[cells]
            tied = self.labels.sum(1) > 1
            said = (own >= 0) & self.labels[np.arange(len(own)), own]
            return [Matches(said | (tied & (own < 0)), ~tied)]
        found = []
        x = np.array([*map(_number, words), np.nan])[cells]
        step = 10.0 ** -max((len(w.rstrip("%").partition(".")[2]) for w in words), default=0)
        if not np.isnan(x).any():
            several = np.isfinite(self.value)
            found = [
                Matches(np.abs(x - each * self.value) <= 0.51 * step + 1e-9, several)
                for each in _SHARES
            ]
        if self.groups:
            _, group = np.unique(self.value, return_inverse=True)
            table = np.zeros((int(group.max()) + 1, len(words) + 1))
            np.add.at(table, (group, cells), 1)
            usual = table.argmax(1)
            ways = len(table) * log2(max(2, int(np.count_nonzero(table.sum(0)))))
            said = usual[group] == np.where(cells < 0, len(words), cells)
            found.append(Matches(said, np.ones(len(said), bool), ways))
        return found


@dataclass(frozen=True)
class Matches:
    """(I,) where a column says what a statistic does, and where that could have been otherwise.

    ``ways``: bits for how many ways there were to call the groups of a statistic.
    """

    said: NDArray[np.bool_]
    told: NDArray[np.bool_]
    ways: float = 0.0


def _number(word: str) -> float:
    try:
        return float(word.rstrip("%"))
    except ValueError:
        return np.nan


def statistics(counts: Ints, labels: Sequence[str]) -> Iterator[Statistic]:
    """What may be computed from how often (I, K) items have each label; two at least an item."""
    n, top = counts.sum(1), counts.max(1)
    share = counts / n[:, None]
    yield Statistic("how many different labels there are", (counts > 0).sum(1), groups=True)
    yield Statistic("the share of the most frequent label", share.max(1), groups=True)
    yield Statistic("the most frequent label", top, labels=counts == top[:, None])
    yield Statistic("the number of labels", n, groups=True)
    yield Statistic("the number of the most frequent label", top)
    alike = (counts * (counts - 1.0)).sum(1) / (n * (n - 1.0))
    yield Statistic("the share of pairs that agree", alike)
    yield Statistic("the share of pairs that disagree", 1 - alike)
    some = np.where(counts > 0, share, 1)
    entropy = -(share * np.log(some)).sum(1)
    for base in (1.0, log(2), log(max(2, len(labels)))):
        yield Statistic("the entropy of the labels", entropy / base)
    for k, label in enumerate(labels if len(labels) <= MOST_CATEGORIES else ()):
        yield Statistic(f"how often {label!r} was given", counts[:, k])
        yield Statistic(f"the share of {label!r}", share[:, k])
    x = np.array([*map(_number, labels)])
    if np.isnan(x).any():
        return
    total, mean = counts @ x, share @ x
    order = np.argsort(x)
    past = np.cumsum(counts[:, order], 1)

    def at(rank: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(x[order][(past > np.floor(rank)[:, None]).argmax(1)])

    yield Statistic("the mean of the labels", mean)
    yield Statistic("the median of the labels", (at((n - 1) / 2) + at(n / 2)) / 2)
    yield Statistic("the sum of the labels", total)
    low, high = at(n * 0.0), at(n - 1.0)
    yield Statistic("the lowest label", low)
    yield Statistic("the highest label", high)
    yield Statistic("the range of the labels", high - low)
    square = np.maximum(share @ x**2 - mean**2, 0)
    for variance in (square, square * n / (n - 1)):
        yield Statistic("the variance of the labels", variance)
        yield Statistic("the standard deviation of the labels", np.sqrt(variance))


class Labels:
    """The labels of several coders, counted once for all columns held against them."""

    def __init__(self, coders: Sequence[Facts]) -> None:
        self.coders = [c for c in coders if len(c.column.words) <= MANY] or [*coders][:1]
        each = np.stack([c.keys for c in self.coders])
        known, codes = np.unique(each, return_inverse=True)
        self.codes = codes.reshape(each.shape) - int(known[0] < 0)
        self.words = [self.coders[0].words[k] for k in known[known >= 0].tolist()]
        self.counts = counted(self.codes, len(self.words))

    def tell(self, column: Facts) -> tuple[str, float]:
        """What a column says that follows from the others, and bits for that being no accident.

        The accident is another coder: the others follow from it and the rest as often.
        """
        codes, counts = self.codes, self.counts
        if counts.shape[1] > MOST_WORDS_COUNTED or len(column.column.words) > MANY:
            return "", 0.0
        if column in self.coders:
            mine = self.coders.index(column)
            codes = np.delete(codes, mine, 0)
            counts = counts - counted(self.codes[[mine]], len(self.words))
        values, cells = np.unique(column.keys, return_inverse=True)
        cells, values = cells - int(values[0] < 0), values[values >= 0]
        words = [column.words[k] for k in values.tolist()]
        says, bits = follows(cells, words, counts, self.words)
        if not bits or not {*words} <= {*self.words}:
            return says, bits
        own = np.array([*map(self.words.index, words), -1])[cells]
        whole = counts + counted(own[None], len(self.words))
        found = [self._hits(says, each, whole) for each in codes[:MOST_LEFT_OUT]]
        usual = max(((hits + 1) / (told + 2) for hits, told in found), default=0.5)
        return says, min(bits, -self._hits(says, own, whole)[1] * log2(usual))

    def _hits(self, says: str, own: Keys, counts: Ints) -> tuple[int, int]:
        """How often a coder says what follows from the labels of the others, of how many times."""
        rest = counts - counted(own[None], len(self.words))
        rows = (own >= 0) & (rest.sum(1) > 1)
        own, rest = own[rows], rest[rows]
        found = [s for s in statistics(rest, self.words) if s.says == says] if len(own) else []
        each = [m for s in found for m in s.matches(own, self.words, self.words)]
        return max(((int(m.said[m.told].sum()), int(m.told.sum())) for m in each), default=(0, 0))


def counted(codes: Keys, n_labels: int) -> Ints:
    """(I, K) how often each label is given to each item, from (C, I) codes; -1 is none."""
    n_items = codes.shape[1]
    at = np.arange(n_items) * n_labels + codes
    found = np.bincount(at[codes >= 0], minlength=n_items * n_labels)
    return found.reshape(n_items, n_labels).astype(np.int64)


def follows(
    cells: Keys, words: Sequence[str], counts: Ints, labels: Sequence[str]
) -> tuple[str, float]:
    """What a column says that follows from all labels of each item, and bits for that; or ''.

    It must hold for all items that have two labels or more. The accident against which it is held
    is a column of the same cells in another order: there are so many orders.

    Parameters
    ----------
    cells : ndarray
        (I,) codes into ``words``, which are folded; -1 is a blank.
    counts : ndarray
        (I, K) how often each of the folded ``labels`` was given.
    """
    rows = counts.sum(1) > 1
    cells, counts = cells[rows], counts[rows]
    if len(cells) < 3 or (len(cells) > 2 * A_FEW and not _some(cells, words, counts, labels)):
        return "", 0.0
    here, at = np.unique(cells, return_inverse=True)  # without cells of other items
    words = [words[k] for k in here[here >= 0].tolist()]
    cells = at - int(here[0] < 0)
    if len(words) == 1 and (counts.sum(1) == _number(words[0])).all() and (cells >= 0).all():
        return "the number of labels", SURE
    for statistic in statistics(counts, labels):
        for match in statistic.matches(cells, words, labels):
            bits = orders(cells[match.told]) - match.ways
            if match.said.all() and bits > 0:
                return statistic.says, bits
    return "", 0.0


def _some(cells: Keys, words: Sequence[str], counts: Ints, labels: Sequence[str]) -> bool:
    """Whether anything follows for the first items, as it must if it does for all."""
    first = slice(A_FEW)
    return any(
        bool(m.said.all())
        for s in statistics(counts[first], labels)
        for m in s.matches(cells[first], words, labels)
    )


def orders(cells: Keys) -> float:
    """Bits for the number of orders in which some cells may stand.

    Examples
    --------
    >>> round(2 ** orders(np.array([0, 0, 1, 1])))
    6
    """
    times = np.unique(cells, return_counts=True)[1]
    return (lgamma(len(cells) + 1) - sum(lgamma(n + 1) for n in times.tolist())) / log(2)
