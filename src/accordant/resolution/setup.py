"""Step 0: a project begins with people in their roles, research questions and a purpose.

>>> from accordant.resolution.procedure import act
>>> here, now = State(), "2026-01-01T00:00:00Z"
>>> _ = act(here, "R", now, new_project, "Letters")
>>> _ = act(here, "R", now, state_question, "Who wrote them?", purpose="ground truth")
>>> here.title, here.research_question, here.purpose.value
('Letters', 'Who wrote them?', 'ground truth')
>>> _ = act(here, "R", now, add_person, "A1", ["coder"])
>>> here.coders
('A1',)
>>> act(here, "A1", now, add_person, "A2", ["coder"])
Traceback (most recent call last):
accordant.resolution.command.Refused: Blocked: add or change a person
  - A1 is not a researcher
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Annotated

from ..errors import RequestError
from ..kinds import Typed
from .command import Asked, Events, Lack, Unmet, command, guard, require, step
from .event import Event, Stamp, on
from .sentences import listing
from .state import Person, State
from .terms import Purpose, Role, Step
from .transitions import NEW_EPOCH
from .wording import all_known, identifier, written_text


class PersonAdded(Event, frozen=True, tag="person added"):
    """Somebody joins, has other roles than before, or was trained (step 2).

    An adjudicator, the paper's dictator, is appointed before step 5 begins, or ``late``.
    """

    name: str
    roles: tuple[Role, ...]
    about: str = ""
    training: str = ""
    late: bool = False

    def sentence(self) -> str:
        """As what they take part, and how they were trained."""
        trained = f"; trained: {self.training}" if self.training else ""
        return f"{self.name} takes part as {listing(self.roles)}{trained}"


@on(PersonAdded)
def _person_added(state: State, event: PersonAdded, stamp: Stamp) -> None:
    known = state.people.setdefault(event.name, Person(event.name, ()))
    known.roles = event.roles
    known.about, known.training = event.about or known.about, event.training or known.training
    if Role.ADJUDICATOR in event.roles:
        for other in state.people.values():  # there is one at a time
            if other is not known:
                other.roles = tuple(role for role in other.roles if role is not Role.ADJUDICATOR)
        if state.adjudicator != event.name:
            state.adjudicator, state.late_adjudicator = event.name, event.late


def the_person(state: State, name: str) -> str:
    """The name of somebody who takes part.

    Raises
    ------
    RequestError
        If nobody of this name does.
    """
    all_known("person", [name], state.people)
    return name


def the_coder(state: State, name: str) -> str:
    """The name of a coder of the project.

    Raises
    ------
    RequestError
        If no coder has this name.
    """
    all_known("coder", [name], state.coders)
    return name


@command("person", "add or change a person", roles=(Role.RESEARCHER,))
def add_person(
    state: State,
    by: str,
    name: str,
    roles: Sequence[Role | str] = (),
    *,
    about: str = "",
    training: str = "",
) -> Events:
    """Add a person, change what is known of them, or show who takes part.

    A researcher writes the toolbox, opens rounds and releases; a coder annotates blind and accepts
    outcomes; a moderator leads the discussion; an observer reads. An adjudicator decides what stays
    unresolved; Oortwijn et al. (2021, section 4.2) advise against one: what is decided so is no
    ground truth, and every release says so, and also if step 5 had begun before.

    Parameters
    ----------
    state : State
    by : str
    name : str
        Who.
    roles : sequence of Role or str
        All roles from now on; as before by default, of a new person coder.
    about : str
        Who they are, for the data statement.
    training : str
        How they were trained in the concepts (step 2); needed of coders who are no researchers.

    Examples
    --------
    Bob annotates:
    $ accordant project person bob --role coder
    New roles for ana:
    $ accordant project person ana --role researcher --role coder
    How bob was trained:
    $ accordant project person bob --training 'two sessions with 20 pages'
    Who takes part:
    $ accordant project person
    """
    name = identifier("name of a person", name, state.people)
    if alike := [p for p in state.people if p != name and p.casefold() == name.casefold()]:
        raise RequestError(f"{name!r} is {alike[0]!r} but for capital letters")
    all_known("role", roles, [role.value for role in Role])
    before = state.people[name].roles if name in state.people else ()
    wanted = tuple(role for role in Role if role in (roles or before or (Role.CODER,)))
    unmet = []
    if Role.ADJUDICATOR in before and Role.ADJUDICATOR not in wanted:
        says = f"{name} is the adjudicator until another one is appointed"
        unmet.append(Unmet("appointment", says))
    others = [p for p in state.people.values() if Role.RESEARCHER in p.roles and p.name != name]
    if Role.RESEARCHER in before and Role.RESEARCHER not in wanted and not others:
        unmet.append(Unmet("last_researcher", f"{name} is the only researcher"))
    some = state.epoch.round
    if some is not None and name in some.coders and Role.CODER not in wanted:
        says = f"{name} is a coder of round {some.number}, which is open"
        unmet.append(Unmet("round_open", says))
    require(unmet)
    late = Role.ADJUDICATOR in {*wanted} - {*before} and _step_5_has_begun(state)
    return [PersonAdded(name, wanted, about.strip(), training.strip(), late)]


def _step_5_has_begun(state: State) -> bool:
    """Whether cases of this epoch were ever open to be resolved."""
    for _, number, target, _ in reversed(state.moves):
        if number == NEW_EPOCH:
            break
        if target == Step.RESOLUTION:
            return True
    return bool(state.epoch.cases)


class Created(Event, frozen=True, tag="project created"):
    """A project begins; who made it is its first researcher."""

    says = "project “{title}” begins"

    title: str
    project: str  # a random identifier
    imported: bool = False  # from finished annotations: steps may have been skipped


class ResearchStated(Event, frozen=True, tag="research stated"):
    """What the annotations are for, and what they should help to answer, in place of before."""

    says = "the research question and the purpose are stated"

    text: str
    hypotheses: str = ""
    purpose: Purpose | None = None


@on(Created)
def _created(state: State, event: Created, stamp: Stamp) -> None:
    state.title, state.project, state.imported = event.title, event.project, event.imported
    state.created = stamp[0]


@on(ResearchStated)
def _research_stated(state: State, event: ResearchStated, stamp: Stamp) -> None:
    state.research_question, state.hypotheses = event.text, event.hypotheses
    state.purpose = event.purpose


@guard("research_stated", step("question", text=..., purpose="ground truth"))
def _research(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.research_question:
        yield "no research question is stated"
    if state.purpose is None:
        yield "no purpose is stated: ground truth, or elicit variation"


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
        require([Unmet("new", f"“{state.title}” has begun")])
    who = identifier("name of a person", by)
    return [
        Created(written_text("the title", title), secrets.token_hex(16), imported),
        PersonAdded(who, (Role.RESEARCHER,)),
    ]


@command("question", "state the research question", roles=(Role.RESEARCHER,), steps=(Step.SETUP,))
def state_question(
    state: State,
    by: str,
    text: Annotated[str, Typed(argument=True)] = "",
    *,
    hypotheses: str = "",
    purpose: Purpose | str | None = None,
) -> Events:
    """State question, hypotheses and purpose, or show them.

    The question is what the annotations should help to answer. What is asked about each item is
    the task. What is not given stays as it was stated before.

    Parameters
    ----------
    state : State
    by : str
    text : str
        The question, or several.
    hypotheses : str
        What is expected.
    purpose : Purpose or str, optional
        "ground truth", or "elicit variation": then annotations are compared and never resolved
        (Oortwijn et al. 2021, section 1).

    Examples
    --------
    State a research question:
    $ accordant project question 'Who wrote the letters?' --purpose 'ground truth'
    With a hypothesis:
    $ accordant project question 'Who wrote them?' --hypotheses 'Most were written by clerks'
    Show them:
    $ accordant project question
    """
    all_known("purpose", [purpose] if purpose else [], list(Purpose))
    new = ResearchStated(
        text.strip() or state.research_question,
        hypotheses.strip() or state.hypotheses,
        Purpose(purpose) if purpose else state.purpose,
    )
    if new == ResearchStated(state.research_question, state.hypotheses, state.purpose):
        raise RequestError("this is stated already")
    return [new]
