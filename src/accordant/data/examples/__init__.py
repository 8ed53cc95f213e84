"""Bundled examples: tables that papers print, and a made-up study with texts to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...errors import unknown
from ..annotations import Annotations
from ..read import read

__all__ = ["Example", "about", "load", "names", "path"]


@dataclass(frozen=True)
class Example:
    """A bundled data set.

    ``what`` says in a sentence what it shows, ``source`` where it is printed. ``options`` are
    the keywords with which `read` reads ``file``.
    """

    file: str
    what: str
    source: str
    options: Mapping[str, Any] = field(default_factory=dict)


_HOEK = "Hoek & Scholman (2017), Evaluating discourse annotation, section 3.3, Table {}"
_POESIO = "Artstein & Poesio (2008), Inter-coder agreement for computational linguistics, p. {}"
_SLIDES = "Evaluating Annotation Reliability (slides), confusion matrices, {}"
_MARCHAL = "Marchal et al. (2022), Establishing annotation quality in multi-label annotations, {}"
_EXAMPLES = {
    "visitors": Example(
        "visitors.csv",
        "Four coders read 120 remarks in a museum's visitors' book: what each is about, and how "
        "happy its writer was",
        "made up for this package",
        {
            "categories": {
                "topic": ["exhibits", "staff", "building", "café", "tickets", "children"],
                "mood": [1, 2, 3, 4, 5],
            },
            "scale": {"mood": "ordinal"},
        },
    ),
    **{
        f"hoek2017_table{n}": Example(f"hoek2017_table{n}.csv", what, _HOEK.format(n))
        for n, what in (
            (2, "Two categories, used equally often"),
            (3, "One category is used more often by both coders"),
            (4, "Much agreement, but none on the rare category"),
            (5, "Two coders who prefer opposite categories"),
        )
    },
    "artstein_poesio2008_table1": Example(
        "artstein_poesio2008_table1.csv", "Statements and requests, two coders", _POESIO.format(558)
    ),
    "artstein_poesio2008_table2": Example(
        "artstein_poesio2008_table2.csv",
        "Statements, requests and checks, two coders",
        _POESIO.format(568),
    ),
    "dawid_skene1979": Example(
        "dawid_skene1979.csv",
        "Five anaesthetists judge from the notes of 45 patients how fit each is for an operation, "
        "from 1 to 4. The first did so three times, and each time is kept",
        "Dawid & Skene (1979), Maximum likelihood estimation of observer error-rates using the EM "
        "algorithm, Table 1",
        {"duplicates": "keep", "categories": [1, 2, 3, 4], "scale": "ordinal"},
    ),
    "crowd": Example(
        "crowd.csv",
        "Ten coders say of 150 comments whether they are insults, irony or neutral; one labels "
        "without looking, one mistakes each category for the next, three share a reading of their "
        "own. What is true is known, and given as a control (gold) for 30 items",
        "made for this package: simulated coders",
        {"categories": ["insult", "irony", "neutral"]},
    ),
    "crowd_models": Example(
        "crowd_models.csv",
        "What two made-up language models say of the comments of crowd",
        "made up together with crowd; no language model was asked",
        {"categories": ["insult", "irony", "neutral"]},
    ),
    "krippendorff2011": Example(
        "krippendorff2011.csv",
        "Four observers, twelve units, five categories, some values missing",
        "Krippendorff (2011), Computing Krippendorff's alpha-reliability, data C",
    ),
    "marchal2022_table1": Example(
        "marchal2022_table1.csv",
        "Three items, two coders, one or two labels an item",
        _MARCHAL.format("Table 1"),
        {"separator": ";"},
    ),
    "marchal2022_case": Example(
        "marchal2022_case.csv",
        "Two coders, 884 items, 19 categories; one coder gives two labels to most items, the "
        "other to few. Every figure of the paper's Table 2 comes out of it",
        "constructed for this package from the figures that are printed in "
        + _MARCHAL.format("Table 2")
        + "; not the annotations of the authors, which are not published",
        {"separator": ";"},
    ),
    "levi2022_neat": Example(
        "levi2022_neat.csv",
        "2,209 sentences of news, three labels of which any number may apply, three coders of whom "
        "two read each sentence. Every figure of the paper comes out of it",
        "reconstructed for this package from the figures published in Levi & Shenhav (2022), A "
        "decomposition-based approach for evaluating and analyzing inter-annotator disagreement, "
        "as tests/data/example_neat.py says; not the annotations of the authors, and who said "
        "which of two confused values is not determined",
    ),
    "slides_command": Example(
        "slides_command.csv",
        "Senses of a verb, two coders: disagreements without a pattern",
        _SLIDES.format("agreement .76"),
    ),
    "slides_forge": Example(
        "slides_forge.csv",
        "Senses of a verb, two coders: sense 6 of one is sense 3 of the other",
        _SLIDES.format("agreement .36"),
    ),
    "slides_exploit": Example(
        "slides_exploit.csv",
        "Senses of a verb, two coders: one gives sense 1 to nearly everything",
        _SLIDES.format("agreement .59"),
    ),
}


def names() -> tuple[str, ...]:
    """The bundled examples.

    Examples
    --------
    >>> names()[0]
    'visitors'
    """
    return tuple(_EXAMPLES)


def about(name: str) -> Example:
    """What an example shows and where it comes from.

    Examples
    --------
    >>> about("krippendorff2011").what
    'Four observers, twelve units, five categories, some values missing'
    """
    if name not in _EXAMPLES:
        raise unknown("example", name, _EXAMPLES, "there are")
    return _EXAMPLES[name]


def path(name: str) -> Path:
    """The file of an example."""
    return Path(__file__).with_name(about(name).file)


def load(name: str) -> Annotations:
    """The annotations of an example.

    Examples
    --------
    >>> load("hoek2017_table2")
    <Annotations: 120 items, 2 coders, 240 annotations, 2 values>
    """
    data = read(path(name), **about(name).options)
    return replace(data, reading=replace(data.reading, files=(), options={}))
