"""Step 2: key concepts, their definitions and models, and who agrees to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from ...errors import RequestError, unknown
from ..events.toolbox import ConceptWritten, Objected, ObjectionWithdrawn, SignedOff
from ..guards.guard import require, unmet_by
from ..records import Concept, digest
from ..refusal import Unmet
from ..sentences import listing
from ..state import State
from ..toolbox import using
from ..words import Role, Step
from .command import Events, command
from .parameters import Typed
from .scope import Wanted, cases_mended, item_positions, ordered, uncovered, unknown_cases
from .wording import AGREEING, identifier, written_text

__all__ = ["object_to", "sign_off", "withdraw_objection", "write_concept"]

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
    unknown_cases(state, cases)
    versions = epoch.concepts.get(concept.name, [])
    if versions and _content(versions[-1]) == _content(concept):
        raise RequestError(
            f"concept {concept.name!r}, version {versions[-1].version}, says this already: "
            "nothing to change"
        )
    version = len(versions) + 1
    if not epoch.begun:
        return [ConceptWritten(_filled(concept, version, reason, ()))]
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
    new = _filled(concept, version, reason, behind)
    trigger = f"concept {concept.name}, version {version}"
    order = ordered(state, trigger, scope, items, narrowed, behind, len(state.toolboxes) + 1)
    return [ConceptWritten(new), order]


def _filled(concept: Concept, version: int, reason: str, cases: Sequence[int]) -> Concept:
    return Concept(
        concept.name,
        version,
        concept.definition,
        concept.questions,
        concept.rules,
        concept.kind,
        concept.subconcepts,
        concept.relations,
        concept.examples,
        concept.counter_examples,
        reason.strip(),
        tuple(cases),
    )


def _content(concept: Concept) -> str:
    return digest(_filled(concept, 0, "", ()))


def _checked(state: State, concept: Concept) -> None:
    """Complain about a concept that does not fit itself, the task or the guidelines."""
    if identifier("the name of a concept", concept.name, state.epoch.concepts) != concept.name:
        raise RequestError(f"the name {concept.name!r} has blanks around it: leave them out")
    known = state.epoch.questions
    for id in concept.questions:
        if id not in known:
            raise unknown("question", id, known, "the task has")
    rules = [r.id for r in state.epoch.guidelines[-1].rules] if state.epoch.guidelines else []
    for id in concept.rules:
        if id not in rules:
            raise unknown("rule", id, rules, "the guidelines have")
    parts = (concept.name, *concept.subconcepts)
    for relation in concept.relations:
        for end in (relation.source, relation.target):
            if end not in parts:
                raise unknown("sub-concept", end, parts, f"concept {concept.name!r} has")


def _the_concept(state: State, name: str) -> Concept:
    if name not in state.epoch.concepts:
        raise unknown("concept", name, state.epoch.concepts, "there are")
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
    unmet = []
    for one in wanted:
        if not one.definition.strip():
            says = f"concept {one.name} has no definition that one could agree to"
            unmet.append(Unmet("all_concepts_defined", says, "write one"))
    require(what, unmet)
    new = [one for one in wanted if epoch.signed.get(one.name, {}).get(by) != one.version]
    if not new:
        says = f"{by} has signed " + (
            f"concept {concept}, version {wanted[0].version}, already"
            if concept
            else "everything that can be signed"
        )
        if concept is None and (against := sorted(objects & set(epoch.concepts))):
            says = f"{by} objects to {listing(against)}, and has signed what else there is"
            todo = "name the concept to sign it all the same: that ends the objection"
            require(what, [Unmet("signed", says, todo)])
        require(what, [Unmet("signed", says)])
    withdrawn = [ObjectionWithdrawn(by, one.name) for one in new if one.name in objects]
    return [*withdrawn, *(SignedOff(by, one.name, one.version) for one in new)]


@command(
    "object",
    "object to a concept or the guidelines",
    roles=(Role.CODER,),
    steps=AGREEING,
)
def object_to(state: State, by: str, text: str, *, concept: ToConcept = "") -> Events:
    """Object to a concept or to the guidelines, and say why.

    No round opens while an objection stands. It ends with a new version too.

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
    $ accordant project object --withdraw --to naturalism --as bob
    """
    said = written_text("the objection", text)
    if concept:
        return [Objected(by, said, concept, _the_concept(state, concept).version)]
    require("objecting", unmet_by("guideline_ge_1", state, {}))
    return [Objected(by, said)]


@command(
    "withdraw objection", "withdraw an objection", typed="object --withdraw",
    roles=(Role.CODER,), steps=AGREEING,
)  # fmt: skip
def withdraw_objection(state: State, by: str, *, concept: ToConcept = "") -> Events:
    """Withdraw your objection.

    Parameters
    ----------
    state : State
    by : str
        Who objected.
    concept : str
        To which concept; to the guidelines by default.
    """
    if any((o.coder, o.concept) == (by, concept) for o in state.epoch.objections):
        return [ObjectionWithdrawn(by, concept)]
    about = f"concept {concept}" if concept else "the guidelines"
    says = f"{by} has no objection to {about}"
    require("withdrawing an objection", [Unmet("objection", says)])
    return []
