"""The terms of the procedure, and what people write down in them: records that never change.

Steps, roles, causes and states have one word each everywhere. Events carry records, the state keeps
them. They are msgspec structs: their canonical JSON is what the log hashes.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import field


class Step(StrEnum):
    """Where a project stands: steps 0 to 5 of the procedure, and three states beside them."""

    SETUP = "setup"
    TASK = "task and guidelines"
    ALIGNMENT = "conceptual alignment"
    ANNOTATION = "individual annotation"
    COMPARISON = "comparison"
    RESOLUTION = "resolution"
    HALTED = "halted for research"
    ABANDONED = "abandoned"
    FINISHED = "finished"


class Purpose(StrEnum):
    """What the annotations are for; variation that is elicited is compared, never resolved."""

    GROUND_TRUTH = "ground truth"
    ELICIT_VARIATION = "elicit variation"


class Role(StrEnum):
    """What a person may do. One person may have several roles; reports say so."""

    RESEARCHER = "researcher"
    CODER = "coder"
    MODERATOR = "moderator"
    ADJUDICATOR = "adjudicator"
    OBSERVER = "observer"


LEADS = (Role.MODERATOR, Role.RESEARCHER)
"""Who leads a discussion."""
CODERS = (Role.CODER,)
SPEAKERS = (*CODERS, *LEADS)
"""Who takes part in a discussion."""
RESOLVING = (Step.RESOLUTION,)
"""When cases are discussed and settled."""


class Change(StrEnum):
    """How far new guidelines reach (Oortwijn et al. 2021, footnote 3)."""

    LOCAL = "local"
    DRASTIC = "drastic"


class ConceptKind(StrEnum):
    """A complex concept needs an interpretive model (step 2)."""

    SIMPLE = "simple"
    COMPLEX = "complex"


class Answering(StrEnum):
    """What an annotation of a question holds."""

    ONE = "one"  # exactly one label
    SEVERAL = "several"  # a set of labels, possibly none
    SPANS = "spans"  # stretches of the text, each "start-end:label", offsets by code point


class AmbiguitySource(StrEnum):
    """Why a coder finds an item ambiguous: the guidelines say which must be named."""

    LEXICAL = "lexical ambiguity"
    CONTEXT = "missing context"
    GUIDELINES = "guidelines do not say"
    CONCEPT = "concept unclear"
    OTHER = "other"


class CellState(StrEnum):
    """How the annotations of one item compare on one question."""

    AGREED = "agreed"
    CONFLICTING = "conflicting"
    INCOMPLETE = "incomplete"
    ONE_NOT_APPLICABLE = "one not applicable"
    NOT_APPLICABLE = "not applicable"
    OUT_OF_SCOPE = "out of scope"


class Cause(StrEnum):
    """Why coders disagree (Oortwijn et al. 2021, step 5)."""

    A1_CONCEPT = "a1-concept"
    A1_TASK = "a1-task"
    A2 = "a2"
    B = "b"
    C = "c"
    D = "d"
    E = "e"


class CaseState(StrEnum):
    """Where a case stands."""

    OPEN = "open"
    REASONS = "reasons"
    CAUSE_PROPOSED = "cause proposed"
    CAUSE_ACCEPTED = "cause accepted"
    RESCORING = "rescoring"
    ARGUED = "argued"
    RETURNED = "returned"
    POSTPONED = "postponed"
    AGREED = "agreed"
    UNRESOLVED = "unresolved"
    CLOSED = "closed"  # superseded: the cell no longer conflicts, or its epoch has ended


class Outcome(StrEnum):
    """How coders came to agree on a case."""

    RESCORED_C = "rescored c"
    RESCORED_E = "rescored e"
    ARGUED_D = "argued d"
    REANNOTATED_A = "reannotated a"
    REANNOTATED_B = "reannotated b"
    CLARIFIED = "clarified"  # a or b, settled under the new toolbox where re-annotation was waived
    IMPORTED = "imported"


class Settled(StrEnum):
    """What was decided about a case on which the coders did not come to agree (section 4.2)."""

    LEFT_DISAGREED = "left disagreed"
    DICTATOR_DECISION = "dictator decision"
    DICTATOR_AGGREGATION = "dictator aggregation"


class OrderState(StrEnum):
    """Where a re-annotation order stands; done is computed, never typed in."""

    OPEN = "open"
    DONE = "done"
    WAIVED = "waived"


class ReleaseStatus(StrEnum):
    """What a release is, printed on everything that is exported."""

    GROUND_TRUTH = "ground truth"
    DEPRECATED = "deprecated"
    COMPARISON_ONLY = "comparison only"
    DOCUMENTED = "imported, documented"
    IMPORTED = "imported"
    ABANDONED = "abandoned"
    UNRELEASED = "not released"

    @classmethod
    def _missing_(cls, value: object) -> ReleaseStatus | None:
        """Logs of earlier versions call it so."""
        return cls.IMPORTED if value == "imported gold" else None


class Immutable(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of what is written down once and never changed."""


class AskedIf(Immutable, frozen=True):
    """A question that is asked only where the same coder answered another one so."""

    question: str
    labels: tuple[str, ...]


class Question(Immutable, frozen=True):
    """One question of the task. What may be answered stands in the guidelines."""

    id: str
    text: str
    group: str = ""
    answering: Answering = Answering.ONE
    asked_if: AskedIf | None = None


class Task(Immutable, frozen=True):
    """What is asked about what: immutable once its first round has opened."""

    questions: tuple[Question, ...]
    text: str = ""
    item_definition: str = ""
    context: str = ""  # what coders may use besides the item


class Rule(Immutable, frozen=True):
    """A numbered rule of the guidelines; its id is what justifications cite."""

    id: str
    text: str
    questions: tuple[str, ...] = ()  # empty: all


class AmbiguityPolicy(Immutable, frozen=True):
    """Whether coders may answer "ambiguous", and which sources they must choose from."""

    allowed: bool
    sources: tuple[str, ...] = tuple(source.value for source in AmbiguitySource)
    reason: str = ""  # why there is no such answer


class Guidelines(Immutable, frozen=True):
    """One version of the guidelines: rules, scoring options, policy about ambiguity."""

    version: str  # major.minor.patch
    options: dict[str, tuple[str, ...]]  # by question: the categories
    ambiguity: AmbiguityPolicy | None = None
    rules: tuple[Rule, ...] = ()
    text: str = ""
    change: Change | None = None  # None: the first version
    reason: str = ""
    cases: tuple[int, ...] = ()  # that caused the change


class Relation(Immutable, frozen=True):
    """How two sub-concepts of an interpretive model hang together."""

    source: str
    relation: str
    target: str


class Concept(Immutable, frozen=True):
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


class Items(Immutable, frozen=True):
    """Items added together, as columns of equal length."""

    ids: tuple[str, ...]
    texts: tuple[str, ...] = ()  # empty: none
    contexts: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()
    metadata: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Answer(Immutable, frozen=True):
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


class Note(Immutable, frozen=True):
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


class Evidence(Immutable, frozen=True):
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
"""What belongs to their being written, and not to what they say."""


def content(version: Guidelines | Concept) -> str:
    """SHA-256 of what a version says, whatever its number and why it was written.

    Examples
    --------
    >>> one, two = Concept("claim", 1, "what is said"), Concept("claim", 2, "what is said")
    >>> content(one) == content(two)
    True
    """
    return digest(_said(version))


def _said(version: Immutable) -> dict[str, Any]:
    facts = msgspec.structs.asdict(version)
    return {name: fact for name, fact in facts.items() if name not in OF_A_CHANGE}


MARKS = re.compile(r"""(?:\\[ntr"]|[\s.,;:!?…'“”„‘’()])+""")


def wording(version: Immutable) -> str:
    """What a task, guidelines or a concept say, whatever their punctuation, blanks and capitals.

    Examples
    --------
    >>> one, two = Concept("claim", 1, "What is said"), Concept("claim", 2, "what is  said.")
    >>> wording(one) == wording(two)
    True
    """
    return re.sub(' *" *', '"', MARKS.sub(" ", canonical(_said(version))).casefold())
