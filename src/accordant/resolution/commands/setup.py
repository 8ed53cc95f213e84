"""Step 0: a project begins, with research questions, hypotheses and a purpose.

>>> from accordant.resolution.commands.command import act
>>> here, now = State(), "2026-01-01T00:00:00Z"
>>> _ = act(here, "R", now, new_project, "Letters")
>>> _ = act(here, "R", now, state_question, "Who wrote them?")
>>> _ = act(here, "R", now, state_purpose, "ground truth")
>>> here.title, here.research_questions[0].text, here.purpose.value
('Letters', 'Who wrote them?', 'ground truth')
"""

from __future__ import annotations

import secrets

from ...errors import RequestError
from ..events.project import (
    Created,
    HypothesisStated,
    PersonAdded,
    PurposeStated,
    ResearchQuestionStated,
)
from ..guards.guard import require, unmet_by
from ..refusal import Unmet
from ..state import State, Version
from ..words import Purpose, Role, Step
from .command import Events, command
from .wording import identifier, written_text

__all__ = ["new_project", "state_hypothesis", "state_purpose", "state_question"]


@command("new", "begin a project")
def new_project(state: State, by: str, title: str, *, imported: bool = False) -> Events:
    """Begin a project.

    Who begins it is its first researcher. A file that exists is not replaced. The file is the
    whole project: send it to hand it on.

    Parameters
    ----------
    state : State
        An empty one.
    by : str
    title : str
    imported : bool
        Whether it is made from annotations that exist already: then steps may have been skipped,
        and deviations say which.
    """
    if state.project:
        says = f"the project “{state.title}” has begun already"
        require("beginning a project", [Unmet("new", says)])
    who = identifier("name of a person", by)
    return [
        Created(written_text("the title", title), secrets.token_hex(16), imported),
        PersonAdded(who, (Role.RESEARCHER,)),
    ]


@command("question", "state a research question", roles=(Role.RESEARCHER,), steps=(Step.SETUP,))
def state_question(
    state: State, by: str, text: str, *, id: str | None = None, reason: str = ""
) -> Events:
    """State a research question, or show them.

    It is what the annotations should help to answer. What is asked about each item is the task.

    Parameters
    ----------
    state : State
    by : str
    text : str
        The question.
    id : str, optional
        Of which one this is a new version; a new number by default.
    reason : str
        Why there is a new version: needed for one.

    Examples
    --------
    State a research question:
    $ accordant project question 'Who wrote the letters?'
    A new version:
    $ accordant project question 'Who wrote?' --id 1 --reason 'too narrow'
    Show the research questions:
    $ accordant project question
    """
    known = state.research_questions
    id, reason = _versioned("a research question", known, text, id, reason)
    return [ResearchQuestionStated(id, text.strip(), reason)]


@command("hypothesis", "state a hypothesis", roles=(Role.RESEARCHER,), steps=(Step.SETUP,))
def state_hypothesis(
    state: State, by: str, text: str, *, id: str | None = None, reason: str = ""
) -> Events:
    """State a hypothesis, or show them.

    Parameters
    ----------
    state : State
    by : str
    text : str
        The hypothesis.
    id : str, optional
        Of which one this is a new version; a new number by default.
    reason : str
        Why there is a new version: needed for one.

    Examples
    --------
    State a hypothesis:
    $ accordant project hypothesis 'Most were written by clerks'
    Show the hypotheses:
    $ accordant project hypothesis
    """
    id, reason = _versioned("a hypothesis", state.hypotheses, text, id, reason)
    return [HypothesisStated(id, text.strip(), reason)]


def _versioned(
    what: str, known: list[Version], text: str, id: str | None, reason: str
) -> tuple[str, str]:
    wanted = written_text(what, text)
    last = {version.id: version for version in known}
    if id is None:
        number = len(last) + 1
        while str(number) in last:
            number += 1
        return str(number), reason
    id = identifier(f"the number of {what}", id)
    if id in last:
        if last[id].text == wanted:
            raise RequestError(f"{id!r} says this already: nothing to change")
        require(f"changing {what}", unmet_by("reason", State(), {"reason": reason}))
    return id, reason.strip()


@command("purpose", "state the purpose", roles=(Role.RESEARCHER,), steps=(Step.SETUP,))
def state_purpose(state: State, by: str, purpose: Purpose | str) -> Events:
    """State what the annotations are for, or show it.

    Parameters
    ----------
    state : State
    by : str
    purpose : Purpose or str
        "ground truth", or "elicit variation": then annotations are compared and never resolved
        (Oortwijn et al. 2021, section 1).

    Examples
    --------
    Disagreement is to be resolved:
    $ accordant project purpose 'ground truth'
    Variation is what is wanted: annotations are only compared:
    $ accordant project purpose 'elicit variation'
    """
    if purpose not in list(Purpose):
        raise RequestError(
            f"there is no purpose {str(purpose)!r}: “ground truth” or “elicit variation”"
        )
    return [PurposeStated(Purpose(purpose))]
