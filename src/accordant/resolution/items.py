"""Items to annotate, and who annotates which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from random import Random

from ..errors import InputError, RequestError
from .command import Asked, Events, Lack, Unmet, command, guard, require, step
from .event import Event, Stamp, on
from .sentences import counted, listing
from .setup import the_coder
from .state import State
from .terms import Items, Role, Step
from .wording import all_known, identifier


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
    return list(map(where.__getitem__, items))


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
        yield Unmet("units_frozen", "there are no items", do=(step("items"),))
    elif not state.items.frozen:
        yield f"the {counted(len(state.items.ids), 'item')} are not frozen"


@guard("two_annotators", step("person"))
def _two_annotators(state: State, asked: Asked) -> Iterator[Lack]:
    """Two coders or more for every item of the scope (``items``: positions, None: all frozen)."""
    coders = tuple(asked.get("coders") or state.coders)
    free = sum(coder not in state.assigned for coder in coders)
    if len(coders) < 2:
        yield f"{counted(len(coders), 'coder')} of two or more"
    if len(coders) < 2 or free >= 2:
        return
    times: Counter[int] = Counter()
    for coder in coders:
        times.update(state.assigned.get(coder, ()))
    items = asked.get("items")
    scope = range(state.items.frozen) if items is None else items
    if few := [item for item in scope if times[item] + free < 2]:
        ids = listing(state.items.ids[item] for item in few)
        says = f"{counted(len(few), 'item')} assigned to fewer than two coders ({ids})"
        yield Unmet("two_annotators", says, do=(step("assign"),))


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
        raise InputError("there are no items")
    columns = {"texts": items.texts, "contexts": items.contexts, "batches": items.batches}
    for name, column in {**columns, **items.metadata}.items():
        if column and len(column) != n:
            raise InputError(f"there are {counted(n, 'item')}, but {len(column):,} {name}")
    for id in items.ids:
        if identifier("the id of an item", id) != id:
            raise InputError(f"the id {id!r} has blanks around it")
    if twice := [id for id, times in Counter(items.ids).items() if times > 1]:
        raise InputError(f"items that come twice: {listing(twice)}")
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
    """Settle which items are to be annotated.

    Examples
    --------
    All items that the project has now:
    $ accordant project freeze --as ana
    What it would bring about:
    $ accordant project freeze --preview
    """
    n, frozen = len(state.items.ids), state.items.frozen
    if not n:
        require([Unmet("items", "there are no items")])
    if n == frozen:
        says = f"all {counted(n, 'item')} are frozen"
        require([Unmet("frozen", says)])
    return [ItemsFrozen(n)]


@command("assign", "assign items to a coder", roles=(Role.RESEARCHER,), steps=OUTSIDE_ROUNDS)
def assign(
    state: State,
    by: str,
    coder: str = "",
    items: Sequence[str] = (),
    *,
    overlap: int = 0,
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
    seed : int
        The same one deals the same way.
    """
    if overlap:
        if coder or items:
            raise RequestError("give a coder with items or an overlap")
        found = dealt(state.items.ids, state.coders, overlap=overlap, seed=seed)
        return [Assigned(name, each) for name, each in found.items()]
    the_coder(state, coder)
    positions = item_positions(state, items)
    if not positions:
        raise RequestError(f"no item is given for {coder}")
    return [Assigned(coder, tuple(state.items.ids[position] for position in positions))]


def item_places(state: State, items: Iterable[str]) -> list[int]:
    """Positions of items by their ids, in the order given.

    Raises
    ------
    RequestError
        If the project has no such item.
    """
    where, wanted = state.items.positions, list(items)
    all_known("item", wanted, where)
    return [where[item] for item in wanted]


def item_positions(state: State, items: Iterable[str]) -> list[int]:
    """Positions of items by their ids, each once and increasing."""
    return sorted({*item_places(state, items)})


# ------------------------------------------------------------------ items dealt to coders


def dealt(
    items: Sequence[str], coders: Sequence[str], *, overlap: int, seed: int = 0
) -> dict[str, tuple[str, ...]]:
    """Which items each coder annotates: each item goes to those who have fewest and share least.

    Parameters
    ----------
    items, coders : sequence of str
    overlap : int
        How many coders annotate each item.
    seed : int
        The same one deals the same way.

    Returns
    -------
    dict of str to tuple of str
        Coder → items, in their order; numbers differ by one at most.

    Raises
    ------
    RequestError
        If there are not so many coders.

    Examples
    --------
    >>> of = dealt("abcdef", ["ana", "bob", "cleo"], overlap=2)
    >>> {coder: len(each) for coder, each in of.items()}
    {'ana': 4, 'bob': 4, 'cleo': 4}
    """
    if not 0 < overlap <= len(coders):
        raise RequestError(f"an item cannot go to {overlap} of {len(coders)} coders")
    rng, names, order = Random(seed), list(coders), list(range(len(items)))
    rng.shuffle(order)
    found: dict[str, list[int]] = {coder: [] for coder in names}
    shared: Counter[tuple[str, str]] = Counter()
    for item in order:
        rng.shuffle(names)
        chosen: list[str] = []
        for _ in range(overlap):
            free = (coder for coder in names if coder not in chosen)
            chosen.append(
                min(free, key=lambda c: (len(found[c]), sum(shared[c, one] for one in chosen)))
            )
        for coder in chosen:
            found[coder].append(item)
        shared.update(permutations(chosen, 2))
    return {coder: tuple(items[i] for i in sorted(each)) for coder, each in found.items()}
