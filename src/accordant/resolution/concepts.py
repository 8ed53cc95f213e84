"""Step 2: key concepts, their definitions and models, and who agrees to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from ..errors import RequestError
from ..kinds import Typed
from .case_state import Judgement
from .command import (
    Asked,
    Events,
    Lack,
    Shown,
    Unmet,
    command,
    guard,
    lacks_role,
    require,
    step,
    unmet_by,
)
from .disagreement import Cases, cases_named
from .ending import awaiting_judgement, endings, trail_of
from .event import Stamp, on
from .guidelines import acknowledgement_holds
from .items import item_positions, positions_of
from .orders import Wanted, cases_mended, ordered, uncovered
from .sentences import listing
from .state import Objection, State
from .terms import Concept, ConceptKind, Role, Step, content, wording
from .toolbox import ToolboxEvent, ToolboxWritten, using
from .wording import AGREEING, all_known, distinct, written_text


class SignedOff(ToolboxEvent, frozen=True, tag="signed off"):
    """A coder agrees to a version of a concept, or to task and guidelines (concept empty).

    An objection of theirs has ended with that.
    """

    beside = True

    coder: str
    concept: str
    version: int | str
    task: str = ""  # hash

    def sentence(self) -> str:
        """Who agrees to what."""
        return f"{self.coder} agrees to {_part(self.concept)}, version {self.version}"


class Objected(ToolboxEvent, frozen=True, tag="objected"):
    """A coder does not agree to a version of a concept (or of the guidelines: concept empty)."""

    beside = True

    coder: str
    text: str
    concept: str = ""
    version: int = 0

    def sentence(self) -> str:
        """Who objects to what."""
        return f"{self.coder} objects to {_part(self.concept)}"


def _part(concept: str) -> str:
    return f"“{concept}”" if concept else "task and guidelines"


@on(SignedOff)
def _signed_off(state: State, event: SignedOff, stamp: Stamp) -> None:
    epoch, own, version = state.epoch, (event.coder, event.concept), event.version
    if isinstance(version, int):
        epoch.signed.setdefault(event.concept, {})[event.coder] = version
    else:
        epoch.acknowledged[event.coder] = (event.task, version)
    epoch.objections = [o for o in epoch.objections if (o.coder, o.concept) != own]


@on(Objected)
def _objected(state: State, event: Objected, stamp: Stamp) -> None:
    if event.concept:  # who objects no longer agrees
        state.epoch.signed.get(event.concept, {}).pop(event.coder, None)
    state.epoch.objections.append(Objection.of(event))


class ChangeJudged(ToolboxEvent, frozen=True, tag="change judged"):
    """A coder has seen a change of the toolbox, and says whether it settles a disagreement."""

    coder: str
    change: int  # number of the event that wrote it
    question: str
    items: tuple[str, ...]
    shown: str  # hash of what bears on the question, before and after
    because: str = ""  # why it does not; empty: it does

    def reach(self, state: State) -> tuple[int, ...]:
        """The items."""
        return tuple(state.items.positions[item] for item in self.items)

    def sentence(self) -> str:
        """Who says what."""
        says, why = ("does not settle", f": {self.because}") if self.because else ("settles", "")
        about = f"question {self.question} of {listing(self.items)}"
        return f"{self.coder} says that the change in event {self.change} {says} {about}{why}"


@on(ChangeJudged)
def _judged(state: State, event: ChangeJudged, stamp: Stamp) -> None:
    of_question = state.epoch.judged.setdefault(event.question, {})
    for item in positions_of(state, event.items):
        of_question.setdefault(item, []).append(Judgement.of(event, seq=state.seq))


STEP_2_SKIPPED = "step 2 not performed"


def alignment_skipped(state: State) -> bool:
    """Whether an imported project did without step 2, and says so on everything it gives out."""
    recorded = any(deviation.code == STEP_2_SKIPPED for deviation in state.deviations)
    first = state.epoch.number == 1  # a new task begins from step 1, whatever came before
    return state.imported and recorded and first and not state.epoch.concepts


@guard("concepts_defined", step("concepts"))
def _concepts_defined(state: State, asked: Asked) -> Iterator[Lack]:
    last = {name: versions[-1] for name, versions in state.epoch.concepts.items()}
    if not last and not alignment_skipped(state):
        yield "there is no key concept"
    if without := [name for name, one in last.items() if not one.definition.strip()]:
        yield f"no definition of {listing(without)}"
    hard = (name for name, one in last.items() if one.kind is ConceptKind.COMPLEX)
    if without := [name for name in hard if not last[name].has_model]:
        yield f"no sub-concepts and relations of the complex concept {listing(without)}"


@guard("all_signed_off", step("sign-off"))
def _all_signed_off(state: State, asked: Asked) -> Iterator[Lack]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    for name, versions in epoch.concepts.items():
        version = versions[-1].version
        signed = epoch.signed.get(name, {})
        if waiting := tuple(coder for coder in coders if signed.get(coder) != version):
            says = f"concept {name}, version {version}, not signed by {listing(waiting)}"
            yield Unmet("all_signed_off", says, waiting)
    for objection in epoch.objections:
        says = f"{objection.coder} objects to {_part(objection.concept)}: “{objection.text}”"
        yield Unmet("no_objection", says, (objection.coder,))
    untrained = tuple(
        coder
        for coder in coders
        if not state.has_role(coder, Role.RESEARCHER)
        and not (coder in state.people and state.people[coder].training)
    )
    if untrained and not alignment_skipped(state):  # those who are no researchers (step 2)
        says = f"no training is recorded for {listing(untrained)}"
        do = (step("person", name=untrained[0], training=...),)
        yield Unmet("training_recorded", says, state.with_role(Role.RESEARCHER), do=do)


GUIDELINES = "guidelines"
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
    all_known("case", cases, epoch.cases)
    versions = epoch.concepts.get(concept.name, [])
    said = wording if epoch.begun else content
    if versions and said(versions[-1]) == said(concept):
        raise RequestError(f"concept {concept.name!r} says this already")
    version = len(versions) + 1
    if not epoch.begun:
        first = replace(concept, version=version, reason=reason.strip(), cases=())
        return [ToolboxWritten(concept=first)]
    scope = using(epoch, concept)
    if versions:  # a question that no longer uses it was answered with it
        before = using(epoch, versions[-1])
        scope = tuple(q for q in epoch.questions if q in scope or q in before)
    positions = None if items is None else item_positions(state, items)
    behind = tuple(cases) or cases_mended(state, Step.ALIGNMENT, scope, positions, concept.name)
    narrower = {"narrower": positions is not None, "narrowed": narrowed}
    unmet = [
        *unmet_by("reason", state, {"reason": reason}),
        *unmet_by("scope_stated", state, narrower),
        *uncovered(state, behind, scope, positions),
    ]
    if positions is not None:
        unmet += lacks_role(state, by, (Role.RESEARCHER,))
    require(unmet)
    new = replace(concept, version=version, reason=reason.strip(), cases=behind)
    trigger = f"concept {concept.name}, version {version}"
    order = ordered(state, trigger, scope, items, narrowed, behind, len(state.toolboxes) + 1)
    return [ToolboxWritten(concept=new), order]


def _checked(state: State, concept: Concept) -> None:
    """Complain about a concept that does not fit itself, the task or the guidelines."""
    distinct("concept", [concept.name], [*state.epoch.concepts])
    if concept.name == GUIDELINES:
        raise RequestError(f"no concept may be called {GUIDELINES!r}")
    known = state.epoch.questions
    all_known("question", concept.questions, known)
    all_known("rule", concept.rules, state.epoch.rules)
    parts = (concept.name, *concept.subconcepts)
    for relation in concept.relations:
        all_known(
            "sub-concept",
            (relation.source, relation.target),
            parts,
            f"concept {concept.name!r} has",
        )


def _the_concept(state: State, name: str) -> Concept:
    all_known("concept", [name], state.epoch.concepts)
    return state.epoch.concepts[name][-1]


@command("sign-off", "agree to the toolbox", roles=(Role.CODER,), steps=AGREEING)
def sign_off(
    state: State,
    by: str,
    *,
    concept: Annotated[str | None, Typed(argument=True)] = None,
    settles: Annotated[str | int | Sequence[str | int], Typed("CASE", "--settles")] = (),
    unsettled: Annotated[str | int | Sequence[str | int], Typed("CASE", "--unsettled")] = (),
    because: Annotated[str, Typed("TEXT", "--because")] = "",
    shown: Shown = (),
) -> Events:
    """Agree to task, guidelines and key concepts.

    You have read them. Where a change was made for cases of yours, say whether it settles them. A
    round opens only when every coder has signed what is in force, and whoever held an answer in a
    case that was returned has said so.

    Parameters
    ----------
    state : State
    by : str
        A coder.
    concept : str, optional
        One of the concepts, or "guidelines"; by default all that is defined and to which you do
        not object.
    settles : numbers of cases
        A case that the change settles: with the new text you would all have answered alike. Or
        "all" for every disagreement of yours that waits for that.
    unsettled : numbers of cases
        A case that it does not settle, or "all": the author is asked for another change.
    because : str
        Why it does not.
    shown : sequence of str
        Hash of the change as it was shown to you: refused if it reads differently by now.

    Examples
    --------
    Bob agrees to guidelines and key concepts:
    $ accordant project sign-off --as bob
    To one of them:
    $ accordant project sign-off naturalism --as bob
    The change settles two of his cases, and leaves a third as it is:
    $ accordant project sign-off --settles 1-2 --as bob
    $ accordant project sign-off --unsettled 3 --because 'titles are not mentioned' --as bob
    To read them first:
    $ accordant project guidelines
    """
    epoch, found = state.epoch, Events(_judgements(state, by, settles, "", shown))
    if unsettled != ():
        require(unmet_by("reason", state, {"reason": because}))
        found += _judgements(state, by, unsettled, because.strip(), shown)
    objects = {o.concept for o in epoch.objections if o.coder == by}
    if concept == GUIDELINES or not epoch.concepts:
        lacks = [Unmet("guidelines_complete", "there are no guidelines")]
        require(unmet_by("task_hash", state, {}) + lacks * (not epoch.guidelines))
    meant = concept == GUIDELINES or (concept is None and "" not in objects)
    new_to_them = "" in objects or not acknowledgement_holds(epoch, by)
    if meant and new_to_them and epoch.task_hash and epoch.guidelines:
        found.append(SignedOff(by, "", epoch.guidelines[-1].version, epoch.task_hash))
    wanted = [v[-1] for name, v in epoch.concepts.items() if name not in objects]
    if concept is not None:
        wanted = [] if concept == GUIDELINES else [_the_concept(state, concept)]
    new = [one for one in wanted if epoch.signed.get(one.name, {}).get(by) != one.version]
    ready = [one for one in new if one.definition.strip()]
    found += [SignedOff(by, one.name, one.version) for one in ready]
    if not found:
        bare = [one.name for one in new if one not in ready]
        says = f"no definition of {listing(bare)}" if bare else f"{by} has signed already"
        require([Unmet("concepts_defined" if bare else "signed", says)])
    return found


def _judgements(
    state: State, by: str, cases: Cases, because: str, shown: Sequence[str]
) -> Iterator[ChangeJudged]:
    """What a coder says of the changes that are to settle some disagreements of theirs."""
    if cases == ():
        return
    trail, found = trail_of(state), dict[tuple[int, str], list[str]]()
    everything = "all" in ([cases] if isinstance(cases, (str, int)) else cases)
    if everything:
        cells = [(item, q) for q, item in sorted(endings(state).missing)]
    else:
        cells = [(case.item, case.question) for case in cases_named(state, cases)]
    boxes = {box.seq: box for box in state.toolboxes}
    for item, question in cells:
        of = awaiting_judgement(trail, item, question)
        if of is not None and by in of.held and of.change is not None:
            found.setdefault((of.change.seq, question), []).append(state.items.ids[item])
        elif not everything:
            says = f"no change waits for {by} to say whether it settles {state.items.ids[item]}"
            require([Unmet("settle", says)])
    for (change, question), items in found.items():
        now = trail.shown(question, boxes[change])
        if shown and now not in shown:
            says = f"the change in event {change} is not what was shown: read it again"
            require([Unmet("shown", says)])
        yield ChangeJudged(by, change, question, tuple(items), now, because)
    if not found:
        require([Unmet("settle", f"no change waits for {by} to say whether it settles a case")])


@command(
    "object",
    "object to a concept or the guidelines",
    roles=(Role.CODER,),
    steps=AGREEING,
)
def object_to(state: State, by: str, text: str, *, concept: ToConcept = "") -> Events:
    """Object to a concept or to the guidelines, and say why.

    No round opens while an objection stands. It ends with a new version, or once you sign the
    concept, or "guidelines", by its name.

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
    if concept not in ("", GUIDELINES):
        return [Objected(by, said, concept, _the_concept(state, concept).version)]
    if not state.epoch.guidelines:
        require([Unmet("guidelines_complete", "there are no guidelines")])
    return [Objected(by, said)]
