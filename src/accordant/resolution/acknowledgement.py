"""The guidelines: versions with numbered rules and options, read by every coder before a round."""

from __future__ import annotations

from typing import Annotated

from ..errors import unknown
from .command import Events, command
from .editorial import confirmations_awaited, rewording
from .fold import Stamp, on
from .guard import Asked, guard, require, unmet_by
from .parameters import Typed
from .refusal import Unmet, step
from .sentences import counted, listing
from .state import Epoch, State
from .toolbox import ToolboxEvent, since_last_round
from .wording import AGREEING
from .words import Change, Role

__all__ = [
    "Acknowledged", "EditorialConfirmed", "acknowledge", "acknowledgement_holds",
    "confirm_editorial",
]  # fmt: skip


class Acknowledged(ToolboxEvent, frozen=True, tag="acknowledged"):
    """A coder has read the task and a version of the guidelines."""

    says = "{coder} has read the task and guidelines {guidelines}"

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
def _all_acknowledged(state: State, asked: Asked) -> list[Unmet]:
    epoch = state.epoch
    coders = tuple(asked.get("coders") or state.coders)
    if not epoch.task_hash or not epoch.guidelines:
        return []
    if len(coders) < 2:
        says = f"{counted(len(coders), 'coder')} of two or more that are needed"
        return [Unmet("all_acknowledged", says, "add coders")]
    waiting = tuple(coder for coder in coders if not acknowledgement_holds(epoch, coder))
    if not waiting:
        return []
    says = (
        f"{counted(len(waiting), 'coder')} of {len(coders)} "
        f"{'has' if len(waiting) == 1 else 'have'} not acknowledged the task and guidelines "
        f"{epoch.guidelines[-1].version} ({listing(waiting)})"
    )
    return [Unmet("all_acknowledged", says, "let each of them read and acknowledge", waiting)]


@guard("confirmed_no_score_change", step("confirm"))
def _confirmed_no_score_change(state: State, asked: Asked) -> list[Unmet]:
    found = []
    for version in since_last_round(state).editorial:
        if awaited := confirmations_awaited(state, version):
            new = rewording(state.epoch, version)
            each = f"{listing(awaited)} {'has' if len(awaited) == 1 else 'have'} not"
            who, todo = "no coder has", "let one coder confirm"
            if new.terms:
                who, todo = each, "let each of them confirm"
            says = f"{who} confirmed that guidelines {version} change no score ({new})"
            found.append(Unmet("confirmed_no_score_change", says, todo, awaited))
    return found


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
