"""The guidelines: versions with numbered rules and options, read by every coder before a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from ..errors import RequestError
from ..kinds import Typed
from .cells import dependents
from .command import Asked, Events, Lack, Unmet, command, guard, require, step, unmet_by
from .event import Stamp, on
from .items import item_positions
from .orders import Wanted, cases_mended, ordered, uncovered
from .sentences import counted, listing
from .state import Epoch, State
from .terms import Change, Guidelines, Role, Step, content
from .toolbox import ToolboxEvent, affected, new_toolbox, next_version, since_last_round
from .wording import AGREEING, all_known, distinct, written_text


class GuidelinesWritten(ToolboxEvent, frozen=True, tag="guidelines written"):
    """A new version of the guidelines."""

    says = "guidelines {guidelines.version} are written"

    guidelines: Guidelines


@on(GuidelinesWritten)
def _guidelines_written(state: State, event: GuidelinesWritten, stamp: Stamp) -> None:
    new, known = event.guidelines, state.epoch.questions
    # In the order of the task, in memory as after it was read again from the log.
    listed = {q: new.options[q] for q in [*known, *sorted(new.options)] if q in new.options}
    state.epoch.guidelines.append(replace(new, options=listed))
    state.epoch.objections = [o for o in state.epoch.objections if o.concept]
    new_toolbox(state, stamp[0], "guidelines")


@guard("guideline_ge_1", step("guidelines"))
def _guideline_ge_1(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.epoch.guidelines:
        yield "there are no guidelines", "write version 1.0.0"


@guard("scoring_options", step("guidelines"))
def _scoring_options(state: State, asked: Asked) -> Iterator[Lack]:
    epoch = state.epoch
    if not epoch.guidelines or epoch.task is None:
        return  # said by other guards
    options = epoch.guidelines[-1].options
    if without := [id for id in epoch.questions if not options.get(id)]:
        says = f"{counted(len(without), 'question')} without scoring options ({listing(without)})"
        yield says, "write guidelines with options for every question"
    if gone := [id for id in options if id not in epoch.questions]:
        says = f"the guidelines have options for questions that the task lacks ({listing(gone)})"
        yield says, "write guidelines that fit the task"
    for question in epoch.questions.values():
        parent = question.asked_if
        if parent and options.get(parent.question):
            odd = [label for label in parent.labels if label not in options[parent.question]]
            if odd:
                says = (
                    f"question {question.id} is asked if {parent.question} is {listing(odd)}, "
                    f"which is not among its options ({listing(options[parent.question])})"
                )
                yield says, "mend the options or the task"


@guard("ambiguity_policy", step("guidelines"))
def _ambiguity_policy(state: State, asked: Asked) -> Iterator[Lack]:
    for policy in (version.ambiguity for version in state.epoch.guidelines[-1:]):
        if policy is None:
            says = "the guidelines do not say whether “ambiguous” may be answered"
            yield says, "write a policy, even “no, because …”"
        elif not policy.allowed and not policy.reason.strip():
            says = "the guidelines allow no answer “ambiguous” and do not say why"
            yield says, "give the reason"


@guard("guideline_major")
def _guideline_major(state: State, asked: Asked) -> Iterator[Lack]:
    if Change.DRASTIC not in since_last_round(state).changes:
        says = "the guidelines have not changed drastically since the last round"
        yield says, "write a new major version, or take another way"


@guard("guideline_minor")
def _guideline_minor(state: State, asked: Asked) -> Iterator[Lack]:
    since = since_last_round(state)
    if Change.DRASTIC in since.changes:
        says = "the guidelines have changed drastically: everything must be annotated again"
        yield says, "open a round"
    elif Change.LOCAL not in since.changes and not since.concepts:
        says = "neither a local change of the guidelines nor a concept is new since the last round"
        yield says, "write one, or take another way"


WHAT = "writing guidelines"


@command(
    "guidelines",
    "write a version of the guidelines",
    roles=(Role.RESEARCHER, Role.CODER),
    steps=(Step.TASK,),
)
def write_guidelines(
    state: State,
    by: str,
    guidelines: Guidelines,
    *,
    change: Change | str | None = None,
    reason: str = "",
    cases: Sequence[int] = (),
    questions: Annotated[Wanted, Typed("QUESTION", "--bears-on")] = None,
    items: Annotated[Wanted, Typed("ITEM", "--only-item")] = None,
    narrowed: str = "",
) -> Events:
    """Write a version of the guidelines; after a round, with an order to annotate again.

    Parameters
    ----------
    state : State
    by : str
        A researcher. Coders may write until the first round has opened: ideally they help (step 1).
    guidelines : Guidelines
        Its version is filled in here.
    change : Change or str, optional
        How far a new version reaches: local (some questions) or drastic (everything is annotated
        again). By default as the guidelines say, else drastic where labels change.
    reason : str
        Why there is a new version; needed once a round has opened. By default as the guidelines
        say.
    cases : sequence of int
        A case behind it; by default as the guidelines say, else those whose accepted cause it
        mends: only a change that names a case settles it.
    questions : sequence of str, optional
        A question on which a local change bears; needed once annotations exist.
    items : sequence of str, optional
        An item on which a local change bears, where not all: then it must be said why.
    narrowed : str
        Why less is annotated again than it bears on.

    Returns
    -------
    list of Event
        `GuidelinesWritten`, and `ReannotationOrdered` where annotations become stale: all for a
        drastic change; the questions that are named, agreed items included, for a local one.
    """
    epoch = state.epoch
    reason, cases = (reason or guidelines.reason).strip(), cases or guidelines.cases
    if epoch.task is None:
        require(WHAT, [Unmet("task_hash", "there is no task", "write the task first")])
    _checked(state, guidelines)
    all_known("case", cases, epoch.cases, "there are")
    before = epoch.guidelines[-1] if epoch.guidelines else None
    if before is None or epoch.task is None:
        first = replace(guidelines, version="1.0.0", change=None, reason=reason, cases=())
        return [GuidelinesWritten(first)]
    if content(before) == content(guidelines):
        raise RequestError(f"guidelines {before.version} say this already: nothing to change")
    options = before.options != guidelines.options
    named = change or guidelines.change or (Change.DRASTIC if options else Change.LOCAL)
    all_known("class of change", [named], [c.value for c in Change], "there are")
    drastic = named == Change.DRASTIC
    new = replace(
        guidelines,
        version=next_version(before.version, Change(named)),
        change=Change(named),
        reason=reason,
        cases=(),
    )
    if not epoch.begun:
        return [GuidelinesWritten(new)]
    unmet = list(unmet_by("reason", state, {"reason": reason}))
    if not state.has_role(by, Role.RESEARCHER):
        says = f"only a researcher says how far a change reaches, and {by} is none"
        unmet.append(Unmet("role", says))
    scope = tuple(epoch.questions if drastic else questions or ())
    all_known("question", scope, epoch.questions, "the task has")
    if drastic and (items is not None or questions is not None):
        raise RequestError("a drastic change bears on everything: its scope is not stated")
    positions = None if items is None else item_positions(state, items)
    covered = dependents(epoch, scope)  # what depends on a question is asked with it
    behind = tuple(cases) or cases_mended(state, Step.TASK, covered, positions)
    if not drastic:
        bears = dependents(epoch, affected(before, guidelines, epoch.task))
        left_out = [q for q in bears if q not in covered] if scope else []
        asked = {
            "change": Change.LOCAL,
            "questions": scope,
            "narrower": bool(scope) and (options or items is not None or bool(left_out)),
            "left_out": left_out,
            "narrowed": narrowed,
        }
        unmet += unmet_by("scope_stated", state, asked)
        unmet += unmet_by("reason_if_narrower", state, asked)
        if scope:
            unmet += uncovered(state, behind, [q for q in covered if q in bears], positions)
    require(WHAT, unmet)
    trigger = f"guidelines {new.version} ({new.change} change)"
    order = ordered(state, trigger, scope, items, narrowed, behind, len(state.toolboxes) + 1)
    return [GuidelinesWritten(replace(new, cases=behind)), order]


def _checked(state: State, guidelines: Guidelines) -> None:
    """Complain about guidelines that do not fit themselves or the task."""
    known = state.epoch.questions
    for id, labels in guidelines.options.items():
        all_known("question", [id], known, "the task has")
        distinct(f"label of question {id!r}", labels)
    distinct("rule", [rule.id for rule in guidelines.rules])
    for rule in guidelines.rules:
        written_text(f"the text of rule {rule.id!r}", rule.text)
        all_known("question", rule.questions, known, "the task has")
    policy = guidelines.ambiguity
    if policy is not None and policy.allowed and not any(s.strip() for s in policy.sources):
        raise RequestError(
            "“ambiguous” may be answered, but no source can be named: list one or more, so that "
            "the answer does not hide unclear guidelines"
        )


# ------------------------------------------------------------------ read


class Acknowledged(ToolboxEvent, frozen=True, tag="acknowledged"):
    """A coder has read the task and a version of the guidelines, and objects to them no longer."""

    says = "{coder} has read the task and guidelines {guidelines}"
    beside = True

    coder: str
    task: str  # hash
    guidelines: str  # version


@on(Acknowledged)
def _acknowledged(state: State, event: Acknowledged, stamp: Stamp) -> None:
    epoch, own = state.epoch, (event.coder, "")
    epoch.acknowledged[event.coder] = (event.task, event.guidelines)
    epoch.objections = [o for o in epoch.objections if (o.coder, o.concept) != own]


def acknowledgement_holds(epoch: Epoch, coder: str) -> bool:
    """Whether a coder has read the task and guidelines in force."""
    last = epoch.guidelines[-1].version if epoch.guidelines else ""
    return epoch.acknowledged.get(coder) == (epoch.task_hash, last)


@guard("all_acknowledged", step("acknowledge"))
def _all_acknowledged(state: State, asked: Asked) -> Iterator[Lack]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    if not epoch.task_hash or not epoch.guidelines:
        return
    if len(coders) < 2:
        yield f"{counted(len(coders), 'coder')} of two or more that are needed", "add coders"
    elif waiting := tuple(name for name in coders if not acknowledgement_holds(epoch, name)):
        version = epoch.guidelines[-1].version
        says = f"task and guidelines {version} are not acknowledged by {listing(waiting)}"
        yield says, "let each of them read and acknowledge", waiting


@command(
    "acknowledge",
    "acknowledge task and guidelines",
    roles=(Role.CODER,),
    steps=AGREEING,
)
def acknowledge(state: State, by: str) -> Events:
    """Say that you have read the task and the guidelines.

    Parameters
    ----------
    state : State
    by : str
        The coder.

    Examples
    --------
    Bob has read task and guidelines:
    $ accordant project acknowledge --as bob
    To read them:
    $ accordant project guidelines
    """
    epoch = state.epoch
    what = "acknowledging the guidelines"
    unmet = unmet_by("task_hash", state, {}) + unmet_by("guideline_ge_1", state, {})
    require(what, unmet)
    version = epoch.guidelines[-1].version
    objects = any((o.coder, o.concept) == (by, "") for o in epoch.objections)
    if acknowledgement_holds(epoch, by) and not objects:
        require(what, [Unmet("acknowledged", f"{by} has acknowledged {version} already")])
    return [Acknowledged(by, epoch.task_hash, version)]
