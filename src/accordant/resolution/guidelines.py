"""The guidelines: versions with numbered rules and options, read by every coder before a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from ..errors import RequestError
from ..kinds import Typed
from .cells import dependents
from .command import Asked, Events, Lack, Unmet, command, guard, require, step, unmet_by
from .editorial import confirmations_awaited, rewording
from .event import Stamp, on
from .items import item_positions
from .orders import Wanted, cases_mended, ordered, uncovered
from .records import Guidelines, content, wording
from .sentences import counted, listing
from .state import Epoch, State
from .toolbox import ToolboxEvent, affected, new_toolbox, next_version, since_last_round
from .wording import AGREEING, all_known, identifier, written_text
from .words import Change, Role, Step

__all__ = [
    "Acknowledged",
    "EditorialConfirmed",
    "GuidelinesWritten",
    "acknowledge",
    "acknowledgement_holds",
    "confirm_editorial",
    "write_guidelines",
]


class GuidelinesWritten(ToolboxEvent, frozen=True, tag="guidelines written"):
    """A new version of the guidelines."""

    says = "guidelines {guidelines.version} are written"

    guidelines: Guidelines


@on(GuidelinesWritten)
def _guidelines_written(state: State, event: GuidelinesWritten, stamp: Stamp) -> None:
    new, known = event.guidelines, state.epoch.questions
    # In the order of the task, in memory as after it was read again from the log.
    listed = {q: new.options[q] for q in [*known, *sorted(new.options)] if q in new.options}
    state.epoch.guidelines.append(replace(new, options=listed))
    state.epoch.objections = [o for o in state.epoch.objections if o.concept]
    new_toolbox(state, stamp[0], "guidelines")


@guard("guideline_ge_1", step("guidelines"))
def _guideline_ge_1(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.epoch.guidelines:
        yield "there are no guidelines", "write version 1.0.0"


@guard("scoring_options", step("guidelines"))
def _scoring_options(state: State, asked: Asked) -> Iterator[Lack]:
    epoch = state.epoch
    if not epoch.guidelines or epoch.task is None:
        return  # said by other guards
    options = epoch.guidelines[-1].options
    if without := [id for id in epoch.questions if not options.get(id)]:
        says = f"{counted(len(without), 'question')} without scoring options ({listing(without)})"
        yield says, "write guidelines with options for every question"
    if gone := [id for id in options if id not in epoch.questions]:
        says = f"the guidelines have options for questions that the task lacks ({listing(gone)})"
        yield says, "write guidelines that fit the task"
    for question in epoch.questions.values():
        parent = question.asked_if
        if parent and options.get(parent.question):
            odd = [label for label in parent.labels if label not in options[parent.question]]
            if odd:
                says = (
                    f"question {question.id} is asked if {parent.question} is {listing(odd)}, "
                    f"which is not among its options ({listing(options[parent.question])})"
                )
                yield says, "mend the options or the task"


@guard("ambiguity_policy", step("guidelines"))
def _ambiguity_policy(state: State, asked: Asked) -> Iterator[Lack]:
    for policy in (version.ambiguity for version in state.epoch.guidelines[-1:]):
        if policy is None:
            says = "the guidelines do not say whether “ambiguous” may be answered"
            yield says, "write a policy, even “no, because …”"
        elif not policy.allowed and not policy.reason.strip():
            says = "the guidelines allow no answer “ambiguous” and do not say why"
            yield says, "give the reason"


@guard("guideline_major")
def _guideline_major(state: State, asked: Asked) -> Iterator[Lack]:
    if Change.DRASTIC not in since_last_round(state).changes:
        says = "the guidelines have not changed drastically since the last round"
        yield says, "write a new major version, or take another way"


@guard("guideline_minor")
def _guideline_minor(state: State, asked: Asked) -> Iterator[Lack]:
    since = since_last_round(state)
    if Change.DRASTIC in since.changes:
        says = "the guidelines have changed drastically: everything must be annotated again"
        yield says, "open a round"
    elif Change.LOCAL not in since.changes and not since.concepts:
        says = "neither a local change of the guidelines nor a concept is new since the last round"
        yield says, "write one, or take another way"


@guard("guideline_patch")
def _guideline_patch(state: State, asked: Asked) -> Iterator[Lack]:
    since = since_last_round(state)
    if not since.changes and not since.concepts:
        says = "nothing in the guidelines has changed since the last round"
        yield says, "write an editorial version, or take another way"
    elif since.changes != {Change.EDITORIAL} or since.concepts:
        says = "more than the wording has changed since the last round"
        yield says, "carry out or waive the re-annotation that is ordered"


WHAT = "writing guidelines"


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
    options_keep: str = "",
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
        How far a new version reaches: editorial (no score changes), local (some questions) or
        drastic (everything is annotated again). By default as the guidelines say.
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
    options_keep : str
        Why other labels are no drastic change, where a lesser one is given.

    Returns
    -------
    list of Event
        `GuidelinesWritten`, and `ReannotationOrdered` where annotations become stale: all for a
        drastic change; the questions that are named, agreed items included, for a local one.
    """
    epoch = state.epoch
    change, reason = change or guidelines.change, reason or guidelines.reason
    cases = cases or guidelines.cases
    if epoch.task is None:
        require(WHAT, [Unmet("task_hash", "there is no task", "write the task first")])
    _checked(state, guidelines)
    wanted = _change(change)
    all_known("case", cases, epoch.cases, "there are")
    before = epoch.guidelines[-1] if epoch.guidelines else None
    if before is None or epoch.task is None:
        first = replace(guidelines, version="1.0.0", change=None, reason=reason.strip(), cases=())
        return [GuidelinesWritten(first)]
    if content(before) == content(guidelines):
        raise RequestError(f"guidelines {before.version} say this already: nothing to change")
    bears_on = affected(before, guidelines, epoch.task)
    options = before.options != guidelines.options
    if not epoch.begun:
        wanted = wanted or (Change.DRASTIC if options else Change.LOCAL)
        version = next_version(before.version, wanted)
        new = replace(guidelines, version=version, change=wanted, reason=reason.strip(), cases=())
        return [GuidelinesWritten(new)]
    if wanted is None:
        raise RequestError(
            "annotations exist: say how far the change reaches "
            "(editorial: no answer changes; local: some questions; drastic: everything)"
        )
    if wanted is not Change.EDITORIAL and wording(before) == wording(guidelines):
        raise RequestError(
            f"guidelines {before.version} say this already but for punctuation, blanks or capital "
            "letters: call the change editorial"
        )
    unmet = list(unmet_by("reason", state, {"reason": reason}))
    if not state.has_role(by, Role.RESEARCHER):
        says = f"only a researcher says how far a change reaches, and {by} is none"
        unmet.append(Unmet("role", says))
    if options and wanted is not Change.DRASTIC and not options_keep.strip():
        says = f"the scoring options change, which is drastic, and the change is called {wanted}"
        todo = "call it drastic, or say why annotations are not affected"
        unmet.append(Unmet("options_are_drastic", says, todo, argument=True))
    scope = tuple(questions or ())
    all_known("question", scope, epoch.questions, "the task has")
    positions = None if items is None else item_positions(state, items)
    reach = {Change.EDITORIAL: (), Change.LOCAL: dependents(epoch, scope)}
    within = reach.get(wanted, tuple(epoch.questions))
    behind = tuple(cases) or cases_mended(state, Step.TASK, within, positions)
    if wanted is Change.LOCAL:
        covered = dependents(epoch, scope)  # what depends on a question is asked with it
        asked = {
            "change": wanted,
            "questions": scope,
            "narrower": bool(scope)
            and (positions is not None or not set(bears_on) <= set(covered)),
            "left_out": [q for q in bears_on if q not in covered] if scope else [],
        }
        unmet += unmet_by("scope_stated", state, asked)
        unmet += unmet_by("reason_if_narrower", state, {**asked, "narrowed": narrowed})
        if scope:
            bears = dependents(epoch, bears_on)
            unmet += uncovered(state, behind, [q for q in covered if q in bears], positions)
    elif items is not None or (wanted is Change.DRASTIC and questions is not None):
        raise RequestError(
            f"a scope is only stated for a local change: this one is {wanted} and bears on "
            f"{'nothing' if wanted is Change.EDITORIAL else 'everything'}"
        )
    require(WHAT, unmet)
    why = "; ".join(filter(None, (reason.strip(), options_keep.strip())))
    version = next_version(before.version, wanted)
    new = replace(guidelines, version=version, change=wanted, reason=why, cases=behind)
    if wanted is Change.EDITORIAL:
        return [GuidelinesWritten(new)]
    if wanted is Change.DRASTIC:
        scope = tuple(epoch.questions)
    trigger = f"guidelines {new.version} ({wanted.value} change)"
    order = ordered(state, trigger, scope, items, narrowed, behind, len(state.toolboxes) + 1)
    return [GuidelinesWritten(new), order]


def _change(change: Change | str | None) -> Change | None:
    if change is None:
        return None
    known = [c.value for c in Change]
    all_known("class of change", [change], known, "there are")
    return Change(change)


def _checked(state: State, guidelines: Guidelines) -> None:
    """Complain about guidelines that do not fit themselves or the task."""
    known = state.epoch.questions
    for id, labels in guidelines.options.items():
        all_known("question", [id], known, "the task has")
        for label in labels:
            if identifier(f"a label of question {id!r}", label, labels) != label:
                raise RequestError(f"the label {label!r} has blanks around it: leave them out")
        twice = sorted({label for label in labels if labels.count(label) > 1})
        if twice:
            raise RequestError(f"question {id!r} has the option {twice[0]!r} twice")
    ids = [rule.id for rule in guidelines.rules]
    ids = [identifier("the id of a rule", id, ids) for id in ids]
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        raise RequestError(f"there are two rules {twice[0]!r}: give each an id of its own")
    for rule in guidelines.rules:
        written_text(f"the text of rule {rule.id!r}", rule.text)
        all_known("question", rule.questions, known, "the task has")
    policy = guidelines.ambiguity
    if policy is not None and policy.allowed and not any(s.strip() for s in policy.sources):
        raise RequestError(
            "“ambiguous” may be answered, but no source can be named: list one or more, so that "
            "the answer does not hide unclear guidelines"
        )


# ------------------------------------------------------------------ read and confirmed


class Acknowledged(ToolboxEvent, frozen=True, tag="acknowledged"):
    """A coder has read the task and a version of the guidelines."""

    says = "{coder} has read the task and guidelines {guidelines}"
    beside = True

    coder: str
    task: str  # hash
    guidelines: str  # version


class EditorialConfirmed(ToolboxEvent, frozen=True, tag="editorial change confirmed"):
    """A coder confirms that new wording changes no score."""

    says = "{coder} confirms that guidelines {version} change no score"

    coder: str
    version: str


@on(Acknowledged)
def _acknowledged(state: State, event: Acknowledged, stamp: Stamp) -> None:
    state.epoch.acknowledged[event.coder] = (event.task, event.guidelines)


@on(EditorialConfirmed)
def _editorial_confirmed(state: State, event: EditorialConfirmed, stamp: Stamp) -> None:
    state.epoch.confirmed.setdefault(event.version, []).append(event.coder)


def acknowledgement_holds(epoch: Epoch, coder: str) -> bool:
    """Whether a coder has read the task and guidelines in force, but for editorial changes."""
    known = epoch.acknowledged.get(coder)
    if known is None or known[0] != epoch.task_hash:
        return False
    versions = [g.version for g in epoch.guidelines]
    if known[1] not in versions:
        return False
    since = epoch.guidelines[versions.index(known[1]) + 1 :]
    return all(version.change is Change.EDITORIAL for version in since)


@guard("all_acknowledged", step("acknowledge"))
def _all_acknowledged(state: State, asked: Asked) -> Iterator[Lack]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    if not epoch.task_hash or not epoch.guidelines:
        return
    if len(coders) < 2:
        yield f"{counted(len(coders), 'coder')} of two or more that are needed", "add coders"
    elif waiting := tuple(name for name in coders if not acknowledgement_holds(epoch, name)):
        says = (
            f"{counted(len(waiting), 'coder')} of {len(coders)} "
            f"{'has' if len(waiting) == 1 else 'have'} not acknowledged the task and guidelines "
            f"{epoch.guidelines[-1].version} ({listing(waiting)})"
        )
        yield says, "let each of them read and acknowledge", waiting


@guard("confirmed_no_score_change", step("confirm"))
def _confirmed_no_score_change(state: State, asked: Asked) -> Iterator[Lack]:
    for version in since_last_round(state).editorial:
        if awaited := confirmations_awaited(state, version):
            new = rewording(state.epoch, version)
            each = f"{listing(awaited)} {'has' if len(awaited) == 1 else 'have'} not"
            who, todo = "no coder has", "let one coder confirm"
            if new.terms:
                who, todo = each, "let each of them confirm"
            says = f"{who} confirmed that guidelines {version} change no score ({new})"
            yield says, todo, awaited


@command(
    "acknowledge",
    "acknowledge task and guidelines",
    roles=(Role.CODER,),
    steps=AGREEING,
)
def acknowledge(state: State, by: str) -> Events:
    """Say that you have read the task and the guidelines.

    Parameters
    ----------
    state : State
    by : str
        The coder.

    Examples
    --------
    Bob has read task and guidelines:
    $ accordant project acknowledge --as bob
    To read them:
    $ accordant project guidelines
    """
    epoch = state.epoch
    what = "acknowledging the guidelines"
    unmet = unmet_by("task_hash", state, {}) + unmet_by("guideline_ge_1", state, {})
    require(what, unmet)
    version = epoch.guidelines[-1].version
    if acknowledgement_holds(epoch, by) and epoch.acknowledged[by][1] == version:
        require(what, [Unmet("acknowledged", f"{by} has acknowledged {version} already")])
    return [Acknowledged(by, epoch.task_hash, version)]


@command(
    "confirm editorial",
    "confirm that new wording changes no score",
    typed="confirm",
    roles=(Role.CODER,),
    steps=AGREEING,
)
def confirm_editorial(
    state: State, by: str, *, version: Annotated[str | None, Typed(argument=True)] = None
) -> Events:
    """Confirm, as a coder, that new wording changes no score.

    The page of the guidelines shows what is worded otherwise. One coder suffices, unless words are
    touched on which the meaning of a rule hangs, such as not, only, if, must, all or a number.

    Parameters
    ----------
    state : State
    by : str
    version : str, optional
        Of the guidelines; the last one by default.

    Examples
    --------
    Of the guidelines in force:
    $ accordant project confirm --as bob
    Of a version:
    $ accordant project confirm 1.0.1 --as bob
    """
    what = "confirming an editorial change"
    written = {g.version: g for g in state.epoch.guidelines}
    require(what, unmet_by("guideline_ge_1", state, {}))
    if version is None:
        version = state.epoch.guidelines[-1].version
    all_known("version of the guidelines", [version], written, "there are")
    if written[version].change is not Change.EDITORIAL:
        editorial = [v for v, g in written.items() if g.change is Change.EDITORIAL]
        says = f"guidelines {version} are no editorial change"
        todo = f"editorial are {listing(editorial)}" if editorial else ""
        require(what, [Unmet("guideline_patch", says, todo)])
    if by not in confirmations_awaited(state, version):
        says = f"{listing(state.epoch.confirmed[version])} has confirmed {version} already"
        require(what, [Unmet("confirmed", says)])
    return [EditorialConfirmed(by, version)]
