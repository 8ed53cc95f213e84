"""Guards of steps 0 and 1: research question, task, guidelines, and what a change of them needs."""

from __future__ import annotations

from ..editorial import confirmations_awaited, rewording
from ..records import digest
from ..refusal import Unmet, step
from ..sentences import counted, listing
from ..state import Epoch, State
from ..toolbox import since_last_round
from ..words import Change
from .guard import Asked, guard

__all__ = ["acknowledgement_holds"]


@guard("research_question", step("question"))
def _research_question(state: State, asked: Asked) -> list[Unmet]:
    if state.research_questions:
        return []
    return [Unmet("research_question", "no research question is stated", "state one or more")]


@guard("purpose", step("purpose", purpose="ground truth"))
def _purpose(state: State, asked: Asked) -> list[Unmet]:
    if state.purpose is not None:
        return []
    todo = "say whether the annotations are to become a ground truth or to elicit variation"
    return [Unmet("purpose", "the purpose is not stated", todo)]


@guard("task_hash", step("task"))
def _task_hash(state: State, asked: Asked) -> list[Unmet]:
    if state.epoch.task_hash:
        return []
    return [Unmet("task_hash", "there is no task", "write the task with its questions")]


@guard("guideline_ge_1", step("guidelines"))
def _guideline_ge_1(state: State, asked: Asked) -> list[Unmet]:
    if state.epoch.guidelines:
        return []
    return [Unmet("guideline_ge_1", "there are no guidelines", "write version 1.0.0")]


@guard("scoring_options", step("guidelines"))
def _scoring_options(state: State, asked: Asked) -> list[Unmet]:
    epoch = state.epoch
    if not epoch.guidelines or epoch.task is None:
        return []  # said by other guards
    options = epoch.guidelines[-1].options
    found = []
    without = [id for id in epoch.questions if not options.get(id)]
    if without:
        says = f"{counted(len(without), 'question')} without scoring options ({listing(without)})"
        todo = "write guidelines with options for every question"
        found.append(Unmet("scoring_options", says, todo))
    if gone := [id for id in options if id not in epoch.questions]:
        says = f"the guidelines have options for questions that the task lacks ({listing(gone)})"
        found.append(Unmet("scoring_options", says, "write guidelines that fit the task"))
    for question in epoch.questions.values():
        parent = question.asked_if
        if parent and options.get(parent.question):
            odd = [label for label in parent.labels if label not in options[parent.question]]
            if odd:
                says = (
                    f"question {question.id} is asked if {parent.question} is {listing(odd)}, "
                    f"which is not among its options ({listing(options[parent.question])})"
                )
                found.append(Unmet("scoring_options", says, "mend the options or the task"))
    return found


@guard("ambiguity_policy", step("guidelines"))
def _ambiguity_policy(state: State, asked: Asked) -> list[Unmet]:
    epoch = state.epoch
    policy = epoch.guidelines[-1].ambiguity if epoch.guidelines else None
    if not epoch.guidelines:
        return []
    if policy is None:
        says = "the guidelines do not say whether “ambiguous” may be answered"
        todo = "write a policy, even “no, because …”"
        return [Unmet("ambiguity_policy", says, todo)]
    if not policy.allowed and not policy.reason.strip():
        says = "the guidelines allow no answer “ambiguous” and do not say why"
        return [Unmet("ambiguity_policy", says, "give the reason")]
    return []


def acknowledgement_holds(epoch: Epoch, coder: str) -> bool:
    """Whether a coder has read the task and guidelines in force, but for editorial changes."""
    known = epoch.acknowledged.get(coder)
    if known is None or known[0] != epoch.task_hash:
        return False
    versions = [g.version for g in epoch.guidelines]
    if known[1] not in versions:
        return False
    since = epoch.guidelines[versions.index(known[1]) + 1 :]
    return all(version.change is Change.EDITORIAL for version in since)


@guard("all_acknowledged", step("acknowledge"))
def _all_acknowledged(state: State, asked: Asked) -> list[Unmet]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    if not epoch.task_hash or not epoch.guidelines:
        return []
    if len(coders) < 2:
        says = f"{counted(len(coders), 'coder')} of two or more that are needed"
        return [Unmet("all_acknowledged", says, "add coders")]
    waiting = tuple(coder for coder in coders if not acknowledgement_holds(epoch, coder))
    if not waiting:
        return []
    says = (
        f"{counted(len(waiting), 'coder')} of {len(coders)} "
        f"{'has' if len(waiting) == 1 else 'have'} not acknowledged the task and guidelines "
        f"{epoch.guidelines[-1].version} ({listing(waiting)})"
    )
    return [Unmet("all_acknowledged", says, "let each of them read and acknowledge", waiting)]


# ---------------------------------------------------------------- a changed toolbox


@guard("guideline_major")
def _guideline_major(state: State, asked: Asked) -> list[Unmet]:
    if Change.DRASTIC in since_last_round(state).changes:
        return []
    says = "the guidelines have not changed drastically since the last round"
    return [Unmet("guideline_major", says, "write a new major version, or take another way")]


@guard("guideline_minor")
def _guideline_minor(state: State, asked: Asked) -> list[Unmet]:
    since = since_last_round(state)
    if Change.DRASTIC in since.changes:
        says = "the guidelines have changed drastically: everything must be annotated again"
        return [Unmet("guideline_minor", says, "open a round")]
    if Change.LOCAL in since.changes or since.concepts:
        return []
    says = "neither a local change of the guidelines nor a concept is new since the last round"
    return [Unmet("guideline_minor", says, "write one, or take another way")]


@guard("guideline_patch")
def _guideline_patch(state: State, asked: Asked) -> list[Unmet]:
    since = since_last_round(state)
    if since.changes == {Change.EDITORIAL} and not since.concepts:
        return []
    if not since.changes and not since.concepts:
        says = "nothing in the guidelines has changed since the last round"
        return [Unmet("guideline_patch", says, "write an editorial version, or take another way")]
    says = "more than the wording has changed since the last round"
    return [Unmet("guideline_patch", says, "carry out or waive the re-annotation that is ordered")]


@guard("scope_stated")
def _scope_stated(state: State, asked: Asked) -> list[Unmet]:
    """With new guidelines: their questions are named. Else: every change has an order."""
    if "change" in asked:
        if asked["change"] is not Change.LOCAL or asked.get("questions"):
            return []
        says = "the change is local, and it is not said on which questions it bears"
        return [Unmet("scope_stated", says, "name the questions", argument=True)]
    since = since_last_round(state)
    if not since.changes - {Change.EDITORIAL} and not since.concepts:
        return []
    last = state.epoch.rounds[-1].toolbox
    if any(order.toolbox > last for order in state.epoch.orders):
        return []
    says = "no order says what must be annotated again after the change"
    return [Unmet("scope_stated", says, "write the change again with its scope")]


@guard("reason_if_narrower")
def _reason_if_narrower(state: State, asked: Asked) -> list[Unmet]:
    if "narrower" in asked:
        if not asked["narrower"] or str(asked.get("narrowed") or "").strip():
            return []
        left = asked.get("left_out") or ()
        which = f" (it bears on {listing(left)} too)" if left else ""
        says = f"less is to be annotated again than the change bears on{which}, "
        says += "and it is not said why"
        return [Unmet("reason_if_narrower", says, "give the reason", argument=True)]
    return []  # asked when the order was made


@guard("confirmed_no_score_change", step("confirm"))
def _confirmed_no_score_change(state: State, asked: Asked) -> list[Unmet]:
    found = []
    for version in since_last_round(state).editorial:
        if awaited := confirmations_awaited(state, version):
            new = rewording(state.epoch, version)
            each = f"{listing(awaited)} {'has' if len(awaited) == 1 else 'have'} not"
            who, todo = "no coder has", "let one coder confirm"
            if new.terms:
                who, todo = each, "let each of them confirm"
            says = f"{who} confirmed that guidelines {version} change no score ({new})"
            found.append(Unmet("confirmed_no_score_change", says, todo, awaited))
    return found


@guard("epoch_round_started")
def _epoch_round_started(state: State, asked: Asked) -> list[Unmet]:
    if state.epoch.begun:
        return []
    says = "no round has opened under this task: it can still be edited"
    return [Unmet("epoch_round_started", says, "write the task anew instead")]


@guard("task_changed")
def _task_changed(state: State, asked: Asked) -> list[Unmet]:
    task = asked.get("task")
    if task is None:
        says = "no new task is given"
        return [Unmet("task_changed", says, "write the new task", argument=True)]
    if digest(task) != state.epoch.task_hash:
        return []
    return [Unmet("task_changed", "the task is the same as before", "change it, or keep the epoch")]
