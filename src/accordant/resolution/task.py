"""The task: edited until its first round opens, immutable from then on; another one is an epoch."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import RequestError
from .cases import CaseClosed
from .command import Asked, Events, Lack, Unmet, command, guard, require, step, unmet_of
from .event import Stamp, on
from .round_result import in_order
from .state import State
from .terms import Question, Role, Step, Task, digest, wording
from .toolbox import ToolboxEvent, new_toolbox
from .transitions import NEW_EPOCH, Moved
from .wording import all_known, distinct, written_text


class TaskWritten(ToolboxEvent, frozen=True, tag="task written"):
    """The task of the current epoch, possible until its first round opens."""

    says = "the task is written: {task.questions:question}"

    task: Task
    reason: str = ""


@on(TaskWritten)
def _task_written(state: State, event: TaskWritten, stamp: Stamp) -> None:
    state.epoch.task, state.epoch.task_hash = event.task, digest(event.task)
    state.epoch.tasks.append(event.task)
    new_toolbox(state, stamp[0], "task")


@guard("task_hash", step("task"))
def _task_hash(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.epoch.task_hash:
        yield "there is no task", "write the task with its questions"


@guard("epoch_round_started")
def _epoch_round_started(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.epoch.begun:
        says = "no round has opened under this task: it can still be edited"
        yield says, "write the task anew instead"


@guard("task_changed")
def _task_changed(state: State, asked: Asked) -> Iterator[Lack]:
    task = asked.get("task")
    if task is None:
        says = "no new task is given"
        yield Unmet("task_changed", says, "write the new task", argument=True)
    elif state.epoch.task is not None and wording(task) == wording(state.epoch.task):
        yield "the task says the same as before", "change it, or keep the epoch"


@command("task", "write the task", roles=(Role.RESEARCHER, Role.CODER), steps=(Step.TASK,))
def write_task(state: State, by: str, task: Task, *, reason: str = "") -> Events:
    """Write the task, or edit it before its first round opens.

    Parameters
    ----------
    state : State
    by : str
        A researcher, or a coder: ideally coders help to set up the task (step 1).
    task : Task
    reason : str
        Why it is edited.
    """
    task = checked_task(task)
    if state.epoch.begun:
        says = f"a round has opened under the task of epoch {state.epoch.number}: it is immutable"
        todo = "give the new task as a change of task, which begins a new epoch"
        require("writing the task", [Unmet("task_immutable", says, todo)])
    if digest(task) == state.epoch.task_hash:
        raise RequestError("the task says this already: nothing to change")
    return [TaskWritten(task, reason.strip())]


@command("task change", "change the task (a new epoch)", typed="task", roles=(Role.RESEARCHER,))
def change_task(state: State, by: str, task: Task, *, reason: str = "") -> Events:
    """Begin a new epoch with another task: the procedure is reset (step 1).

    Guidelines, concepts and signatures begin anew; annotations of the old epoch stay readable and
    count no more; its live cases are closed.

    Parameters
    ----------
    state : State
    by : str
    task : Task
        Another one than before.
    reason : str
        Why.
    """
    task = checked_task(task)
    asked = {"by": by, "task": task, "reason": reason}
    require("changing the task", unmet_of(state, NEW_EPOCH, asked))
    why = f"the task has changed: {reason.strip()}"
    live = [case.number for case in state.epoch.cases.values() if case.live]
    return [
        *(CaseClosed(number, why) for number in live),
        Moved(NEW_EPOCH, state.step, Step.TASK, reason.strip()),
        TaskWritten(task, reason.strip()),
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
        raise RequestError("the task has no question: write one or more")
    ids = [question.id for question in task.questions]
    distinct("question", ids)
    for question in task.questions:
        written_text(f"the text of question {question.id!r}", question.text)
        if question.asked_if is None:
            continue
        all_known("question", [question.asked_if.question], ids, "the task has")
        if not question.asked_if.labels:
            raise RequestError(
                f"question {question.id!r} does not say after how it is asked: no label"
            )
    _no_circle(task.questions)
    return task


def _no_circle(questions: tuple[Question, ...]) -> None:
    place = {question.id: k for k, question in enumerate(in_order(questions))}
    for question in questions:
        parent = question.asked_if
        if parent and place[parent.question] >= place[question.id]:
            raise RequestError(f"question {question.id!r} depends on itself")
