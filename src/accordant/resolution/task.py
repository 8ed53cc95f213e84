"""The task: edited until its first round opens, immutable from then on; another one is an epoch."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import RequestError
from .cases import CaseClosed
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
    unmet_of,
    wrong_step,
)
from .round_result import in_order
from .state import State
from .terms import Question, Role, Step, Task, digest, wording
from .toolbox import ToolboxWritten
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
    require("writing the task" + " of a new epoch" * begun, unmet)
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
        all_known("question", [question.asked_if.question], ids, "the task has")
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
