"""Annotations from whatever holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..kinds import Character, Commas, Metavar
from ..validation import checked
from .types import Data, Positive, Scale

if TYPE_CHECKING:
    from ..data.annotations import Annotations

__all__ = ["read"]

Column = Annotated[str, Metavar("COLUMN")]
Scheme = Annotated[Sequence[Any], Commas(), Metavar("A,B,C")]


@checked
def read(
    source: Data,
    *,
    item: Column | None = None,
    coder: Annotated[str | Sequence[str], Metavar("COLUMN")] | None = None,
    label: Annotated[str | Sequence[str], Metavar("COLUMN")] | None = None,
    question: Column | None = None,
    text: Column | None = None,
    categories: Scheme | Mapping[str, Scheme] | None = None,
    scale: Scale | Mapping[str, Scale] | None = None,
    layout: Literal["long", "wide", "files", "table", "counts", "onehot", "array"] | None = None,
    coders_in: Literal["rows", "columns"] | None = None,
    blank: Annotated[str, Metavar("MEANING")] | None = None,
    missing: Annotated[str | float | Sequence[Any], Metavar("WORD")] | None = None,
    duplicates: Literal["error", "first", "last", "union", "keep"] = "error",
    separator: Annotated[str, Character()] | None = None,
    max_labels: Positive | None = None,
    ranked: bool = False,
    label_weight: Column | None = None,
    empty: Annotated[str | Sequence[Any], Metavar("WORD")] | None = None,
    sheet: Annotated[str, Metavar("NAME")] | None = None,
    header_row: Annotated[int, Metavar("ROW")] | None = None,
    delimiter: Annotated[str, Character(), Metavar("CHARACTER")] | None = None,
    encoding: Annotated[str, Metavar("NAME")] | None = None,
    decimal: Literal[".", ","] | None = None,
    spans: Literal["labels", "tokens"] = "labels",
    rename: Mapping[str, Annotated[str, Metavar("CODER=NAME")]] | None = None,
    items: Literal["annotated", "shared", "complete"] = "annotated",
    only_question: Annotated[str | Sequence[str], Metavar("NAME")] | None = None,
    only_coder: Annotated[str | Sequence[str], Metavar("NAME")] | None = None,
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
    question : str, optional
        The column that names the question.
    text : str, optional
        The column of what the coders read.
    coder : str or sequence of str, optional
        The column that says who annotated; or the columns of the coders; or, for an array, the
        names of the coders.
    label : str or sequence of str, optional
        The column of labels; several columns are several questions, unless ``ranked`` or
        ``layout`` says that they hold the labels of one.
    categories : sequence, or dict of sequences by question, optional
        The scheme, in order. A label outside it is an error.
    scale : str, or dict by question, optional
        Labels are nominal unless a scale is given, even if they are numbers.
    layout : {'long', 'wide', 'files', 'table', 'counts', 'onehot', 'array'}, optional
        One row for each annotation; a column for each coder; a file or sheet for each coder; a
        contingency table of two coders; how many coders chose each category; a column of 0 and 1
        for each label (of each coder); an array of labels.
    coders_in : {'rows', 'columns'}, optional
        Where the coders of an array or a wide table are. Arrays have them in rows by default,
        tables in columns.
    blank : str, optional
        What an empty cell counts as: 'missing' (default), 'not_applicable', 'skipped', 'empty'
        (the coder answered that no label applies), or the name of a category.
    missing : str or sequence of str, optional
        Further words that mean missing, beside NA, N/A, NaN, null and the errors of spreadsheets.
    duplicates : {'error', 'first', 'last', 'union', 'keep'}
        What to do if a coder annotated an item twice. With 'union' the rows are the labels of
        one annotation. With 'keep' each repeat counts as a separate coder, 'Ann' and 'Ann (2nd
        time)', in the order of the rows; models treat the repeats as one coder.
    sheet : str, optional
        The sheet of a workbook.
    header_row : int, optional
        The row of a text file or sheet that names the columns, 1 for the first; 0 if there is
        none. Recognised if not given.
    encoding : str, optional
        Of a text file, such as cp1252.
    delimiter : str, optional
        The character between the cells of a text file.
    decimal : {'.', ','}, optional
        What stands before the decimals of a number. Recognised if not given.
    spans : {'labels', 'tokens'}
        What to compare where coders marked parts of a text: which labels a text has, or the
        labels of each token.
    rename : dict of str, optional
        Other names for coders. E-mail addresses are shortened to what stands before the @ unless
        they are renamed.
    max_labels : int, optional
        How many labels an annotation may hold. By default one, unless cells are lists, hold
        separated labels, or an annotation has several rows. With 1 each cell is one label,
        whatever it contains; with more, several rows may be the labels of one annotation. A
        larger set is an error.
    separator : str, optional
        What stands between the labels of a cell, such as ';'. Recognised if not given. A cell
        that is a category as a whole is one label.
    ranked : bool
        Whether the first label of an annotation is its primary one. Several label columns then
        hold the first, second, … label; name them Ann_1, Ann_2, Bob_1, Bob_2 if each coder has
        their own columns.
    label_weight : str, optional
        A column that says how strongly each of several labels, a row each, was given. Only
        the order of the weights matters; a label of weight 0 was not given.
    empty : str or sequence of str, optional
        Words that say that no label applies, beside [] and {}.
    only_question : str or sequence of str, optional
        Leave out the other questions.
    only_coder : str or sequence of str, optional
        Leave out the other coders.
    items : {'annotated', 'shared', 'complete'}
        Which items enter: all with an annotation; those with two or more, so that kappa of two
        coders is that of their contingency table; those that every coder annotated.

    Returns
    -------
    Annotations
        Further columns are kept in ``metadata``: facts about the items as they are, and when each
        coder annotated an item in a column of the coder, such as ``'ann: created_at'``.

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
    from ..data.read import read as found

    return found(
        source,
        item=item,
        coder=coder,
        label=label,
        question=question,
        text=text,
        categories=categories,
        scale=scale,
        layout=layout,
        coders_in=coders_in,
        blank=blank,
        missing=missing,
        duplicates=duplicates,
        separator=separator,
        max_labels=max_labels,
        ranked=ranked,
        label_weight=label_weight,
        empty=empty,
        sheet=sheet,
        header_row=header_row,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        spans=spans,
        rename=rename,
        items=items,
        only_question=only_question,
        only_coder=only_coder,
    )
