"""What was given up before the first release, and what does the same job.

Each room adds a line for a public call, a model, a format or a command that is gone, so that the
error for the name says what to use instead.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["REMOVED", "instead"]

REMOVED: Mapping[str, Mapping[str, str]] = {
    "call": {
        # statistics
        # models
        # simulation and the rest
    },
    "model": {},
    "format": {
        "gate_teamware": "a table of item, coder and label; the docs have a recipe for pandas",
        "le_wi_di": "a table of item, coder and label; the docs have a recipe for pandas",
        "pdtb": "a table of item, coder and label; the docs have a recipe for pandas",
        "mturk": "the results of the batch as a CSV file, which is read as a long table",
        "appen": "the full report as a CSV file, which is read as a long table",
        "toloka": "the assignments of the pool as a TSV file, which is read as a long table",
        "doccano": "label_studio, hugging_face or the long layout as JSON lines",
        "prodigy": "label_studio, hugging_face or the long layout as JSON lines",
        "webanno_tsv": "the rows of data.spans, which other programs convert",
    },
    "command": {
        # analyses
        # project
    },
    "coefficient": {},
}


def instead(kind: str, name: str) -> str:
    """What to use instead of something that is gone; empty where it never was.

    Examples
    --------
    >>> instead("model", "never")
    ''
    """
    return REMOVED[kind].get(name, "")
