"""What the cells and the header of a column say about what it is for.

Cells become keys, the same for all columns of a table ('1' and '1.0', 'Yes' and 'yes'), so that
one column can be held against another: how many cells they share, how much they agree. Everything
is computed on arrays of key numbers; -1 is a blank cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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

Keys = NDArray[np.integer[Any]]

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
    n = len(table)  # a column may name items, or coders, that have several rows each
    several = any(FEW_WORDS < len(c.words) <= n / 1.4 for c in table.columns)
    every = -(-n // (MOST_ROWS if several else ENOUGH_ROWS))
    if every < 2:
        return None
    rows = np.arange(0, n, every)
    rare = [
        np.flatnonzero(c.codes != BLANK)[:SEEN]
        for c in table.columns
        if not c.blank and np.count_nonzero(c.codes[rows] != BLANK) < SEEN
    ]
    return np.unique(np.concatenate([rows, *rare]))


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


def numbers(column: Column) -> bool:
    """Whether the cells are numbers."""
    return Facts.of(column).kind == "number"


def prose(column: Column) -> bool:
    """Whether a column holds sentences rather than labels: long cells, hardly two the same."""
    found = column.text[:500]
    words = sum(w.count(" ") for w in found) > 6 * len(found)
    return Facts.of(column).kind == "prose" or words


def wordy(column: Column) -> bool:
    """Whether cells are several words long."""
    found = column.text[:500]
    return bool(found) and sum(" " in w for w in found) * 2 > len(found)


def constant(codes: Codes, item: Codes, n_items: int) -> bool:
    """Whether ``codes`` (N,) have one value for each item, blanks and other items apart."""
    keep = (codes != BLANK) & (item < n_items)
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
        a, b = one.members, other.members
        return len(a & b) / min(len(a), len(b)) if a and b else 0.0
    here = np.isin(one.filled, other.values).mean()
    there = np.isin(other.filled, one.values).mean()
    return float(here + there) / 2
