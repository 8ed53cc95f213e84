"""The guidelines: versions with numbered rules and options, read by every coder before a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from ..errors import RequestError, unknown
from .cells import dependents
from .command import Events, command
from .fold import Stamp, on
from .guard import Asked, guard, require, unmet_by
from .items import item_positions
from .orders import Wanted, cases_mended, ordered, uncovered, unknown_cases
from .parameters import Typed
from .records import Guidelines, digest
from .refusal import Unmet, step
from .sentences import counted, listing
from .state import State
from .toolbox import ToolboxEvent, affected, new_toolbox, next_version, since_last_round
from .wording import identifier, written_text
from .words import Change, Role, Step

__all__ = ["GuidelinesWritten", "write_guidelines"]


class GuidelinesWritten(ToolboxEvent, frozen=True, tag="guidelines written"):
    """A new version of the guidelines."""

    says = "guidelines {guidelines.version} are written"

    guidelines: Guidelines


@on(GuidelinesWritten)
def _guidelines_written(state: State, event: GuidelinesWritten, stamp: Stamp) -> None:
    state.epoch.guidelines.append(event.guidelines)
    state.epoch.objections = [o for o in state.epoch.objections if o.concept]
    new_toolbox(state, stamp[0], "guidelines")


@guard("guideline_ge_1", step("guidelines"))
def _guideline_ge_1(state: State, asked: Asked) -> list[Unmet]:
    if state.epoch.guidelines:
        return []
    return [Unmet("guideline_ge_1", "there are no guidelines", "write version 1.0.0")]


@guard("scoring_options", step("guidelines"))
def _scoring_options(state: State, asked: Asked) -> list[Unmet]:
    epoch = state.epoch
    if not epoch.guidelines or epoch.task is None:
        return []  # said by other guards
    options = epoch.guidelines[-1].options
    found = []
    without = [id for id in epoch.questions if not options.get(id)]
    if without:
        says = f"{counted(len(without), 'question')} without scoring options ({listing(without)})"
        todo = "write guidelines with options for every question"
        found.append(Unmet("scoring_options", says, todo))
    if gone := [id for id in options if id not in epoch.questions]:
        says = f"the guidelines have options for questions that the task lacks ({listing(gone)})"
        found.append(Unmet("scoring_options", says, "write guidelines that fit the task"))
    for question in epoch.questions.values():
        parent = question.asked_if
        if parent and options.get(parent.question):
            odd = [label for label in parent.labels if label not in options[parent.question]]
            if odd:
                says = (
                    f"question {question.id} is asked if {parent.question} is {listing(odd)}, "
                    f"which is not among its options ({listing(options[parent.question])})"
                )
                found.append(Unmet("scoring_options", says, "mend the options or the task"))
    return found


@guard("ambiguity_policy", step("guidelines"))
def _ambiguity_policy(state: State, asked: Asked) -> list[Unmet]:
    epoch = state.epoch
    policy = epoch.guidelines[-1].ambiguity if epoch.guidelines else None
    if not epoch.guidelines:
        return []
    if policy is None:
        says = "the guidelines do not say whether “ambiguous” may be answered"
        todo = "write a policy, even “no, because …”"
        return [Unmet("ambiguity_policy", says, todo)]
    if not policy.allowed and not policy.reason.strip():
        says = "the guidelines allow no answer “ambiguous” and do not say why"
        return [Unmet("ambiguity_policy", says, "give the reason")]
    return []


@guard("guideline_major")
def _guideline_major(state: State, asked: Asked) -> list[Unmet]:
    if Change.DRASTIC in since_last_round(state).changes:
        return []
    says = "the guidelines have not changed drastically since the last round"
    return [Unmet("guideline_major", says, "write a new major version, or take another way")]


@guard("guideline_minor")
def _guideline_minor(state: State, asked: Asked) -> list[Unmet]:
    since = since_last_round(state)
    if Change.DRASTIC in since.changes:
        says = "the guidelines have changed drastically: everything must be annotated again"
        return [Unmet("guideline_minor", says, "open a round")]
    if Change.LOCAL in since.changes or since.concepts:
        return []
    says = "neither a local change of the guidelines nor a concept is new since the last round"
    return [Unmet("guideline_minor", says, "write one, or take another way")]


@guard("guideline_patch")
def _guideline_patch(state: State, asked: Asked) -> list[Unmet]:
    since = since_last_round(state)
    if since.changes == {Change.EDITORIAL} and not since.concepts:
        return []
    if not since.changes and not since.concepts:
        says = "nothing in the guidelines has changed since the last round"
        return [Unmet("guideline_patch", says, "write an editorial version, or take another way")]
    says = "more than the wording has changed since the last round"
    return [Unmet("guideline_patch", says, "carry out or waive the re-annotation that is ordered")]


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
    unknown_cases(state, cases)
    before = epoch.guidelines[-1] if epoch.guidelines else None
    if before is None or epoch.task is None:
        first = _filled(guidelines, "1.0.0", None, reason, ())
        return [GuidelinesWritten(first)]
    if _content(before) == _content(guidelines):
        raise RequestError(f"guidelines {before.version} say this already: nothing to change")
    bears_on = affected(before, guidelines, epoch.task)
    options = before.options != guidelines.options
    if not epoch.begun:
        wanted = wanted or (Change.DRASTIC if options else Change.LOCAL)
        new = _filled(guidelines, next_version(before.version, wanted), wanted, reason, ())
        return [GuidelinesWritten(new)]
    if wanted is None:
        raise RequestError(
            "annotations exist: say how far the change reaches "
            "(editorial: no answer changes; local: some questions; drastic: everything)"
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
    for id in scope:
        if id not in epoch.questions:
            raise unknown("question", id, epoch.questions, "the task has")
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
            unmet += uncovered(state, behind, covered, positions)
    elif items is not None or (wanted is Change.DRASTIC and questions is not None):
        raise RequestError(
            f"a scope is only stated for a local change: this one is {wanted} and bears on "
            f"{'nothing' if wanted is Change.EDITORIAL else 'everything'}"
        )
    require(WHAT, unmet)
    why = "; ".join(filter(None, (reason.strip(), options_keep.strip())))
    new = _filled(guidelines, next_version(before.version, wanted), wanted, why, behind)
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
    if change not in known:
        raise unknown("class of change", change, known, "there are")
    return Change(change)


def _filled(
    guidelines: Guidelines,
    version: str,
    change: Change | None,
    reason: str,
    cases: Sequence[int],
) -> Guidelines:
    return Guidelines(
        version,
        guidelines.options,
        guidelines.ambiguity,
        guidelines.rules,
        guidelines.text,
        change,
        reason.strip(),
        tuple(cases),
    )


def _content(guidelines: Guidelines) -> str:
    return digest(_filled(guidelines, "", None, "", ()))


def _checked(state: State, guidelines: Guidelines) -> None:
    """Complain about guidelines that do not fit themselves or the task."""
    known = state.epoch.questions
    for id, labels in guidelines.options.items():
        if id not in known:
            raise unknown("question", id, known, "the task has")
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
        for id in rule.questions:
            if id not in known:
                raise unknown("question", id, known, "the task has")
    policy = guidelines.ambiguity
    if policy is not None and policy.allowed and not any(s.strip() for s in policy.sources):
        raise RequestError(
            "“ambiguous” may be answered, but no source can be named: list one or more, so that "
            "the answer does not hide unclear guidelines"
        )
