"""Annotations: read from whatever holds them, bundled, or made up so that their truth is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import RequestError
from ..kinds import AtLeast, Character, Commas, Metavar
from ..validation import checked
from .types import Categories, Data, Names, Numbers, Positive, Progress, Scale, Share

if TYPE_CHECKING:
    from ..data.annotations import Annotations
    from ..simulation.study import MultilabelStudy

__all__ = ["example", "multilabel_study", "read", "simulate"]

Column = Annotated[str, Metavar("COLUMN")]
Named = Annotated[str | Sequence[str], Metavar("COLUMN")]
Scheme = Annotated[Sequence[Any], Commas(), Metavar("A,B,C")]
Layout = Literal[
    "long", "wide", "transposed", "files", "table", "counts", "onehot", "ranked", "tokens"
]


@checked
def read(
    source: Data,
    *,
    item: Column | None = None,
    coder: Named | None = None,
    label: Named | None = None,
    question: Column | None = None,
    categories: Scheme | Mapping[str, Scheme] | None = None,
    scale: Scale | Mapping[str, Scale] | None = None,
    layout: Layout | None = None,
    blank: Annotated[str, Metavar("MEANING")] | None = None,
    missing: Annotated[str | float | Sequence[Any], Metavar("WORD")] | None = None,
    empty: Annotated[str | Sequence[Any], Metavar("WORD")] | None = None,
    duplicates: Literal["error", "first", "keep"] = "error",
    separator: Annotated[str, Character()] | None = None,
    items: Literal["annotated", "shared", "complete"] = "annotated",
    sheet: Annotated[str, Metavar("NAME")] | None = None,
    header_row: Annotated[int, Metavar("ROW")] | None = None,
) -> Annotations:
    """Annotations from a file, several files, a frame, an array or plain lists.

    Layout and columns are recognised; what was recognised is in ``reading`` of the result.

    Parameters
    ----------
    source : path, paths, frame, array, list, dict or Annotations
        A CSV, TSV, XLSX, Parquet or JSON-lines file, or several (one for each coder); a pandas,
        polars or arrow table; a dict of columns; a list of dicts; a list of (item, coder, label)
        tuples; an array or nested lists, (coders, items), with None or NaN for missing; a tuple
        of two sequences, one for each coder. A cell may be a list, tuple or set of labels.
    item : str, optional
        The column of the item ids.
    coder : str or sequence of str, optional
        The column that says who annotated; or the columns of the coders, or some coders, to leave
        out the others. In Python, for an array, the names of the coders.
    label : str or sequence of str, optional
        The column of labels; several columns are several questions, unless ``layout`` says that
        they hold the labels of one. Or some questions, to leave out the others.
    question : str, optional
        The column that names the question.
    categories : sequence, or dict of sequences by question, optional
        The scheme, in order. A label outside it is an error.
    scale : str, or dict by question, optional
        Labels are nominal unless a scale is given, even if they are numbers.
    layout : str, optional
        'long': a row for each annotation; 'wide': a column for each coder; 'transposed': a row for
        each coder; 'files': a file or sheet for each coder; 'table': a contingency table of two
        coders; 'counts': how many coders chose each category; 'onehot': a column of 0 and 1 for
        each label (of each coder). Or what annotations hold: 'ranked': several labels, the primary
        one first; 'tokens': where coders marked parts of a text, the labels of each token instead
        of each text. In Python, an array is 'transposed', or 'wide' if it has many more rows
        than columns.
    blank : str, optional
        What an empty cell counts as: 'missing' (default), 'not_applicable', 'skipped', 'empty'
        (the coder answered that no label applies), or the name of a category.
    missing : str or sequence of str, optional
        Further words that mean missing, beside NA, N/A, NaN, null and the errors of spreadsheets.
    empty : str or sequence of str, optional
        Words that say that no label applies, beside [] and {}.
    duplicates : {'error', 'first', 'keep'}
        What to do if a coder annotated an item twice. With 'keep' each repeat is a further occasion
        of the coder, 'Ann' and 'Ann (2nd time)', in the order of the rows: agreement between
        coders takes the first, and models treat all as one coder. So it is by itself where a
        column (``round``) or the names of coders ('Ann_r1', 'Ann_r2') tell them apart.
    separator : str, optional
        What stands between the labels of a cell, such as ';'; empty if each cell is one label.
        Recognised if not given. A cell that is a category as a whole is one label.
    items : {'annotated', 'shared', 'complete'}
        Which items enter: all with an annotation; those with two or more, so that kappa of two
        coders is that of their contingency table; those that every coder annotated.
    sheet : str, optional
        The sheet of a workbook.
    header_row : int, optional
        The row of a text file or sheet that names the columns, 1 for the first; 0 if there is
        none. Recognised if not given.

    Returns
    -------
    Annotations
        Further columns are kept in ``metadata``: facts about the items as they are, and when each
        coder annotated an item in a column of the coder, such as ``'ann: created_at'``. Those that
        follow from the labels, such as a majority, are told in ``reading.derived`` and are no
        cause of disagreement. E-mail addresses of coders are cut at the @.

    Raises
    ------
    InputError
        One message that names file, row and column, and what to do.
    RequestError
        An option that does not exist or does not fit.

    Examples
    --------
    >>> data = read([["yes", "no", "yes", None], ["yes", "no", "no", "no"]])
    >>> data
    <Annotations: 4 items, 2 coders, 7 annotations, 2 values>
    >>> print(data.reading)
    read lists as array, coders x items
    1 blank counts as missing (not assigned)
    >>> read([("t1", "Ann", "pro"), ("t1", "Bob", "con")]).coders
    ('Ann', 'Bob')
    >>> read([["joy", "joy;awe", "none"], ["joy", "awe", "joy;awe"]], empty="none").values
    ((), ('awe',), ('joy',), ('awe', 'joy'))
    """
    given = {name: value for name, value in locals().items() if name != "source"}
    from ..data.read import read as read_data

    return read_data(source, **given)


@checked
def example(name: str) -> Annotations:
    """A bundled data set: a table that a paper prints, or a made-up study with texts to read.

    Parameters
    ----------
    name : str
        ``"visitors"``, ``"crowd"``, ``"levi2022_neat"`` … A name that there is not is answered
        with all names.

    Returns
    -------
    Annotations

    Raises
    ------
    RequestError
        If there is none of that name.

    Examples
    --------
    >>> example("hoek2017_table2")
    <Annotations: 120 items, 2 coders, 240 annotations, 2 values>
    """
    from ..data import examples

    return examples.load(name)


# ------------------------------------------------------------------ simulation


Pair = Annotated[int, AtLeast(2), Metavar("N")]


@checked
def simulate(
    items: Positive = 100,
    coders: Pair = 3,
    categories: Categories = 3,
    *,
    per_item: Positive | None = None,
    accuracy: Share | Numbers = 0.85,
    shares: Numbers | None = None,
    double: Share = 0.0,
    seed: Annotated[int, AtLeast(0), Metavar("N")] | None = None,
) -> Annotations:
    """Simulate annotations whose true labels are known, to plan or to try an analysis.

    Each item has one true label. A coder gives it with the probability ``accuracy``, else any
    other one; and perhaps a second label.

    Parameters
    ----------
    items, coders : int
        How many there are.
    categories : int or sequence
        How many categories there are, or which.
    per_item : int, optional
        How many of the coders annotate each item. Default: all.
    accuracy : float or sequence of float
        How often coders are correct, all alike or one number for each.
    shares : sequence of float, optional
        (K,) how likely each category is to be true. Default: all equally.
    double : float
        Share of the annotations that have a second label, any other one.
    seed : int or Generator, optional
        Makes the draws repeatable.

    Returns
    -------
    Annotations
        One question; ``metadata["truth"]`` holds the true label of each item.

    Raises
    ------
    RequestError
        If a number is out of its range.

    Examples
    --------
    >>> import accordant as ac
    >>> data = ac.simulate(200, 4, 3, per_item=2, accuracy=[0.9, 0.9, 0.9, 0.5], seed=1)
    >>> data
    <Annotations: 200 items, 4 coders, 400 annotations, 3 values>
    >>> data.metadata["truth"][:4]
    ('B', 'C', 'A', 'C')
    """
    from ..simulation.known_truth import simulated

    return simulated(items, coders, categories, per_item, accuracy, shares, double, seed)


@checked
def multilabel_study(
    measures: str | Names | None = None,
    *,
    double: Numbers = (0.0, 0.25, 0.5, 0.75, 1.0),
    agreement: Numbers = (0.6, 0.75, 0.9),
    categories: Categories = 5,
    shares: Numbers | None = None,
    items: Positive = 100,
    datasets: Positive = 100,
    simulations: Pair | None = None,
    seed: Annotated[int, AtLeast(0), Metavar("N")] | None = None,
    progress: Progress | None = None,
) -> MultilabelStudy:
    """Compare measures of label sets on simulated data sets whose true labels are known.

    The defaults are the study of Marchal et al. (2022, section 5 and Figure 1): two coders who give
    one or two labels, and share one as often as you say.

    Parameters
    ----------
    measures : str or iterable of str, optional
        Measures, as in `agreement`. Default: those of the paper.
    double : sequence of float
        Shares of annotations with two labels instead of one.
    agreement : sequence of float
        Intersection agreement: shares of items of which the coders share a label.
    categories : int or sequence
        How many categories there are, or which.
    shares : sequence of float, optional
        (K,) how likely each label is to be the first of an annotation. Default: all equally.
    items : int
        Items of a data set.
    datasets : int
        Data sets for each combination of ``double`` and ``agreement``.
    simulations : int, optional
        How often the agreement by chance of boot-match, -precision, -recall and -F1 is simulated
        for each data set, as in the paper. By default it is computed exactly. That of the others is
        computed.
    seed : int, optional
        Makes the draws repeatable.
    progress : callable, optional
        Called with (data sets done, all).

    Returns
    -------
    MultilabelStudy
        Means of observed, expected and adjusted agreement with Monte Carlo standard errors.

    Raises
    ------
    RequestError
        If there is no such measure, a number is out of its range, or there are too few
        categories for coders to differ.

    Notes
    -----
    With the probability of the intersection agreement both coders share a label of an item, drawn
    by ``shares``. Of the other items the second coder draws from the labels that the first did not
    use. Second labels are drawn from the rest, all equally likely, by each coder alone; how many
    labels there are does not depend on the item. Marchal et al. say how often coders give two
    labels and how often they share one, and that additional labels are "sampled randomly"; the rest
    is our reading, which reproduces what they print.

    Examples
    --------
    >>> import accordant as ac
    >>> study = ac.multilabel_study("boot_match", double=[0, 1], agreement=[0.75], seed=1)
    >>> [f"{cell.expected:.1f}" for cell in study]
    ['0.2', '0.7']
    """
    from ..simulation.study import PAPER, studied

    for name, given in (("double", double), ("agreement", agreement)):
        if not len(given) or not all(0 <= x <= 1 for x in given):
            raise RequestError(f"shares from 0 to 1, not {given!r}", parameter=name)
    wanted: Any = PAPER if measures is None else measures
    axes = double, agreement, categories, shares
    return studied(wanted, *axes, items, datasets, simulations, seed, progress)
