"""What is known about annotations that were made, and perhaps settled, elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...data.annotations import Annotations
from ..records import AmbiguityPolicy, Answer, Concept, Guidelines, Question, Rule

__all__ = ["Cell", "Finished", "KnownCase"]

Cell = tuple[str, str]
"""Item, question."""


@dataclass(frozen=True)
class KnownCase:
    """What a source says about one disagreement. Everything but the cell may be unknown.

    Parameters
    ----------
    item, question : str
    cause : str
        As the source has it: 'a', 'a1-concept', 'a1-task', 'a2', 'b', 'c', 'd', 'e', or nothing.
    coder : str
        Who was inconsistent or mistaken, for c and e.
    others : tuple of str
        For c, the items with which this one is inconsistent.
    prevails : str
        The coder whose answer should stand, in the words of the source.
    concept : str
        For a1 and b, the concept.
    element : str
        The element of the toolbox that the source names; "as ITEM" where it repeats the decision
        about another item.
    heading : str
        The item that the source puts over its discussion.
    discussed : bool or None
        Whether the discussion speaks of this question; None: nobody looked.
    text : str
        The discussion.
    """

    item: str
    question: str
    cause: str = ""
    coder: str = ""
    others: tuple[str, ...] = ()
    prevails: str = ""
    concept: str = ""
    element: str = ""
    heading: str = ""
    discussed: bool | None = None
    text: str = ""

    @property
    def cell(self) -> Cell:
        """Item and question."""
        return self.item, self.question


@dataclass(frozen=True)
class Finished:
    """Finished annotations, and what is known of how they were made and settled.

    Parameters
    ----------
    data : Annotations
    questions : tuple of Question, optional
        The questions of the data with their texts and dependencies; bare ones by default.
    consensus : mapping of (item, question) to Answer
        What the coders agreed on, or what stands as gold.
    cases : tuple of KnownCase
    research_questions : tuple of str
    task, item_definition, context : str
        See `records.Task`.
    rules : tuple of Rule
    guidelines : str
    options : mapping of str to tuple of str
        Question → what could be answered; by default what the data hold.
    ambiguity : AmbiguityPolicy, optional
        By default whether "ambiguous" occurs in the data.
    concepts : tuple of Concept
        Key concepts as they were before the round.
    changes : tuple of Guidelines or Concept
        What the toolbox became when cases were discussed, in order: each is owed a re-annotation.
        Versions are counted anew.
    deviations : mapping of str to str
        Code → text of what is known to have been left out, e.g. 'step 2 not performed'.
    digests : mapping of str to str
        File → SHA-256.
    licence : str
    """

    data: Annotations
    questions: tuple[Question, ...] = ()
    consensus: Mapping[Cell, Answer] = field(default_factory=dict)
    cases: tuple[KnownCase, ...] = ()
    research_questions: tuple[str, ...] = ()
    task: str = ""
    item_definition: str = ""
    context: str = ""
    rules: tuple[Rule, ...] = ()
    guidelines: str = ""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ambiguity: AmbiguityPolicy | None = None
    concepts: tuple[Concept, ...] = ()
    changes: tuple[Guidelines | Concept, ...] = ()
    deviations: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    licence: str = ""
