"""Items to annotate, and who annotates which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import InputError, RequestError
from ..assignment import dealt
from ..events.rounds import Assigned, ItemsAdded, ItemsFrozen
from ..guards.guard import require
from ..records import Items
from ..refusal import Unmet
from ..sentences import counted, listing
from ..state import State
from ..words import Role, Step
from .command import Events, command
from .people import the_coder
from .scope import item_positions
from .wording import identifier

__all__ = ["add_items", "assign", "freeze_items"]

OUTSIDE_ROUNDS = (
    Step.SETUP, Step.TASK, Step.ALIGNMENT, Step.COMPARISON, Step.RESOLUTION, Step.HALTED,
)  # fmt: skip


@command("items add", "add items", typed="items", roles=(Role.RESEARCHER,), steps=OUTSIDE_ROUNDS)
def add_items(state: State, by: str, items: Items) -> Events:
    """Add items. Those that come after the items were frozen are flagged in reports.

    Parameters
    ----------
    state : State
    by : str
    items : Items
        Columns of equal length; ids that the project does not have.
    """
    n = len(items.ids)
    if not n:
        raise InputError("there are no items: a row for each item is needed")
    columns = {"texts": items.texts, "contexts": items.contexts, "batches": items.batches}
    for name, column in {**columns, **items.metadata}.items():
        if column and len(column) != n:
            raise InputError(
                f"there are {counted(n, 'item')}, but {len(column):,} {name}: "
                "give one for each, or none"
            )
    for id in items.ids:
        if identifier("the id of an item", id) != id:
            raise InputError(f"the id {id!r} has blanks around it: leave them out")
    if len(set(items.ids)) < n:
        seen, twice = set[str](), []
        for id in items.ids:
            if id in seen:
                twice.append(id)
            seen.add(id)
        raise InputError(f"items that come twice: {listing(twice)}; ids must differ")
    known = [id for id in items.ids if id in state.items.positions]
    if known:
        raise InputError(
            f"{counted(len(known), 'item')} of {n:,} in the project already ({listing(known)})"
        )
    return [ItemsAdded(items)]


@command(
    "items freeze",
    "freeze the items",
    typed="items --freeze",
    roles=(Role.RESEARCHER,),
    steps=OUTSIDE_ROUNDS,
)
def freeze_items(state: State, by: str) -> Events:
    """Settle what is to be annotated: all items that the project has now."""
    n, frozen = len(state.items.ids), state.items.frozen
    if not n:
        unmet = Unmet("items", "there are no items", "add the items to annotate")
        require("freezing the items", [unmet])
    if n == frozen:
        says = f"all {counted(n, 'item')} are frozen already"
        require("freezing the items", [Unmet("frozen", says)])
    return [ItemsFrozen(n)]


@command("assign", "assign items to a coder", roles=(Role.RESEARCHER,), steps=OUTSIDE_ROUNDS)
def assign(
    state: State,
    by: str,
    coder: str = "",
    items: Sequence[str] = (),
    *,
    overlap: int = 0,
    quota: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Events:
    """Say which items a coder annotates from now on, or deal all items to all coders.

    A coder without assignment annotates all.

    Parameters
    ----------
    state : State
    by : str
    coder : str
        Who.
    items : sequence of str
        Ids, all that the coder is to annotate.
    overlap : int
        Instead: how many coders annotate each item.
    quota : mapping of str to int, optional
        Instead, or with an overlap: coder → how many items.
    seed : int
        The same one deals the same way.
    """
    if overlap or quota:
        if coder or items:
            raise RequestError("give a coder with items, or an overlap and quotas, not both")
        found = dealt(state.items.ids, state.coders, overlap=overlap, quota=quota, seed=seed)
        return [Assigned(name, each) for name, each in found.items()]
    the_coder(state, coder)
    positions = item_positions(state, items)
    if not positions:
        raise RequestError(f"no item is given for {coder}: one or more are needed")
    return [Assigned(coder, tuple(state.items.ids[position] for position in positions))]
