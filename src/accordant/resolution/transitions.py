"""The state machine of the procedure as a table: which steps lead where, under which guards."""

from __future__ import annotations

from dataclasses import dataclass

from .event import Event, Stamp, on
from .state import Epoch, State
from .terms import Step


@dataclass(frozen=True)
class Transition:
    """One arrow of the procedure.

    Parameters
    ----------
    number : int
    source : Step or None
        None: from every step.
    targets : tuple of Step
    guards : tuple of str
        Names in `command.GUARDS`.
    does : str
        What happens, for people.
    via : Step or None
        A step on the way, from which the arrow may be taken as well.
    """

    number: int
    source: Step | None
    targets: tuple[Step, ...]
    guards: tuple[str, ...]
    does: str
    via: Step | None = None


TABLE = """
1  | setup | task | set-up is recorded
   research_stated
2  | task | setup | the research question needs work
   reason
3  | task | alignment | task and guidelines are ready
   task_hash guidelines_complete all_acknowledged
4  | alignment | task | a concept needs clearer guidelines
   reason
5  | alignment | setup | further research is needed
   reason
6  | alignment | annotation | a blind round opens
   concepts_defined all_signed_off units_frozen two_annotators
7  | annotation | comparison | the round closes
   all_submitted_or_declined
8  | comparison | finished | everything is agreed
   no_conflict no_incomplete no_open_order all_cases_agreed proved purpose_ground_truth
9  | comparison | finished | conflicts are not resolved
   reason
10 | comparison | resolution | a case opens for each conflict
   conflicts purpose_ground_truth
11 | resolution | task | cases need clearer guidelines
   accepted_cause:a2|a1_task
12 | resolution | alignment | cases need another look at a concept
   accepted_cause:b|a1_concept concept_named
13 | task alignment | annotation | drastic change: everything again
   guideline_change:drastic
14 | task alignment | annotation resolution | local change: its scope again, or waived with a reason
   guideline_change:local scope_stated
16 | * | task | the task changes: a new epoch
   task_changed reason
17 | resolution | abandoned | no agreement on what the task is
   a1_task_not_agreed
18 | resolution | halted | cases wait for research
   research_needed review_date
19 | resolution | annotation | a blind round of re-annotation opens
   open_order guards_of:3 guards_of:6
20 | resolution | finished | every case is agreed
   no_conflict no_incomplete no_open_order all_cases_agreed proved purpose_ground_truth
21 | resolution | finished | finished with unresolved cases
   reason each_open_case_left_or_dictator
22 | finished | setup task alignment comparison | reopened
   reason
23 | halted | setup task alignment | the research changes the toolbox
   finding_recorded reason
24 | halted | resolution | the research changes nothing in the toolbox
   finding_recorded toolbox_unchanged
25 | comparison | task alignment | coders agree too little on a question
   questions_named reason
"""
# Number, from (and via), to, what happens; below it the guards.


def _read(row: str, guards: str) -> Transition:
    number, source, targets, does = (part.strip() for part in row.split(" | "))
    steps = [Step[name.upper()] for name in source.split() if name != "*"]
    return Transition(
        int(number),
        steps[0] if steps else None,
        tuple(Step[name.upper()] for name in targets.split()),
        tuple(guards.split()),
        does,
        steps[1] if len(steps) > 1 else None,
    )


_LINES = TABLE.strip().splitlines()
TRANSITIONS = {row.number: row for row in map(_read, _LINES[::2], _LINES[1::2])}


class Moved(Event, frozen=True, tag="moved"):
    """The project takes a transition of the procedure, told by its number."""

    says = "the project is at “{target}”"

    transition: int
    source: Step
    target: Step
    reason: str = ""
    review_date: str = ""  # of a halt
    questions: tuple[str, ...] = ()  # that the comparison sends back

    def reach(self, state: State) -> tuple[int, ...] | None:
        """Nothing, but where the task is a new one or questions are sent back."""
        return None if self.transition == NEW_EPOCH or self.questions else ()


NEW_EPOCH = 16  # the transition


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
