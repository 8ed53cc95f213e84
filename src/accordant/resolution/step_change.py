"""From step to step, where no special command leads: the arrows that people take on purpose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from ..errors import RequestError, unknown
from ..kinds import Typed
from .cases import CaseReopened
from .cells import missing_cells
from .command import Asked, Events, Lack, Unmet, command, guard, require, step, unmet_by, unmet_of
from .disagreement import live_cases
from .proof import unproved
from .sentences import counted, listing
from .staleness import open_orders, stale_counts
from .state import State
from .terms import CaseState, Role, Step
from .transitions import TRANSITIONS, Moved, Transition
from .wording import all_known


@guard("conflicts")
def _conflicts(state: State, asked: Asked) -> Iterator[Lack]:
    """Something is left to resolve: an answer has no proof, or is owed again."""
    if unproved(state) or open_orders(state):
        return
    if not (live_cases(state.epoch) or stale_counts(state.epoch) or missing_cells(state.epoch)):
        yield Unmet("conflicts", "every answer has a proof", do=(step("release"),))


@guard("questions_named")
def _questions_named(state: State, asked: Asked) -> Iterator[Lack]:
    """Low agreement is a matter of a question: which one, is on record."""
    if not asked.get("questions"):
        yield Unmet("questions_named", "no question to be made clear is named", argument=True)


RESOLVES, LOCAL, RESUMES, SENT_BACK = 10, 14, 24, 25  # transitions
BY_GOING = (1, 2, 3, 4, 5, RESOLVES, LOCAL, 22, 23, RESUMES, SENT_BACK)
BY_COMMAND = {
    6: "round open",
    7: "round close",
    8: "finish",
    9: "finish",
    11: "case return",
    12: "case return",
    13: "round open",
    16: "task",
    17: "abandon",
    18: "halt",
    19: "round open",
    20: "finish",
    21: "finish",
}
GOALS = ("setup", "task", "alignment", "comparison", "resolution")
"""The others are reached by commands of their own."""


@command("go", "go to another step", roles=(Role.RESEARCHER,))
def go(
    state: State,
    by: str,
    to: Annotated[Step | str, Typed("STEP", among=GOALS)],
    *,
    reason: Annotated[str, Typed(argument=True)] = "",
    questions: Annotated[Sequence[str], Typed("QUESTION")] = (),
) -> Events:
    """Go to another step, forward or back.

    A round opens and closes, and a release ends the project by commands of their own. Step 5 begins
    with a case for each disagreement; after research that changed nothing in the toolbox it goes on
    with the cases that waited.

    Parameters
    ----------
    state : State
    by : str
    to : Step or str
        Where to: "task and guidelines" or its first words.
    reason : str
        Why; needed for going back.
    questions : sequence of str
        Back from the comparison: a question on which coders agree too little. Its guidelines or
        concepts are made clear, and it is annotated again, before any case is opened.

    Examples
    --------
    From the set-up to task and guidelines:
    $ accordant project go task
    When everybody has read them:
    $ accordant project go alignment
    To resolve disagreement:
    $ accordant project go resolution
    Back, and why:
    $ accordant project go setup 'the question is too wide'
    From the comparison, for one question:
    $ accordant project go task 'R2 is read in two ways' --question scope
    Where one can go, and what is missing:
    $ accordant project status
    """
    target = _the_step(to)
    what = f"go to “{target}”"
    row = _the_arrow(state, target, what)
    all_known("question", questions, state.epoch.questions)
    if questions and row.number != SENT_BACK:
        raise RequestError("a question is named only where the comparison sends it back")
    unmet = unmet_of(state, row.number, {"by": by, "reason": reason, "questions": questions})
    if row.number == LOCAL:
        unmet += _order_waived(state) + unmet_by("purpose_ground_truth", state, {})
    require(unmet, what)
    moved = Moved(row.number, state.step, target, reason.strip(), questions=tuple(questions))
    return [moved, *(_resumed(state) if row.number == RESUMES else ())]


def _resumed(state: State) -> list[CaseReopened]:
    """Cases that waited for research are open again."""
    waiting = (c for c in state.epoch.cases.values() if c.state is CaseState.POSTPONED)
    return [CaseReopened(c.number, f"research: {state.findings[-1][1]}") for c in waiting]


def _the_step(to: Step | str) -> Step:
    names = [step.value for step in Step]
    wanted = str(to).strip().lower()
    if wanted in GOALS:
        return Step[wanted.upper()]
    fits = [name for name in names if name == wanted] or [n for n in names if n.startswith(wanted)]
    if len(fits) != 1 or not wanted:
        raise unknown("step", str(to), names, "there are")
    return Step(fits[0])


def _arrows(state: State) -> list[Transition]:
    rows = TRANSITIONS.values()
    return [r for r in rows if r.source in (state.step, None) or r.via is state.step]


def _the_arrow(state: State, target: Step, what: str) -> Transition:
    if target is state.step:
        raise RequestError(f"the project is at “{target}” already")
    rows = [row for row in _arrows(state) if target in row.targets]
    ours = [row for row in rows if row.number in BY_GOING and target is not Step.ANNOTATION]
    if ours:
        return ours[0]
    if rows:
        names = dict.fromkeys(BY_COMMAND.get(row.number, "round open") for row in rows)
        ways = " or ".join(f"“{name}”" for name in names)
        require([Unmet("own_command", f"another command leads there: {ways}")], what)
    near = dict.fromkeys(s for row in _arrows(state) if row.source for s in row.targets)
    says = f"no arrow leads there from “{state.step}”"
    near_by = f", but to {listing(f'“{step}”' for step in near)}" if near else ""
    require([Unmet("no_such_arrow", says + near_by)], what)
    raise RequestError(says)


def _order_waived(state: State) -> list[Unmet]:
    """Back to step 5 without a round: only where what was ordered is waived with a reason."""
    waiting = open_orders(state)
    if not waiting:
        return []
    which = listing(order.trigger for order in waiting)
    says = f"{counted(len(waiting), 'order')} to annotate again ({which})"
    return [Unmet("order_waived", says, do=(step("round open"), step("reannotate")))]
