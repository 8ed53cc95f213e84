"""Folds of the events of `events.toolbox`: each change makes a toolbox with a number of its own."""

from __future__ import annotations

from ..events.toolbox import (
    Acknowledged,
    ConceptWritten,
    EditorialConfirmed,
    GuidelinesWritten,
    Objected,
    ObjectionWithdrawn,
    SignedOff,
    TaskWritten,
)
from ..records import digest
from ..state import Objection, State, Toolbox
from .fold import Stamp, on

__all__: list[str] = []


def _new_toolbox(state: State, at: str, changed: str) -> None:
    epoch = state.epoch
    guidelines = epoch.guidelines[-1] if epoch.guidelines else None
    concepts = {name: versions[-1] for name, versions in epoch.concepts.items()}
    content = {
        "task": epoch.task_hash,
        "guidelines": digest(guidelines) if guidelines else "",
        "concepts": {name: digest(concept) for name, concept in concepts.items()},
    }
    state.toolboxes.append(
        Toolbox(
            len(state.toolboxes) + 1,
            digest(content),
            epoch.number,
            epoch.task_hash,
            guidelines.version if guidelines else "",
            {name: concept.version for name, concept in concepts.items()},
            at,
            changed,
            state.seq,
        )
    )


@on(TaskWritten)
def _task_written(state: State, event: TaskWritten, stamp: Stamp) -> None:
    state.epoch.task, state.epoch.task_hash = event.task, digest(event.task)
    state.epoch.tasks.append(event.task)
    _new_toolbox(state, stamp[0], "task")


@on(GuidelinesWritten)
def _guidelines_written(state: State, event: GuidelinesWritten, stamp: Stamp) -> None:
    state.epoch.guidelines.append(event.guidelines)
    state.epoch.objections = [o for o in state.epoch.objections if o.concept]
    _new_toolbox(state, stamp[0], "guidelines")


@on(ConceptWritten)
def _concept_written(state: State, event: ConceptWritten, stamp: Stamp) -> None:
    name = event.concept.name
    state.epoch.concepts.setdefault(name, []).append(event.concept)
    state.epoch.objections = [o for o in state.epoch.objections if o.concept != name]
    _new_toolbox(state, stamp[0], f"concept {name}")


@on(Acknowledged)
def _acknowledged(state: State, event: Acknowledged, stamp: Stamp) -> None:
    state.epoch.acknowledged[event.coder] = (event.task, event.guidelines)


@on(SignedOff)
def _signed_off(state: State, event: SignedOff, stamp: Stamp) -> None:
    state.epoch.signed.setdefault(event.concept, {})[event.coder] = event.version


@on(Objected)
def _objected(state: State, event: Objected, stamp: Stamp) -> None:
    if event.concept:  # who objects no longer agrees
        state.epoch.signed.get(event.concept, {}).pop(event.coder, None)
    state.epoch.objections.append(Objection(event.coder, event.concept, event.version, event.text))


@on(ObjectionWithdrawn)
def _objection_withdrawn(state: State, event: ObjectionWithdrawn, stamp: Stamp) -> None:
    state.epoch.objections = [
        o for o in state.epoch.objections if (o.coder, o.concept) != (event.coder, event.concept)
    ]


@on(EditorialConfirmed)
def _editorial_confirmed(state: State, event: EditorialConfirmed, stamp: Stamp) -> None:
    state.epoch.confirmed.setdefault(event.version, []).append(event.coder)
