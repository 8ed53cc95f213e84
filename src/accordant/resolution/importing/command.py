"""Finished annotations come into a project that was begun for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..command import Events, Unmet, command, require
from ..state import State
from ..words import Role, Step

if TYPE_CHECKING:
    from .first_round import Finished

__all__ = ["import_finished"]


@command("import", "import finished annotations", roles=(Role.RESEARCHER,), steps=(Step.SETUP,))
def import_finished(state: State, by: str, finished: Finished) -> Events:
    """Make finished annotations a closed first round, with what is known of its disagreements.

    No guard of steps 1 to 4 is asked: what they would have asked for is recorded as deviations,
    which are printed on everything that the project ever gives out.

    Parameters
    ----------
    state : State
        A project that was begun as imported (`new_project(…, imported=True)`), and empty.
    by : str
    finished : Finished

    Returns
    -------
    list of Event

    Raises
    ------
    Refused
        If the project holds something already, or was not begun as imported.
    InputError, RequestError
        If what is known does not fit the annotations.
    """
    # Only here, so that every other command starts without numpy.
    from .checks import check_known, check_names, warnings_after, warnings_before
    from .first_round import Draft, imported, tell_round, tell_setting
    from .outcomes import tell_outcomes

    unmet = []
    if not state.imported:
        says = "the project was begun without imported annotations: steps cannot be skipped in it"
        unmet.append(Unmet("imported", says, "begin another project, as imported"))
    if state.items.ids or state.epoch.task or len(state.epochs) > 1:
        says = "the project holds a task or items already"
        unmet.append(Unmet("empty", says, "begin another project for these annotations"))
    if len(finished.data.coders) < 2:
        says = "the annotations are by one coder: nothing can be compared"
        unmet.append(Unmet("two_annotators", says, "import the annotations of all coders together"))
    require("importing finished annotations", unmet)
    check_names(state, finished)
    draft = Draft(state, by)
    tell_setting(draft, finished)
    tell_round(draft, finished)
    check_known(draft.state, finished)
    before = warnings_before(draft.state, finished)
    tell_outcomes(draft, finished)
    draft.tell(imported(finished, (*before, *warnings_after(draft.state, by))))
    return draft.events
