"""What can go wrong, as one tree.

::

    AccordantError            anything we report in one message; the command line exits with 1
    ├── InputError            the data: says what was found, where, what is allowed, what to do
    ├── RequestError          the call: unknown coefficient, weights that do not fit, a bad option
    └── UndefinedError        a coefficient is undefined and the caller asked for an error
"""

from __future__ import annotations

__all__ = ["AccordantError", "InputError", "RequestError", "UndefinedError"]


class AccordantError(Exception):
    """Base of every error that Accordant raises on purpose."""


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
    ) -> None:
        self.message, self.file, self.row, self.column = message, file, row, column
        place = [
            *([file] if file else []),
            *([f"row {row}"] if row is not None else []),
            *([f"column {column!r}"] if column else []),
        ]
        super().__init__(f"{', '.join(place)}: {message}" if place else message)


class RequestError(AccordantError, ValueError):
    """The call asks for something that does not exist or does not fit the data."""


class UndefinedError(AccordantError, ArithmeticError):
    """A coefficient has no value for these data (only with ``undefined="error"``)."""
