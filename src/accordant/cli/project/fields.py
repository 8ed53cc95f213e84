"""The parts of a file that a person writes: each key is checked, and what is wrong has a place."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from ...errors import InputError

__all__ = ["Fields"]

REQUIRED = object()


class Fields:
    """The keys of one table of a TOML or JSON file, taken one after another.

    Examples
    --------
    >>> fields = Fields({"txt": "?"}, "t.toml", "[task]", {"text"})
    Traceback (most recent call last):
    accordant.errors.InputError: t.toml: [task]: there is no key 'txt' here; did you mean 'text'?
    >>> Fields({"labels": [1, "x"]}, "t.toml", "options", {"labels"}).words("labels")
    ('1', 'x')
    """

    def __init__(self, given: Any, file: str, place: str, known: set[str]) -> None:
        self.file, self.place = file, place
        if not isinstance(given, Mapping):
            raise self.wrong(f"should be a table with keys such as {', '.join(sorted(known))}")
        self.given = given
        for key in given:
            if key not in known:
                close = get_close_matches(key, known, 1)
                hint = (
                    f"did you mean {close[0]!r}?" if close else f"keys: {', '.join(sorted(known))}"
                )
                raise self.wrong(f"there is no key {key!r} here; {hint}")

    def wrong(self, message: str) -> InputError:
        """An error about this table."""
        return InputError(f"{self.place}: {message}", file=self.file)

    def word(self, key: str, default: Any = REQUIRED) -> str:
        """A text; white space around it is left out."""
        value = self.given.get(key, default)
        if value is REQUIRED:
            raise self.wrong(f"{key!r} is missing")
        return self._text(key, value)

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.given.get(key, REQUIRED)
        if not isinstance(value, bool):
            raise self.wrong(f"{key!r} should be true or false")
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts or whole numbers, as texts; empty if the key is not there."""
        value = self.given.get(key, [])
        if isinstance(value, str) or not isinstance(value, list | tuple):
            raise self.wrong(f'{key!r} should be a list: ["…", "…"]')
        return tuple(self._text(key, one) for one in value)

    def tables(self, key: str) -> list[Any]:
        """A list of tables; empty if the key is not there."""
        value = self.given.get(key, [])
        if not isinstance(value, list):
            raise self.wrong(f"{key!r} should be a list of tables: [[{key}]]")
        return value

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers; empty if the key is not there."""
        value = self.given.get(key, [])
        if not isinstance(value, list) or any(type(one) is not int for one in value):
            raise self.wrong(f"{key!r} should be a list of whole numbers: [1, 2]")
        return tuple(value)

    def _text(self, key: str, value: Any) -> str:
        if isinstance(value, str):
            return value.strip()
        if type(value) is int:
            return str(value)
        told = "true and false" if isinstance(value, bool) else f"{value!r}"
        raise self.wrong(f'{key!r} holds {told}: write texts in quotes, such as "{value}"'.replace(
            '"True"', '"true"').replace('"False"', '"false"'))  # fmt: skip
