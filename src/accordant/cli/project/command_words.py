"""What is typed for each command of the procedure."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["WORDS", "as_typed", "path_of"]

WORDS = {
    "new": "new TITLE", "person": "person NAME", "training": "training TEXT",
    "purpose": "purpose PURPOSE", "question": "question TEXT", "hypothesis": "hypothesis TEXT",
    "task": "task FILE", "task change": "task FILE --reason TEXT",
    "guidelines": "guidelines FILE", "concept": "concepts FILE", "acknowledge": "acknowledge",
    "confirm editorial": "confirm", "sign-off": "sign-off", "object": "object TEXT",
    "withdraw objection": "object --withdraw", "items add": "items FILE",
    "items freeze": "items --freeze", "assign": "assign CODER --items FILE",
    "round open": "round open", "round close": "round close", "annotate": "annotate",
    "annotate sheet": "annotate FILE",
    "decline": "decline ITEM REASON", "import": "import FILE", "resolve": "resolve",
    "adjudicator": "adjudicator NAME", "case reason": "case N reason TEXT",
    "case group": "group NAME CASE...", "case reopen": "case N reopen REASON",
    "cause propose": "case N cause CAUSE", "cause accept": "case N accept",
    "cause refuse": "case N refuse REASON", "cause withdraw": "case N withdraw",
    "cause dispute": "case N dispute REASON", "outcome propose": "case N outcome ANSWER",
    "outcome accept": "case N accept", "outcome refuse": "case N refuse REASON",
    "case rescore": "case N rescore ANSWER", "case dependent": "case N rescore ANSWER -q QUESTION",
    "case return": "case N return", "case defer": "case N defer --to CODER",
    "case postpone": "case N postpone REASON --review DATE", "case leave": "case N leave REASON",
    "case decide": "case N decide ANSWER", "case aggregate": "case N aggregate",
    "order waive": "reannotate ORDER --waive REASON", "halt": "halt REASON --review DATE",
    "finding": "finding TEXT", "resume": "resume", "abandon": "abandon REASON", "go": "go STEP",
    "finish": "release", "statement": "statement SECTION TEXT", "deviation": "deviation TEXT",
}  # fmt: skip
"""By the name of the command, without `accordant project` before it."""


def path_of(name: str) -> list[str]:
    """The words of a command that are names: those of groups, subcommands and options.

    Examples
    --------
    >>> path_of("cause propose"), path_of("items freeze")
    (['case', 'cause'], ['items', '--freeze'])
    """
    return [word for word in WORDS[name].split() if word == word.lower()]


def as_typed(names: Iterable[str]) -> list[str]:
    """What may be typed for some commands, each once.

    Examples
    --------
    >>> as_typed(["cause accept", "outcome accept", "finish"])
    ['case N accept', 'release']
    """
    return list(dict.fromkeys(WORDS.get(name, name) for name in names))
