"""Next steps with all that they need: the files as they were named, and what was said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from ..actions import METHODS, Action, Called
from ..inputs import inputs_of
from .blocks import Block, Finding, Prose, Steps, inside
from .document import Section

Change: TypeAlias = Callable[[Action], Action]


def followed(sections: Iterable[Section], called: Called) -> tuple[Section, ...]:
    """The sections, where each next step repeats what was said in the call and when reading."""
    return tuple(_changed(section, lambda a: completed(a, called)) for section in sections)


def _changed(section: Section, change: Change) -> Section:
    return replace(section, blocks=tuple(_blocks(section.blocks, change)))


def _blocks(blocks: Iterable[Block], change: Change) -> Iterator[Block]:
    for block in blocks:
        one = inside(block, lambda within: _blocks(within, change))
        if isinstance(one, Steps):
            steps = (replace(step, action=change(step.action)) for step in one.steps)
            yield replace(one, steps=tuple(steps))
        elif isinstance(one, Prose | Finding) and one.do:
            yield replace(one, do=tuple(map(change, one.do)))
        else:
            yield one


def completed(action: Action, called: Called) -> Action:
    """The next step with what was said that it takes; what it says itself goes before that.

    Examples
    --------
    >>> said = Called("agreement", ("f.csv",), {"label": "said", "null": 0.5, "level": 0.9})
    >>> completed(Action("diagnose", {"label": "tone"}), said).shell()
    'accordant diagnose f.csv --label said --label tone --level 0.9'
    """
    if not action.call or action.call in METHODS or " " in action.call:
        return action
    reading, own = _taken("read"), _taken(action.call)
    same, said = action.call == called.name, called.options
    kept = {n: x for n, x in said.items() if n not in reading and (same or n in own)}
    told = {n: _both(said.get(n), x) for n, x in action.options.items()}
    read = {n: x for n, x in said.items() if n in reading}
    return replace(action, options={**told, **kept}, files=called.files, reading=read)


def _both(said: Any, wanted: Any) -> Any:
    """What was said of some questions, beside what is wanted for others."""
    each = isinstance(said, Mapping) and isinstance(wanted, Mapping)
    return {**said, **wanted} if each else wanted


@cache
def _taken(call: str) -> frozenset[str]:
    """The options of a call, with those that it hands on."""
    calls = {"report": ("report", "agreement")}.get(call, (call,))
    top = import_module(__name__.partition(".")[0])
    return frozenset(one.name for name in calls for one in inputs_of(getattr(top, name)))


def with_source(sections: Iterable[Section]) -> Iterator[Section]:
    """The sections for Python: what the data are stands once, before the first call."""
    told = False
    for section in sections:
        blocks: list[Block] = []
        for block in section.blocks:
            if not told and (action := _first_call(block)) is not None:
                read = replace(action, call="read", options={}, why="")
                blocks.append(Prose(do=(read,), depth=block.depth))
                told = True
            blocks.append(block)
        yield _changed(replace(section, blocks=tuple(blocks)), _bare)


def _bare(action: Action) -> Action:
    """Without what the data are."""
    return action if action.call == "read" else replace(action, files=(), reading={})


def _first_call(block: Block) -> Action | None:
    """The first next step of a block that begins with data of which something is known."""
    inner = Section("", "", "", (block,)).every_block()
    steps = (b.do if isinstance(b, Prose | Finding) else _actions(b) for b in inner)
    return next((a for do in steps for a in do if a.files or a.reading), None)


def _actions(block: Block) -> Iterator[Action]:
    return (step.action for step in block.steps) if isinstance(block, Steps) else iter(())
