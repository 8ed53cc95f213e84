"""Record what every case says now, and the inventory: `python -m tests.contract.record`.

Only from code whose values are right: a recording is what later code is compared with.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import outcome

Unit = list[tuple[str, str]]
"""Names and what is typed; several for a walk, whose steps hang together."""


def units(typed: dict[str, str], walks: dict[str, Unit]) -> list[Unit]:
    """What one process does in one go: walks first, since they take longest."""
    return [*walks.values(), *([item] for item in typed.items())]


def answered(unit: Unit) -> dict[str, Any]:
    """The outcomes of a unit by the names of its cases."""
    walk = unit[0][0].startswith("project ")
    return outcome.walked(unit) if walk else {n: outcome.outcome(typed) for n, typed in unit}


def begin(base: Path) -> None:
    """What each process needs first."""
    outcome.prepare()
    outcome.folder(base)


def answers(work: list[Unit], processes: int) -> Iterator[dict[str, Any]]:
    """All outcomes, unit by unit, in order."""
    outcome.prepare()
    with (
        TemporaryDirectory(prefix="contract-") as base,
        ProcessPoolExecutor(processes, initializer=begin, initargs=(Path(base),)) as pool,
    ):
        yield from pool.map(answered, work)


def inventory() -> list[str]:
    """Every command, option, choice and default, as lines."""
    import click

    from accordant.cli.main import cli

    lines: list[str] = []

    def walk(command: click.Command, path: str, context: click.Context) -> None:
        lines.append(path)
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                if below is not None:
                    walk(below, f"{path} {name}".strip(), click.Context(below, context))
        for option in command.get_params(context):
            names = (
                [*option.opts, *option.secondary_opts]
                if option.param_type_name == "option"
                else [option.human_readable_name]
            )
            name = max(names, key=len) if names else ""
            lines.extend(f"{path} {each}" for each in names)
            lines.extend(f"{path} {name} {c}" for c in getattr(option.type, "choices", ()))
            told = re.search(r"\[default: (.*?)\]", getattr(option, "help", None) or "")
            lines.extend([f"{path} {name} = {told[1]}"] if told else [])

    walk(cli, "", click.Context(cli))
    return sorted({" ".join(line.split()) for line in lines} - {""})


def new_refusals(former: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """Names of refused cases that were not refused before; the number of a step may have changed."""

    def refused(cases: dict[str, Any]) -> Counter[str]:
        return Counter(re.sub(r" \d{3} ", " ", name) for name in cases if cases[name]["exit"])

    new = refused(found) - refused(former)
    yield from (
        name for name in found if found[name]["exit"] and re.sub(r" \d{3} ", " ", name) in new
    )


def main() -> None:
    """Write the recording and the inventory; print what is refused now and was not before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", type=int, default=2, help="processes")
    given = parser.parse_args()
    typed, walks = outcome.cases(), outcome.walks()
    argv = typed | {name: each for unit in walks.values() for name, each in unit}
    former = outcome.recorded()
    found = {
        name: one for each in answers(units(typed, walks), given.j) for name, one in each.items()
    }
    for name in new_refusals(former, found):
        print(f"refused now: {name} | {found[name]['said']}")
    kept = {name: {"argv": argv[name], **one} for name, one in found.items()}
    for one in kept.values():
        one.pop("said", "")  # prose
    content = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    outcome.RECORDED.write_bytes(lzma.compress(content.encode(), preset=9))
    outcome.INVENTORY.write_text(json.dumps(inventory(), indent=1) + "\n", encoding="utf-8")
    print(f"{len(kept)} cases, {sum(one['exit'] != 0 for one in kept.values())} of them refusals")


if __name__ == "__main__":
    main()
