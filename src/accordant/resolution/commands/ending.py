"""How a project ends: finished with a status that is computed, or the task abandoned."""

from __future__ import annotations

from ..disagreement import live_cases
from ..events.cases import CaseLeft
from ..events.project import Moved, Released
from ..guards.cases import given
from ..guards.guard import GUARDS, require, unmet_of
from ..proof import proved, seal
from ..release import ReleaseNow, counts_of, flags_of, resolution_begun, status_now
from ..state import State
from ..words import ReleaseStatus, Role, Step
from .command import Events, command

__all__ = ["abandon", "finish"]

ALL_AGREE, COMPARED, RESOLVED, UNRESOLVED, ABANDON = 8, 9, 20, 21, 17  # transitions


def _released(state: State, now: ReleaseNow, reason: str) -> Released:
    return Released(
        len(state.releases) + 1,
        now.status,
        state.toolbox.hash if state.toolbox else "",
        state.head,
        now.counts,
        now.flags,
        reason.strip(),
        {kind.value: n for kind, n in proved(state).kinds.items()},
        seal(state),
    )


@command(
    "finish", "finish and release", typed="release", roles=(Role.RESEARCHER,),
    steps=(Step.COMPARISON, Step.RESOLUTION),
)  # fmt: skip
def finish(state: State, by: str, *, reason: str = "") -> Events:
    """Finish: as ground truth if everything is agreed, otherwise with a reason and as what it is.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    reason : str
        Why conflicts or cases remain; not needed for a ground truth.

    Notes
    -----
    From step 4: ground truth (transition 8), or conflicts are not resolved (9). From step 5: ground
    truth (20), or with cases left or decided (21). Which one is computed, and so is the status.
    """
    now = status_now(state)
    compared = state.step == Step.COMPARISON
    asked = {"by": by, "reason": reason}
    if not now.missing:
        number = ALL_AGREE if compared else RESOLVED
        return [Moved(number, state.step, Step.FINISHED, reason.strip()),
                _released(state, now, reason)]  # fmt: skip
    if compared:
        require("finishing with conflicts", unmet_of(state, COMPARED, asked))
        return _unresolved_at_comparison(state, now, reason)
    unmet = unmet_of(state, UNRESOLVED, asked)
    unmet += GUARDS["no_stale"](state, asked) + GUARDS["no_open_order"](state, asked)
    require("finishing with unresolved cases", unmet)
    return [Moved(UNRESOLVED, state.step, Step.FINISHED, reason.strip()),
            _released(state, now, reason)]  # fmt: skip


def _unresolved_at_comparison(state: State, now: ReleaseNow, reason: str) -> Events:
    """Conflicts are not resolved: cases that are open from an earlier step 5 are left."""
    live = live_cases(state.epoch)
    left = [CaseLeft(case.number, reason.strip()) for case in live]
    counts = dict(now.counts)
    if live:
        counts["left disagreed"] = counts.get("left disagreed", 0) + len(live)
        counts.pop("cases open", None)
    flags = flags_of(state, now.status, counts, resolution_begun(state))
    return [
        *left,
        Moved(COMPARED, state.step, Step.FINISHED, reason.strip()),
        _released(state, ReleaseNow(now.status, counts, flags), reason),
    ]


@command(
    "abandon", "abandon a task that cannot be agreed on", roles=(Role.RESEARCHER,),
    steps=(Step.RESOLUTION,),
)  # fmt: skip
def abandon(state: State, by: str, *, reason: str) -> Events:
    """Abandon a task that cannot be agreed on; another one follows.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    reason : str
        Why.

    Examples
    --------
    Then a new task follows:
    $ accordant project abandon 'two tasks, no agreement on which'
    Then:
    $ accordant project task new.toml --reason 'one of the two'
    """
    asked = {"by": by, "reason": reason}
    require("abandoning the task", unmet_of(state, ABANDON, asked) + given(reason))
    status, counts = ReleaseStatus.ABANDONED, counts_of(state)
    now = ReleaseNow(status, counts, flags_of(state, status, counts, resolution_begun(state)))
    return [
        Moved(ABANDON, state.step, Step.ABANDONED, reason.strip()),
        _released(state, now, reason),
    ]
