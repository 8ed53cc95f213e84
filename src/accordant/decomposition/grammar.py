"""Rules in words, read: 'exactly one label', 'Resolution without Complication', '000,011'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import NoReturn

import numpy as np

from ..arrays import Bools, Ints
from ..errors import RequestError
from ..numbers import count_of, joined
from .conditions import COUNTS, Count
from .partition import CONNECTORS, NUMBERS, Ground, Name, quoted, written
from .rule_names import is_abridged

__all__ = ["blocks_of", "read_rule"]

_WORD = re.compile(r"""[^\s"“”(),|;]+""")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"|“([^”]*)”')
_AFTER = frozenset("(),|;")
_UNMARKED = re.compile(r"""[^"“”(),|;]+(?:\([^"“”(),|;]*\)[^"“”(),|;]*)*""")  # 'Cause (Reason)'
_SAID = (
    "any label",
    "no label",
    "all labels",
    "exactly one label",
    "at least two labels",
    "at most one label",
    "odd number of labels",
    "even number of labels",
    "exactly one of",
    "only",
    "neither",
    "not",
    "without",
    "contains",
    "number of labels",
    "none of",
    "any of",
    "all of",
    "rest",
)


_NUMBERED = {said: kind for kind, count in COUNTS.items() for said in count.numbered}
_OR_SO = {"or more": "least", "or fewer": "most", "or less": "most"}
_BEGINS = (
    "not",
    "only",
    "exactly",
    "at least",
    "at most",
    "any label",
    "no label",
    "no labels",
    "any of",
    "all of",
    "none of",
    "neither",
    "both",
    "odd number",
    "even number",
)


def read_rule(text: str, ground: Ground) -> Bools:
    """(C,) for which values a rule holds.

    The grammar, keywords in any case, labels with other than plain words in quotes. What stands
    without quotes and can be read as a phrase is that phrase, whatever labels are called: the label
    ``no label`` is ``"no label"``, in quotes::

        rule    = all {"or" all}          a list with commas ends in "or"; of categories it need not
        all     = one {("and" | "with" | "without" | "but") one}
        one     = "not" one | "(" rule ")" | "without" one | "only" label {"and" label}
                | ("exactly" | "at least" | "at most" | "more than" | "fewer than") number what
                | ("any" | "no" | "all" | "every") "label" | ("odd" | "even") "number of labels"
                | ("any" | "none" | "all" | "both or neither") "of" list
                | "neither" label {"nor" label} | "contains" label | "the label" label
                | "under" group | bits {"," bits} | label | group
        what    = "label" | "labels" | "of" list

    Parameters
    ----------
    text : str
        The rule.
    ground : Ground
        The C values, and the labels it may name.

    Examples
    --------
    >>> from accordant.decomposition.partition import ground_of
    >>> ground = ground_of([(), ("a",), ("b",), ("a", "b")], ["a", "b"])
    >>> read_rule("exactly one label", ground).tolist()
    [False, True, True, False]
    >>> read_rule("a without b or no label", ground).tolist()
    [True, True, False, False]

    Raises
    ------
    RequestError
        What was not understood, where, and what is possible.
    """
    reader = _Reader(text, ground)
    found = reader.any_of()
    reader.end()
    return found


def blocks_of(text: str) -> list[str]:
    """The parts of a rule between ``|``, not looking into quotes.

    Examples
    --------
    >>> blocks_of('a, "b|c" | d')
    ['a, "b|c"', 'd']
    """
    found, start, at = [], 0, 0
    while at < len(text):
        quoted = _QUOTED.match(text, at)
        if text[at] == "|":
            found.append(text[start:at].strip())
            start = at + 1
        at = quoted.end() if quoted else at + 1
    return [*found, text[start:].strip()]


def _plain(ground: Ground) -> tuple[Name, ...]:
    """The names that can only be meant as names, longest first; the others need quotes."""
    n_bits = len(ground.labels) if ground.of_sets else 0
    found = [name for name in ground.names if written(name.text, n_bits) == name.text]
    for name in reversed(ground.names):  # a phrase holds shorter names
        doubtful = name not in found and name.bare and _UNMARKED.fullmatch(name.text)
        if doubtful and not _is_phrase(name.text, ground, found):
            found.append(name)
    return tuple(sorted(found, key=lambda name: -len(name.text)))


def _is_phrase(text: str, ground: Ground, plain: Sequence[Name]) -> bool:
    """Whether a name would be read as a rule if it were not a name, or as the start of one."""
    others = [name for name in plain if name.text.lower() != text.lower()]
    any_name = quoted(ground.names[-1].text)
    for rest in ("", f" and {any_name}", f" or {any_name}"):
        reader = _Reader(text + rest, ground, others)
        with suppress(RequestError):
            reader.any_of()
            reader.end()
            return True
    return False


class _Reader:
    """A rule and how far it is read; every method reads one part and says where it holds."""

    def __init__(self, text: str, ground: Ground, plain: Sequence[Name] | None = None) -> None:
        self.text, self.ground, self.at = text, ground, 0
        self.plain = _plain(ground) if plain is None else plain  # may stand without quotes

    # Words

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _next(self) -> str:
        """The next word as written, or a mark, or nothing."""
        self._skip()
        if self.at == len(self.text):
            return ""
        found = _QUOTED.match(self.text, self.at) or _WORD.match(self.text, self.at)
        return found.group() if found else self.text[self.at]

    def _take(self, *phrases: str) -> str:
        """The first of the phrases that comes next, which is then read; or nothing."""
        for phrase in phrases:
            start = self.at
            for word in phrase.split():
                found = self._next()
                if found.lower() != word:
                    self.at = start
                    break
                self.at += len(found)
            else:
                return phrase
        return ""

    def _number(self) -> int | None:
        found = self._next().lower()
        if found not in NUMBERS and not (found.isascii() and found.isdigit()):
            return None
        self.at += len(found)
        return NUMBERS.index(found) if found in NUMBERS else int(found)

    def _name(self) -> Name | None:
        """The label or group whose name comes next: as written, else in any case."""
        names, plain = self.ground.names, self.plain
        if self._take("under"):
            groups = [Name(text, held) for text, held in self.ground.inside.items()]
            names = tuple(sorted(groups, key=lambda name: -len(name.text)))
            plain = [name for name in names if written(name.text) == name.text]
        self._skip()
        inside = None
        if mark := _QUOTED.match(self.text, self.at):
            plain = names
            inside = mark.group(2) if mark.group(1) is None else mark.group(1).replace('""', '"')
        for any_case in (False, True):
            fits = [name for name in plain if self._fits(name.text, any_case, inside)]
            longest = [name for name in fits if len(name.text) == len(fits[0].text)]
            if found := self._among(longest, inside):
                self.at = mark.end() if mark else self.at + len(found.text)
                return found
        if mark:
            self.fail(mark.group())
        return None

    def _fits(self, text: str, any_case: bool, inside: str | None) -> bool:
        """Whether a name comes next, as a whole: what is ``inside`` of quotes, or without any."""
        end = self.at + len(text)
        here = self.text[self.at : end] if inside is None else inside
        if here != text and not (any_case and here.lower() == text.lower()):
            return False
        after = self.text[end : end + 1]
        return inside is not None or not after or after.isspace() or after in _AFTER

    def _whole(self) -> Name | None:
        """A name that nothing behind it makes a condition: 'neither', but not 'neither a'."""
        start = self.at
        fixed = self._take("both or neither of") or (
            self._number() is not None and self._take(*_OR_SO)
        )
        self.at = start
        in_quotes = self.text[start : start + 1] in ('"', "“")
        name = None if fixed or in_quotes else self._name()
        if name is not None:
            after = self._next().lower()
            if not after or after in _AFTER or after in CONNECTORS:
                return name
        self.at = start
        return None

    def _among(self, found: list[Name], inside: str | None) -> Name | None:
        if len(found) > 1:
            text = found[0].text if inside is None else inside
            which = joined([repr(n.text) for n in found])
            raise RequestError(f"rule {self.text!r}: {text!r} may be {which}; write one of them")
        return found[0] if found else None

    # Parts

    def any_of(self) -> Bools:
        """Parts joined by 'or' or commas."""
        found, comma, said = self.all_of(), False, False
        while True:
            if self._take(","):
                last = bool(self._take("or"))
                comma, said = comma or not last, said or last
            elif self._take("or"):
                said = True
            else:
                break
            found = found | self.all_of()
        if comma and not said and self.ground.of_sets:
            raise RequestError(
                f"rule {self.text!r}: a comma between labels may mean 'and' or 'or'; write "
                "'A or B', 'A and B', or 'exactly one of A, B'"
            )
        return found

    def all_of(self) -> Bools:
        """Parts joined by 'and', 'with' or 'without'."""
        found = self.one()
        while joint := self._take("and", "&", "with", "without", "but without", "but"):
            other = self.one()
            found = found & (~other if joint.endswith("without") else other)
        return found

    def one(self) -> Bools:
        """One part: a condition, a label, or a rule in brackets."""
        if self._take("("):
            found = self.any_of()
            if not self._take(")"):
                self.fail(self._next(), "expected ')'")
            return found
        self._skip()
        if whole := self._whole():
            return whole.held
        start = self.at
        for part in (self._not, self._number_of, self._condition, self._only, self._bits):
            told = part()
            if told is not None:
                return told
            self.at = start
        name = self._name()
        if name is None:
            self.fail(self._next())
        return self._just([name]) if self._take("only") else name.held

    def _not(self) -> Bools | None:
        if self._take("does not contain", "do not contain"):
            return ~self._must().held
        return ~self.one() if self._take("not", "without") else None

    def _number_of(self) -> Bools | None:
        """So many labels, or so many of a list."""
        how = self._take(*_NUMBERED)
        number = 1 if how == "at least" and self._take("a", "an") else self._number()
        if number is None:
            if how:
                self.fail(self._next(), "expected a number, such as 'one' or '2'", NUMBERS)
            return None
        how = how or self._take(*_OR_SO)
        count = COUNTS[_NUMBERED.get(how) or _OR_SO.get(how, "exactly")]
        if self._take("labels", "label"):
            return self._counted(count, number)
        if self._take("of"):
            return self._counted(count, number, self._list())
        if how:
            self.fail(self._next(), "expected 'label', 'labels' or 'of'", ("label", "labels", "of"))
        return None  # a label that is a number

    def _counted(self, count: Count, number: int = 0, of: Sequence[Name] = ()) -> Bools:
        """Whether as many of all labels, or of some, are held as a condition allows."""
        held = np.asarray(np.sum([name.held for name in of], 0)) if of else self._sizes()
        return np.isin(held, count.allows(number, len(of) or len(self.ground.labels)))

    def _condition(self) -> Bools | None:
        """A condition without a number, on all labels or on several of them."""
        start = self.at
        if self._take("an", "a") and self._next().lower() not in ("odd", "even", "parity"):
            self.at = start
        for count in COUNTS.values():
            if self._take(*count.of_all):
                return self._counted(count)
            if self._take(*count.of_list):
                return self._counted(count, 0, self._list())
        if self._take("neither"):
            return self._counted(COUNTS["none"], 0, self._list("nor", ", nor"))
        if self._take("both"):
            first = self._must().held
            if not self._take("and"):
                self.fail(self._next(), "expected 'and'")
            return first & self._must().held
        if self._take("contains", "contain", "includes", "include", "has", "holds"):
            self._sizes()
            self._take("the label", "label")
            return self._must().held
        if self._take("the label", "label", "the category"):
            return self._must().held
        return self.any_of() if self._take("either") else None

    def _list(self, *joints: str) -> list[Name]:
        """Labels with joints between them: by default commas, 'and' or 'or'."""
        found = [self._must()]
        while True:
            start, name = self.at, None
            if self._take(*(joints or (", and", ", or", ",", "and", "or", "&"))):
                name = self._whole() or (None if self._begins() else self._name())
            if name is None:
                self.at = start
                return found
            found.append(name)

    def _begins(self) -> bool:
        """Whether the next words begin a condition, not a label."""
        start = self.at
        begins = bool(self._take(*_BEGINS))
        self.at = start
        return begins

    def _only(self) -> Bools | None:
        """Exactly these labels."""
        return self._just(self._list("and", "&")) if self._take("only", "nothing but") else None

    def _just(self, found: list[Name]) -> Bools:
        """Which values hold these labels and no other."""
        wanted = np.zeros(len(self.ground.labels), bool)
        for name in found:
            if name.label is None:
                raise RequestError(
                    f"rule {self.text!r}: {name.text!r} is a group of labels; after 'only' name "
                    "labels"
                )
            wanted[name.label] = True
        return np.asarray((self.ground.members == wanted).all(1))

    def _bits(self) -> Bools | None:
        """Sets as a 0 or 1 for each label, with commas between them."""
        found = None
        n, labels = len(self.ground.labels), {name.text for name in self.ground.names}
        while self.ground.of_sets:
            start = self.at
            comma = found is None or bool(self._take(","))
            word = self._next()
            if not comma or not word or set(word) - {"0", "1"}:
                self.at = start
                break
            if len(word) != n:
                if len(word) == 1 or word in labels:  # a number, or a label of another length
                    self.at = start
                    break
                shown = joined([str(label) for label in self.ground.labels])
                self.fail(word, f"it has {len(word)} bits, but there are {n} labels: {shown}")
            self.at += len(word)
            same = (self.ground.members == np.array([bit == "1" for bit in word])).all(1)
            found = same if found is None else found | same
        return found

    def _sizes(self) -> Ints:
        if not self.ground.of_sets:
            raise RequestError(
                f"rule {self.text!r}: an annotation holds one category here, so how many labels it "
                f"holds divides nothing; name categories, such as {self._example()!r}"
            )
        return self.ground.sizes

    def _must(self) -> Name:
        name = self._name()
        if name is None:
            self.fail(self._next(), "expected a label")
        return name

    # What went wrong

    def _has(self, name: Name) -> bool:
        """Whether a name that needs quotes stands in the rule without them."""
        found = re.search(rf"(?<![\w\"]){re.escape(name.text)}(?![\w\"])", self.text, re.IGNORECASE)
        return found is not None and bool(name.text.strip())

    def end(self) -> None:
        """Nothing may follow."""
        if self._next():
            self.fail(self._next(), "expected 'and', 'or', 'without', '|' or the end")

    def _example(self) -> str:
        return " or ".join(str(label) for label in self.ground.labels[:2])

    def fail(self, word: str, expected: str = "", near: tuple[str, ...] = ()) -> NoReturn:
        """One sentence: what was not understood, where, what is possible, what is near."""
        if is_abridged(self.text):
            raise RequestError(
                f"rule {self.text!r} was cut to be shown, and does not say which values it leaves "
                "out: take the whole rule from the rows, or name the values"
            )
        names = [name.text for name in sorted(self.ground.names, key=lambda n: n.label or 0)]
        rest = re.split(r"""[(),|;]|\b(?:and|or|without|nor)\b""", self.text[self.at :])[0].strip()
        bare = word.strip('"“”')
        choice = near or (*names, *_SAID)
        lower = {text.lower(): text for text in reversed(choice)}
        close = [
            lower[found]
            for text in dict.fromkeys((rest.lower(), bare.lower()))
            for found in get_close_matches(text, list(lower), 1)
        ]
        hard = [written(n.text) for n in self.ground.names if n not in self.plain and self._has(n)]
        before = self.text[: self.at].strip()
        place = f"after {before!r}" if before else "at its beginning"
        what = f"{word!r} {place} is not understood" if word else f"something is missing {place}"
        meant = written(close[0]) if close and close[0] in names else close[0] if close else ""
        meant = hard[0] if hard else meant if word and meant != word else ""
        hint = f"; did you mean {meant!r}?" if meant else ""
        kind = "labels" if self.ground.of_sets else "categories"
        said = "'any label', 'exactly one label', 'A without B' or bits such as '011'"
        such = f"; or a rule such as {said}" if self.ground.of_sets else ""
        possible = expected or (
            f"possible are the {count_of(len(self.ground.labels), kind[:-1], kind)} "
            f"{joined([repr(name) for name in names], 'or')}{such}"
        )
        raise RequestError(f"rule {self.text!r}: {what}: {possible}{hint}")
