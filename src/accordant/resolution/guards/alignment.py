"""Guards of step 2: concepts that everybody agrees on, items and coders for a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..refusal import Unmet, step
from ..sentences import counted, listing
from ..state import State
from ..words import ConceptKind, Role
from .guard import Asked, guard

__all__ = ["STEP_2_SKIPPED", "alignment_skipped"]

STEP_2_SKIPPED = "step 2 not performed"
"""Code of the deviation of imported projects whose concepts were never aligned."""


def alignment_skipped(state: State) -> bool:
    """Whether an imported project did without step 2, and says so on everything it gives out."""
    recorded = any(deviation.code == STEP_2_SKIPPED for deviation in state.deviations)
    first = state.epoch.number == 1  # a new task begins from step 1, whatever came before
    return state.imported and recorded and first and not state.epoch.concepts


@guard("all_concepts_defined", step("concepts"))
def _all_concepts_defined(state: State, asked: Asked) -> list[Unmet]:
    if alignment_skipped(state):
        return []
    if not state.epoch.concepts:
        says = "there is no key concept: no annotation does without applying one"
        return [Unmet("all_concepts_defined", says, "write the concepts that the task mentions")]
    without = [n for n, v in state.epoch.concepts.items() if not v[-1].definition.strip()]
    if not without:
        return []
    says = f"{counted(len(without), 'concept')} without a definition ({listing(without)})"
    return [Unmet("all_concepts_defined", says, "write a version with a definition")]


@guard("models_for_complex", step("concepts"))
def _models_for_complex(state: State, asked: Asked) -> list[Unmet]:
    without = [
        name
        for name, versions in state.epoch.concepts.items()
        if versions[-1].kind is ConceptKind.COMPLEX and not versions[-1].has_model
    ]
    if not without:
        return []
    says = f"{counted(len(without), 'complex concept')} without a model ({listing(without)})"
    todo = "write sub-concepts and the relations between them"
    return [Unmet("models_for_complex", says, todo)]


@guard("all_signed_off", step("sign-off"))
def _all_signed_off(state: State, asked: Asked) -> list[Unmet]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    found = []
    for name, versions in epoch.concepts.items():
        version = versions[-1].version
        signed = epoch.signed.get(name, {})
        waiting = tuple(coder for coder in coders if signed.get(coder) != version)
        if waiting:
            says = (
                f"concept {name}, version {version}, lacks the signature of "
                f"{counted(len(waiting), 'coder')} of {len(coders)} ({listing(waiting)})"
            )
            todo = "let each of them sign it off, or object"
            found.append(Unmet("all_signed_off", says, todo, waiting))
    return found + _training_recorded(state, coders)


def _training_recorded(state: State, coders: Sequence[str]) -> list[Unmet]:
    """Coders who are not researchers must be trained by these (step 2)."""
    if alignment_skipped(state):
        return []
    untrained = tuple(
        coder
        for coder in coders
        if not state.has_role(coder, Role.RESEARCHER)
        and not (coder in state.people and state.people[coder].training)
    )
    if not untrained:
        return []
    says = f"no training is recorded for {counted(len(untrained), 'coder')} ({listing(untrained)})"
    todo = "let the researchers train them, and record it"
    researchers = tuple(p.name for p in state.people.values() if Role.RESEARCHER in p.roles)
    return [Unmet("training_recorded", says, todo, researchers, do=(step("training"),))]


@guard("no_objection", step("object", withdraw=True))
def _no_objection(state: State, asked: Asked) -> list[Unmet]:
    found = []
    for objection in state.epoch.objections:
        about = f"concept {objection.concept}" if objection.concept else "the guidelines"
        says = f"{objection.coder} objects to {about}: “{objection.text}”"
        todo = "write a new version, or let them withdraw it"
        found.append(Unmet("no_objection", says, todo, (objection.coder,)))
    return found


@guard("units_frozen", step("items", freeze=True))
def _units_frozen(state: State, asked: Asked) -> list[Unmet]:
    if not state.items.ids:
        return [Unmet("units_frozen", "there are no items", "add the items to annotate")]
    if state.items.frozen:
        return []
    says = f"the {counted(len(state.items.ids), 'item')} are not frozen"
    return [Unmet("units_frozen", says, "freeze them when they are complete")]


@guard("two_annotators", step("person"))
def _two_annotators(state: State, asked: Asked) -> list[Unmet]:
    """Two coders or more for every item of the scope (``items``: positions, None: all frozen)."""
    coders = tuple(asked.get("coders") or state.coders)
    free = sum(coder not in state.assigned for coder in coders)
    if len(coders) < 2:
        says = f"{counted(len(coders), 'coder')} of two or more that are needed"
        return [Unmet("two_annotators", says, "add coders")]
    if free >= 2:
        return []
    times: Counter[int] = Counter()
    for coder in coders:
        times.update(state.assigned.get(coder, ()))
    items = asked.get("items")
    scope = range(state.items.frozen) if items is None else items
    few = [item for item in scope if times[item] + free < 2]
    if not few:
        return []
    ids = [state.items.ids[item] for item in few[:6]]
    more = f" and {len(few) - 5:,} more" if len(few) > 5 else ""
    says = (
        f"{counted(len(few), 'item')} assigned to fewer than two coders "
        f"({', '.join(ids[:5])}{more})"
    )
    return [Unmet("two_annotators", says, "assign them to one more coder")]
