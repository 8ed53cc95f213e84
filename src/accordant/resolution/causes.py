"""Why coders disagree: what each cause asks for, and where it leads (Oortwijn et al. 2021, step 5).

One table, from which guards, commands, help texts and reports take what they need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .records import Evidence
from .words import Cause, Outcome, Step

__all__ = ["CAUSES", "CauseMeaning", "missing_evidence"]


@dataclass(frozen=True)
class CauseMeaning:
    """What a cause means for a case.

    Parameters
    ----------
    cause : Cause
    label : str
        A few words for tables.
    help : str
        When to choose it, for coders.
    asks : str
        What must be recorded with it.
    everybody : bool
        Whether all coders of the item must accept it; otherwise only the coder it names.
    returns_to : Step or None
        Where the project goes back to; None: the case is settled where it stands.
    outcome : Outcome
        How a case with this cause comes to be agreed.
    fails : str
        What happens if it does not lead to agreement.
    """

    cause: Cause
    label: str
    help: str
    asks: str
    everybody: bool
    returns_to: Step | None
    outcome: Outcome
    fails: str


_ROWS = (
    CauseMeaning(
        Cause.A1_CONCEPT,
        "task understood differently: a concept is badly defined",
        "At least one coder answered another question than the one that was meant, because a "
        "concept in it has a poor definition or none. Define it (step 2), sign it, and annotate "
        "again what uses it.",
        "the concept, and how each coder of the item understood it",
        True, Step.ALIGNMENT, Outcome.REANNOTATED_A,
        "define the concept again; halt for research if that does not help",
    ),
    CauseMeaning(
        Cause.A1_TASK,
        "task understood differently",
        "At least one coder answered another question than the one that was meant, and no "
        "definition is to blame. Agree on what the task is (step 1). The task cannot change: "
        "if it cannot be agreed on, the annotation is abandoned.",
        "how each coder of the item understood the task",
        True, Step.TASK, Outcome.REANNOTATED_A,
        "the epoch is abandoned, and a new one begins with a new task",
    ),
    CauseMeaning(
        Cause.A2,
        "guidelines unclear or silent",
        "The guidelines say nothing about such an item, or what they say can be taken in two ways. "
        "Amend them (step 1), and consider what else must be annotated again, agreed items "
        "included.",
        "the rule that is unclear (or “missing”), and the wording that is proposed",
        True, Step.TASK, Outcome.REANNOTATED_A,
        "the case is open again",
    ),
    CauseMeaning(
        Cause.B,
        "unequal knowledge, or a concept too wide or too narrow",
        "One coder knew something that another did not, or they drew the limits of a concept "
        "differently. Align on the concept (step 2), sign it, and annotate again everything that "
        "uses it.",
        "what one knew and another did not, or the concept and its part that is too narrow or "
        "too broad",
        True, Step.ALIGNMENT, Outcome.REANNOTATED_B,
        "the case is open again; settling it by trusting one coder is a deviation",
    ),
    CauseMeaning(
        Cause.C,
        "one coder was inconsistent",
        "A coder answered differently about two items that ask for the same answer. That coder "
        "decides which of the two to correct. If the other item is corrected, the disagreement "
        "about this one stays and has another cause.",
        "the coder, the other items, and why they are the same in what matters",
        False, None, Outcome.RESCORED_C,
        "the case is open again, for a, b, d or e",
    ),
    CauseMeaning(
        Cause.D,
        "the item is read differently",
        "Task, guidelines and concepts are understood alike, and still the item can be read in two "
        "ways. Every coder gives a reason that cites the toolbox, and all settle on one reading if "
        "they can.",
        "a reason of each coder of the item, citing an element of the toolbox",
        True, None, Outcome.ARGUED_D,
        "the case is left unresolved, or postponed until research has progressed",
    ),
    CauseMeaning(
        Cause.E,
        "simple mistake",
        "A slip on an item that is not controversial: a wrong key, a line skipped. Only the coder "
        "concerned can say so.",
        "the coder, and what was meant",
        False, None, Outcome.RESCORED_E,
        "the case is open again",
    ),
)  # fmt: skip
CAUSES: dict[Cause, CauseMeaning] = {row.cause: row for row in _ROWS}
"""Every cause, in the order of the paper."""


def _construals(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    silent = [c for c in coders if not evidence.construals.get(c, "").strip()]
    return [f"how {coder} understood it" for coder in silent]


def _a1_concept(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    concept = [] if evidence.concept.strip() else ["the concept"]
    return concept + _construals(evidence, coders)


def _a2(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    rule = [] if evidence.rule.strip() else ["the rule that is unclear, or “missing”"]
    return rule + ([] if evidence.wording.strip() else ["the wording that is proposed"])


def _b(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    if evidence.knowledge.strip():
        return []
    concept, width = evidence.concept.strip(), evidence.width.strip()
    if not concept and not width:
        return ["what one coder knew and another did not, or the concept and its wrong width"]
    if not concept:
        return ["the concept whose width is wrong"]
    return [] if width else ["which part of the concept is too narrow or too broad"]


def _coder(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    return [] if evidence.coder in coders else [f"which coder of the item ({', '.join(coders)})"]


def _c(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    others = [] if evidence.others else ["the other items that were annotated differently"]
    same = [] if evidence.same.strip() else ["why the items are the same in what matters"]
    return _coder(evidence, coders) + others + same


def _d(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    return []  # its evidence are the coders' reasons, which the case holds


def _e(evidence: Evidence, coders: Sequence[str]) -> list[str]:
    meant = [] if evidence.meant.strip() else ["what was meant"]
    return _coder(evidence, coders) + meant


_MISSING: dict[Cause, Callable[[Evidence, Sequence[str]], list[str]]] = {
    Cause.A1_CONCEPT: _a1_concept,
    Cause.A1_TASK: _construals,
    Cause.A2: _a2,
    Cause.B: _b,
    Cause.C: _c,
    Cause.D: _d,
    Cause.E: _e,
}


def missing_evidence(cause: Cause, evidence: Evidence, coders: Sequence[str]) -> list[str]:
    """What a cause requires and the evidence lacks, in words.

    Parameters
    ----------
    cause : Cause
    evidence : Evidence
    coders : sequence of str
        Who annotated the item.

    Returns
    -------
    list of str
        Nothing if the evidence is complete.

    Notes
    -----
    Reasons of each coder, which d requires, stand in the case and are asked for by the guards.

    Examples
    --------
    >>> missing_evidence(Cause.A2, Evidence(rule="missing"), ["ana", "ben"])
    ['the wording that is proposed']
    >>> missing_evidence(Cause.E, Evidence(coder="ana", meant="yes"), ["ana", "ben"])
    []
    """
    return _MISSING[cause](evidence, coders)
