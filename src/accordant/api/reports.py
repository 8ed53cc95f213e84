"""Documents: the reliability of annotations, and how disagreement was resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from ..kinds import Commas, Metavar
from ..validation import checked
from .agreement import agreement
from .types import Data, Gold

if TYPE_CHECKING:
    from ..views.project_report import ProjectReport
    from ..views.report import Report

__all__ = ["project_report", "report"]


@checked
def report(
    data: Data,
    *,
    title: str | None = None,
    gold: Gold | None = None,
    fit: Annotated[str | bool, Metavar("NAME|none|all")] | None = None,
    models: Annotated[Any, Metavar("CODER")] | Annotated[Sequence[str], Commas()] | None = None,
    benchmark: Annotated[str, Metavar("SCALE")] = "krippendorff",
    **options: Any,
) -> Report:
    """Write a reliability report: agreement against a threshold, causes, and what to do next.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes.
    title : str, optional
        The heading; by default the finding.
    gold : str, path, mapping or frame, optional
        The coder whose labels count as correct, or known labels of some items: a column about the
        items, or a file. A model of coders does not see them: they show how many of its labels are
        correct. In Python also item → label, as in `fit`.
    fit : str or bool, optional
        The model of coders behind annotator reliability and estimated labels; ``'none'`` for no
        model, ``'all'`` for the usual one with all that takes longer. By default the usual one,
        with what goes quickly. In Python also False and True; see `fit`.
    models : str, sequence of str, or a source, optional
        Coders that are models: may they stand in for the others? In Python see
        `model_as_coder`.
    benchmark : str
        The published scale whose thresholds the coefficient is compared with: ``'krippendorff'``,
        ``'landis_koch'``, ``'fleiss'``, ``'altman'``, ``'cicchetti'``, ``'regier'`` or
        ``'artstein_poesio'``.
    **options
        Options of `agreement` (``weights``, ``interval``, ``level``, ``seed`` …) and of `read`
        (``scale``, ``categories`` …).

    Returns
    -------
    Report
        With ``save("report.html")``, also ``.pdf``, ``.md``, ``.tex`` and ``.json``; `print` shows
        the first page.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If an option does not exist or does not fit.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.report([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> found.title[:35]
    'Only 4 items can be compared: every'
    >>> [section.key for section in found.opening]
    ['verdict', 'next', 'paragraph']
    """
    from ..views.report import report_of

    return report_of(
        agreement(data, **options),
        title=title,
        gold=gold,
        fit=fit,
        models=models,
        benchmark=benchmark,
    )


@checked
def project_report(
    project: Data,
    *,
    person: str = "",
    title: str | None = None,
    records: Sequence[Any] | None = None,
    **options: Any,
) -> ProjectReport:
    """Document how disagreement was resolved: agreement, cases, causes, toolbox, procedure.

    Parameters
    ----------
    project : Project or State
        The project.
    person : str
        Who reads; by default the public. While a round is open, nothing is shown about the cells
        that are being annotated.
    title : str, optional
        The heading.
    records : sequence of Record, optional
        The log, where a state is given; parts of the report need it.
    **options
        Of `agreement`: ``level``, ``interval``, ``seed`` …

    Returns
    -------
    ProjectReport
        With ``save("report.html")``, also ``.pdf``, ``.md`` and ``.json``, and
        ``save_bundle("project.zip")`` for the report with all data and their hashes.

    Notes
    -----
    Chapters: a notice where there is one (unresolved, decided, deprecated), the procedure
    statement, agreement per round, causes, cases, the history of the toolbox, re-annotation, and
    the data statement of Bender & Friedman (2018). The release status is computed (Oortwijn et al.
    2021, section 4.2) and stands on the first line, in the signature and in every file of a bundle.

    Examples
    --------
    >>> from accordant.resolution.state import State
    >>> found = project_report(State(title="Letters"))
    >>> found.verdict[0], [section.key for section in found.sections][1:3]
    ('Not released. Work in progress.', ['procedure', 'agreement'])
    """
    from ..views.project_report import project_report as found

    return found(project, person=person, title=title, records=records, **options)
