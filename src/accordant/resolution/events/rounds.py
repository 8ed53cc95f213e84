"""Events of items, assignments and rounds of individual annotation."""

from __future__ import annotations

from msgspec import field

from ..records import Answer, Items, Note
from ..sentences import listing
from .event import Event

__all__ = [
    "Annotated", "Assigned", "Compared", "Declined", "ItemsAdded", "ItemsFrozen", "OrderWaived",
    "ReannotationOrdered", "RoundClosed", "RoundOpened", "Submitted",
]  # fmt: skip


class ItemsAdded(Event, frozen=True, tag="items added"):
    """Items to annotate."""

    says = "{items.ids:item} came in"

    items: Items


class ItemsFrozen(Event, frozen=True, tag="items frozen"):
    """What is to be annotated is settled; items that come later are flagged."""

    says = "{n_items:item} are settled"

    n_items: int


class Assigned(Event, frozen=True, tag="assigned"):
    """Which items a coder annotates; a coder without such an event annotates all."""

    says = "{coder} annotates {items:item}"

    coder: str
    items: tuple[str, ...]


class RoundOpened(Event, frozen=True, tag="round opened"):
    """A blind round of individual annotation begins."""

    says = (
        "round {number} is open and blind: {coders} annotate {questions:+question}, "
        "{items:item|all items}"
    )

    number: int
    toolbox: str  # hash of the toolbox in force
    coders: tuple[str, ...]
    questions: tuple[str, ...]  # scope …
    items: tuple[str, ...] = ()  # … empty: all
    orders: tuple[int, ...] = ()  # that it carries out
    imported: bool = False

    @property
    def stream(self) -> str:
        return f"round {self.number}"


class Annotated(Event, frozen=True, tag="annotated"):
    """One coder's answers to one question: of one item, or of many at once.

    ``codes`` has one position in ``answers`` for each of ``items``. Submitting again before the
    round closes supersedes; the log keeps both.
    """

    says = "{coder}: {items:annotation} of question {question} kept"

    round: int
    coder: str
    question: str
    items: tuple[str, ...]
    answers: tuple[Answer, ...]
    codes: tuple[int, ...]
    notes: dict[str, Note] = field(default_factory=dict)  # by item

    @property
    def stream(self) -> str:
        return f"round {self.round} {self.coder}"


class Declined(Event, frozen=True, tag="declined"):
    """A coder will not annotate an item on a question, for a reason."""

    says = "{coder} declines {items:item} on question {question}"

    round: int
    coder: str
    question: str
    items: tuple[str, ...]
    reason: str

    @property
    def stream(self) -> str:
        return f"round {self.round} {self.coder}"


class Submitted(Event, frozen=True, tag="submitted"):
    """A coder says that they are done, where being done would otherwise tell what they answered."""

    says = "{coder} has submitted round {round}"

    round: int
    coder: str

    @property
    def stream(self) -> str:
        return f"round {self.round} {self.coder}"


class RoundClosed(Event, frozen=True, tag="round closed"):
    """Blindness ends for this round."""

    says = "round {number} is closed"

    number: int

    @property
    def stream(self) -> str:
        return f"round {self.number}"


class Compared(Event, frozen=True, tag="compared"):
    """The annotations of a round compared: how many cells are in which state, by question."""

    round: int
    counts: dict[str, dict[str, int]]  # question → cell state → n

    @property
    def stream(self) -> str:
        return f"round {self.round}"

    def sentence(self) -> str:
        """How many cells are in which state."""
        each = (
            (q, listing(f"{n:,} {state}" for state, n in counts.items() if n))
            for q, counts in self.counts.items()
        )
        return "; ".join(f"question {q}: {cells}" for q, cells in each if cells != "none")


class ReannotationOrdered(Event, frozen=True, tag="reannotation ordered"):
    """What must be annotated again because the toolbox changed, agreed cells included."""

    says = (
        "re-annotation {order} is owed, agreed items included: {questions:+question}, "
        "{items:item|all items} ({trigger})"
    )

    order: int
    trigger: str  # e.g. "concept wide-scope claim, version 2"
    toolbox: int  # annotations made under an earlier toolbox (by ordinal) are stale
    questions: tuple[str, ...]
    items: tuple[str, ...] = ()  # empty: all
    narrowed: str = ""  # why the scope is narrower than the default
    cases: tuple[int, ...] = ()

    @property
    def stream(self) -> str:
        return f"order {self.order}"


class OrderWaived(Event, frozen=True, tag="order waived"):
    """An order is not carried out, for a written reason that the report prints."""

    says = "re-annotation {order} is waived"

    order: int
    reason: str

    @property
    def stream(self) -> str:
        return f"order {self.order}"
