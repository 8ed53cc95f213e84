"""Talking about cases: reasons, groups, and opening again what seemed settled."""

from __future__ import annotations

from typing import Annotated

from ..errors import RequestError
from .case_guards import given, in_state, not_suspended, takes_part
from .cases import CaseEvent, S, case_of, turn
from .command import Events, command
from .disagreement import label_of_case, the_case
from .fold import Stamp, on
from .guard import require
from .parameters import Cites, Typed
from .records import Highlight
from .state import Case, Reason, State
from .toolbox import cited
from .words import CaseState, Role, Step

__all__ = ["ReasonGiven", "give_reason"]


class ReasonGiven(CaseEvent, frozen=True, tag="reason given"):
    """A coder says why they annotated as they did, before seeing the others' reasons."""

    says = "case {case}: {coder} gave a reason"
    commutes = True

    coder: str
    text: str
    cites: tuple[str, ...] = ()  # toolbox elements, see `toolbox.elements`
    highlight: Highlight | None = None


@on(ReasonGiven)
def _reason_given(state: State, event: ReasonGiven, stamp: Stamp) -> None:
    case = case_of(state, event.case)
    case.version += 1
    case.reasons[event.coder] = Reason(
        event.coder, event.text, event.cites, event.highlight, stamp[0], state.seq
    )
    if case.state == CaseState.OPEN:
        turn(state, case, CaseState.REASONS, stamp)


DISCUSSED = (S.OPEN, S.REASONS, S.CAUSE_PROPOSED, S.CAUSE_ACCEPTED, S.RESCORING, S.ARGUED)


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
