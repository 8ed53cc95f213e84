"""The guidelines: versions with numbered rules and options, read by every coder before a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from ...errors import RequestError, unknown
from ..cells import dependents
from ..editorial import confirmations_awaited
from ..events.toolbox import Acknowledged, EditorialConfirmed, GuidelinesWritten
from ..guards.guard import require, unmet_by
from ..guards.setup import acknowledgement_holds
from ..records import Guidelines, digest
from ..refusal import Unmet
from ..sentences import listing
from ..state import State
from ..toolbox import affected, next_version
from ..words import Change, Role, Step
from .command import Events, command
from .parameters import Typed
from .scope import Wanted, cases_mended, item_positions, ordered, uncovered, unknown_cases
from .wording import AGREEING, identifier, written_text

__all__ = ["acknowledge", "confirm_editorial", "write_guidelines"]

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


@command(
    "acknowledge", "acknowledge task and guidelines",
    roles=(Role.CODER,), steps=AGREEING,
)  # fmt: skip
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
    "confirm editorial", "confirm that new wording changes no score", typed="confirm",
    roles=(Role.CODER,), steps=AGREEING,
)  # fmt: skip
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
    if version not in written:
        raise unknown("version of the guidelines", version, written, "there are")
    if written[version].change is not Change.EDITORIAL:
        editorial = [v for v, g in written.items() if g.change is Change.EDITORIAL]
        says = f"guidelines {version} are no editorial change"
        todo = f"editorial are {listing(editorial)}" if editorial else ""
        require(what, [Unmet("guideline_patch", says, todo)])
    if by not in confirmations_awaited(state, version):
        says = f"{listing(state.epoch.confirmed[version])} has confirmed {version} already"
        require(what, [Unmet("confirmed", says)])
    return [EditorialConfirmed(by, version)]
