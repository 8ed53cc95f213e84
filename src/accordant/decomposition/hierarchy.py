"""Categories in groups within groups: given, or read off names such as 'Contingency.Cause'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, TypeAlias

from ..errors import RequestError
from ..numbers import count_of, joined
from ..scheme import Label, Value, number
from .partition import Partition

__all__ = [
    "SEPARATORS", "Hierarchy", "HierarchySpec", "find_hierarchy", "hierarchy_of", "level_text",
]  # fmt: skip

SEPARATORS = ("::", " > ", ">", "/", ":", ".", "-")
"""What may stand between the parts of a name, the surest first."""

HierarchySpec: TypeAlias = Mapping[Any, Any] | str


LEAST_CATEGORIES = 3  # of fewer a common beginning of names says nothing


@dataclass(frozen=True)
class Hierarchy:
    """Groups of categories, on one or more levels.

    Parameters
    ----------
    categories : tuple
        (K,) the categories.
    paths : tuple of tuple of str
        (K,) the groups of each category, from the coarsest to the finest; empty for a category
        that stands for itself.
    origin : str
        Where it comes from, in words.

    Examples
    --------
    >>> senses = hierarchy_of(["Cause.Reason", "Cause.Result", "Contrast"], ".")
    >>> senses.nodes, [str(level) for level in senses.levels]
    ({'Cause': ('Cause.Reason', 'Cause.Result')}, ['top of the hierarchy'])
    """

    categories: tuple[Label, ...]
    paths: tuple[tuple[str, ...], ...]
    origin: str

    @property
    def depth(self) -> int:
        """The number of levels above the categories."""
        return max(map(len, self.paths), default=0)

    @cached_property
    def nodes(self) -> dict[str, tuple[Label, ...]]:
        """The categories below each group, coarse groups first; a group of all is left out."""
        found: dict[str, list[Label]] = {}
        for d in range(self.depth):
            for category, path in zip(self.categories, self.paths, strict=True):
                if d < len(path):
                    found.setdefault(path[d], []).append(category)
        n = len(self.categories)
        return {node: tuple(inside) for node, inside in found.items() if len(inside) < n}

    def path(self, category: Label) -> tuple[str, ...]:
        """The groups of a category, from the coarsest to the finest."""
        return self.paths[self.categories.index(category)]

    def group(self, category: Label, level: int) -> str:
        """The group of a category on a level, counted from 1; the category itself if it has none.

        Examples
        --------
        >>> hierarchy_of(["a.b.c", "a.b.d", "a.e"], ".").group("a.b.c", 2)
        'a.b'
        """
        path = self.path(category)
        return path[level - 1] if level <= len(path) else str(category)

    @cached_property
    def levels(self) -> tuple[Partition, ...]:
        """The categories by their groups, level by level, the coarsest first.

        A level that divides nothing, or no more than the level before it, is left out, and so is
        the last one, where every category stands for itself.
        """
        found: list[Partition] = []
        before: set[tuple[Value, ...]] = {self.categories}
        for level in range(1, self.depth + 1):
            blocks: dict[tuple[bool, str], list[Value]] = {}
            for category, path in zip(self.categories, self.paths, strict=True):
                # A group and a category may have the same name.
                key = (level <= len(path), self.group(category, level))
                blocks.setdefault(key, []).append(category)
            inside = tuple(tuple(block) for block in blocks.values())
            if set(inside) != before and len(inside) < len(self.categories):
                names = tuple(name for _, name in blocks)
                found.append(Partition(level_text(level), inside, names))
            before = set(inside)
        return tuple(found)


def level_text(level: int) -> str:
    """What a level of the hierarchy is called: not 'level 1', which is that of a decomposition.

    Examples
    --------
    >>> level_text(1), level_text(2)
    ('top of the hierarchy', 'level 2 of the hierarchy')
    """
    return "top of the hierarchy" if level == 1 else f"level {level} of the hierarchy"


def hierarchy_of(categories: Sequence[Label], spec: HierarchySpec | None = None) -> Hierarchy:
    """The hierarchy that is given, or found in the names.

    Parameters
    ----------
    categories : sequence
        (K,) the categories.
    spec : mapping or str, optional
        Category → group, where a group may have a group of its own and None means that there is
        none; or group → categories or a mapping of the same kind, nested; or what separates the
        parts of the names (``'.'``). By default the separator is found.

    Examples
    --------
    >>> parent = {"cat": "animal", "dog": "animal", "oak": None}
    >>> hierarchy_of(["cat", "dog", "oak"], parent).nodes
    {'animal': ('cat', 'dog')}
    >>> nested = {"living": {"animal": ["cat", "dog"], "plant": ["oak"]}, "stone": ["flint"]}
    >>> hierarchy_of(["cat", "dog", "oak", "flint"], nested).paths
    (('living', 'animal'), ('living', 'animal'), ('living', 'plant'), ('stone',))
    >>> hierarchy_of(["Cause.Reason", "Cause.Result", "Contrast.None"]).origin
    "found in the names of the categories, split at '.'"

    Raises
    ------
    RequestError
        If a category has no place, a group is its own group, or the names have no common separator.
    """
    categories = tuple(dict.fromkeys(categories))
    if spec is None:
        found = find_hierarchy(categories)
        if found is None:
            raise RequestError(
                "no hierarchy is given, and the names of the categories show none: not all of them "
                f"have the same separator ({joined(map(repr, SEPARATORS), 'or')}), or none share "
                "their first part; give a mapping from category to group"
            )
        return found
    if isinstance(spec, str):
        return _by_separator(categories, spec)
    if not isinstance(spec, Mapping) or not spec:
        raise RequestError(
            f"a hierarchy is a mapping from category to group, or a separator; {spec!r} is neither"
        )
    if any(isinstance(x, (Mapping, list, tuple, set, frozenset)) for x in spec.values()):
        given, origin = _nested(spec), "given as groups of categories"
    else:
        given, origin = _by_parent(spec), "given as the group of each category"
    place = _placed(given, "")
    lost = [c for c in categories if str(c) not in place]
    if lost:
        close = get_close_matches(str(lost[0]), place, 1)
        hint = f" (it has {close[0]!r})" if close else ""
        raise RequestError(
            f"the hierarchy has no place for {joined(map(repr, lost))}{hint}; give each category "
            "a group, or None if it has none"
        )
    return _checked(Hierarchy(categories, tuple(place[str(c)] for c in categories), origin))


def find_hierarchy(categories: Sequence[Label]) -> Hierarchy | None:
    """The hierarchy that the names show, or None.

    Every name must have the same separator with something on both sides of it, there must be at
    least three, and some must share their first part, but not all.

    Examples
    --------
    >>> find_hierarchy(["1.5", "1.7", "2.0"]) is None, find_hierarchy(["a-b", "a-c", "d"]) is None
    (True, True)
    """
    texts = [str(c) for c in categories]
    if len(texts) < LEAST_CATEGORIES or any(number(c) is not None for c in categories):
        return None
    for separator in SEPARATORS:
        parts = [text.split(separator) for text in texts]
        first = {part[0] for part in parts}
        whole = all(len(part) > 1 and all(p.strip() for p in part) for part in parts)
        if whole and 1 < len(first) < len(texts):
            return _by_separator(tuple(categories), separator)
    return None


def _by_separator(categories: tuple[Label, ...], separator: str) -> Hierarchy:
    """Names split: 'a.b.c' is in 'a.b', which is in 'a'."""
    if not separator:
        raise RequestError("the separator of a hierarchy is empty; give one such as '.' or '/'")
    paths = []
    for category in categories:
        parts = str(category).split(separator)
        paths.append([separator.join(parts[:d]) for d in range(1, len(parts))])
    if not any(paths):
        raise RequestError(f"no category has {separator!r} in its name, so it gives no hierarchy")
    size = Counter(node for path in paths for node in path)
    kept = [tuple(x for x in path if x == path[0] or size[x] > 1) for path in paths]
    origin = f"found in the names of the categories, split at {separator!r}"
    return _checked(Hierarchy(categories, tuple(kept), origin))


def _nested(spec: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every category in groups within groups, with its groups."""
    if isinstance(spec, Mapping):
        for node, inside in spec.items():
            if str(node) in above and inside is not None:
                raise RequestError(f"the hierarchy has {node!r} inside itself")
            if inside is None:
                yield str(node), above
            else:
                yield from _nested(inside, (*above, str(node)))
    elif isinstance(spec, Iterable) and not isinstance(spec, (str, bytes)):
        for category in spec:
            yield from _nested(category if isinstance(category, Mapping) else str(category), above)
    else:
        yield str(spec), above


def _by_parent(spec: Mapping[Any, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every category with its groups, from the group of each category and of each group."""
    parents = {str(key): None if up in (None, "") else str(up) for key, up in spec.items()}
    for key in parents:
        found: list[str] = []
        up = parents[key]
        while up is not None:
            if up in found or up == key:
                raise RequestError(f"the hierarchy has {up!r} inside itself")
            found.insert(0, up)
            up = parents.get(up)
        yield key, tuple(found)


def _placed(
    pairs: Iterable[tuple[str, tuple[str, ...]]], what: str, advice: str = ""
) -> dict[str, tuple[str, ...]]:
    """Each name with the groups above it, if they are the same wherever it stands."""
    place: dict[str, tuple[str, ...]] = {}
    for name, above in pairs:
        if place.setdefault(name, above) != above:
            first, second = (" > ".join(p) or "no group" for p in (place[name], above))
            raise RequestError(
                f"the hierarchy has {what}{name!r} twice: in {first} and in {second}{advice}"
            )
    return place


def _checked(found: Hierarchy) -> Hierarchy:
    """The hierarchy, if every group has one place."""
    groups = ((node, path[:d]) for path in found.paths for d, node in enumerate(path))
    if not _placed(groups, "the group ", "; give the two groups names of their own"):
        raise RequestError("the hierarchy has no group: give each category the group it belongs to")
    if not found.nodes:
        n = count_of(len(found.categories), "category", "categories")
        raise RequestError(
            f"the hierarchy puts all {n} in {found.paths[0][0]!r}, so it divides nothing"
        )
    return found
