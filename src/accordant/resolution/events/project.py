"""Events of the project as a whole: people, research questions, steps, deviations, releases."""

from __future__ import annotations

from msgspec import field

from ..sentences import deviation_text
from ..words import Purpose, ReleaseStatus, Role, Step
from .event import Event

__all__ = [
    "AdjudicatorAppointed", "Created", "DeviationRecorded", "FindingRecorded", "HypothesisStated",
    "ImportAccepted", "Imported", "Moved", "PersonAdded", "PurposeStated", "Released",
    "ResearchQuestionStated", "StatementWritten", "TrainingRecorded",
]  # fmt: skip


class Created(Event, frozen=True, tag="project created"):
    """A project begins; who made it is its first researcher."""

    says = "project “{title}” begins"

    title: str
    project: str  # a random identifier
    imported: bool = False  # from finished annotations: steps may have been skipped


class PersonAdded(Event, frozen=True, tag="person added"):
    """Somebody joins, or has other roles than before."""

    says = "{name} takes part as {roles}"

    name: str
    roles: tuple[Role, ...]
    about: str = ""


class TrainingRecorded(Event, frozen=True, tag="training recorded"):
    """Coders who are not the researchers were trained in the concepts (step 2)."""

    says = "training of {coders} is recorded"

    coders: tuple[str, ...]
    text: str


class PurposeStated(Event, frozen=True, tag="purpose stated"):
    """What the annotations are for."""

    says = "the purpose is {purpose}"

    purpose: Purpose


class ResearchQuestionStated(Event, frozen=True, tag="research question stated"):
    """A research question, or a new version of one."""

    says = "research question {id} is stated"

    id: str
    text: str
    reason: str = ""


class HypothesisStated(Event, frozen=True, tag="hypothesis stated"):
    """A hypothesis, or a new version of one."""

    says = "hypothesis {id} is stated"

    id: str
    text: str
    reason: str = ""


class Moved(Event, frozen=True, tag="moved"):
    """The project takes a transition of the procedure, told by its number."""

    says = "the project is at “{target}”"

    transition: int
    source: Step
    target: Step
    reason: str = ""
    review_date: str = ""  # of a halt
    questions: tuple[str, ...] = ()  # that the comparison sends back


class FindingRecorded(Event, frozen=True, tag="finding recorded"):
    """What the research found for which the project was halted."""

    says = "what the research found is recorded"

    text: str


class DeviationRecorded(Event, frozen=True, tag="deviation recorded"):
    """The project departs from the procedure; printed on every export, for ever."""

    code: str  # e.g. "step 2 not performed", "b settled by deference"
    text: str
    case: int | None = None

    def sentence(self) -> str:
        """What kind it is, unless a person has stated it."""
        return f"deviation, printed on every export: {deviation_text(self.code, self.text)}"


class AdjudicatorAppointed(Event, frozen=True, tag="adjudicator appointed"):
    """The paper's dictator. Appointed before step 5 began, or flagged."""

    person: str
    late: bool = False

    def sentence(self) -> str:
        """Who it is, and whether too late."""
        late = " (appointed late: this is printed on every release)" if self.late else ""
        return f"{self.person} is the adjudicator{late}"


class Imported(Event, frozen=True, tag="imported"):
    """Annotations that were made elsewhere came in."""

    says = "annotations came in from {source}"

    source: str  # file names
    digests: dict[str, str] = field(default_factory=dict)  # file name → SHA-256
    licence: str = ""
    skipped: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class ImportAccepted(Event, frozen=True, tag="import accepted"):
    """A coder accepts as their own what was imported in their name, outcomes and causes included.

    ``digest`` says what it was: the coder's answers and the cases about them, as they stood.
    """

    says = "{coder} accepts {n:answer} that came in under their name"

    coder: str
    n: int
    digest: str


class StatementWritten(Event, frozen=True, tag="data statement written"):
    """A section of the data statement (Bender & Friedman 2018) in the user's words."""

    says = "section {section} of the data statement is written"

    section: str  # letter A to J
    text: str


class Released(Event, frozen=True, tag="released"):
    """A version for others. Its status is computed, never chosen."""

    says = "release {version}: {status}"

    version: int
    status: ReleaseStatus
    toolbox: str  # hash
    head: str  # hash of the log before this event
    counts: dict[str, int] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    reason: str = ""
    proofs: dict[str, int] = field(default_factory=dict)  # kind of proof → answers
    proofs_digest: str = ""  # see `proof.seal`
