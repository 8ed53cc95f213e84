"""What a reader must know first: what is unresolved, decided, aggregated, missing."""

from __future__ import annotations

from collections.abc import Iterator

from ..numbers import count_of, joined
from ..resolution.deviations import flags_of
from ..resolution.words import CaseState, Cause, ReleaseStatus, Settled
from .document import Finding, Section
from .project_subject import Subject

__all__ = ["MEANING", "notice_section"]

MEANING = {
    ReleaseStatus.GROUND_TRUTH: "Every disagreement was resolved by consensus, nothing is stale.",
    ReleaseStatus.DEPRECATED: (
        "Not a ground truth: not every disagreement was resolved by the coders' consensus, or "
        "something that must be annotated again has not been."
    ),
    ReleaseStatus.COMPARISON_ONLY: (
        "Compared, not resolved: no attempt at resolution, and no check of inconsistent scoring."
    ),
    ReleaseStatus.IMPORTED_GOLD: (
        "The agreed answers came with the data. How they were reached is unknown until somebody "
        "writes it down."
    ),
    ReleaseStatus.ABANDONED: (
        "The coders could not agree on what the task is. Not to be used as labels."
    ),
    ReleaseStatus.UNRELEASED: "Work in progress.",
}


def notice_section(subject: Subject) -> Section | None:
    """The notice; None for a ground truth about which nothing must be said."""
    found = tuple(_findings(subject))
    if not found:
        return None
    lead = subject.status if subject.released else "What a user of these annotations must know."
    return Section("notice", "Notice", lead, found)


def _findings(subject: Subject) -> Iterator[Finding]:
    yield from _status(subject)
    yield from _reopened(subject)
    yield from _left(subject)
    yield from _decided(subject)
    yield from _interpretive(subject)
    yield from _missing(subject)


def _status(subject: Subject) -> Iterator[Finding]:
    status = subject.now.status
    if status is ReleaseStatus.DEPRECATED and subject.released:
        reason = subject.state.releases[-1].reason
        said = "The researchers finished with unresolved cases."
        said += f" Their reason: {reason}." if reason else ""
        yield Finding("Deprecated", (("", said),), severity="problem",
                      sources=("Oortwijn et al. (2021), section 4.2",))  # fmt: skip
    if status in (ReleaseStatus.COMPARISON_ONLY, ReleaseStatus.ABANDONED):
        title = "Comparison only" if status is ReleaseStatus.COMPARISON_ONLY else "Abandoned"
        yield Finding(title, (("", MEANING[status]),), severity="problem")
    if status is ReleaseStatus.IMPORTED_GOLD:
        yield Finding("Imported gold", (("", MEANING[status]),), severity="warning")


def _reopened(subject: Subject) -> Iterator[Finding]:
    """A release stays what it is while the project goes on."""
    if subject.state.releases and not subject.released:
        last = subject.state.releases[-1]
        said = (
            f"Release {last.version} of {last.at[:10]} ({last.status}) stands until another one "
            "replaces it. What follows is the project as it is now, which nobody has released."
        )
        yield Finding("Opened again after a release", (("", said),), severity="warning")


def _names(subject: Subject, cases: list[int]) -> str:
    of = subject.epoch.cases
    return joined((f"{n} ({subject.item(of[n])}, {of[n].question})" for n in cases), most=12)


def _left(subject: Subject) -> Iterator[Finding]:
    left = [c.number for c in subject.cases if c.settled is Settled.LEFT_DISAGREED]
    if left:
        yield Finding(
            f"{count_of(len(left), 'case')} left disagreed",
            (("", f"All answers are kept, none is dropped: {_names(subject, left)}."),),
            "Take every answer of these, or leave these items out and say so: leaving them out is "
            "a loss of data.",
            "problem",
        )


def _decided(subject: Subject) -> Iterator[Finding]:
    decided = [c for c in subject.cases if c.settled is Settled.DICTATOR_DECISION]
    for who in dict.fromkeys(c.decided_by for c in decided):
        own = [c.number for c in decided if c.decided_by == who]
        yield Finding(
            f"{count_of(len(own), 'case')} decided by {who} alone",
            (("", f"This is the single-annotator portion of the data (dictator): "
                  f"{_names(subject, own)}."),),
            severity="problem",
        )  # fmt: skip
    added = [c for c in subject.cases if c.settled is Settled.DICTATOR_AGGREGATION]
    for method in dict.fromkeys(c.method for c in added):
        own = [c.number for c in added if c.method == method]
        yield Finding(
            f"{count_of(len(own), 'case')} settled by aggregation",
            (("", f"Method: {method}. Cases: {_names(subject, own)}."),),
            severity="problem",
        )


def _interpretive(subject: Subject) -> Iterator[Finding]:
    """Readings that differ: the paper asks that they be listed where a data set is deprecated."""
    unresolved = any(c.state is CaseState.UNRESOLVED for c in subject.cases)
    own = [c.number for c in subject.cases
           if c.cause is Cause.D and c.state is not CaseState.CLOSED]  # fmt: skip
    if unresolved and own:
        yield Finding(
            f"{count_of(len(own), 'case')} of interpretation (cause d)",
            (("", f"The item can be read in two ways: {_names(subject, own)}."),),
            severity="warning",
        )


def _missing(subject: Subject) -> Iterator[Finding]:
    status = subject.now.status
    if subject.released or not subject.now.missing:
        return
    told = tuple(("", f"{one.says[:1].upper()}{one.says[1:]}.") for one in subject.now.missing)
    if len(told) > 1:
        told = tuple((f"{k + 1}", text) for k, (_, text) in enumerate(told))
    title = "What is missing for a ground truth"
    severity = "note" if status is ReleaseStatus.UNRELEASED else "warning"
    yield Finding(title, told, severity="note" if severity == "note" else "warning")


def flags(subject: Subject) -> tuple[str, ...]:
    """Sentences that every export states: those of the last release, or as it is now."""
    if subject.released:
        last = subject.state.releases[-1]
        return last.flags or flags_of(subject.state, last.status, last.counts, True)
    return subject.now.flags
