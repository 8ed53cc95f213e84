"""Step 2: key concepts, their definitions and models, and who agrees to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from ..errors import RequestError
from ..kinds import Typed
from .command import Asked, Events, Lack, Unmet, command, guard, require, step, unmet_by
from .event import Stamp, on
from .items import item_positions
from .orders import Wanted, cases_mended, ordered, uncovered
from .sentences import counted, listing
from .state import Objection, State
from .terms import Concept, ConceptKind, Role, Step, content, wording
from .toolbox import ToolboxEvent, new_toolbox, using
from .wording import AGREEING, all_known, distinct, written_text


class ConceptWritten(ToolboxEvent, frozen=True, tag="concept written"):
    """A new version of a key concept; every sign-off of the one before is void."""

    says = "concept “{concept.name}”, version {concept.version}, is written"

    concept: Concept


class SignedOff(ToolboxEvent, frozen=True, tag="signed off"):
    """A coder agrees to a version of a concept, and objects to it no longer."""

    says = "{coder} agrees to “{concept}”, version {version}"
    beside = True

    coder: str
    concept: str
    version: int


class Objected(ToolboxEvent, frozen=True, tag="objected"):
    """A coder does not agree to a version of a concept (or of the guidelines: concept empty)."""

    beside = True

    coder: str
    text: str
    concept: str = ""
    version: int = 0

    def sentence(self) -> str:
        """Who objects to what."""
        about = f"“{self.concept}”, version {self.version}" if self.concept else "the guidelines"
        return f"{self.coder} objects to {about}"


@on(ConceptWritten)
def _concept_written(state: State, event: ConceptWritten, stamp: Stamp) -> None:
    name = event.concept.name
    state.epoch.concepts.setdefault(name, []).append(event.concept)
    state.epoch.objections = [o for o in state.epoch.objections if o.concept != name]
    new_toolbox(state, stamp[0], f"concept {name}")


@on(SignedOff)
def _signed_off(state: State, event: SignedOff, stamp: Stamp) -> None:
    epoch, own = state.epoch, (event.coder, event.concept)
    epoch.signed.setdefault(event.concept, {})[event.coder] = event.version
    epoch.objections = [o for o in epoch.objections if (o.coder, o.concept) != own]


@on(Objected)
def _objected(state: State, event: Objected, stamp: Stamp) -> None:
    if event.concept:  # who objects no longer agrees
        state.epoch.signed.get(event.concept, {}).pop(event.coder, None)
    state.epoch.objections.append(Objection.of(event))


STEP_2_SKIPPED = "step 2 not performed"
"""Code of the deviation of imported projects whose concepts were never aligned."""


def alignment_skipped(state: State) -> bool:
    """Whether an imported project did without step 2, and says so on everything it gives out."""
    recorded = any(deviation.code == STEP_2_SKIPPED for deviation in state.deviations)
    first = state.epoch.number == 1  # a new task begins from step 1, whatever came before
    return state.imported and recorded and first and not state.epoch.concepts


@guard("all_concepts_defined", step("concepts"))
def _all_concepts_defined(state: State, asked: Asked) -> Iterator[Lack]:
    concepts = state.epoch.concepts
    if not concepts and not alignment_skipped(state):
        says = "there is no key concept: no annotation does without applying one"
        yield says, "write the concepts that the task mentions"
    if without := [n for n, v in concepts.items() if not v[-1].definition.strip()]:
        says = f"{counted(len(without), 'concept')} without a definition ({listing(without)})"
        yield says, "write a version with a definition"


@guard("models_for_complex", step("concepts"))
def _models_for_complex(state: State, asked: Asked) -> Iterator[Lack]:
    without = [
        name
        for name, versions in state.epoch.concepts.items()
        if versions[-1].kind is ConceptKind.COMPLEX and not versions[-1].has_model
    ]
    if without:
        says = f"{counted(len(without), 'complex concept')} without a model ({listing(without)})"
        yield says, "write sub-concepts and the relations between them"


@guard("all_signed_off", step("sign-off"))
def _all_signed_off(state: State, asked: Asked) -> Iterator[Lack]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    for name, versions in epoch.concepts.items():
        version = versions[-1].version
        signed = epoch.signed.get(name, {})
        if waiting := tuple(coder for coder in coders if signed.get(coder) != version):
            says = (
                f"concept {name}, version {version}, lacks the signature of "
                f"{counted(len(waiting), 'coder')} of {len(coders)} ({listing(waiting)})"
            )
            yield says, "let each of them sign it off, or object", waiting
    untrained = tuple(
        coder
        for coder in coders
        if not state.has_role(coder, Role.RESEARCHER)
        and not (coder in state.people and state.people[coder].training)
    )
    if untrained and not alignment_skipped(state):  # those who are no researchers (step 2)
        n = counted(len(untrained), "coder")
        says = f"no training is recorded for {n} ({listing(untrained)})"
        todo = "let the researchers train them, and record it"
        researchers = state.with_role(Role.RESEARCHER)
        yield Unmet("training_recorded", says, todo, researchers, do=(step("training"),))


@guard("no_objection", step("sign-off"))
def _no_objection(state: State, asked: Asked) -> Iterator[Lack]:
    for objection in state.epoch.objections:
        about = f"concept {objection.concept}" if objection.concept else "the guidelines"
        says = f"{objection.coder} objects to {about}: “{objection.text}”"
        yield says, "write a new version, or let them sign all the same", (objection.coder,)


WHAT = "writing a concept"
ToConcept = Annotated[str, Typed("CONCEPT", "--to")]


@command(
    "concept",
    "write a version of a concept",
    typed="concepts",
    roles=(Role.RESEARCHER, Role.CODER),
    steps=(Step.TASK, Step.ALIGNMENT),
)
def write_concept(
    state: State,
    by: str,
    concept: Concept,
    *,
    reason: str = "",
    cases: Sequence[int] = (),
    items: Annotated[Wanted, Typed("ITEM", "--only-item")] = None,
    narrowed: str = "",
) -> Events:
    """Write a key concept, or a new version of one.

    Every signature of it is void. After a round all annotations of the questions that use it are
    owed again, agreed ones too, since nobody knows that they would be the same (Oortwijn et al.
    2021, section 5.2).

    Parameters
    ----------
    state : State
    by : str
    concept : Concept
        Its version is filled in here. The definition may be empty: then the concept is named and
        not yet defined.
    reason : str
        Why there is a new version; needed once a round has opened. By default as the concept says.
    cases : sequence of int
        A case behind it; by default as the concept says, else those whose accepted cause it mends:
        only a change that names a case settles it.
    items : sequence of str, optional
        An item to annotate again, where not all: then it must be said why.
    narrowed : str
        Why fewer items are annotated again.
    """
    epoch = state.epoch
    reason, cases = reason or concept.reason, cases or concept.cases
    _checked(state, concept)
    all_known("case", cases, epoch.cases, "there are")
    versions = epoch.concepts.get(concept.name, [])
    said = wording if epoch.begun else content
    if versions and said(versions[-1]) == said(concept):
        raise RequestError(f"concept {concept.name!r} says this already: nothing to change")
    version = len(versions) + 1
    if not epoch.begun:
        first = replace(concept, version=version, reason=reason.strip(), cases=())
        return [ConceptWritten(first)]
    scope = using(epoch, concept)
    if versions:  # a question that no longer uses it was answered with it
        before = using(epoch, versions[-1])
        scope = tuple(q for q in epoch.questions if q in scope or q in before)
    positions = None if items is None else item_positions(state, items)
    behind = tuple(cases) or cases_mended(state, Step.ALIGNMENT, scope, positions, concept.name)
    narrower = {"narrower": positions is not None, "narrowed": narrowed}
    unmet = [
        *unmet_by("reason", state, {"reason": reason}),
        *unmet_by("reason_if_narrower", state, narrower),
        *uncovered(state, behind, scope, positions),
    ]
    if positions is not None and not state.has_role(by, Role.RESEARCHER):
        says = f"only a researcher says that less is annotated again, and {by} is none"
        unmet.append(Unmet("role", says))
    require(WHAT, unmet)
    new = replace(concept, version=version, reason=reason.strip(), cases=behind)
    trigger = f"concept {concept.name}, version {version}"
    order = ordered(state, trigger, scope, items, narrowed, behind, len(state.toolboxes) + 1)
    return [ConceptWritten(new), order]


def _checked(state: State, concept: Concept) -> None:
    """Complain about a concept that does not fit itself, the task or the guidelines."""
    distinct("concept", [concept.name], state.epoch.concepts)
    known = state.epoch.questions
    all_known("question", concept.questions, known, "the task has")
    all_known("rule", concept.rules, state.epoch.rules, "the guidelines have")
    parts = (concept.name, *concept.subconcepts)
    for relation in concept.relations:
        all_known(
            "sub-concept",
            (relation.source, relation.target),
            parts,
            f"concept {concept.name!r} has",
        )


def _the_concept(state: State, name: str) -> Concept:
    all_known("concept", [name], state.epoch.concepts, "there are")
    return state.epoch.concepts[name][-1]


@command("sign-off", "sign off concepts", roles=(Role.CODER,), steps=AGREEING)
def sign_off(
    state: State, by: str, *, concept: Annotated[str | None, Typed(argument=True)] = None
) -> Events:
    """Agree to the definitions of the key concepts.

    A round opens only when every coder has signed every concept. A new version of a concept makes
    all signatures of the one before void.

    Parameters
    ----------
    state : State
    by : str
        A coder.
    concept : str, optional
        One of them; all by default.

    Examples
    --------
    Bob agrees to every key concept:
    $ accordant project sign-off --as bob
    To one of them:
    $ accordant project sign-off naturalism --as bob
    """
    epoch, what = state.epoch, "signing off a concept"
    objects = {o.concept for o in epoch.objections if o.coder == by}
    if concept is None:
        wanted = [v[-1] for name, v in epoch.concepts.items() if name not in objects]
    else:
        wanted = [_the_concept(state, concept)]
    if undefined := [one.name for one in wanted if not one.definition.strip()]:
        says = f"{listing(undefined)} has no definition that one could agree to"
        require(what, [Unmet("all_concepts_defined", says, "write one")])
    new = [one for one in wanted if epoch.signed.get(one.name, {}).get(by) != one.version]
    if not new:
        says = f"{by} has signed already what can be signed without naming it"
        require(what, [Unmet("signed", says)])
    return [SignedOff(by, one.name, one.version) for one in new]


@command(
    "object",
    "object to a concept or the guidelines",
    roles=(Role.CODER,),
    steps=AGREEING,
)
def object_to(state: State, by: str, text: str, *, concept: ToConcept = "") -> Events:
    """Object to a concept or to the guidelines, and say why.

    No round opens while an objection stands. It ends with a new version, or once you sign the
    concept by its name or, of the guidelines, acknowledge them again.

    Parameters
    ----------
    state : State
    by : str
        A coder.
    text : str
        What you object to.
    concept : str
        To which concept; to the guidelines by default.

    Examples
    --------
    To a concept:
    $ accordant project object 'too wide' --to naturalism --as bob
    To the guidelines:
    $ accordant project object 'rule R1 contradicts R2' --as bob
    No longer:
    $ accordant project sign-off naturalism --as bob
    """
    said = written_text("the objection", text)
    if concept:
        return [Objected(by, said, concept, _the_concept(state, concept).version)]
    require("objecting", unmet_by("guideline_ge_1", state, {}))
    return [Objected(by, said)]
