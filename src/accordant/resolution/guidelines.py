"""The task and the guidelines.

The task is edited until its first round opens, and immutable from then on; another one is an epoch.
Guidelines are versions with numbered rules and options, read by every coder before a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from ..errors import RequestError
from ..kinds import Typed
from .cases import CaseClosed
from .cells import dependents
from .command import (
    Asked,
    Events,
    Lack,
    Unmet,
    command,
    guard,
    lacks_role,
    require,
    step,
    unmet_by,
    unmet_of,
    wrong_step,
)
from .items import item_positions
from .orders import Wanted, cases_mended, ordered, uncovered
from .round_result import in_order
from .sentences import counted, listing
from .state import Epoch, State
from .terms import Change, Guidelines, Question, Role, Step, Task, content, digest, wording
from .toolbox import ToolboxWritten, affected, next_version, since_last_round
from .transitions import NEW_EPOCH, Moved
from .wording import all_known, distinct, written_text


@guard("task_hash", step("task"))
def _task_hash(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.epoch.task_hash:
        yield "there is no task"


@guard("task_changed")
def _task_changed(state: State, asked: Asked) -> Iterator[Lack]:
    task = asked.get("task")
    if task is None:
        yield Unmet("task_changed", "no new task is given", argument=True)
    elif state.epoch.task is not None and wording(task) == wording(state.epoch.task):
        yield "the task says the same as before"


@command("task", "write the task", roles=(Role.RESEARCHER, Role.CODER))
def write_task(state: State, by: str, task: Task, *, reason: str = "") -> Events:
    """Write the task, edit it before its first round opens, or begin a new epoch with another one.

    In a new epoch the procedure is reset (step 1): guidelines, concepts and signatures begin anew;
    annotations of the old epoch stay readable and count no more; its live cases are closed.

    Parameters
    ----------
    state : State
    by : str
        A researcher; before the first round also a coder: ideally they help (step 1).
    task : Task
    reason : str
        Why there is another one; needed once a round has opened.
    """
    task, begun = checked_task(task), state.epoch.begun
    asked = {"by": by, "task": task, "reason": reason}
    if begun:
        unmet = unmet_of(state, NEW_EPOCH, asked) + lacks_role(state, by, (Role.RESEARCHER,))
    else:
        unmet = wrong_step(state, (Step.TASK,))
    require(unmet)
    written = ToolboxWritten(task=task, reason=reason.strip())
    if not begun:
        if digest(task) == state.epoch.task_hash:
            raise RequestError("the task says this already")
        return [written]
    why = f"the task has changed: {reason.strip()}"
    live = [case.number for case in state.epoch.cases.values() if case.live]
    return [
        *(CaseClosed(number, why) for number in live),
        Moved(NEW_EPOCH, state.step, Step.TASK, reason.strip()),
        written,
    ]


def checked_task(task: Task) -> Task:
    """A task that can be asked.

    Raises
    ------
    RequestError
        Without questions, with two of one name, or with one that depends on what is not there.

    Examples
    --------
    >>> checked_task(Task((Question("1", "Is there a claim?"), Question("1", "Which?"))))
    Traceback (most recent call last):
    accordant.errors.RequestError: question '1' comes twice
    """
    if not task.questions:
        raise RequestError("the task has no question")
    ids = [question.id for question in task.questions]
    distinct("question", ids)
    for question in task.questions:
        written_text(f"the text of question {question.id!r}", question.text)
        if question.asked_if is None:
            continue
        all_known("question", [question.asked_if.question], ids)
        if not question.asked_if.labels:
            raise RequestError(f"question {question.id!r} names no label after which it is asked")
    _no_circle(task.questions)
    return task


def _no_circle(questions: tuple[Question, ...]) -> None:
    place = {question.id: k for k, question in enumerate(in_order(questions))}
    for question in questions:
        parent = question.asked_if
        if parent and place[parent.question] >= place[question.id]:
            raise RequestError(f"question {question.id!r} depends on itself")


@guard("guidelines_complete", step("guidelines"))
def _guidelines_complete(state: State, asked: Asked) -> Iterator[Lack]:
    """Options for each question of the task, and whether an item may be called ambiguous."""
    epoch = state.epoch
    if not epoch.guidelines:
        yield "there are no guidelines"
        return
    options, policy = epoch.guidelines[-1].options, epoch.guidelines[-1].ambiguity
    if without := [id for id in epoch.questions if not options.get(id)]:
        yield f"no options for {counted(len(without), 'question')} ({listing(without)})"
    if gone := [id for id in options if id not in epoch.questions]:
        yield f"options for questions that the task lacks ({listing(gone)})"
    for question in epoch.questions.values():
        parent = question.asked_if
        known = options.get(parent.question) if parent else ()
        if parent and known and (odd := [x for x in parent.labels if x not in known]):
            yield f"{question.id} is asked if {parent.question} is {listing(odd)}, not an option"
    if policy is None:
        yield "the guidelines do not say whether “ambiguous” may be answered"
    elif not policy.allowed and not policy.reason.strip():
        yield "the guidelines do not say why “ambiguous” may not be answered"


@guard("guideline_change")
def _guideline_change(state: State, asked: Asked) -> Iterator[Lack]:
    """How far the toolbox has changed since the last round."""
    since, wanted = since_last_round(state), Change(asked["guideline_change"])
    drastic = Change.DRASTIC in since.changes
    if drastic and wanted is Change.LOCAL:
        yield Unmet("guideline_change", "a drastic change needs a round", do=(step("round open"),))
    elif not drastic and (wanted is Change.DRASTIC or not (since.changes or since.concepts)):
        yield f"no {wanted} change of the toolbox since the last round"


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
        `ToolboxWritten`, and `ReannotationOrdered` where annotations become stale: all for a
        drastic change; the questions that are named, agreed items included, for a local one.
    """
    epoch = state.epoch
    reason, cases = (reason or guidelines.reason).strip(), cases or guidelines.cases
    if epoch.task is None:
        require(unmet_by("task_hash", state, {}))
    _checked(state, guidelines)
    all_known("case", cases, epoch.cases)
    before = epoch.guidelines[-1] if epoch.guidelines else None
    if before is None or epoch.task is None:
        first = replace(guidelines, version="1.0.0", change=None, reason=reason, cases=())
        return [ToolboxWritten(guidelines=first)]
    if content(before) == content(guidelines):
        raise RequestError(f"guidelines {before.version} say this already")
    options = before.options != guidelines.options
    named = change or guidelines.change or (Change.DRASTIC if options else Change.LOCAL)
    all_known("class of change", [named], [c.value for c in Change])
    drastic = named == Change.DRASTIC
    new = replace(
        guidelines,
        version=next_version(before.version, Change(named)),
        change=Change(named),
        reason=reason,
        cases=(),
    )
    if not epoch.begun:
        return [ToolboxWritten(guidelines=new)]
    unmet = list(unmet_by("reason", state, {"reason": reason}))
    unmet += lacks_role(state, by, (Role.RESEARCHER,))
    scope = tuple(epoch.questions if drastic else questions or ())
    all_known("question", scope, epoch.questions)
    if drastic and (items is not None or questions is not None):
        raise RequestError("a drastic change bears on everything")
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
        if scope:
            unmet += uncovered(state, behind, [q for q in covered if q in bears], positions)
    require(unmet)
    trigger = f"guidelines {new.version} ({new.change} change)"
    order = ordered(state, trigger, scope, items, narrowed, behind, len(state.toolboxes) + 1)
    return [ToolboxWritten(guidelines=replace(new, cases=behind)), order]


def _checked(state: State, guidelines: Guidelines) -> None:
    """Complain about guidelines that do not fit themselves or the task."""
    known = state.epoch.questions
    for id, labels in guidelines.options.items():
        all_known("question", [id], known)
        distinct(f"label of question {id!r}", labels)
    distinct("rule", [rule.id for rule in guidelines.rules])
    for rule in guidelines.rules:
        written_text(f"the text of rule {rule.id!r}", rule.text)
        all_known("question", rule.questions, known)
    policy = guidelines.ambiguity
    if policy is not None and policy.allowed and not any(s.strip() for s in policy.sources):
        raise RequestError("“ambiguous” may be answered, but no source is listed")


def acknowledgement_holds(epoch: Epoch, coder: str) -> bool:
    """Whether a coder has read the task and guidelines in force."""
    last = epoch.guidelines[-1].version if epoch.guidelines else ""
    return epoch.acknowledged.get(coder) == (epoch.task_hash, last)


@guard("all_acknowledged", step("sign-off"))
def _all_acknowledged(state: State, asked: Asked) -> Iterator[Lack]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    if not epoch.task_hash or not epoch.guidelines:
        return
    if len(coders) < 2:
        says = f"{counted(len(coders), 'coder')} of two or more"
        yield Unmet("all_acknowledged", says, do=(step("person"),))
    elif waiting := tuple(name for name in coders if not acknowledgement_holds(epoch, name)):
        version = epoch.guidelines[-1].version
        says = f"task and guidelines {version} not signed by {listing(waiting)}"
        yield Unmet("all_acknowledged", says, waiting)
