"""What can go wrong, as one tree.

::

    AccordantError            anything we report in one message; the command line exits with 1
    ├── InputError            the data: says what was found, where, what is allowed, what to do
    ├── RequestError          the call: unknown coefficient, weights that do not fit, a bad option
    ├── UndefinedError        a coefficient is undefined and the caller asked for an error
    └── StoreError            the store of a project: a file, a folder, a server
        └── Conflict          the project changed since you looked; nothing was written

    ReadingWarning            a warning: the data may have been read otherwise than they are meant
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from .actions import Action, with_steps

MOST_NAMES = 5  # that a message lists


class ReadingWarning(UserWarning):
    """The data may have been read otherwise than they are meant; both ways are named."""


class AccordantError(Exception):
    """Base of every error that Accordant raises on purpose.

    Parameters
    ----------
    message : str
        What was found and what is allowed, in plain words: no call and no option stands in it.
    parameter : str, optional
        The parameter whose value is wrong; it is named in front of the message.
    do : sequence of Action
        What helps: another call, or the same one with other options.

    Examples
    --------
    >>> print(RequestError("a number above 0, not -1", parameter="worth"))
    worth: a number above 0, not -1
    >>> print(InputError("item '3' has two labels", do=[Action("", {"duplicates": "first"})]))
    item '3' has two labels. Try: duplicates='first'
    """

    def __init__(
        self, message: str = "", *, parameter: str = "", do: Sequence[Action] = ()
    ) -> None:
        self.message, self.parameter, self.do = message, parameter, tuple(do)
        super().__init__(message)

    def __str__(self) -> str:
        return self.told(lambda name: name, Action.python)

    def told(self, named: Callable[[str], str], spelled: Callable[[Action], str]) -> str:
        """The message, with parameters and actions as the reader types them."""
        text = f"{named(self.parameter)}: {self.message}" if self.parameter else self.message
        return with_steps(text, self.do, spelled)


class InputError(AccordantError, ValueError):
    """The data cannot be read as annotations.

    Parameters
    ----------
    message : str
        What was found and what to do about it.
    file : str, optional
        Name of the file or sheet.
    row : int, optional
        Row in the file as a text editor or spreadsheet shows it (the first line is 1).
    column : str, optional
        Name (or letter) of the column.

    Examples
    --------
    >>> print(InputError("coder 'A' labelled item '3' twice", file="r.csv", row=7, column="coder"))
    r.csv, row 7, column 'coder': coder 'A' labelled item '3' twice
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        row: int | None = None,
        column: str | None = None,
        parameter: str = "",
        do: Sequence[Action] = (),
    ) -> None:
        self.file, self.row, self.column = file, row, column
        place = [
            *([file] if file else []),
            *([f"row {row}"] if row is not None else []),
            *([f"column {column!r}"] if column else []),
        ]
        where = f"{', '.join(place)}: " if place else ""
        super().__init__(f"{where}{message}", parameter=parameter, do=do)


class RequestError(AccordantError, ValueError):
    """The call asks for something that does not exist or does not fit the data."""


class UndefinedError(AccordantError, ArithmeticError):
    """A coefficient has no value for these data (only with ``undefined="error"``)."""


class StoreError(AccordantError):
    """A project cannot be opened, read or written; what was accepted before is still there."""


class Conflict(StoreError):  # noqa: N818 - it is nobody's error
    """The project changed since the caller looked: look again, repeat if it still makes sense."""


def unknown(
    what: str,
    name: Any,
    known: Iterable[Any],
    have: str = "the data have",
    hint: str = "",
    *,
    parameter: str = "",
    do: Sequence[Action] = (),
) -> RequestError:
    """The error for a name that is not there: what there is instead, and which come near.

    Parameters
    ----------
    what : str
        What the name should be one of, in the singular.
    name : object
    known : iterable
        The names that there are; a few of many are listed.
    have : str
        What comes before the list.
    hint : str
        What else to do, at the end.
    parameter : str
        Where the name was given.
    do : sequence of Action

    Examples
    --------
    >>> print(unknown("coder", "ana", ["anna", "bob"]))
    there is no coder 'ana': the data have anna, bob; did you mean 'anna'?
    >>> print(unknown("coder", "gold", [f"w{k}" for k in range(461)]))
    there is no coder 'gold': the data have w0, w1, w2, w3, w4 and 456 more
    """
    names = list(map(str, known))
    left = len(names) - MOST_NAMES
    shown = ", ".join(names[:MOST_NAMES]) + (f" and {left:,} more" if left > 0 else "")
    close = meant(name, names, 3)
    more = f". {hint}" if hint and not close else f" {hint}" if hint else ""
    return RequestError(
        f"there is no {what} {name!r}: {have} {shown or 'none'}{close}{more}",
        parameter=parameter,
        do=do,
    )


def meant(name: Any, known: Iterable[Any], most: int = 1) -> str:
    """The end of a sentence about a name that is not there: which names come near, if any.

    Examples
    --------
    >>> meant("alpah", ["alpha", "pi"]), meant("x", ["alpha", "pi"])
    ("; did you mean 'alpha'?", '')
    """
    near = get_close_matches(str(name), list(map(str, known)), most)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
