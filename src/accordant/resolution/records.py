"""What people write down in a project: immutable records, carried by events and kept in the state.

Records are msgspec structs: their canonical JSON is what the log hashes.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec
from msgspec import field

from .words import Answering, Change, ConceptKind, Source

__all__ = [
    "AMBIGUOUS",
    "NOT_APPLICABLE",
    "OF_A_CHANGE",
    "AmbiguityPolicy",
    "Answer",
    "AskedIf",
    "Concept",
    "Evidence",
    "Guidelines",
    "Items",
    "Note",
    "Question",
    "Relation",
    "Rule",
    "Task",
    "canonical",
    "content",
    "digest",
    "wording",
]


class Record(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of what is written down once and never changed."""


class AskedIf(Record, frozen=True):
    """A question that is asked only where the same coder answered another one so."""

    question: str
    labels: tuple[str, ...]


class Question(Record, frozen=True):
    """One question of the task. What may be answered stands in the guidelines."""

    id: str
    text: str
    group: str = ""
    answering: Answering = Answering.ONE
    asked_if: AskedIf | None = None


class Task(Record, frozen=True):
    """What is asked about what: immutable once its first round has opened."""

    questions: tuple[Question, ...]
    text: str = ""
    item_definition: str = ""
    context: str = ""  # what coders may use besides the item


class Rule(Record, frozen=True):
    """A numbered rule of the guidelines; its id is what justifications cite."""

    id: str
    text: str
    questions: tuple[str, ...] = ()  # empty: all


class AmbiguityPolicy(Record, frozen=True):
    """Whether coders may answer "ambiguous", and which sources they must choose from."""

    allowed: bool
    sources: tuple[str, ...] = tuple(source.value for source in Source)
    reason: str = ""  # why there is no such answer


class Guidelines(Record, frozen=True):
    """One version of the guidelines: rules, scoring options, policy about ambiguity."""

    version: str  # major.minor.patch
    options: dict[str, tuple[str, ...]]  # by question: the categories
    ambiguity: AmbiguityPolicy | None = None
    rules: tuple[Rule, ...] = ()
    text: str = ""
    change: Change | None = None  # None: the first version
    reason: str = ""
    cases: tuple[int, ...] = ()  # that caused the change


class Relation(Record, frozen=True):
    """How two sub-concepts of an interpretive model hang together."""

    source: str
    relation: str
    target: str


class Concept(Record, frozen=True):
    """One version of a key concept: what coders sign."""

    name: str
    version: int
    definition: str
    questions: tuple[str, ...] = ()  # of the task that use it
    rules: tuple[str, ...] = ()  # of the guidelines that mention it
    kind: ConceptKind = ConceptKind.SIMPLE
    subconcepts: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    reason: str = ""
    cases: tuple[int, ...] = ()

    @property
    def has_model(self) -> bool:
        """Whether there is an interpretive model: sub-concepts and relations between them."""
        return bool(self.subconcepts and self.relations)


class Items(Record, frozen=True):
    """Items added together, as columns of equal length."""

    ids: tuple[str, ...]
    texts: tuple[str, ...] = ()  # empty: none
    contexts: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()
    metadata: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Answer(Record, frozen=True):
    """What is compared: labels, or that the item is ambiguous, or that the question does not apply.

    Labels of a set are sorted, so that equal answers are equal records. Sources of ambiguity and
    reasons stand in the `Note`, since two coders who find an item ambiguous agree whatever the
    source.
    """

    labels: tuple[str, ...] = ()
    special: str = ""  # "ambiguous", "not applicable", or nothing

    def __str__(self) -> str:
        return self.special or ("; ".join(self.labels) if self.labels else "none")


AMBIGUOUS = Answer(special="ambiguous")
NOT_APPLICABLE = Answer(special="not applicable")


class Note(Record, frozen=True):
    """What goes with an annotation and is not compared.

    Parameters
    ----------
    comment : str
        Something that goes with the annotation.
    source : str
        Of "ambiguous": why the item is so, one of the sources that the guidelines name.
    reason : str
        Of "not applicable": why the question does not apply.
    confidence : float, optional
        From 0 to 1.
    """

    comment: str = ""
    source: str = ""
    reason: str = ""
    confidence: float | None = None
    started: str = ""
    seconds: float | None = None


class Evidence(Record, frozen=True):
    """What is recorded with a cause; `causes.FIELDS` says what each is, `causes.CAUSES` which."""

    concept: str = ""
    construals: dict[str, str] = field(default_factory=dict)
    rule: str = ""
    wording: str = ""
    knowledge: str = ""
    width: str = ""
    coder: str = ""
    others: tuple[str, ...] = ()
    same: str = ""
    meant: str = ""


def canonical(thing: Any) -> str:
    """Canonical JSON: the same thing gives the same bytes, always.

    Examples
    --------
    >>> canonical({"b": 1, "a": (2,)})
    '{"a":[2],"b":1}'
    """
    return msgspec.json.encode(thing, order="deterministic").decode()


def digest(thing: Any) -> str:
    """SHA-256 of the canonical JSON.

    Examples
    --------
    >>> digest(AMBIGUOUS)[:12]
    '3cca449d74c4'
    """
    return hashlib.sha256(canonical(thing).encode()).hexdigest()


OF_A_CHANGE = ("version", "change", "reason", "cases")
"""What of guidelines and concepts belongs to their being written, and not to what they say."""


def content(version: Guidelines | Concept) -> str:
    """SHA-256 of what a version says, whatever its number and why it was written.

    Examples
    --------
    >>> one, two = Concept("claim", 1, "what is said"), Concept("claim", 2, "what is said")
    >>> content(one) == content(two)
    True
    """
    return digest(_said(version))


def _said(version: Record) -> dict[str, Any]:
    facts = msgspec.structs.asdict(version)
    return {name: fact for name, fact in facts.items() if name not in OF_A_CHANGE}


MARKS = re.compile(r"""(?:\\[ntr"]|[\s.,;:!?…'“”„‘’()])+""")


def wording(version: Record) -> str:
    """What a task, guidelines or a concept say, whatever their punctuation, blanks and capitals.

    Examples
    --------
    >>> one, two = Concept("claim", 1, "What is said"), Concept("claim", 2, "what is  said.")
    >>> wording(one) == wording(two)
    True
    """
    return re.sub(' *" *', '"', MARKS.sub(" ", canonical(_said(version))).casefold())
