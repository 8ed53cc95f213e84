"""What came in from elsewhere, and that each coder accepts it as their own.

Finished annotations come into a project that was begun for them, with what must be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import field

from ..data.annotations import losses
from ..errors import unknown
from .cells import asked_at
from .command import Events, Unmet, command, require
from .disagreement import held
from .event import Event, Stamp, on
from .state import NONE, Origin, State
from .suggestions import directions
from .terms import Outcome, Role, Step, digest
from .wording import all_known, told_apart

if TYPE_CHECKING:
    from .importing.first_round import Finished


class Imported(Event, frozen=True, tag="imported"):
    """Annotations that were made elsewhere came in."""

    says = "annotations came in from {source}"

    source: str  # file names
    digests: dict[str, str] = field(default_factory=dict)  # file name → SHA-256
    licence: str = ""
    skipped: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    document: str = ""  # the file that says how they were made


class ImportAccepted(Event, frozen=True, tag="import accepted"):
    """A coder accepts as their own what was imported in their name, outcomes and causes included.

    ``digest`` says what it was: the coder's answers and the cases about them, as they stood.
    """

    says = "{coder} accepts {n:answer} that came in under their name"

    coder: str
    n: int
    digest: str


@on(Imported)
def _imported(state: State, event: Imported, stamp: Stamp) -> None:
    state.imports.append(Origin.of(event, at=stamp[0], seq=state.seq))


@on(ImportAccepted)
def _import_accepted(state: State, event: ImportAccepted, stamp: Stamp) -> None:
    if event.coder == stamp[1]:  # nobody accepts for another
        state.epoch.accepted[event.coder] = state.seq


@command(
    "import accept",
    "accept what was imported in one's name",
    typed="accept",
    roles=(Role.CODER,),
    steps=(Step.COMPARISON, Step.RESOLUTION),
)
def accept_import(state: State, by: str) -> Events:
    """Accept as your own what was imported in your name.

    Your annotations, and the causes and outcomes of cases as the source tells them. What you do not
    accept must be settled first: open its case again. When all coders have accepted, answers that
    are documented count as ground truth.

    Parameters
    ----------
    state : State
    by : str
        A coder of the imported annotations.

    Examples
    --------
    Read what it is:
    $ accordant project export labels.csv
    Accept it:
    $ accordant project accept --as bob
    """
    epoch = state.epoch
    unmet = []
    if not any(some.imported and by in some.coders for some in epoch.rounds):
        unmet.append(Unmet("imported", f"nothing was imported in the name of {by}"))
    if by in epoch.accepted:
        unmet.append(Unmet("accepted", f"{by} has accepted it already"))
    require(unmet)
    answers = {
        question: {
            state.items.ids[item]: str(epoch.answers[code])
            for item, code in enumerate(columns.get(by, ()))
            if code != NONE
        }
        for question, columns in epoch.current.items()
    }
    told = [
        (case.number, case.cause, case.answer, case.text)
        for case in epoch.cases.values()
        if case.outcome is Outcome.IMPORTED
    ]
    n = sum(map(len, answers.values()))
    return [ImportAccepted(by, n, digest([answers, told]))]


# ------------------------------------------------------------------ finished annotations


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
    from ..data.table import plain
    from .importing.first_round import Draft, tell_outcomes, tell_round, tell_setting

    unmet = []
    if not state.imported:
        unmet.append(Unmet("imported", "the project was not begun as imported"))
    if state.items.ids or state.epoch.task or len(state.epochs) > 1:
        unmet.append(Unmet("empty", "the project holds a task or items"))
    if len(finished.data.coders) < 2:
        unmet.append(Unmet("two_annotators", "the annotations are by one coder"))
    require(unmet)
    data = finished.data
    told_apart("name of a coder", [*state.people, *data.coders])
    told_apart("id of a question", data.questions)
    told_apart("id of an item", [plain(item) for item in data.items])
    draft = Draft(state, by)
    tell_setting(draft, finished)
    tell_round(draft, finished)
    _check(draft.state, finished)
    before = tuple(_warnings(draft.state, finished))
    tell_outcomes(draft, finished)
    one_sided = (d for d in directions(draft.state, by) if d.one_sided)
    after = (
        f"{d.about}: {d.n} of {d.n + d.n_reverse} cases go the same way: {d.coder} “{d.label}”, "
        f"{d.other} “{d.other_label}”; slips would go both ways"
        for d in one_sided
    )
    draft.tell(_imported_from(finished, (*before, *after)))
    return draft.events


def _check(state: State, finished: Finished) -> None:
    """Refuse knowledge about items, questions, coders or causes that do not exist."""
    from .importing.first_round import cause_of

    for item, question in [*finished.consensus, *(case.cell for case in finished.cases)]:
        all_known("item", [item], state.items.positions)
        all_known("question", [question], state.epoch.questions)
    for case in finished.cases:
        where = f"In the case of item {case.item!r}, question {case.question!r}"
        if case.coder and case.coder not in finished.data.coders:
            raise unknown("coder", case.coder, finished.data.coders, hint=where)
        for other in case.others:
            if other not in state.items.positions:
                raise unknown("item", other, state.items.ids, hint=where)
        try:
            cause_of(case.cause)
        except ValueError:
            known = ("a", "a1-concept", "a1-task", "a2", "b", "c", "d", "e")
            raise unknown("cause", case.cause, known, "there are", where) from None


def _warnings(state: State, finished: Finished) -> Iterator[str]:
    """What does not fit together in the source; all of it is imported as it stands."""
    epoch, known = state.epoch, {case.cell: case for case in finished.cases}
    for (item, question), agreed in finished.consensus.items():
        where, codes = (
            state.items.positions[item],
            held(epoch, state.items.positions[item], question),
        )
        given = {epoch.answers[code] for code in codes.values()}
        condition = epoch.questions[question].asked_if
        above = finished.consensus.get((item, condition.question)) if condition else None
        if condition and above and set(condition.labels).isdisjoint(above.labels):
            what = f"though {condition.question} is “{above}” so it is not asked; left out"
            yield f"{item}, {question}: the consensus is “{agreed}”, {what}"
        elif len(given) > 1 and agreed not in given:
            yield f"{item}, {question}: the consensus “{agreed}” is no coder's answer"
        elif given and agreed not in given and len(codes) == len(asked_at(epoch, where, question)):
            yield (
                f"{item}, {question}: all coders answered “{next(iter(given))}”, and the "
                f"consensus is “{agreed}”; their answer is kept"
            )
        elif (
            known
            and len(given) > 1
            and not ((item, question) in known and known[item, question].cause)
        ):
            yield f"{item}, {question}: coders differ and there is a consensus, but no cause"


def _imported_from(finished: Finished, warnings: tuple[str, ...]) -> Imported:
    """Where the annotations came from, what the reading left out, and what must be looked at."""
    reading = finished.data.reading
    skipped = tuple(losses(reading.left_out))
    return Imported(
        reading.source,
        dict(finished.digests),
        "",
        (*skipped, *reading.notes),
        (*reading.warnings, *warnings),
        finished.document,
    )
