"""Step 0: a project begins with people in their roles, research questions and a purpose.

>>> from accordant.resolution.procedure import act
>>> here, now = State(), "2026-01-01T00:00:00Z"
>>> _ = act(here, "R", now, new_project, "Letters")
>>> _ = act(here, "R", now, state_question, "Who wrote them?")
>>> _ = act(here, "R", now, state_purpose, "ground truth")
>>> here.title, here.research_question, here.purpose.value
('Letters', 'Who wrote them?', 'ground truth')
>>> _ = act(here, "R", now, add_person, "A1", ["coder"])
>>> here.coders
('A1',)
>>> act(here, "A1", now, add_person, "A2", ["coder"])
Traceback (most recent call last):
accordant.resolution.command.Refused: Blocked: add a person, or change roles
  - only a researcher may do this, and A1 is none: let a researcher do it
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Annotated

from ..errors import RequestError
from ..kinds import Typed
from .command import Asked, Events, Lack, Unmet, command, guard, require, step
from .event import Event, Stamp, on
from .state import Person, State
from .terms import Purpose, Role, Step
from .transitions import NEW_EPOCH
from .wording import all_known, identifier, written_text


class PersonAdded(Event, frozen=True, tag="person added"):
    """Somebody joins, or has other roles than before."""

    says = "{name} takes part as {roles:listed}"

    name: str
    roles: tuple[Role, ...]
    about: str = ""


class TrainingRecorded(Event, frozen=True, tag="training recorded"):
    """Coders who are not the researchers were trained in the concepts (step 2)."""

    says = "training of {coders:listed} is recorded"
    beside = True

    coders: tuple[str, ...]
    text: str


class AdjudicatorAppointed(Event, frozen=True, tag="adjudicator appointed"):
    """The paper's dictator. Appointed before step 5 began, or flagged."""

    beside = True

    person: str
    late: bool = False

    def sentence(self) -> str:
        """Who it is, and whether too late."""
        late = " (appointed late: this is printed on every release)" if self.late else ""
        return f"{self.person} is the adjudicator{late}"


@on(PersonAdded)
def _person_added(state: State, event: PersonAdded, stamp: Stamp) -> None:
    known = state.people.get(event.name)
    if known is None:
        state.people[event.name] = Person(event.name, event.roles, event.about)
    else:
        known.roles, known.about = event.roles, event.about or known.about


@on(TrainingRecorded)
def _training_recorded(state: State, event: TrainingRecorded, stamp: Stamp) -> None:
    for coder in event.coders:
        if (person := state.people.get(coder)) is not None:
            person.training = event.text


@on(AdjudicatorAppointed)
def _adjudicator_appointed(state: State, event: AdjudicatorAppointed, stamp: Stamp) -> None:
    before = state.people.get(state.adjudicator)
    if before is not None:  # there is one at a time
        before.roles = tuple(role for role in before.roles if role is not Role.ADJUDICATOR)
    state.adjudicator, state.late_adjudicator = event.person, event.late
    person = state.people.get(event.person)
    if person is not None and Role.ADJUDICATOR not in person.roles:
        person.roles = (*person.roles, Role.ADJUDICATOR)


def the_person(state: State, name: str) -> str:
    """The name of somebody who takes part.

    Raises
    ------
    RequestError
        If nobody of this name does.
    """
    all_known("person", [name], state.people, "there are")
    return name


def the_coder(state: State, name: str) -> str:
    """The name of a coder of the project.

    Raises
    ------
    RequestError
        If no coder has this name.
    """
    all_known("coder", [name], state.coders, "the project has")
    return name


@command("person", "add a person, or change roles", roles=(Role.RESEARCHER,))
def add_person(
    state: State,
    by: str,
    name: str,
    roles: Sequence[Role | str] = (Role.CODER,),
    *,
    about: str = "",
) -> Events:
    """Add a person or change their roles, or show who takes part.

    A researcher writes the toolbox, opens rounds and releases; a coder annotates blind and accepts
    outcomes; a moderator leads the discussion; an adjudicator decides what stays unresolved; an
    observer reads.

    Parameters
    ----------
    state : State
    by : str
    name : str
        Who.
    roles : sequence of Role or str
        What they may do: all roles from now on. The adjudicator is appointed.
    about : str
        Who they are, for the data statement.

    Examples
    --------
    Bob annotates:
    $ accordant project person bob --role coder
    New roles for ana:
    $ accordant project person ana --role researcher --role coder
    Who takes part:
    $ accordant project person
    """
    name = identifier("name of a person", name, state.people)
    if alike := [p for p in state.people if p != name and p.casefold() == name.casefold()]:
        raise RequestError(f"{name!r} is {alike[0]!r} but for capital letters: choose another name")
    known = [role.value for role in Role]
    all_known("role", roles, known, "there are")
    wanted = tuple(role for role in Role if role in roles)
    if not wanted:
        raise RequestError(f"no role is given for {name}: one or more of {', '.join(known)}")
    unmet = []
    before = state.people[name].roles if name in state.people else ()
    if Role.ADJUDICATOR in wanted and Role.ADJUDICATOR not in before:
        says = "an adjudicator is appointed, so that it is known whether before step 5"
        do = (step("adjudicator", person=name),)
        unmet.append(Unmet("appointment", says, f"appoint {name}", do=do))
    if Role.ADJUDICATOR in before and Role.ADJUDICATOR not in wanted:
        says = f"{name} is the adjudicator, and stays so until another one is appointed"
        unmet.append(Unmet("appointment", says, f"keep the role {Role.ADJUDICATOR.value!r}"))
    others = [p for p in state.people.values() if Role.RESEARCHER in p.roles and p.name != name]
    if Role.RESEARCHER in before and Role.RESEARCHER not in wanted and not others:
        says = f"{name} is the only researcher"
        unmet.append(Unmet("last_researcher", says, "add another one first"))
    some = state.epoch.round
    if some is not None and name in some.coders and Role.CODER not in wanted:
        says = f"{name} is a coder of round {some.number}, which is open"
        unmet.append(Unmet("round_open", says, "close the round first"))
    require("adding a person", unmet)
    return [PersonAdded(name, wanted, about.strip())]


@command("training", "record a training of coders", roles=(Role.RESEARCHER,))
def record_training(
    state: State,
    by: str,
    text: str,
    *,
    coders: Annotated[Sequence[str] | None, Typed("CODER", "--of")] = None,
) -> Events:
    """Record how coders were trained in the concepts (step 2).

    Needed where the coders are not the researchers.

    Parameters
    ----------
    state : State
    by : str
    text : str
        How they were trained.
    coders : sequence of str, optional
        Who; all coders by default.

    Examples
    --------
    Of all coders:
    $ accordant project training 'two sessions with 20 pages'
    Of some:
    $ accordant project training 'one session' --of bob --of cleo
    """
    names = tuple(the_coder(state, name) for name in (state.coders if coders is None else coders))
    if not names:
        require(
            "recording a training", [Unmet("coders", "there are no coders to train", "add coders")]
        )
    return [TrainingRecorded(names, written_text("how they were trained", text))]


@command("adjudicator", "appoint an adjudicator", roles=(Role.RESEARCHER,))
def appoint_adjudicator(state: State, by: str, person: Annotated[str, Typed("NAME")]) -> Events:
    """Appoint who decides what stays unresolved.

    Oortwijn et al. (2021, section 4.2) call this person the dictator and advise against having
    one: what is decided so is no ground truth, and every release names these items.

    Parameters
    ----------
    state : State
    by : str
    person : str
        Who. After step 5 has begun the appointment is late, which every release says.

    Examples
    --------
    Before step 5 begins, if at all:
    $ accordant project adjudicator dora
    What it would bring about:
    $ accordant project adjudicator dora --preview
    """
    the_person(state, person)
    if state.adjudicator == person:
        says = f"{person} is the adjudicator already"
        require("appointing an adjudicator", [Unmet("appointment", says)])
    return [AdjudicatorAppointed(person, late=_step_5_has_begun(state))]


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


class PurposeStated(Event, frozen=True, tag="purpose stated"):
    """What the annotations are for."""

    says = "the purpose is {purpose}"

    purpose: Purpose


class ResearchQuestionStated(Event, frozen=True, tag="research question stated"):
    """What the annotations should help to answer, in place of what was stated before."""

    says = "the research question is stated"

    text: str
    hypotheses: str = ""


@on(Created)
def _created(state: State, event: Created, stamp: Stamp) -> None:
    state.title, state.project, state.imported = event.title, event.project, event.imported
    state.created = stamp[0]


@on(PurposeStated)
def _purpose_stated(state: State, event: PurposeStated, stamp: Stamp) -> None:
    state.purpose = event.purpose


@on(ResearchQuestionStated)
def _research_question_stated(state: State, event: ResearchQuestionStated, stamp: Stamp) -> None:
    state.research_question, state.hypotheses = event.text, event.hypotheses


@guard("research_question", step("question"))
def _research_question(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.research_question:
        yield "no research question is stated", "state one or more"


@guard("purpose", step("purpose", purpose="ground truth"))
def _purpose(state: State, asked: Asked) -> Iterator[Lack]:
    if state.purpose is None:
        todo = "say whether the annotations are to become a ground truth or to elicit variation"
        yield "the purpose is not stated", todo


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


@command("question", "state the research question", roles=(Role.RESEARCHER,), steps=(Step.SETUP,))
def state_question(state: State, by: str, text: str, *, hypotheses: str = "") -> Events:
    """State the research question and the hypotheses, or show them.

    It is what the annotations should help to answer. What is asked about each item is the task.
    What was stated before stands in the log.

    Parameters
    ----------
    state : State
    by : str
    text : str
        The question, or several.
    hypotheses : str
        What is expected; what was stated before by default.

    Examples
    --------
    State a research question:
    $ accordant project question 'Who wrote the letters?'
    With a hypothesis:
    $ accordant project question 'Who wrote them?' --hypotheses 'Most were written by clerks'
    Show them:
    $ accordant project question
    """
    new = ResearchQuestionStated(
        written_text("the research question", text), hypotheses.strip() or state.hypotheses
    )
    if (new.text, new.hypotheses) == (state.research_question, state.hypotheses):
        raise RequestError("this is stated already: nothing to change")
    return [new]


@command("purpose", "state the purpose", roles=(Role.RESEARCHER,), steps=(Step.SETUP,))
def state_purpose(state: State, by: str, purpose: Purpose | str) -> Events:
    """State what the annotations are for.

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
