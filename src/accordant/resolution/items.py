"""Items to annotate, and who annotates which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from random import Random

from ..errors import InputError, RequestError
from .command import Asked, Events, Lack, Unmet, command, guard, require, step
from .event import Event, Stamp, on
from .records import Items
from .sentences import counted, listing
from .setup import the_coder
from .state import State
from .wording import all_known, identifier
from .words import Role, Step

__all__ = [
    "Assigned",
    "ItemsAdded",
    "ItemsFrozen",
    "add_items",
    "assign",
    "dealt",
    "freeze_items",
    "item_positions",
    "positions_of",
    "smallest_overlap",
]


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


@guard("units_frozen", step("freeze"))
def _units_frozen(state: State, asked: Asked) -> Iterator[Lack]:
    if not state.items.ids:
        yield "there are no items", "add the items to annotate"
    elif not state.items.frozen:
        says = f"the {counted(len(state.items.ids), 'item')} are not frozen"
        yield says, "freeze them when they are complete"


@guard("two_annotators", step("person"))
def _two_annotators(state: State, asked: Asked) -> Iterator[Lack]:
    """Two coders or more for every item of the scope (``items``: positions, None: all frozen)."""
    coders = tuple(asked.get("coders") or state.coders)
    free = sum(coder not in state.assigned for coder in coders)
    if len(coders) < 2:
        yield f"{counted(len(coders), 'coder')} of two or more that are needed", "add coders"
    if len(coders) < 2 or free >= 2:
        return
    times: Counter[int] = Counter()
    for coder in coders:
        times.update(state.assigned.get(coder, ()))
    items = asked.get("items")
    scope = range(state.items.frozen) if items is None else items
    if few := [item for item in scope if times[item] + free < 2]:
        ids = ", ".join(state.items.ids[item] for item in few[:5])
        more = f" and {len(few) - 5:,} more" if len(few) > 5 else ""
        says = f"{counted(len(few), 'item')} assigned to fewer than two coders ({ids}{more})"
        yield says, "assign them to one more coder"


OUTSIDE_ROUNDS = (
    Step.SETUP,
    Step.TASK,
    Step.ALIGNMENT,
    Step.COMPARISON,
    Step.RESOLUTION,
    Step.HALTED,
)


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
    if twice := [id for id, times in Counter(items.ids).items() if times > 1]:
        raise InputError(f"items that come twice: {listing(twice)}; ids must differ")
    if known := [id for id in items.ids if id in state.items.positions]:
        raise InputError(
            f"{counted(len(known), 'item')} of {n:,} in the project already ({listing(known)})"
        )
    return [ItemsAdded(items)]


@command(
    "items freeze",
    "freeze the items",
    typed="freeze",
    roles=(Role.RESEARCHER,),
    steps=OUTSIDE_ROUNDS,
)
def freeze_items(state: State, by: str) -> Events:
    """Settle which items are to be annotated."""
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
    wanted = list(items)
    all_known("item", wanted, where, "the project has")
    return sorted({where[item] for item in wanted})


# ------------------------------------------------------------------ items dealt to coders


def dealt(
    items: Sequence[str],
    coders: Sequence[str],
    *,
    overlap: int = 0,
    quota: Mapping[str, int] | None = None,
    seed: int = 0,
) -> dict[str, tuple[str, ...]]:
    """Which items each coder annotates.

    Parameters
    ----------
    items, coders : sequence of str
    overlap : int
        How many coders annotate each item; 0: as the quotas say, as evenly as they allow.
    quota : mapping of str to int, optional
        Coder → how many items. With an overlap others share evenly what is left; without, every
        coder needs one.
    seed : int
        The same one deals the same way.

    Returns
    -------
    dict of str to tuple of str
        Coder → items, in their order.

    Raises
    ------
    RequestError
        If the numbers cannot be met.

    Examples
    --------
    >>> of = dealt("abcdef", ["ana", "bob", "cleo"], overlap=2)
    >>> {coder: len(each) for coder, each in of.items()}, smallest_overlap(of)
    ({'ana': 4, 'bob': 4, 'cleo': 4}, (('ana', 'bob'), 2))
    """
    rng, wanted = Random(seed), dict(quota or {})
    sizes = _sizes(len(items), coders, overlap, wanted)
    total, order = sum(sizes.values()), list(range(len(items)))
    rng.shuffle(order)
    left, names = dict(sizes), list(coders)
    weight = dict.fromkeys(permutations(names, 2), 0.0)  # what two share, as a part of their loads
    found: dict[str, list[int]] = {coder: [] for coder in names}
    for k, item in enumerate(order):
        rest = len(order) - k
        rng.shuffle(names)
        chosen = _chosen(names, -(-total // rest), rest, left, weight)
        for coder in chosen:
            found[coder].append(item)
            left[coder] -= 1
            total -= 1
        for pair in permutations(chosen, 2):
            weight[pair] += 1 / (sizes[pair[0]] * sizes[pair[1]])
    return {coder: tuple(items[i] for i in sorted(each)) for coder, each in found.items()}


def smallest_overlap(assigned: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], int]:
    """The two coders who share the fewest items, and how many these are."""
    of = {coder: set(items) for coder, items in assigned.items()}
    each = ((pair, len(of[pair[0]] & of[pair[1]])) for pair in combinations(of, 2))
    return min(each, key=lambda one: one[1])


def _chosen(
    names: Sequence[str],
    n: int,
    rest: int,
    left: Mapping[str, int],
    weight: Mapping[tuple[str, str], float],
) -> list[str]:
    """Who annotates the next item: who must take every one that is left, then who shares least.

    Any choice with the first can be completed. Coders with the same claim take turns.
    """
    chosen = [coder for coder in names if left[coder] == rest]
    free = [coder for coder in names if 0 < left[coder] < rest]
    if n - len(chosen) > 1:  # the two who lack most to share what chance would have them share
        two = min(combinations(free, 2), key=lambda pair: weight[pair])
        chosen += two
        free = [coder for coder in free if coder not in two]
    while len(chosen) < n:
        best = min(free, key=lambda coder: sum(weight[coder, one] for one in chosen))
        free.remove(best)
        chosen.append(best)
    return chosen


def _sizes(n: int, coders: Sequence[str], overlap: int, quota: dict[str, int]) -> dict[str, int]:
    """How many items each coder gets; a RequestError where the numbers cannot be met."""
    for coder, size in quota.items():
        all_known("coder", [coder], coders, "the project has")
        if not 0 < size <= n:
            raise RequestError(f"{coder} cannot get {counted(size, 'item')}: there are {n:,}")
    others = [coder for coder in coders if coder not in quota]
    if len(coders) < 2 or not n:
        raise RequestError("items are dealt among two coders or more, once there are items")
    if not overlap:
        if others:
            raise RequestError(f"no quota for {others[0]}: give all coders one, or an overlap")
        if (total := sum(quota.values())) < n:
            raise RequestError(f"the quotas come to {total:,}, and there are {n:,} items")
        return {coder: quota[coder] for coder in coders}
    if not 0 < overlap <= len(coders):
        raise RequestError(f"an item cannot go to {overlap} of {len(coders)} coders")
    rest = overlap * n - sum(quota.values())
    if rest < len(others) or rest > len(others) * n:
        room = "is left for the others" if rest >= 0 else "too many"
        raise RequestError(
            f"{n:,} items for {overlap} coders each are {overlap * n:,} annotations: with these "
            f"quotas {abs(rest):,} {room}, {len(others)} of {len(coders)} coders"
        )
    return quota | {
        coder: rest // len(others) + (k < rest % len(others)) for k, coder in enumerate(others)
    }
