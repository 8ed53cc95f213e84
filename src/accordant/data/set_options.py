"""What was said about several labels of an annotation, held against what the data hold."""

from __future__ import annotations

from dataclasses import replace

from ..actions import Action, Notice
from ..errors import InputError
from .annotations import Annotations
from .options import Options
from .separators import guess

__all__ = ["check_asked"]


def check_asked(data: Annotations, options: Options) -> Annotations:
    """The annotations, with a warning if a separator that was given stands nowhere.

    Raises
    ------
    InputError
        If another separator is the likely one, or if labels are said to be ranked although no
        annotation holds two.
    """
    if not len(data) or any(isinstance(v, tuple) and len(v) > 1 for v in data.values):
        return data
    if options.separator is not None:
        data = _separated(data, options.separator)
    if options.ranked and options.label_weight is None and options.max_labels is None:
        raise InputError(
            "the first of several labels is said to be the primary one, but no annotation holds "
            "several",
            file=data.reading.source,
            do=[
                Action("", {"label": [...]}, "the columns of the ranks, the first label first"),
                Action("", {"separator": ...}, "if a cell holds several labels"),
            ],
        )
    return data


def _separated(data: Annotations, mark: str) -> Annotations:
    """The error or warning for a separator between no two labels."""
    words = {str(c) for s in data.schemes for c in s.categories}
    found = guess(words)
    if found is not None and found.clear and found.mark != mark:
        shown = min(found.joined, key=len)
        raise InputError(
            f"the separator {mark!r} stands between no two labels, but {found.mark!r} seems to, "
            f"as in {shown!r}",
            file=data.reading.source,
            do=[
                Action("", {"separator": found.mark}),
                Action("", {"max_labels": 1}, "if a cell is one label"),
            ],
        )
    doubt = f"the separator {mark!r} stands between no two labels: an annotation holds at most one"
    joined = [w for w in sorted(words) if mark in w]
    if joined:
        doubt += (
            f"; {joined[0]!r} is one category of the scheme. Leave it out of the categories if it "
            "holds several labels"
        )
    elif found is not None:
        several = f"if {min(found.joined, key=len)!r} holds several"
        doubt = Notice(doubt, Action("", {"separator": found.mark}, several))
    reading = replace(data.reading, warnings=(*data.reading.warnings, doubt))
    return replace(data, reading=reading)
