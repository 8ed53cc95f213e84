"""Step 0: a project begins, with research questions, hypotheses and a purpose.

>>> from accordant.resolution.procedure import act
>>> here, now = State(), "2026-01-01T00:00:00Z"
>>> _ = act(here, "R", now, new_project, "Letters")
>>> _ = act(here, "R", now, state_question, "Who wrote them?")
>>> _ = act(here, "R", now, state_purpose, "ground truth")
>>> here.title, here.research_questions[0].text, here.purpose.value
('Letters', 'Who wrote them?', 'ground truth')
"""

from __future__ import annotations

import secrets

from ..errors import RequestError
from .command import Events, command
from .event import Event, Stamp, on
from .people import PersonAdded
from .refusal import Asked, Unmet, guard, require, step, unmet_by
from .state import State, Version
from .wording import identifier, written_text
from .words import Purpose, Role, Step

__all__ = [
    "Created", "HypothesisStated", "PurposeStated", "ResearchQuestionStated", "new_project",
    "state_hypothesis", "state_purpose", "state_question",
]  # fmt: skip


class Created(Event, frozen=True, tag="project created"):
    """A project begins; who made it is its first researcher."""

    says = "project “{title}” begins"

    title: str
    project: str  # a random identifier
    imported: bool = False  # from finished annotations: steps may have been skipped


class PurposeStated(Event, frozen=True, tag="purpose stated"):
    """What the annotations are for."""

    says = "the purpose is {purpose}"

    purpose: Purpose


class ResearchQuestionStated(Event, frozen=True, tag="research question stated"):
    """A research question, or a new version of one."""

    says = "research question {id} is stated"

    id: str
    text: str
    reason: str = ""


class HypothesisStated(Event, frozen=True, tag="hypothesis stated"):
    """A hypothesis, or a new version of one."""

    says = "hypothesis {id} is stated"

    id: str
    text: str
    reason: str = ""


@on(Created)
def _created(state: State, event: Created, stamp: Stamp) -> None:
    state.title, state.project, state.imported = event.title, event.project, event.imported
    state.created = stamp[0]


@on(PurposeStated)
def _purpose_stated(state: State, event: PurposeStated, stamp: Stamp) -> None:
    state.purpose = event.purpose


@on(ResearchQuestionStated)
def _research_question_stated(state: State, event: ResearchQuestionStated, stamp: Stamp) -> None:
    state.research_questions.append(Version(event.id, event.text, event.reason, stamp[0]))


@on(HypothesisStated)
def _hypothesis_stated(state: State, event: HypothesisStated, stamp: Stamp) -> None:
    state.hypotheses.append(Version(event.id, event.text, event.reason, stamp[0]))


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
