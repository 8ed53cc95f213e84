"""Settings of a gate in accordant.toml or pyproject.toml, so that a pipeline types none."""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import AccordantError, InputError, RequestError, unknown

OWN, SHARED = "accordant.toml", "pyproject.toml"


class Configuration(NamedTuple):
    """A file of settings: files, relative to its folder, and options by their names in Python."""

    path: Path
    files: tuple[Path, ...] = ()
    options: Mapping[str, Any] = {}

    def refused(self, error: AccordantError, typed: Container[str]) -> AccordantError:
        """An error about what was typed; about what stands here, as it stands here."""
        name = error.parameter or ""
        if name in typed or name not in self.options:
            return error
        told = error.message.replace(" or None", "").replace("a dict", "a table")
        return RequestError(f"{self.path}: {name.replace('_', '-')}: {told}")


def configured(known: Iterable[str]) -> Configuration:
    """What the nearest file of settings says, in this folder or one above; nothing without one.

    Raises
    ------
    InputError
        If it is no TOML.
    RequestError
        If it names an option that is not ``known``, or files that are no list.
    """
    here = Path.cwd()
    found = ((p, t) for folder in (here, *here.parents) for p, t in _tables(folder))
    path, table = next(found, (here, {}))
    options = {name.replace("-", "_"): x for name, x in table.items()}
    names = ["files", *known]
    for name in options:
        if name not in names:
            raise unknown("option", name, names, f"in {path} there can be")
    files = options.pop("files", [])
    if not isinstance(files, list) or not all(isinstance(x, str) for x in files):
        raise RequestError(f"{path}: files: a list of names, not {files!r}")
    named = (one for name in files for one in _named(path.parent, name))
    return Configuration(path, tuple(named), options)


def _tables(folder: Path) -> Iterable[tuple[Path, dict[str, Any]]]:
    """The settings of a folder: a file of its own goes before one that is shared."""
    for name in (OWN, SHARED):
        path = folder / name
        if path.is_file():
            whole = _parsed(path)
            table = whole if name == OWN else whole.get("tool", {}).get("accordant")
            if table is not None:
                yield path, table


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"no TOML: {error}", file=str(path)) from None


def _named(folder: Path, name: str) -> list[Path]:
    """The files of a name; of a pattern such as labels/*.csv, all that fit, in order."""
    return sorted(folder.glob(name)) if any(c in name for c in "*?[") else [folder / name]
