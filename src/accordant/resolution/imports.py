"""What came in from elsewhere, and that each coder accepts it as their own."""

from __future__ import annotations

from msgspec import field

from .command import Events, Unmet, command, require
from .event import Event, Stamp, on
from .state import NONE, Origin, State
from .terms import Outcome, Role, Step, digest


class Imported(Event, frozen=True, tag="imported"):
    """Annotations that were made elsewhere came in."""

    says = "annotations came in from {source}"

    source: str  # file names
    digests: dict[str, str] = field(default_factory=dict)  # file name → SHA-256
    licence: str = ""
    skipped: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


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
