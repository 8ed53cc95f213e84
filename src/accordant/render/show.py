"""How a result is shown by `print` and in a notebook: the views of its kind that lie on top."""

from __future__ import annotations

from typing import cast

from ..fields import FIELDS, Field
from ..results import Form, Result
from ..views.blocks import Prose, Table
from ..views.document import Document, Section
from ..views.next_steps import followed, with_source
from ..views.view import DETAIL, View, views_of


def views_on_top(result: Result) -> list[View]:
    """The views that are shown of a result without being asked for."""
    return [
        view
        for view in views_of(result.told_as)
        if view.place < DETAIL and view.name not in result.unprinted
    ]


def sections_of(result: Result) -> tuple[Section, ...]:
    """What a reader sees of a result; its rows as a table if no view tells it."""
    if isinstance(result, Document):
        verdict = () if result.opening else tuple(map(Prose, result.verdict))
        title = Section("title", result.title, " · ".join(result.basis), verdict)
        return (title, *result.opening)
    on_top = views_on_top(result)
    if not on_top:
        rows = rows_table(result)
        return (Section("rows", "", "", (rows if rows.columns else Prose("Nothing to show."),)),)
    made = (view.section(result.told_parts) for view in on_top)
    return followed((section for section in made if section.blocks), result.called)


def rows_table(result: Result) -> Table:
    """The rows under the headings of their fields."""
    rows = result.to_rows()
    used = [
        key
        for key in dict.fromkeys(key for row in rows for key in row)
        if any(row.get(key) not in (None, "") for row in rows)
    ]
    return Table("", tuple(_field(key, rows) for key in used), tuple(rows))


def _field(key: str, rows: list[dict[str, object]]) -> Field:
    number = any(isinstance(row.get(key), float) for row in rows)
    return FIELDS.get(key) or Field(key, key.replace("_", " "), "value" if number else "text")


def shown_as(result: Result, form: Form) -> str:
    """A result in a format."""
    if form == "json":
        from .json import as_json

        return as_json(cast(Document, result))
    sections = tuple(with_source(sections_of(result)))
    if form == "text":
        from .terminal import text

        return text(sections)
    if form == "html":
        from .html import notebook

        return notebook(sections)
    if form == "markdown":
        from .markdown import sections_markdown

        return sections_markdown(sections)
    from .latex import sections_latex

    return sections_latex(sections)
