"""Several columns that are one set of labels, folded into one column before the rest is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .lists import unlisted
from .one_hot import fold_one_hot
from .options import Options
from .ranks import fold_ranks, may_be_ranks, rank_columns
from .table import Table

__all__ = ["folded"]


def folded(tables: Sequence[Table], options: Options) -> tuple[list[Table], Options]:
    """The tables, and what is known of them, with a column of label sets where there were several.

    A one-hot table has a column for each label, with 1 where the coder gave it; a ranked table
    has a column for the first label of an annotation, one for the second, and so on.
    """
    if len(tables) == 1:
        table, options = unlisted(tables[0], options)
        tables = [table]
    pairs = [_folded(t, options, own_coder=len(tables) > 1) for t in tables]
    changed = [o for _, o in pairs if o is not options]
    if not pairs or len(changed) < len(pairs):
        return [t for t, o in pairs if o is options] if not changed else list(tables), options
    return [t for t, _ in pairs], changed[0]


def _folded(table: Table, options: Options, *, own_coder: bool) -> tuple[Table, Options]:
    if options.layout == "onehot":
        return fold_one_hot(table, options, own_coder=own_coder)
    ranks = rank_columns(table, options, own_coder=own_coder)
    if ranks:
        return fold_ranks(table, options, ranks)
    doubt = None if own_coder else may_be_ranks(table, options)
    return (replace(table, notes=(*table.notes, doubt)) if doubt else table), options
