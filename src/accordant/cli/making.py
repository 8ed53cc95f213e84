"""A report from annotations: the summary printed, the documents written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..views.report import report
from .measuring import Measuring
from .output import Output
from .rewording import reworded
from .summary import print_summary
from .terminal import progress, waiting

if TYPE_CHECKING:
    from ..data.annotations import Annotations

__all__ = ["make_report"]


def make_report(
    data: Annotations,
    targets: Sequence[Path],
    measuring: Measuring | None = None,
    *,
    quiet: bool = False,
    **asked: Any,
) -> None:
    """Measure, print the summary, write a document for each target.

    What is ``asked`` goes to `report`: order, gold, fit, models.
    """
    wanted = measuring or Measuring()
    with progress(wanted.doing, quiet=quiet) as watch:
        made = reworded(report(data, **asked, **wanted.keywords(), progress=watch))
    Output().print(lambda console: print_summary(console, made, tested=wanted.tested))
    for target in targets:
        with waiting(f"writing {target.name}", quiet=quiet):
            made.save(target)
