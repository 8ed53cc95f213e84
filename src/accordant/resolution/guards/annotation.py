"""Guards of steps 3 and 4: everything submitted, what the comparison says, what is to be redone."""

from __future__ import annotations

from ..cells import comparisons, missing_cells, unasked_cells
from ..disagreement import agreed_by_others, live_cases
from ..progressing import progress
from ..proof import unproved
from ..refusal import Unmet, step
from ..sentences import counted, listing
from ..staleness import open_orders, stale_counts
from ..state import State
from ..words import Purpose, Step
from .guard import Asked, guard

__all__: list[str] = []


@guard("all_submitted_or_declined", step("annotate"))
def _all_submitted_or_declined(state: State, asked: Asked) -> list[Unmet]:
    some = state.epoch.round
    if some is None:
        return [Unmet("all_submitted_or_declined", "no round is open")]
    found = []
    for one in progress(state, some):
        if one.left:
            says = (
                f"{one.coder} has {one.left:,} of {counted(one.expected, 'annotation')} to submit"
            )
            todo = "let them submit or decline each of them"
            found.append(Unmet("all_submitted_or_declined", says, todo, (one.coder,)))
        elif not one.done:
            says = f"{one.coder} has not said that they are done"
            todo = "let them submit the round"
            way = (step("submit"),)
            found.append(Unmet("all_submitted_or_declined", says, todo, (one.coder,), do=way))
    return found


@guard("no_conflict", step("cases", live=True))
def _no_conflict(state: State, asked: Asked) -> list[Unmet]:
    cells = {id: len(result.conflicting) for id, result in comparisons(state.epoch).items()}
    if not any(cells.values()):
        return []
    says = f"annotations conflict on {_cells(cells)}"
    return [Unmet("no_conflict", says, "resolve them (step 5)")]


def _cells(counts: dict[str, int]) -> str:
    """How many cells, and of which questions."""
    where = listing(f"{question}: {n:,}" for question, n in counts.items() if n)
    return f"{counted(sum(counts.values()), 'item and question', 'items and questions')} ({where})"


@guard("no_incomplete", step("round open"))
def _no_incomplete(state: State, asked: Asked) -> list[Unmet]:
    missing = {id: len(items) for id, items in missing_cells(state.epoch).items()}
    if state.step is Step.RESOLUTION:  # where it was talked about, those who annotated suffice
        for id, items in agreed_by_others(state.epoch).items():
            missing[id] -= len(items)
        missing = {id: n for id, n in missing.items() if n}
    new = {id: len(items) for id, items in unasked_cells(state).items()}
    todo = "open a round for them in step 5"
    again = f"{todo}; what is asked since its parent changed, answer in the parent's case"
    found = []
    if missing:
        says = f"somebody who was asked gave no annotation on {_cells(missing)}"
        asked_since = any(state.epoch.questions[id].asked_if for id, n in missing.items() if n)
        found.append(Unmet("no_incomplete", says, again if asked_since else todo))
    if new:
        says = f"no round has asked about {_cells(new)}"
        found.append(Unmet("no_incomplete", says, todo))
    return found


@guard("conflicts")
def _conflicts(state: State, asked: Asked) -> list[Unmet]:
    """Something is left to resolve: an answer has no proof, or is owed again."""
    if unproved(state) or open_orders(state):
        return []
    if live_cases(state.epoch) or stale_counts(state.epoch) or missing_cells(state.epoch):
        return []
    says = "there is nothing to resolve: every answer has a proof"
    return [Unmet("conflicts", says, "finish the project")]


@guard("questions_named")
def _questions_named(state: State, asked: Asked) -> list[Unmet]:
    """Low agreement is a matter of a question: which one, is on record."""
    if asked.get("questions"):
        return []
    says = "it is not said which question is to be made clear"
    return [Unmet("questions_named", says, "name one or more", argument=True)]


@guard("purpose_ground_truth")
def _purpose_ground_truth(state: State, asked: Asked) -> list[Unmet]:
    if state.purpose is not Purpose.ELICIT_VARIATION:
        return []
    says = "the purpose is to elicit variation: annotations are compared, and not resolved"
    return [Unmet("purpose_ground_truth", says, "finish with the comparison only")]


@guard("open_order", step("reannotate"))
def _open_order(state: State, asked: Asked) -> list[Unmet]:
    """An order is open, or a cell lacks an annotation: otherwise nothing need be done again."""
    if open_orders(state) or unasked_cells(state):
        return []
    if any(result.incomplete for result in comparisons(state.epoch).values()):
        return []
    says = "no re-annotation is ordered, and no annotation is missing"
    return [Unmet("open_order", says, "change the toolbox first, where cases ask for it")]
