"""What everybody holds, and what is stale, from the log alone: slow, and with other data structures.

For sessions of two questions, P being asked where Q is answered 1 (`sessions.QUESTIONS`).
"""

from __future__ import annotations

from accordant.resolution.annotation import Annotated, Declined
from accordant.resolution.concepts import ConceptWritten
from accordant.resolution.corrections import Rescored
from accordant.resolution.event import Event
from accordant.resolution.guidelines import GuidelinesWritten
from accordant.resolution.items import Assigned, ItemsAdded, ItemsFrozen
from accordant.resolution.orders import OrderWaived, ReannotationOrdered
from accordant.resolution.records import Answer
from accordant.resolution.rounds import RoundClosed, RoundOpened
from accordant.resolution.task import TaskWritten
from accordant.resolution.transitions import Moved

Key = tuple[str, str, str]  # question, coder, item
NEW_EPOCH = 16  # the transition


class ByHand:
    """A project as a dictionary of answers."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self.frozen = 0
        self.assigned: dict[str, set[str]] = {}
        self.toolbox = 0
        self.round: RoundOpened | None = None
        self.scope: dict[str, list[str]] = {}
        self.begun_under = 0
        self.sheet: dict[Key, Answer] = {}
        self.holds: dict[Key, Answer] = {}
        self.made: dict[Key, int] = {}  # everybody who was ever asked
        self.orders: dict[int, ReannotationOrdered] = {}
        self.annotated: set[Key] = set()  # whoever said something once

    def asks(self, question: str, coder: str, item: str) -> bool:
        """Whether a coder is asked a question about an item."""
        if question == "Q":
            return True
        answer = self.holds.get(("Q", coder, item))
        return answer is not None and "1" in answer.labels

    def cell(self, item: str, question: str) -> dict[str, Answer | None]:
        """What each coder who is asked about a cell holds."""
        return {
            coder: self.holds.get((question, coder, item))
            for q, coder, i in self.made
            if (q, i) == (question, item) and self.asks(question, coder, item)
        }

    def stale(self) -> set[Key]:
        """What an order that was not waived asks for again."""
        return {
            key
            for key in self.holds
            for order in self.orders.values()
            if key[0] in order.questions
            and (not order.items or key[2] in order.items)
            and self.made[key] < order.toolbox
        }

    def told(self, event: Event, by: str) -> None:
        """One event of the log."""
        if isinstance(event, (TaskWritten, GuidelinesWritten, ConceptWritten)):
            self.toolbox += 1
        elif isinstance(event, ItemsAdded):
            self.items += event.items.ids
        elif isinstance(event, ItemsFrozen):
            self.frozen = event.n_items
        elif isinstance(event, Assigned):
            self.assigned[event.coder] = set(event.items)
        elif isinstance(event, ReannotationOrdered):
            self.orders[event.order] = event
        elif isinstance(event, OrderWaived):
            del self.orders[event.order]
        elif isinstance(event, RoundOpened):
            self._opens(event)
        elif isinstance(event, Annotated):
            for item, code in zip(event.items, event.codes, strict=True):
                self.sheet[event.question, event.coder, item] = event.answers[code]
        elif isinstance(event, Declined) and by == event.coder:
            for item in event.items:
                self.sheet.pop((event.question, event.coder, item), None)
        elif isinstance(event, RoundClosed):
            self._closes()
        elif isinstance(event, Rescored):
            self._holds((event.question, event.coder, event.item), event.answer, self.toolbox)
        elif isinstance(event, Moved) and event.transition == NEW_EPOCH:
            self.holds, self.made, self.orders, self.round = {}, {}, {}, None
            self.annotated = set()

    def _opens(self, event: RoundOpened) -> None:
        self.round, self.sheet, self.begun_under = event, {}, self.toolbox
        everything = list(event.items) or self.items[: self.frozen]
        self.scope = {
            coder: [
                item
                for item in everything
                if item in self.assigned.get(coder, {item})
                or any((question, coder, item) in self.made for question in event.questions)
            ]
            for coder in event.coders
        }

    def _closes(self) -> None:
        assert self.round is not None
        for question in ("Q", "P"):
            if question in self.round.questions:
                for coder, items in self.scope.items():
                    for item in items:
                        key = (question, coder, item)
                        answer = self.sheet.get(key) if self.asks(question, coder, item) else None
                        self._holds(key, answer, self.begun_under)
        self.round = None

    def _holds(self, key: Key, answer: Answer | None, under: int) -> None:
        question, coder, item = key
        self.made[key] = under
        self.holds.pop(key, None)
        if answer is not None:
            self.holds[key] = answer
            self.annotated.add(key)
        if question == "Q" and not self.asks("P", coder, item):
            self.holds.pop(("P", coder, item), None)
