"""The tables of a report for LaTeX, with booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..fields import cell
from ..views.blocks import (
    Block,
    Chart,
    Choice,
    Column,
    Depth,
    Finding,
    Fold,
    Matrix,
    Quotation,
    Table,
    Verdicts,
)
from ..views.document import Document, Section, visible

_LONG = 40  # characters of a cell from which on a column needs a width
_SIGNS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "[": "{[}",
    "*": "{*}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "−": r"\ensuremath{-}",
    "—": "---",
    "–": "--",
    "×": r"\ensuremath{\times}",
    "→": r"\ensuremath{\to}",
    "↓": r"\ensuremath{\downarrow}",
    "·": r"\ensuremath{\cdot}",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "\N{NO-BREAK SPACE}": "~",
    "κ̄": r"\ensuremath{\bar\kappa}",
    "κ": r"\ensuremath{\kappa}",
    "π": r"\ensuremath{\pi}",
    "α": r"\ensuremath{\alpha}",
}

_HEAD = r"""% {title}
% Needs: \usepackage{{booktabs}} \usepackage{{longtable}} \usepackage[T1]{{fontenc}}
% {signature}
% Letters outside Latin script in labels need XeLaTeX or LuaLaTeX with a font that has them.
"""


def latex(report: Document, *, full: bool = False) -> str:
    """The tables, one longtable each, to be included in a document; ``full`` adds details."""
    depth: Depth = "detail" if full else "main"
    sections = (*report.opening, *report.printed(full=full))
    head = _HEAD.format(title=_comment(report.title), signature=_comment(report.signature))
    return "\n".join([head, *(part for s in sections for part in _section(s, depth))]) + "\n"


def sections_latex(sections: Iterable[Section]) -> str:
    """The tables of some sections."""
    return (
        "\n".join(part for section in sections for part in _section(section, "main")).lstrip()
        + "\n"
    )


def latex_table(table: Table) -> str:
    """One table with its notes."""
    return _table(table, table.title) + "\n"


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    Examples
    --------
    >>> escaped("50 % of A_o & κ")
    '50 \\% of A\\_o \\& \\ensuremath{\\kappa}'
    """
    text = text.replace("κ̄", "\0")
    return "".join(_SIGNS.get(c, _SIGNS["κ̄"] if c == "\0" else c) for c in text)


def _comment(text: str) -> str:
    return " ".join(text.split())


def _section(section: Section, depth: Depth) -> Iterator[str]:
    found = list(_blocks(section.shown(depth), "", depth))
    if found:
        yield f"\n% ---- {_comment(section.title)}"
        yield f"% {_comment(section.lead)}"
        yield from found


def _blocks(blocks: Sequence[Block], where: str, depth: Depth) -> Iterator[str]:
    for block in visible(blocks, depth):
        match block:
            case Choice():
                for name, inside in block.options:
                    yield from _blocks(inside, f"{where} ({name})", depth)
            case Fold() | Finding():
                yield from _blocks(block.blocks, where, depth)
            case Verdicts():
                yield _table(block.table, block.title + where)
            case Chart():
                yield _table(block.table, block.title + where)
            case Table():
                yield _table(block, block.title + where)
            case Matrix():
                yield _matrix(block, block.title + where)
            case Quotation() if not block.verbatim:
                yield escaped(block.text)


def _table(table: Table, caption: str) -> str:
    align = "".join(_align(column, table) for column in table.columns)
    body = [[cell(column, row) for column in table.columns] for row in table.rows]
    return _longtable(align, [c.heading for c in table.columns], body, caption, table.notes)


def _align(column: Column, table: Table) -> str:
    if column.kind != "text":
        return "r"
    most = max((len(str(row.get(column.key) or "")) for row in table.rows), default=0)
    return r"p{0.35\linewidth}" if most > _LONG else "l"


def _matrix(matrix: Matrix, caption: str) -> str:
    right, below, corner = matrix.totals or ((), (), "")
    head = [f"{matrix.rows_are} ↓ {matrix.columns_are} →", *matrix.column_names]
    body = [
        [name, *map(matrix.text, cells), *right[k : k + 1]]
        for k, (name, cells) in enumerate(zip(matrix.row_names, matrix.cells, strict=True))
    ]
    if right:
        head, body = [*head, "all"], [*body, ["all", *below, corner]]
    return _longtable("l" + "r" * (len(head) - 1), head, body, caption, matrix.told)


def _longtable(
    align: str,
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    caption: str,
    notes: Sequence[str],
) -> str:
    rule = r"\toprule", " & ".join(map(escaped, head)) + r" \\", r"\midrule"
    below = [
        rf"\multicolumn{{{len(head)}}}{{p{{0.9\linewidth}}}}{{\footnotesize {escaped(note)}}} \\"
        for note in notes
    ]
    return "\n".join(
        [
            rf"\begin{{longtable}}{{{align}}}",
            rf"\caption{{{escaped(caption)}}} \\",
            *rule,
            r"\endfirsthead",
            *rule,
            r"\endhead",
            *(" & ".join(map(escaped, row)) + r" \\" for row in body),
            r"\bottomrule",
            *below,
            r"\end{longtable}",
        ]
    )
