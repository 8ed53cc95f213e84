"""What can be done next, as values: rendered as a call in Python, a line for a shell, or a link.

No sentence holds a call or an option: a sentence that knows its next steps is a notice.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = "FILE"
"""Stands for a file that the user has to name."""

COMMANDS = {
    "coders": "fit --show coders",
    "list_models": "models",
    "crowdtruth": "fit --show crowdtruth",
    "soft_labels": "soft",
    "score_predictions": "score",
    "model_as_coder": "alt-test",
    "items_needed": "plan",
    "span_f1": "agreement --show spans",
    "to_check": "check-next",
}
"""Calls whose command has another name, with the option that chooses them."""

DATA = {"items_needed": ("pilot=data", FILE), "compare": ("before, after", "BEFORE AFTER")}
"""What stands for the data, in Python and in a shell, where it is not one set that comes first."""

SHOWN = frozenset(("show", "of", "against", "cell", "keep", "keep_share", "listed", "output"))
"""Options of commands that choose what is shown of a result, which in Python has it all."""

LISTED = ("categories", "coefficients", "models")
"""Parameters whose values stand in one word, between commas."""

SETTINGS = frozenset(
    (
        "prior",
        "prevalence",
        "method",
        "restarts",
        "one_vote_per_coder",
    )
)
"""Options that a shell gives as settings of a model."""

UNTYPED = frozenset(
    ["simulations", "undefined", "search", "minimum_share", "rounding", "q", "min_items", "n"]
)
"""Options that no command has."""

METHODS = {"of_question": "label", "of_coders": "coder"}
"""Methods of the data that are options of every command."""

PLACEHOLDER = "VALUE"
"""Stands for a value that the user has to choose."""

TO_TYPE = {
    **dict.fromkeys(("item", "coder", "label", "question"), "COLUMN"),
    "categories": "LABEL,LABEL,…",
    "separator": "CHARACTER",
}
"""What to type for such a value, by its option."""


@dataclass(frozen=True)
class Called:
    """A call that was made: its name, the files as they were named, and all that was said."""

    name: str = ""
    files: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Action:
    """A next step as a value: another call, or the same call with other options.

    Parameters
    ----------
    call : str
        The public function, which is also the command; empty for the call that was made; or
        ``of_question`` and ``of_coders`` for the same call on a part of the data.
    options : mapping
        Parameters and their values; ``...`` for a value that the user has to choose.
    why : str
        What for, in a few words.
    files : tuple of str
        What the user called the data, where they are from files.
    reading : mapping
        How they are read: options of `read`.

    Examples
    --------
    >>> step = Action("agreement", {"weights": "linear"}, "", ("my file.csv",), {"item": "id"})
    >>> print(step.python(), step.shell(), sep=chr(10))
    ac.agreement(data, weights='linear')
    accordant agreement 'my file.csv' --item id --weights linear
    >>> print(Action("read", {}, "", step.files, step.reading).python())
    data = ac.read('my file.csv', item='id')
    >>> print(Action("model_as_coder", {"models": ["gpt"]}).shell())
    accordant alt-test FILE --models gpt
    >>> print(Action("", {"duplicates": "first"}).python())
    duplicates='first'
    """

    call: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    files: tuple[str, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)

    def python(self) -> str:
        """The call in Python; only its keywords for the call that was made."""
        if self.call in METHODS:
            return f"data.{self.call}({', '.join(map(_literal, self.options.values()))})"
        if self.call == "read":
            named: Any = self.files[0] if len(self.files) == 1 else list(self.files) or ...
            given = [f"{k}={_literal(x)}" for k, x in self.reading.items()]
            return f"data = ac.read({', '.join([_literal(named), *given])})"
        given = [f"{k}={_literal(x)}" for k, x in self.options.items() if k not in SHOWN]
        data, _ = DATA.get(self.call, ("data", FILE))
        return f"ac.{self.call}({', '.join([data, *given])})" if self.call else ", ".join(given)

    def shell(self) -> str:
        """The command; only its options for the call that was made."""
        if self.call in METHODS:
            chosen = [w for x in self.options.values() for w in option_words(METHODS[self.call], x)]
            return " ".join(chosen)
        given = [word for k, x in self._said().items() for word in option_words(k, x)]
        if not self.call:
            return " ".join(given)
        command, *shown = COMMANDS.get(self.call, self.call.replace("_", "-")).split(" ")
        files = map(_quoted, self.files) if self.files else [DATA.get(self.call, ("", FILE))[1]]
        return " ".join(["accordant", command, *files, *shown, *given])

    def _said(self) -> dict[str, Any]:
        """The options, also of reading; a question beside the column in which its labels are."""
        read, asked = self.reading.get("label", ()), self.options.get("label")
        columns = [read] if isinstance(read, str) else [*read]
        beside = asked is not None and columns and asked not in columns
        return {**self.reading, **self.options, **({"label": [*columns, asked]} if beside else {})}

    def typed(self) -> str:
        """The command where the data are from files, else the call in Python."""
        shell = self.files and self.call != "read" and not UNTYPED & {*self.options}
        return self.shell() if shell else self.python()


def _literal(x: Any) -> str:
    if isinstance(x, Mapping):
        return f"{{{', '.join(f'{k!r}: {_literal(v)}' for k, v in x.items())}}}"
    if isinstance(x, list | tuple):
        return f"[{', '.join(map(_literal, x))}]"
    return (
        "…" if x == FILE or not isinstance(x, TYPED) else repr(str(x) if isinstance(x, Path) else x)
    )


def with_steps(
    text: str, do: Sequence[Action], spelled: Callable[[Action], str] = Action.python
) -> str:
    """A sentence with its next steps as the reader types them.

    Examples
    --------
    >>> print(with_steps("Labels are numbers.", [Action("", {"scale": "ordinal"}, "for grades")]))
    Labels are numbers. Try: scale='ordinal' (for grades)
    """
    steps = [spelled(action) + (f" ({action.why})" if action.why else "") for action in do]
    whole = text if text.endswith(("?", ".")) else f"{text}."
    return f"{whole} Try: {', or '.join(steps)}" if steps else text


class Notice(str):
    """A sentence that knows what can be done about it: text as it is, ``do`` has the steps.

    Examples
    --------
    >>> found = Notice("Two cells hold '?'", Action("", {"missing": "?"}))
    >>> print(found, found.told(), sep=chr(10))
    Two cells hold '?'
    Two cells hold '?'. Try: missing='?'
    """

    do: tuple[Action, ...]

    def __new__(cls, text: str, *do: Action) -> Notice:
        """The sentence and its next steps."""
        made = super().__new__(cls, text)
        made.do = do
        return made

    def told(self, spelled: Callable[[Action], str] = Action.python) -> str:
        """The sentence with its steps."""
        return with_steps(self, self.do, spelled)

    @staticmethod
    def behind(before: str, text: str) -> str:
        """A sentence behind some words, with the steps it has."""
        return Notice(before + text, *text.do) if isinstance(text, Notice) else before + text

    @staticmethod
    def spelled(text: str, spelled: Callable[[Action], str] = Action.python) -> str:
        """Any sentence, with its steps if it has some."""
        return text.told(spelled) if isinstance(text, Notice) else text


def option_words(name: str, x: Any) -> list[str]:
    """An option as it is typed, with its value quoted where a shell needs it.

    Examples
    --------
    >>> option_words("coder", ["Ann", "Bob"]), option_words("open", True)
    (['--coder', 'Ann', '--coder', 'Bob'], ['--open'])
    >>> option_words("categories", ["low", "very high"]), option_words("gold", FILE)
    (['--categories', "'low,very high'"], ['--gold', 'FILE'])
    >>> print(*option_words("categories", ["Housing", "Health, care"]))
    --categories 'Housing,"Health, care"'
    >>> option_words("item", ...), option_words("gold", ...)
    (['--item', 'COLUMN'], ['--gold', 'VALUE'])
    >>> option_words("cell", ("no", "not sure"))
    ['--cell', 'no', "'not sure'"]
    """
    typed = option(name)
    if name in SETTINGS:
        return ["--set", _quoted(f"{name}={_listed(x)}")]
    if isinstance(x, bool):
        return [typed if x else f"--no-{typed[2:]}"]
    if isinstance(x, set | frozenset):
        x = sorted(x)
    if not isinstance(x, (*TYPED, Mapping, list, tuple)) or (isinstance(x, list) and x == [...]):
        return [typed, TO_TYPE.get(name, PLACEHOLDER)]
    if isinstance(x, Mapping):
        return [w for k, v in x.items() for w in (typed, _quoted(f"{k}={_listed(v)}"))]
    if isinstance(x, tuple) and name not in LISTED:  # an option with several values
        return [typed, *(_quoted(_listed(each)) for each in x)]
    if isinstance(x, list) and name not in LISTED:
        return [word for each in x for word in (typed, _quoted(_listed(each)))]
    return [typed, _quoted(_listed(x))]


def option(name: str) -> str:
    """A parameter as the option of a command.

    Examples
    --------
    >>> option("header_row")
    '--header-row'
    """
    return f"--{name.replace('_', '-')}"


TYPED = (str, int, float, Path)
"""What has a spelling; of anything else a placeholder is shown."""


def _member(x: Any) -> str:
    """A value of a list between commas, in double quotes where it would not stay one value."""
    word = _listed(x)
    odd = any(sign in word for sign in ',"=') or word != word.strip()
    return '"{}"'.format(word.replace('"', '""')) if odd else word


def _quoted(word: str) -> str:
    return shlex.quote(word) if PLACEHOLDER not in word else word


def _listed(x: Any) -> str:
    if not isinstance(x, (*TYPED, list, tuple)):
        return PLACEHOLDER
    text = ",".join(map(_member, x)) if isinstance(x, list | tuple) else str(x)
    return text.replace("\n", "\\n").replace("\t", "\\t")
