"""A finding: a fact about the data with its numbers, and what to do about it."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from inspect import getdoc, getsource
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..actions import Action
from ..data.annotations import Annotations
from ..messages import CATALOGUE, Severity, label_text, worded
from ..results import Result

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
Remedy: TypeAlias = Literal["categories", "guideline", "coder", "items", "task"]
REMEDIES: Mapping[Remedy, str] = {
    "categories": "revise the categories",
    "guideline": "revise the guideline",
    "coder": "talk to the coder",
    "items": "read the items",
    "task": "review the task",
}

MOST_NAMES = 5  # items in a row
SEPARATOR = "; "


@dataclass(frozen=True)
class Contrast:
    """One line of evidence: what is seen, beside what would be there without the pattern.

    Parameters
    ----------
    name : str
        What the line is about: a pair of categories, a coder, a group of items.
    n : int
        How many annotations, pairs or items the share is of.
    share : float
        The share that is seen, 0 to 1.
    other : float
        The share to compare it with; NaN if there is none.
    """

    name: str
    n: int
    share: float
    other: float = math.nan


@dataclass(frozen=True)
class FindingTable:
    """The lines behind a finding, and what their columns are called.

    ``of`` names what ``n`` counts, ``share`` and ``other`` what the two shares are. ``items`` are
    positions of the items that show it (as in `Items.named`), those to read first in front, and
    ``names`` what they are called in the data.
    """

    lines: tuple[Contrast, ...]
    about: str
    of: str
    share: str
    other: str = ""
    items: tuple[int, ...] = ()
    names: tuple[Hashable, ...] = ()

    def nested(self) -> dict[str, Any]:
        """Headings, lines and the names of items, for JSON."""
        keys = ("name", "n", "share", "other")
        return {
            "headings": dict(zip(keys, (self.about, self.of, self.share, self.other), strict=True)),
            "lines": [{key: getattr(line, key) for key in keys} for line in self.lines],
            "items": list(self.names),
        }


@dataclass(frozen=True)
class Finding(Result):
    """One thing that a reader of the figures must know.

    Parameters
    ----------
    code : str
        For programs and for the documentation, e.g. ``'prevalence'``.
    severity : {'problem', 'warning', 'note'}
        A problem: a figure does not exist or must not be used as it stands. A warning: a trap in
        reading it. A note: good to know.
    sentence : str
        What is the case, with the numbers.
    advice : str
        What to do.
    evidence : mapping
        The numbers behind the sentence.
    sources : tuple of str
        Keys of the literature.
    question : str or None
        None for pooled annotations, or a single question without a name.
    stake : float
        By how much alpha would rise, roughly, if the disagreements that the pattern adds were
        resolved; NaN for what is not about disagreements.
    remedy : str or None
        Where to look for the remedy: the categories, the guideline, a coder, some items, the task.
    seen : FindingTable or None
        What was seen, for a table and a chart.
    title : str
        What it is about, in a few words; empty for what the pattern or rule says of itself.
    do : tuple of Action
        The next steps, as calls.
    """

    code: str
    severity: Severity
    sentence: str
    advice: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    question: str | None = None
    stake: float = math.nan
    remedy: Remedy | None = None
    seen: FindingTable | None = None
    title: str = ""
    do: tuple[Action, ...] = ()

    @property
    def text(self) -> str:
        """What is the case, as of every message."""
        return self.sentence

    @property
    def facts(self) -> Mapping[str, Any]:
        """The numbers of the sentence, as of every message."""
        return self.evidence

    def to_rows(self) -> list[dict[str, Any]]:
        """One row, the same columns for every finding.

        ``coder``, ``categories``, ``n`` and ``p_value`` are None where there are none; ``items``
        are the first of those that show it.
        """
        lines = () if self.seen is None else self.seen.lines
        items = () if self.seen is None else self.seen.names[:MOST_NAMES]
        return [
            {
                "question": self.question,
                "severity": self.severity,
                "code": self.code,
                "title": self.title,
                "stake": self.stake,
                "remedy": self.remedy,
                "coder": self.evidence.get("coder"),
                "categories": SEPARATOR.join(map(label_text, self.categories)) or None,
                "n": self.evidence.get("n", lines[0].n if lines else None),
                "p_value": self.evidence.get("p_value"),
                "items": SEPARATOR.join(map(str, items)) or None,
                "sentence": self.sentence,
                "advice": self.advice,
                "sources": ", ".join(self.sources),
            }
        ]

    def nested(self) -> dict[str, Any]:
        """The row with everything behind it, as JSON holds it."""
        seen = None if self.seen is None else self.seen.nested()
        evidence = {key: _listed(x) for key, x in self.evidence.items()}
        return self.to_rows()[0] | {
            "categories": [label_text(x) for x in self.categories],
            "items": [] if self.seen is None else list(self.seen.names),
            "sources": list(self.sources),
            "evidence": evidence,
            "seen": seen,
            "do": [{"call": x.call, "options": x.options, "why": x.why} for x in self.do],
        }

    @property
    def categories(self) -> tuple[Any, ...]:
        """The categories that it is about, if any."""
        found = self.evidence.get("labels", (self.evidence.get("category"),))
        return tuple(x for x in found if x is not None)

    @property
    def to_do(self) -> str:
        """What is done first, in a few words; empty if there is nothing to mend."""
        return "" if self.remedy is None else REMEDIES[self.remedy]

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}"


def _listed(x: Any) -> Any:
    """Sets as lists in order, so that they read the same every time."""
    return sorted(x, key=str) if isinstance(x, set | frozenset) else x


@dataclass(frozen=True)
class Told:
    """What a rule found.

    Parameters
    ----------
    facts : mapping
        For programs, and for the sentence: the numbers behind it.
    words : mapping
        What the sentence needs beside them.
    severity : {'problem', 'warning', 'note'}, optional
        Where it depends on the data.
    do : tuple of Action
        The next steps, as calls.
    stake : float
        By how much alpha would rise, roughly; NaN for what is not about disagreements.
    remedy : str or None
        Where to look for the remedy.
    seen : FindingTable or None
        What was seen, for a table and a chart.
    title : str
        What it is about, in a few words, where the rule has no title of its own.
    """

    facts: Mapping[str, Any]
    words: Mapping[str, Any] = field(default_factory=dict)
    severity: Severity | None = None
    do: tuple[Action, ...] = ()
    stake: float = math.nan
    remedy: Remedy | None = None
    seen: FindingTable | None = None
    title: str = ""


Test: TypeAlias = Callable[..., Told | None]
Rule: TypeAlias = Callable[..., Finding | None]


def rule(severity: Severity, *sources: str) -> Callable[[Test], Rule]:
    """Make a rule, whose name is the code of its findings.

    The docstring of a rule is what its findings say: the title, the sentence and the advice, a
    paragraph each. Placeholders stand for facts and words, or for ``f``, what the rule is about
    (of which it takes the question, if there is one); see `paragraphs`.
    """

    def made(test: Test) -> Rule:
        code = getattr(test, "__name__", "")

        @wraps(test)
        def found(f: Any, *others: Any) -> Finding | None:
            told = test(f, *others)
            if told is None:
                return None
            sentence, advice = paragraphs(test, {"f": f, **told.facts, **told.words})
            return Finding(
                code,
                told.severity or severity,
                sentence,
                advice,
                told.facts,
                sources,
                getattr(f, "question", None),
                told.stake,
                told.remedy,
                told.seen,
                told.title,
                told.do,
            )

        return found

    return made


class Catalogue(dict[str, Rule]):
    """Rules by the code of their finding, in the order in which findings are told."""

    def rule(self, severity: Severity, *sources: str) -> Callable[[Test], Rule]:
        """Make a rule, as `rule` does, and register it under its name."""

        def registered(test: Test) -> Rule:
            self[getattr(test, "__name__", "")] = made = rule(severity, *sources)(test)
            return made

        return registered


def told(
    code: str,
    facts: Mapping[str, Any],
    words: Mapping[str, Any] | None = None,
    *,
    severity: Severity | None = None,
    do: tuple[Action, ...] | None = None,
    **more: Any,
) -> Finding:
    """What a kind of the catalogue of messages says of some facts, and of further words."""
    kind, every = CATALOGUE[code], {**facts, **(words or {})}
    title = worded(kind.title, every)
    return Finding(
        code,
        severity or kind.severity,
        worded(kind.text, every),
        worded(kind.advice, every),
        facts,
        kind.sources,
        title=title[:1].upper() + title[1:],
        do=tuple(kind.do(facts)) if do is None else do,
        **more,
    )


def found_by(*told: Finding | None) -> tuple[Finding, ...]:
    """What rules found, without those that found nothing."""
    return tuple(f for f in told if f is not None)


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The most severe first; among these what explains most of the disagreement."""

    def place(f: Finding) -> tuple[int, float, float]:
        gain = 0.0 if math.isnan(f.stake) else f.stake
        return SEVERITIES.index(f.severity), -f.facts.get("share", 0.0), -gain

    return tuple(sorted(findings, key=place))


TITLES: Mapping[str, str] = {  # of codes that do not read as a title
    "falls_short": "Models that do not pass the alternative-annotator test",
    "stands_in": "Models that pass the alternative-annotator test",
    "too_few_items": "Too few items for the alternative-annotator test",
    "dependence_unseen": "How far coders err alike is not told",
    "not_identified": "Parameters that are not identified",
    "nothing_to_learn": "Nothing to estimate",
    "repurposed_category": "A class that stands for other items",
}


def title_of(code: str) -> str:
    """The title of findings of a code.

    Examples
    --------
    >>> title_of("falls_short"), title_of("something_else")
    ('Models that do not pass the alternative-annotator test', 'Something else')
    """
    kind = CATALOGUE.get(code)
    if kind is not None and "{" not in kind.title:
        return kind.title
    return TITLES.get(code, code.replace("_", " ").capitalize())


def named(findings: Iterable[Finding], data: Annotations) -> tuple[Finding, ...]:
    """Findings with a title, and with the items of ``data`` by name."""
    return tuple(_named(finding, data) for finding in findings)


def _named(finding: Finding, data: Annotations) -> Finding:
    title = finding.title or title_of(finding.code)
    if finding.seen is None:
        return replace(finding, title=title)
    places = (position // len(data.questions) for position in finding.seen.items)
    names = (data.items[place] for place in places)
    plain = tuple(x.item() if isinstance(x, np.generic) else x for x in names)
    return replace(finding, title=title, seen=replace(finding.seen, names=plain))


def paragraphs(told: Callable[..., object], words: Mapping[str, Any]) -> tuple[str, ...]:
    """The paragraphs of a docstring behind its first one, filled in; without those left empty."""
    texts = (getdoc(told) or _in_source(told)).split("\n\n")[1:]
    return tuple(text for text in (worded(x, words) for x in texts) if text)


@cache
def _in_source(told: Callable[..., object]) -> str:
    """The docstring of a function where ``python -OO`` left it out."""
    (function,) = ast.parse(getsource(told)).body
    return ast.get_docstring(function) or ""  # type: ignore[arg-type]
