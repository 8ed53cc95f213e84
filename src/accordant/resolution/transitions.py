"""The state machine of the procedure as a table: which steps lead where, under which guards."""

from __future__ import annotations

from dataclasses import dataclass

from .event import Event, Stamp, on
from .state import Epoch, State
from .words import ReleaseStatus, Step

__all__ = ["NEW_EPOCH", "TRANSITIONS", "Moved", "Transition"]


@dataclass(frozen=True)
class Transition:
    """One arrow of the procedure.

    ``guards`` are names in `command.GUARDS`. ``source`` None: from every step.
    """

    number: int
    source: Step | None
    targets: tuple[Step, ...]
    guards: tuple[str, ...]
    does: str  # what happens, for people
    release: ReleaseStatus | None = None
    via: Step | None = None  # a step on the way, from which the arrow may be taken as well


S = Step
_GROUND_TRUTH = (
    "no_conflict",
    "no_incomplete",
    "no_stale",
    "no_open_order",
    "all_cases_agreed",
    "proved",
    "purpose_ground_truth",
)
_ROWS: tuple[Transition, ...] = (
    Transition(1, S.SETUP, (S.TASK,), ("research_question", "purpose"), "set-up is recorded"),
    Transition(2, S.TASK, (S.SETUP,), ("reason",), "the research question needs work"),
    Transition(
        3,
        S.TASK,
        (S.ALIGNMENT,),
        ("task_hash", "guideline_ge_1", "scoring_options", "ambiguity_policy", "all_acknowledged"),
        "task and guidelines are ready",
    ),
    Transition(4, S.ALIGNMENT, (S.TASK,), ("reason",), "a concept needs clearer guidelines"),
    Transition(5, S.ALIGNMENT, (S.SETUP,), ("reason",), "further research is needed"),
    Transition(
        6,
        S.ALIGNMENT,
        (S.ANNOTATION,),
        (
            "all_concepts_defined",
            "models_for_complex",
            "all_signed_off",
            "no_objection",
            "units_frozen",
            "two_annotators",
        ),
        "a blind round opens",
    ),
    Transition(
        7, S.ANNOTATION, (S.COMPARISON,), ("all_submitted_or_declined",), "the round closes"
    ),
    Transition(
        8,
        S.COMPARISON,
        (S.FINISHED,),
        _GROUND_TRUTH,
        "everything is agreed",
        ReleaseStatus.GROUND_TRUTH,
    ),
    Transition(
        9,
        S.COMPARISON,
        (S.FINISHED,),
        ("reason",),
        "conflicts are not resolved",
        ReleaseStatus.COMPARISON_ONLY,
    ),
    Transition(
        10,
        S.COMPARISON,
        (S.RESOLUTION,),
        ("conflicts", "purpose_ground_truth"),
        "a case opens for each conflict",
    ),
    Transition(
        11, S.RESOLUTION, (S.TASK,), ("accepted_cause:a2|a1_task",), "cases need clearer guidelines"
    ),
    Transition(
        12,
        S.RESOLUTION,
        (S.ALIGNMENT,),
        ("accepted_cause:b|a1_concept", "concept_named"),
        "cases need another look at a concept",
    ),
    Transition(
        13,
        S.TASK,
        (S.ANNOTATION,),
        ("guideline_major",),
        "drastic change: everything again",
        via=S.ALIGNMENT,
    ),
    Transition(
        14,
        S.TASK,
        (S.ANNOTATION, S.RESOLUTION),
        ("guideline_minor", "scope_stated", "reason_if_narrower"),
        "local change: its scope again, or waived with a reason",
        via=S.ALIGNMENT,
    ),
    Transition(
        15,
        S.TASK,
        (S.RESOLUTION,),
        ("guideline_patch", "confirmed_no_score_change"),
        "editorial change",
    ),
    Transition(
        16,
        None,
        (S.TASK,),
        ("epoch_round_started", "task_changed", "reason"),
        "the task changes: a new epoch",
    ),
    Transition(
        17,
        S.RESOLUTION,
        (S.ABANDONED,),
        ("a1_task_not_agreed",),
        "no agreement on what the task is",
        ReleaseStatus.ABANDONED,
    ),
    Transition(
        18, S.RESOLUTION, (S.HALTED,), ("research_needed", "review_date"), "cases wait for research"
    ),
    Transition(
        19,
        S.RESOLUTION,
        (S.ANNOTATION,),
        ("open_order", "guards_of:3", "guards_of:6"),
        "a blind round of re-annotation opens",
    ),
    Transition(
        20,
        S.RESOLUTION,
        (S.FINISHED,),
        _GROUND_TRUTH,
        "every case is agreed",
        ReleaseStatus.GROUND_TRUTH,
    ),
    Transition(
        21,
        S.RESOLUTION,
        (S.FINISHED,),
        ("researcher_signs", "reason", "each_open_case_left_or_dictator"),
        "finished with unresolved cases",
        ReleaseStatus.DEPRECATED,
    ),
    Transition(
        22, S.FINISHED, (S.SETUP, S.TASK, S.ALIGNMENT, S.COMPARISON), ("reason",), "reopened"
    ),
    Transition(
        23,
        S.HALTED,
        (S.SETUP, S.TASK, S.ALIGNMENT),
        ("finding_recorded", "reason"),
        "the research changes the toolbox",
    ),
    Transition(
        24,
        S.HALTED,
        (S.RESOLUTION,),
        ("finding_recorded", "toolbox_unchanged"),
        "the research changes nothing in the toolbox",
    ),
    Transition(
        25,
        S.COMPARISON,
        (S.TASK, S.ALIGNMENT),
        ("questions_named", "reason"),
        "coders agree too little on a question",
    ),
)
TRANSITIONS: dict[int, Transition] = {row.number: row for row in _ROWS}
"""Every transition by its number."""


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
