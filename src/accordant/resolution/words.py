"""The words of the procedure: steps, roles, causes, states. One word for one thing everywhere."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "CODERS",
    "LEADS",
    "RESOLVING",
    "SPEAKERS",
    "Answering",
    "CaseState",
    "Cause",
    "CellState",
    "Change",
    "ConceptKind",
    "OrderState",
    "Outcome",
    "Purpose",
    "ReleaseStatus",
    "Role",
    "Settled",
    "Source",
    "Step",
]


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
"""Who annotates."""
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


class Source(StrEnum):
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
    DEFERENCE = "deference"  # a recorded deviation
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
    DOCUMENTED = "imported, as documented"
    IMPORTED = "imported"
    ABANDONED = "abandoned"
    UNRELEASED = "not released"

    @classmethod
    def _missing_(cls, value: object) -> ReleaseStatus | None:
        """Logs of earlier versions call it so."""
        return cls.IMPORTED if value == "imported gold" else None
