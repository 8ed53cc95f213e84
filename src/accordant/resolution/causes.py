"""Why coders disagree: what each cause asks for, and where it leads (Oortwijn et al. 2021, step 5).

One table, from which guards, commands, help texts and reports take what they need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .terms import Cause, Evidence, Outcome, Step


@dataclass(frozen=True)
class EvidenceField:
    """One thing that is written down with a cause: an option, an input of a form, a sentence.

    Parameters
    ----------
    key : str
        Its name in `terms.Evidence`.
    lacks : str
        What it is, as what is missing: "the concept".
    told : str
        The sentence of a report, with {} for what was written.
    each : bool
        Whether there is one for each coder of the item.
    many : bool
        Whether there may be several.
    """

    key: str
    lacks: str
    told: str
    each: bool = False
    many: bool = False

    def missing(self, evidence: Evidence, coders: Sequence[str]) -> list[str]:
        """What of it is not written down, in words."""
        given = getattr(evidence, self.key)
        if self.each:
            return [self.lacks.format(c) for c in coders if not given.get(c, "").strip()]
        if self.key == "coder" and given not in coders:
            return [f"{self.lacks} ({', '.join(coders)})"]
        written = given.strip() if isinstance(given, str) else given
        return [] if written else [self.lacks]

    @property
    def help(self) -> str:
        """Under which causes it is asked for, and what it is."""
        under = [c.value for c, row in CAUSES.items() if any(self.key in w for w in row.record)]
        what = self.lacks.replace("{}", "a coder") if self.each else self.lacks
        return f"{', '.join(under)}: {what}"


FIELDS: dict[str, EvidenceField] = {
    one.key: one
    for one in (
        EvidenceField("concept", "the concept", "Concept: {}."),
        EvidenceField("construals", "how {} understood it", "{} understood: “{}”.", each=True),
        EvidenceField("rule", "the rule that is unclear, or “missing”", "Rule: {}."),
        EvidenceField("wording", "what the guidelines should say", "Proposed wording: “{}”."),
        EvidenceField("knowledge", "what one coder knew and another did not", "Knowledge: “{}”."),
        EvidenceField(
            "width",
            "which part of the concept is too narrow or too broad",
            "Too narrow or too broad: “{}”.",
        ),
        EvidenceField("coder", "which coder of the item", "Coder: {}."),
        EvidenceField(
            "others",
            "the other items that were annotated differently",
            "Other items: {}.",
            many=True,
        ),
        EvidenceField(
            "same", "why the items are the same in what matters", "The same in what matters: “{}”."
        ),
        EvidenceField("meant", "what was meant", "Meant: “{}”."),
    )
}


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
    record : tuple of tuple of str
        Keys of `FIELDS`: ways to write it down, each of which suffices.
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
    record: tuple[tuple[str, ...], ...]
    everybody: bool
    returns_to: Step | None
    outcome: Outcome
    fails: str

    @property
    def asks(self) -> str:
        """What must be recorded with it."""
        each = [[FIELDS[key].lacks.format("each coder") for key in way] for way in self.record]
        return (
            ", or ".join("; ".join(way) for way in each if way)
            or "each coder's reason, citing the toolbox"
        )


_ROWS = (
    CauseMeaning(
        Cause.A1_CONCEPT,
        "task understood differently: a concept is badly defined",
        "At least one coder answered another question than the one that was meant, because a "
        "concept in it has a poor definition or none. Define it (step 2), sign it, and "
        "annotate again what uses it.",
        (("concept", "construals"),),
        True,
        Step.ALIGNMENT,
        Outcome.REANNOTATED_A,
        "define the concept again; halt for research if that does not help",
    ),
    CauseMeaning(
        Cause.A1_TASK,
        "task understood differently",
        "At least one coder answered another question than the one that was meant, and no "
        "definition is to blame. Agree on what the task is (step 1). It cannot change: if it "
        "cannot be agreed on, it is abandoned.",
        (("construals",),),
        True,
        Step.TASK,
        Outcome.REANNOTATED_A,
        "abandoned: a new epoch begins with a new task",
    ),
    CauseMeaning(
        Cause.A2,
        "guidelines unclear or silent",
        "The guidelines say nothing about such an item, or can be taken in two ways. Amend them "
        "(step 1), and consider what else must be annotated again, agreed items included.",
        (("rule", "wording"),),
        True,
        Step.TASK,
        Outcome.REANNOTATED_A,
        "open again",
    ),
    CauseMeaning(
        Cause.B,
        "unequal knowledge, or a concept too wide or too narrow",
        "One coder knew something that another did not, or they drew the limits of a concept "
        "differently. Align on the concept (step 2), sign it, and annotate again everything "
        "that uses it.",
        (("knowledge",), ("concept", "width")),
        True,
        Step.ALIGNMENT,
        Outcome.REANNOTATED_B,
        "open again; to trust one coder is no ending",
    ),
    CauseMeaning(
        Cause.C,
        "one coder was inconsistent",
        "A coder answered differently about two items that ask for the same answer, and decides "
        "which to correct. If it is the other item, the disagreement about this one stays "
        "and has another cause.",
        (("coder", "others", "same"),),
        False,
        None,
        Outcome.RESCORED_C,
        "open again, for a, b, d or e",
    ),
    CauseMeaning(
        Cause.D,
        "the item is read differently",
        "Task, guidelines and concepts are understood alike, and still the item can be read in "
        "two ways. Every coder gives a reason that cites the toolbox, and all settle on one "
        "reading if they can.",
        ((),),
        True,
        None,
        Outcome.ARGUED_D,
        "left unresolved, or postponed until research has progressed",
    ),
    CauseMeaning(
        Cause.E,
        "simple mistake",
        "A slip on an item that is not controversial: a wrong key, a line skipped. Only the "
        "coder concerned can say so.",
        (("coder", "meant"),),
        False,
        None,
        Outcome.RESCORED_E,
        "open again",
    ),
)
CAUSES: dict[Cause, CauseMeaning] = {row.cause: row for row in _ROWS}


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
    ['what the guidelines should say']
    >>> missing_evidence(Cause.E, Evidence(coder="ana", meant="yes"), ["ana", "ben"])
    []
    """
    record = CAUSES[cause].record
    ways = [[x for key in way for x in FIELDS[key].missing(evidence, coders)] for way in record]
    if not all(ways):
        return []
    begun = [way for way, keys in zip(ways, record, strict=True) if len(way) < len(keys)]
    if begun or len(ways) == 1:
        return [*begun, *ways][0]
    return [", or ".join(" and ".join(way) for way in ways)]


def _documented() -> str:
    """The docstring of a record whose fields are told here, as all others are in theirs."""
    fields = (f"    {one.key}\n        {one.help}." for one in FIELDS.values())
    return "\n".join([f"{Evidence.__doc__}\n\n    Parameters\n    ----------", *fields])


Evidence.__doc__ = _documented()
