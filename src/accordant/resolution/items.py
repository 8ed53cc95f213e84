"""Items to annotate, and who annotates which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..errors import InputError, RequestError, unknown
from .assignment import dealt
from .command import Events, command
from .event import Event
from .fold import Stamp, on
from .guard import Asked, guard, require
from .people import the_coder
from .records import Items
from .refusal import Unmet, step
from .sentences import counted, listing
from .state import State
from .wording import identifier
from .words import Role, Step

__all__ = [
    "Assigned", "ItemsAdded", "ItemsFrozen", "add_items", "assign", "freeze_items",
    "item_positions", "positions_of",
]  # fmt: skip


class ItemsAdded(Event, frozen=True, tag="items added"):
    """Items to annotate."""

    says = "{items.ids:item} came in"

    items: Items


class ItemsFrozen(Event, frozen=True, tag="items frozen"):
    """What is to be annotated is settled; items that come later are flagged."""

    says = "{n_items:item} are settled"

    n_items: int


class Assigned(Event, frozen=True, tag="assigned"):
    """Which items a coder annotates; a coder without such an event annotates all."""

    says = "{coder} annotates {items:item}"

    coder: str
    items: tuple[str, ...]


def positions_of(state: State, items: Sequence[str]) -> list[int]:
    """Where items stand in the table."""
    where = state.items.positions
    return [where[item] for item in items]


@on(ItemsAdded)
def _items_added(state: State, event: ItemsAdded, stamp: Stamp) -> None:
    table, before = state.items, len(state.items.ids)
    new, after = event.items, before + len(event.items.ids)
    table.ids += new.ids
    for column, more in (
        (table.texts, new.texts),
        (table.contexts, new.contexts),
        (table.batches, new.batches),
    ):
        _lengthen(column, more, before, after)
    for name, values in new.metadata.items():
        _lengthen(table.metadata.setdefault(name, []), values, before, after)
    for name in table.metadata.keys() - new.metadata.keys():
        _lengthen(table.metadata[name], (), before, after)


def _lengthen(column: list[str], more: Sequence[str], before: int, after: int) -> None:
    """Columns are empty, or as long as the table."""
    if column or more:
        column += [""] * (before - len(column))
        column += more
        column += [""] * (after - len(column))


@on(ItemsFrozen)
def _items_frozen(state: State, event: ItemsFrozen, stamp: Stamp) -> None:
    state.items.frozen = event.n_items


@on(Assigned)
def _assigned(state: State, event: Assigned, stamp: Stamp) -> None:
    state.assigned[event.coder] = sorted(positions_of(state, event.items))


@guard("units_frozen", step("items", freeze=True))
def _units_frozen(state: State, asked: Asked) -> list[Unmet]:
    if not state.items.ids:
        return [Unmet("units_frozen", "there are no items", "add the items to annotate")]
    if state.items.frozen:
        return []
    says = f"the {counted(len(state.items.ids), 'item')} are not frozen"
    return [Unmet("units_frozen", says, "freeze them when they are complete")]


@guard("two_annotators", step("person"))
def _two_annotators(state: State, asked: Asked) -> list[Unmet]:
    """Two coders or more for every item of the scope (``items``: positions, None: all frozen)."""
    coders = tuple(asked.get("coders") or state.coders)
    free = sum(coder not in state.assigned for coder in coders)
    if len(coders) < 2:
        says = f"{counted(len(coders), 'coder')} of two or more that are needed"
        return [Unmet("two_annotators", says, "add coders")]
    if free >= 2:
        return []
    times: Counter[int] = Counter()
    for coder in coders:
        times.update(state.assigned.get(coder, ()))
    items = asked.get("items")
    scope = range(state.items.frozen) if items is None else items
    few = [item for item in scope if times[item] + free < 2]
    if not few:
        return []
    ids = [state.items.ids[item] for item in few[:6]]
    more = f" and {len(few) - 5:,} more" if len(few) > 5 else ""
    says = (
        f"{counted(len(few), 'item')} assigned to fewer than two coders "
        f"({', '.join(ids[:5])}{more})"
    )
    return [Unmet("two_annotators", says, "assign them to one more coder")]


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


def item_positions(state: State, items: Iterable[str]) -> list[int]:
    """Positions of items by their ids, increasing.

    Raises
    ------
    RequestError
        If the project has no such item.
    """
    where = state.items.positions
    found = set()
    for item in items:
        if item not in where:
            raise unknown("item", item, where, "the project has")
        found.add(where[item])
    return sorted(found)
