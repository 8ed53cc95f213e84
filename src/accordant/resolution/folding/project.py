"""Folds of the events of `events.project`."""

from __future__ import annotations

from ..events.project import (
    AdjudicatorAppointed,
    Created,
    DeviationRecorded,
    FindingRecorded,
    HypothesisStated,
    ImportAccepted,
    Imported,
    Moved,
    PersonAdded,
    PurposeStated,
    Released,
    ResearchQuestionStated,
    StatementWritten,
    TrainingRecorded,
)
from ..state import Deviation, Epoch, Import, Person, Release, State, Version
from ..words import Role, Step
from .fold import Stamp, on

__all__: list[str] = []

NEW_EPOCH = 16  # the transition


@on(Created)
def _created(state: State, event: Created, stamp: Stamp) -> None:
    state.title, state.project, state.imported = event.title, event.project, event.imported
    state.created = stamp[0]


@on(PersonAdded)
def _person_added(state: State, event: PersonAdded, stamp: Stamp) -> None:
    known = state.people.get(event.name)
    if known is None:
        state.people[event.name] = Person(event.name, event.roles, event.about)
    else:
        known.roles, known.about = event.roles, event.about or known.about


@on(TrainingRecorded)
def _training_recorded(state: State, event: TrainingRecorded, stamp: Stamp) -> None:
    for coder in event.coders:
        if (person := state.people.get(coder)) is not None:
            person.training = event.text


@on(PurposeStated)
def _purpose_stated(state: State, event: PurposeStated, stamp: Stamp) -> None:
    state.purpose = event.purpose


@on(ResearchQuestionStated)
def _research_question_stated(state: State, event: ResearchQuestionStated, stamp: Stamp) -> None:
    state.research_questions.append(Version(event.id, event.text, event.reason, stamp[0]))


@on(HypothesisStated)
def _hypothesis_stated(state: State, event: HypothesisStated, stamp: Stamp) -> None:
    state.hypotheses.append(Version(event.id, event.text, event.reason, stamp[0]))


@on(Moved)
def _moved(state: State, event: Moved, stamp: Stamp) -> None:
    state.step = event.target
    about = f"question {', '.join(event.questions)}: " if event.questions else ""
    state.moves.append((stamp[0], event.transition, event.target.value, about + event.reason))
    for question in event.questions:
        state.epoch.sent_back.setdefault(question, []).append(state.seq)
    state.review_date = event.review_date
    if event.target is Step.HALTED:
        state.halted = state.seq
    if event.target is Step.ABANDONED:
        state.epoch.abandoned = True
    if event.transition == NEW_EPOCH:
        old = state.epoch
        old.ended = stamp[0]
        if old.round is not None:  # its annotations count no more: nothing is merged
            old.round.closed = stamp[0]
        state.epochs.append(Epoch(old.number + 1))


@on(FindingRecorded)
def _finding_recorded(state: State, event: FindingRecorded, stamp: Stamp) -> None:
    state.findings.append((stamp[0], event.text))
    state.found = state.seq


@on(DeviationRecorded)
def _deviation_recorded(state: State, event: DeviationRecorded, stamp: Stamp) -> None:
    state.deviations.append(Deviation(event.code, event.text, event.case, stamp[0]))


@on(AdjudicatorAppointed)
def _adjudicator_appointed(state: State, event: AdjudicatorAppointed, stamp: Stamp) -> None:
    before = state.people.get(state.adjudicator)
    if before is not None:  # there is one at a time
        before.roles = tuple(role for role in before.roles if role is not Role.ADJUDICATOR)
    state.adjudicator, state.late_adjudicator = event.person, event.late
    person = state.people.get(event.person)
    if person is not None and Role.ADJUDICATOR not in person.roles:
        person.roles = (*person.roles, Role.ADJUDICATOR)


@on(Imported)
def _imported(state: State, event: Imported, stamp: Stamp) -> None:
    state.imports.append(
        Import(
            event.source,
            dict(event.digests),
            event.licence,
            event.skipped,
            event.warnings,
            stamp[0],
            state.seq,
        )
    )


@on(ImportAccepted)
def _import_accepted(state: State, event: ImportAccepted, stamp: Stamp) -> None:
    if event.coder == stamp[1]:  # nobody accepts for another
        state.epoch.accepted[event.coder] = state.seq


@on(StatementWritten)
def _statement_written(state: State, event: StatementWritten, stamp: Stamp) -> None:
    state.statement[event.section] = event.text


@on(Released)
def _released(state: State, event: Released, stamp: Stamp) -> None:
    state.releases.append(
        Release(
            event.version,
            event.status,
            event.toolbox,
            event.head,
            dict(event.counts),
            event.flags,
            event.reason,
            stamp[0],
            dict(event.proofs),
            event.proofs_digest,
        )
    )
