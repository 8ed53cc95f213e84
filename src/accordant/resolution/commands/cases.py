"""Talking about cases: reasons, groups, and opening again what seemed settled."""

from __future__ import annotations

from typing import Annotated

from ...errors import RequestError
from ..disagreement import Cases, cases_named, label_of_case, participants, the_case
from ..events.cases import CaseReopened, CasesGrouped, ReasonGiven
from ..guards.cases import given, in_state, not_suspended, takes_part
from ..guards.guard import require
from ..records import Highlight
from ..refusal import Unmet
from ..state import Case, State
from ..toolbox import cited
from ..words import CaseState, Role, Step
from .command import Events, command
from .parameters import Cites, Typed
from .wording import identifier

__all__ = ["give_reason", "group_cases", "may_speak", "reopen"]

S = CaseState
DISCUSSED = (S.OPEN, S.REASONS, S.CAUSE_PROPOSED, S.CAUSE_ACCEPTED, S.RESCORING, S.ARGUED)
LEADS = (Role.MODERATOR, Role.RESEARCHER)
SPEAKERS = (Role.CODER, *LEADS)


def may_speak(state: State, case: Case, by: str) -> list[Unmet]:
    """Coders of the item may, and who leads the discussion."""
    if state.has_role(by, *LEADS) or by in participants(state.epoch, case):
        return []
    coders = participants(state.epoch, case)
    says = f"{by} neither annotated {label_of_case(state, case)} nor leads its discussion"
    return [Unmet("participant", says, "let a coder of the item or a researcher do it", coders)]


def _highlight(state: State, case: Case, stretch: Highlight | tuple[int, int]) -> Highlight:
    mark = stretch if isinstance(stretch, Highlight) else Highlight(*stretch)
    text = state.items.texts[case.item] if state.items.texts else ""
    if 0 <= mark.start < mark.end <= len(text):
        return mark
    raise RequestError(
        f"characters {mark.start} to {mark.end} are not a stretch of the item's text, which has "
        f"{len(text):,} characters"
    )


@command("case reason", "say why one annotated so", roles=(Role.CODER,), steps=(Step.RESOLUTION,))
def give_reason(
    state: State,
    by: str,
    *,
    case: Annotated[int, Typed(each=True)],
    text: str,
    cites: Cites = (),
    highlight: Annotated[Highlight | tuple[int, int] | None, Typed("FROM-TO")] = None,
) -> Events:
    """Say why you annotated an item as you did.

    The others' reasons are shown after that. A reason that is given again replaces the first.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item.
    case : int
    text : str
        Your reason.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    highlight : Highlight or pair of int, optional
        The characters of the item's text that are meant, such as 10-42.

    Examples
    --------
    Why you said so:
    $ accordant project case 3 reason 'it is a report' --cites 'rule R2'
    A longer text:
    $ accordant project case 3 reason - < why.txt
    With the words that are meant:
    $ accordant project case 3 reason 'this part' --highlight 10-42
    """
    one = the_case(state, case)
    elements = cited(state, cites)
    mark = _highlight(state, one, highlight) if highlight is not None else None
    unmet = takes_part(state, one, by) + not_suspended(state, one) + in_state(state, one, DISCUSSED)
    require(f"giving a reason in {label_of_case(state, one)}", unmet + given(text))
    return [ReasonGiven(case, by, text.strip(), elements, mark)]


@command(
    "case group",
    "handle cases together that look alike",
    typed="group",
    roles=SPEAKERS,
    steps=(Step.RESOLUTION,),
)
def group_cases(state: State, by: str, *, name: str, cases: Cases, reason: str = "") -> Events:
    """Give several cases one name, or list the names.

    Parameters
    ----------
    state : State
    by : str
    name : str
        Of the group: not a number. It then stands for all of its cases.
    cases : numbers or names of groups
        The cases that look alike.
    reason : str
        What they have in common.

    Examples
    --------
    Name three cases:
    $ accordant project group wording 3 5 8 --reason 'the same phrase'
    Then use the name:
    $ accordant project case wording accept
    The groups there are:
    $ accordant project group
    """
    title = identifier("the name of a group", name, state.groups) if name.strip() else ""
    if not title or title.isdecimal():
        raise RequestError(f"a group of cases needs a name that is not a number, found {name!r}")
    members = cases_named(state, cases)
    unmet = [u for case in members for u in may_speak(state, case, by)]
    if len(members) < 2:
        unmet.append(Unmet("group", "one case is no group", "name several cases", argument=True))
    require(f"grouping cases as {title!r}", unmet)
    return [CasesGrouped(title, tuple(case.number for case in members), reason.strip())]


@command("case reopen", "open a case again", roles=SPEAKERS, steps=(Step.RESOLUTION,))
def reopen(state: State, by: str, *, cases: Cases, reason: str) -> Events:
    """Open cases again; everything said before is kept.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item, a moderator or a researcher.
    cases : numbers or names of groups
    reason : str
        Why.

    Examples
    --------
    One case:
    $ accordant project case 3 reopen 'the rule was read wrongly'
    Several:
    $ accordant project case 3-5 reopen 'the rule was read wrongly'
    """
    named = cases_named(state, cases)
    unmet = given(reason)
    for case in named:
        unmet += may_speak(state, case, by) + not_suspended(state, case)
        # One that was closed may be asked of two coders again, and have nothing that settled it.
        several = len(participants(state.epoch, case)) > 1
        talked = (S.OPEN, S.REASONS, S.CAUSE_PROPOSED, *(() if several else (S.CLOSED,)))
        unmet += in_state(state, case, [s for s in CaseState if s not in talked])
    require("opening cases again", unmet)
    return [CaseReopened(case.number, reason.strip()) for case in named]
