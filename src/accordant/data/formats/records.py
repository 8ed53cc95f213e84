"""What the reader of a platform finds, annotation by annotation, held as codes."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...actions import Action, Notice
from ...errors import InputError
from ..annotations import Status, losses
from ..plan import Cell, Plan
from ..spans import Spans, tokens_of
from ..table import BLANK, Column, Table, encode
from .import_report import Import

Label: TypeAlias = str | int | float | Sequence[str] | None
_SCALAR = (str, int, float, bool)
MOST_NUMBER = 2**53  # numbers from here on are kept as text, as are infinity and NaN
MOST_OFFSET = 2**31 - 1
NOWHERE = -1  # the start and end of a span on a picture
_F1 = Action("span_f1", {}, "where spans begin and end")
_COMPARED = {
    "labels": Notice(
        "spans are read as the set of labels that each text got; tokens or the spans themselves "
        "can be compared too",
        Action("", {"layout": "tokens"}, "each token an item"),
        _F1,
    ),
    "tokens": Notice(
        "each token is an item, its label that of the span that covers it, or 'O'; the spans "
        "themselves can be compared too",
        _F1,
    ),
}


class _Coded:
    """A column that grows: codes into its distinct words."""

    def __init__(self, name: str) -> None:
        self.name, self.codes, self.words = name, array("i"), dict[Hashable, int]()

    def add(self, word: Hashable | None) -> None:
        if isinstance(word, bool):
            word = str(word)  # True is no 1
        elif isinstance(word, str):
            word = word.strip() or None
        self.codes.append(BLANK if word is None else self.words.setdefault(word, len(self.words)))

    def column(self) -> Column:
        codes = np.frombuffer(self.codes, np.int32) if self.codes else np.zeros(0, np.int32)
        words = tuple(self.words)
        numbers = words and all(isinstance(w, int | float) and abs(w) < MOST_NUMBER for w in words)
        return Column(self.name, codes, np.array(words) if numbers else words)


@dataclass
class Records:
    """Annotations as they are found; `done` gives what `read` needs.

    Parameters
    ----------
    layout : str
        What was read, as `describe` shows it: 'Label Studio (JSON)'.
    source : str
        The file, for messages.
    columns : mapping of str to str
        Role (item, coder, label …) to where the platform keeps it: ``{"coder": "completed_by"}``.
    spans : str
        What spans become, as `Options.spans` says: the set of labels that each item got, or
        'tokens': an item each, with the label of the span that covers it.
    blank : str, optional
        What the user says that an answer left out means.
    """

    layout: str
    source: str
    columns: Mapping[str, str] = field(default_factory=dict)
    spans: str = "labels"
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    blank: str | None = None

    def __post_init__(self) -> None:
        self.left_out = Counter[str]()
        self._cells = {n: _Coded(n) for n in ("item", "question", "coder", "label", "status")}
        self._rows = array("i")
        self._every = array("i")  # item, no question, coder, status, row
        self._about = dict[str, dict[str, Any]]()
        self._sets = set[str]()
        self.controls = dict[str, tuple[str, str]]()
        self._texts = dict[str, tuple[str, object | None]]()
        self._tokens = dict[str, tuple[tuple[tuple[int, int], ...], object | None]]()
        # Codes, since a million spans would be several objects each.
        self._named = [dict[str, int]() for _ in range(4)]  # item, question, coder, label
        self._seen = array("i")  # item, question, coder, status, row
        self._marks = array("i")  # item, question, coder, label, start, end

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        item: object,
        coder: object,
        label: Label,
        *,
        question: str = "",
        status: Status = Status.ANSWERED,
        row: int | None = None,
        sets: bool = True,
    ) -> None:
        """One annotation.

        Parameters
        ----------
        item, coder : object
            Their names; shown as text. The coder is None where nobody knows who answered, in all
            annotations.
        label : str, number, sequence of str or None
            A category; a sequence where several may be given; None where there is no answer.
        question : str
            '' if there is one.
        status : Status
            A label of an annotation that is not answered is counted and left out by `read`.
        row : int, optional
            Line or record in the file.
        sets : bool
            False where the platform writes a list for a single choice too: then the question is
            one of label sets only if some list holds other than one label.
        """
        if label is not None and not isinstance(label, _SCALAR):
            label = tuple(dict.fromkeys(map(str, label)))
            if sets:
                self._sets.add(question)
            if not label and status == Status.ANSWERED:
                status = Status.ANSWERED_EMPTY
            elif not label and status != Status.ANSWERED_EMPTY:
                label = None  # an empty list of who did not answer says nothing
        who = None if coder is None else str(coder)
        cells = (str(item), question, who, label, status.name.lower())
        for column, cell in zip(self._cells.values(), cells, strict=True):
            column.add(cell)
        self._rows.append(-1 if row is None else row)

    def every(self, item: object, coder: object, status: Status, row: int | None = None) -> None:
        """What a coder did with an item as a whole: the status of each question not answered.

        Of who submitted (ANSWERED), a question with several labels is answered without any: none
        applies. Unless it seems to be asked only where another has a certain label.
        """
        if coder is not None:
            place = self._codes(str(item).strip(), None, coder)
            self._every.extend((*place, status, -1 if row is None else row))

    def looked(
        self,
        item: object,
        coder: object | None,
        *,
        question: str | None = None,
        text: str | None = None,
        tokens: Sequence[tuple[int, int]] | None = None,
        status: Status = Status.ANSWERED,
        row: int | None = None,
    ) -> None:
        """A text that a coder went through to mark spans: without any the answer is empty.

        Parameters
        ----------
        item, coder : object
            The text; None for whoever is known to be right.
        question : str, optional
            What was looked for; None for all that spans of the file are about.
        text : str, optional
            What the offsets count in.
        tokens : sequence of (int, int), optional
            Where the platform says that tokens begin and end.
        status : Status
            Of all answers to do with spans.
        row : int, optional
            Line or record in the file.

        Raises
        ------
        InputError
            If another coder read another text or other tokens under this name.
        """
        name = str(item).strip()
        place = self._codes(name, question, coder)
        self._seen.extend((*place, status, -1 if row is None else row))
        if text is not None:
            known, first = self._texts.setdefault(name, (text, coder))
            if known != text:
                first, who = ("the known labels" if c is None else repr(c) for c in (first, coder))
                at = next(
                    (k for k, (a, b) in enumerate(zip(known, text, strict=False)) if a != b),
                    min(len(known), len(text)),
                )
                raise InputError(
                    f"the text of item {name!r} is not the same for {first} and {who}: from "
                    f"character {at + 1:,} it is {known[at : at + 20]!r} and "
                    f"{text[at : at + 20]!r}, so their spans cannot be compared. Give the files "
                    "of one text the same name, and those of another text another",
                    file=self.source,
                )
            self.about(name, text)
        if tokens is not None:
            given, first = self._tokens.setdefault(name, (tuple(tokens), coder))
            if given != tuple(tokens):
                first, who = ("the known labels" if c is None else repr(c) for c in (first, coder))
                raise InputError(
                    f"the tokens of item {name!r} are not the same for {first} and {who} "
                    f"({len(given):,} and {len(tokens):,}), so they cannot be compared",
                    file=self.source,
                )

    def span(
        self,
        item: object,
        coder: object | None,
        start: int | None,
        end: int | None,
        label: str,
        question: str = "",
    ) -> None:
        """A span that a coder marked.

        Parameters
        ----------
        item, coder : object
            The text, and who marked it; None for whoever is known to be right.
        start, end : int
            In code points (see `data.spans` for other units), the end exclusive; None where the
            platform gives a label its place in another way, as on a picture.
        label : str
            What it was called.
        question : str
            '' if there is one.
        """
        name = str(item).strip()
        if start is None or end is None:
            start = end = NOWHERE
        else:
            text = self._texts.get(name)
            if not 0 <= start <= end <= (len(text[0]) if text else MOST_OFFSET):
                self.leave_out("spans that end before they begin, or outside of their text")
                return
        self._marks.extend((*self._codes(name, question, coder, label), start, end))

    def _codes(self, *names: object | None) -> Iterator[int]:
        """Of an item, a question, a coder and a label, as many as there are."""
        for known, name in zip(self._named, names, strict=False):
            yield BLANK if name is None else known.setdefault(str(name).strip(), len(known))

    def about(
        self, item: object, text: str | None = None, facts: Mapping[str, object] | None = None
    ) -> None:
        """What is known of an item: its text and its metadata. The first that is said is kept."""
        known = self._about.setdefault(str(item), {})
        said = {**(facts or {})} | ({} if text is None else {"text": text})
        for name, value in said.items():
            if isinstance(value, _SCALAR):
                known.setdefault(name, value)

    def leave_out(self, why: str, n: int = 1) -> None:
        """Count what is not read: 'drafts', 'predictions of a model'."""
        if n:
            self.left_out[why] += n

    def gold(self, item: object, label: Label, question: str = "") -> None:
        """A label that is known to be right: metadata of its item, no coder's annotation."""
        known = label if isinstance(label, _SCALAR) or label is None else "; ".join(map(str, label))
        self.about(item, None, {f"gold: {question}" if question else "gold": known})

    def done(self) -> Import:
        """What was found.

        Raises
        ------
        InputError
            If no annotation was.
        """
        self._complete()
        marked = self._aligned()
        if not self._rows:
            left = ", ".join(losses(self.left_out.items()))
            more = f"; left out: {left}" if left else ""
            raise InputError(
                f"this is {self.layout}, but no coder's answer is in it{more}", file=self.source
            )
        rows = self._rows
        columns = tuple(c.column() for c in self._cells.values())
        asked = "question" if self._cells["question"].words else None
        who = "coder" if self._cells["coder"].words else None
        plan = Plan("long", (Cell("label"),), "item", who, asked, status="status")
        table = Table(self.source, columns, lambda k: None if rows[k] < 0 else rows[k])
        return Import(
            self.layout,
            self.columns,
            (table,),
            (plan,),
            self._facts(),
            tuple(self.notes),
            tuple(self.warnings),
            tuple(self.left_out.items()),
            frozenset(self._sets),
            marked,
            self.controls,
        )

    # ------------------------------------------------------------------ at the end

    def _complete(self) -> None:
        """A status for the questions that coders left out in items they did something with."""
        every = self._looked(np.array(self._every, np.int32).reshape(-1, 5), np.empty((0, 6), int))
        if self.blank is None and not self._sets:
            every = every[every[:, 3] != Status.ANSWERED]
        if not len(every):
            return
        item, coder, asked, label = (self._cells[n] for n in ("item", "coder", "question", "label"))
        rows = np.full((len(self), 3), BLANK, np.int32)
        for k, column in ((0, item), (2, coder)):
            known = np.array([self._named[k].get(str(w), BLANK) for w in column.words])
            codes = np.array(column.codes)
            rows[:, k] = known[codes] if len(known) else BLANK
        pairs, question, labels = self._key(rows), np.array(asked.codes), np.array(label.codes)
        given = {
            str(q): (pairs[question == k], labels[question == k]) for q, k in asked.words.items()
        }
        if BLANK in asked.codes or not (given or self._seen):
            given[""] = pairs[question == BLANK], labels[question == BLANK]
        left = {q: ~np.isin(self._key(every), own) for q, (own, _) in given.items()}
        none = {q: self._none_applies(q, every[every[:, 3] == 0], given) for q in given}
        items, coders = list(self._named[0]), list(self._named[2])
        for q, out in left.items():
            empty = np.isin(self._key(every), none[q]) & (every[:, 3] == Status.ANSWERED)
            out &= empty | (every[:, 3] != Status.ANSWERED) | (self.blank is not None)
            for (i, _, c, status, row), nothing in zip(
                every[out].tolist(), empty[out], strict=True
            ):
                answer, at = () if nothing else None, None if row < 0 else row
                self.add(items[i], coders[c], answer, question=q, status=Status(status), row=at)

    def _none_applies(
        self,
        question: str,
        submitted: NDArray[np.int32],
        given: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int32]]],
    ) -> NDArray[np.int64]:
        """Where no label of a question with several says that none applies, as `_key` has it."""
        own, pair = given[question][0], self._key(submitted)
        among = (
            np.isin(x, own_x) for x, own_x in zip(self._parts(pair), self._parts(own), strict=True)
        )
        pair = pair[np.logical_or.reduce([*among])]  # of one project
        left = ~np.isin(pair, own)
        if question not in self._sets or self.blank is not None or not left.any():
            return pair[:0]
        for other, (pairs, labels) in given.items():
            said = np.full(len(pair), BLANK - 1)
            _, at, where = np.intersect1d(pair, pairs, return_indices=True)
            said[at] = labels[where]
            kinds = {*said[left].tolist()}, {*said[~left].tolist()}
            by_chance = 2 ** len(kinds[0] | kinds[1]) / comb(len(pair), int(left.sum()))
            if other != question and kinds[0].isdisjoint(kinds[1]) and by_chance < 0.01:
                told = f"question {question!r} has labels only where {other!r} has certain ones"
                way = Action("", {"blank": "empty"}, "if no label there means that none applies")
                self.notes.append(Notice(f"{told}: elsewhere it is read as not asked", way))
                return pair[:0]
        self.notes.append(
            f"question {question!r}: answers without a label ({left.sum():,}) are read as the "
            "answer that none applies"
        )
        return pair[left]

    def _parts(self, pair: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The items and the coders of what `_key` made."""
        return np.divmod(pair, len(self._named[2]) + 1)

    def _aligned(self) -> Spans | None:
        """Annotations made of the spans: of each text, or of each of its tokens."""
        seen = np.array(self._seen, np.int32).reshape(-1, 5)
        marks = self._once(np.array(self._marks, np.int32).reshape(-1, 6))
        questions = dict.fromkeys([*marks[:, 1].tolist(), *seen[:, 1].tolist()])
        questions.pop(BLANK, None)
        if not questions and not self._rows:
            questions = dict.fromkeys(self._codes(None, ""))
            questions.pop(BLANK, None)
        looked, kept, names = [seen[:0, :3]], [marks[:0]], list(self._named[1])
        for question in questions:
            own = marks[marks[:, 1] == question]
            rows = self._looked(seen[np.isin(seen[:, 1], (question, BLANK))], own)
            rows[:, 1] = question
            if self.spans == "tokens" and (not len(own) or own[:, 4].max() > NOWHERE):
                self._by_token(names[question], rows, own)
            else:
                self._by_text(names[question], rows, own)
            sure = rows[(rows[:, 3] == Status.ANSWERED) & (rows[:, 2] != BLANK)]
            looked.append(sure[:, :3])
            kept.append(own[(own[:, 4] != NOWHERE) & np.isin(self._key(own), self._key(sure))])
        found = self._table(np.concatenate(looked), np.concatenate(kept))
        if found is not None:
            self.notes.append(_COMPARED[self.spans])
        return found

    def _key(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """(N,) one number for the item and the coder."""
        return rows[:, 0].astype(np.int64) * (len(self._named[2]) + 1) + rows[:, 2]

    def _once(self, marks: NDArray[np.int32]) -> NDArray[np.int32]:
        """Without the spans that a coder marked twice."""
        _, first = np.unique(marks, axis=0, return_index=True)
        again = np.ones(len(marks), bool)
        again[first] = False
        placed = again & (marks[:, 4] != NOWHERE)
        self.leave_out("spans that a coder marked twice with one label", int(placed.sum()))
        return marks[~again]

    def _looked(self, seen: NDArray[np.int32], own: NDArray[np.int32]) -> NDArray[np.int32]:
        """What was said last of each item and coder, where it was said first; all who marked."""
        more = own[~np.isin(self._key(own), self._key(seen)), :5].copy()
        more[:, 3], more[:, 4] = Status.ANSWERED, -1
        seen = np.concatenate([seen, more])
        key = self._key(seen)
        _, first = np.unique(key, return_index=True)
        _, last = np.unique(key[::-1], return_index=True)
        return np.asarray(seen[len(seen) - 1 - last[np.argsort(first)]])

    def _each(
        self, rows: NDArray[np.int32], own: NDArray[np.int32]
    ) -> Iterator[tuple[str, str | None, Status, int | None, list[tuple[str, int, int]]]]:
        """Item, coder, status and row with the spans: label, start and end."""
        items, _, coders, labels = (list(names) for names in self._named)
        own = own[np.argsort(self._key(own), kind="stable")]
        places = (np.searchsorted(self._key(own), self._key(rows), s) for s in ("left", "right"))
        for (i, _, c, status, row), first, end in zip(rows.tolist(), *places, strict=True):
            found = [(labels[x], a, b) for x, a, b in own[first:end, 3:].tolist()]
            coder = None if c == BLANK else coders[c]
            yield items[i], coder, Status(status), None if row < 0 else row, found

    def _by_text(self, question: str, rows: NDArray[np.int32], own: NDArray[np.int32]) -> None:
        for item, coder, status, row, spans in self._each(rows, own):
            found = list(dict.fromkeys(label for label, _, _ in spans))
            if coder is None:
                self.gold(item, found, question)
            else:
                self.add(item, coder, found, question=question, status=status, row=row)

    def _by_token(self, question: str, rows: NDArray[np.int32], own: NDArray[np.int32]) -> None:
        """The label of the span that covers a token, 'O' where none does; sets if spans overlap."""
        answers = list[tuple[str, str | None, Status, int | None, list[list[str]]]]()
        names = list(self._named[0])
        known = {item: self._tokens_of(item) for item in (names[i] for i in rows[:, 0])}
        for item, coder, status, row, spans in self._each(rows, own):
            tokens = known[item]
            starts = [start for start, _ in tokens]
            covered: list[list[str]] = [[] for _ in tokens]
            for label, start, end in spans:
                if start == NOWHERE:
                    self.leave_out("spans without a place in the text")
                    continue
                for k in range(max(0, bisect_right(starts, start) - 1), len(tokens)):
                    if tokens[k][0] >= end:
                        break
                    if start < tokens[k][1] and label not in covered[k]:
                        covered[k].append(label)
            answers.append((item, coder, status, row, covered))
        several = any(len(labels) > 1 for *_, covered in answers for labels in covered)
        for item, coder, status, row, covered in answers:
            for k, labels in enumerate(covered):
                token = f"{item}:{k + 1}"
                answer: Label = labels if several else labels[0] if labels else "O"
                if coder is None:
                    self.gold(token, answer, question)
                else:
                    self.add(token, coder, answer, question=question, status=status, row=row)

    def _tokens_of(self, item: str) -> tuple[tuple[int, int], ...]:
        if item not in self._tokens:
            if item not in self._texts:
                raise InputError(
                    f"the text of item {item!r} is not given, so its tokens are not known. Give "
                    "the texts too, or compare the labels of whole texts",
                    file=self.source,
                )
            self._tokens[item] = (tokens_of(self._texts[item][0]), "")
        text, known = self._texts.get(item, ("", ""))[0], self._about.get(item, {})
        if item not in self._cells["item"].words:  # which has no annotations of its own
            self._about.pop(item, None)
        facts = {"document": item} | {k: v for k, v in known.items() if k != "text"}
        for k, (start, end) in enumerate(self._tokens[item][0]):  # no texts: words come again
            self.about(f"{item}:{k + 1}", None, facts | {"token": text[start:end] or None})
        return self._tokens[item][0]

    def _table(self, looked: NDArray[np.int32], marks: NDArray[np.int32]) -> Spans | None:
        """The spans of the coders, with names that occur only; None without any."""
        if not len(marks):
            return None
        named, codes = list[tuple[str, ...]](), list[NDArray[np.int32]]()
        for k, names in enumerate(map(list, self._named)):
            both = np.concatenate([looked[:, k] if k < 3 else marks[:0, k], marks[:, k]])
            used, new = np.unique(both, return_inverse=True)
            named.append(tuple(names[x] for x in used))
            codes.append(new.astype(np.int32))
        items, questions, coders, labels = named
        n = len(looked)
        item, asked, coder = (x[n:] for x in codes[:3])
        (start, end), seen = marks[:, 4:].T, np.stack([x[:n] for x in codes[:3]], axis=1)
        return Spans(
            items, questions, coders, labels, item, asked, coder, start, end, codes[3], seen
        )

    def _facts(self) -> tuple[tuple[Table, Plan], ...]:
        names = dict.fromkeys(n for known in self._about.values() for n in known)
        if not names:
            return ()
        columns = [encode(n, [k.get(n) for k in self._about.values()]) for n in names]
        key = "item"
        while key in names:
            key += "_"
        table = Table(self.source, (encode(key, list(self._about)), *columns))
        text = "text" if "text" in names else None
        return ((table, Plan("items", (), key, text=text)),)
