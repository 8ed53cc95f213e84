"""One JSON object with an entry for each key: its start, without reading the whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...errors import InputError
from ..options import Options
from .format import File

__all__ = ["first_entry", "whole_object"]

_MOST = 200  # pairs of the first entry that are looked at


def first_entry(file: File) -> tuple[str, dict[str, Any]] | None:
    """The key of the first entry and what can be seen of it, if it is an object itself."""
    if file.head[:1] != "{":
        return None
    if isinstance(file.record, dict):
        key, value = next(iter(file.record.items()), ("", None))
        return (str(key), value) if isinstance(value, dict) else None
    key, at = _key(file.head, 1)
    if key is None or file.head[at : at + 1] != "{":
        return None
    found, at = dict[str, Any](), at + 1
    while len(found) < _MOST:
        name, at = _key(file.head, at)
        if name is None:
            break
        try:
            found[name], at = json.JSONDecoder().raw_decode(file.head, at)
        except (ValueError, RecursionError):
            break
        at = _past(file.head, at, ",")
    return (key, found) if found else None


def _key(text: str, at: int) -> tuple[str | None, int]:
    """A key, and where its value begins."""
    try:
        key, at = json.JSONDecoder().raw_decode(text, _past(text, at, ""))
    except (ValueError, RecursionError):
        return None, at
    after = _past(text, at, ":")
    return (key, after) if isinstance(key, str) else (None, at)


def _past(text: str, at: int, mark: str) -> int:
    while at < len(text) and (text[at].isspace() or text[at] == mark):
        at += 1
    return at


def whole_object(file: File, options: Options) -> Mapping[str, Any]:
    """The object that a file is.

    Raises
    ------
    InputError
        If it is another thing, or several.
    """
    found = [value for _, value in file.records(options)]
    if len(found) != 1 or not isinstance(found[0], dict):
        raise InputError(
            f"one JSON object is needed, this file has {len(found):,} values", file=file.source
        )
    return found[0]
