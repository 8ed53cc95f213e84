"""Events of the toolbox: task, guidelines, concepts, and who agreed to what."""

from __future__ import annotations

from ..records import Concept, Guidelines, Task
from .event import Event

__all__ = [
    "Acknowledged", "ConceptWritten", "EditorialConfirmed", "GuidelinesWritten", "Objected",
    "ObjectionWithdrawn", "SignedOff", "TaskWritten",
]  # fmt: skip


class _Toolbox(Event, frozen=True):
    @property
    def stream(self) -> str:
        return "toolbox"


class TaskWritten(_Toolbox, frozen=True, tag="task written"):
    """The task of the current epoch, possible until its first round opens."""

    says = "the task is written: {task.questions:question}"

    task: Task
    reason: str = ""


class GuidelinesWritten(_Toolbox, frozen=True, tag="guidelines written"):
    """A new version of the guidelines."""

    says = "guidelines {guidelines.version} are written"

    guidelines: Guidelines


class ConceptWritten(_Toolbox, frozen=True, tag="concept written"):
    """A new version of a key concept; every sign-off of the one before is void."""

    says = "concept “{concept.name}”, version {concept.version}, is written"

    concept: Concept


class Acknowledged(_Toolbox, frozen=True, tag="acknowledged"):
    """A coder has read the task and a version of the guidelines."""

    says = "{coder} has read the task and guidelines {guidelines}"

    coder: str
    task: str  # hash
    guidelines: str  # version


class SignedOff(_Toolbox, frozen=True, tag="signed off"):
    """A coder agrees to a version of a concept."""

    says = "{coder} agrees to “{concept}”, version {version}"

    coder: str
    concept: str
    version: int


class Objected(_Toolbox, frozen=True, tag="objected"):
    """A coder does not agree to a version of a concept (or of the guidelines: concept empty)."""

    coder: str
    text: str
    concept: str = ""
    version: int = 0

    def sentence(self) -> str:
        """Who objects to what."""
        about = f"“{self.concept}”, version {self.version}" if self.concept else "the guidelines"
        return f"{self.coder} objects to {about}"


class ObjectionWithdrawn(_Toolbox, frozen=True, tag="objection withdrawn"):
    """A coder's objection no longer stands (a new version also ends it)."""

    says = "{coder} no longer objects"

    coder: str
    concept: str = ""


class EditorialConfirmed(_Toolbox, frozen=True, tag="editorial change confirmed"):
    """A coder confirms that new wording changes no score."""

    says = "{coder} confirms that guidelines {version} change no score"

    coder: str
    version: str
