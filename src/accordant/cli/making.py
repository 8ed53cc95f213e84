"""A report from annotations: the summary printed, the documents written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..reports.report import report
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
    order: str | None = None,
    gold: str | None = None,
    quiet: bool = False,
) -> None:
    """Measure, print the summary, write a document for each target.

    ``order`` is the column with the order of annotation, ``gold`` the coder whose labels are right.
    """
    wanted = measuring or Measuring()
    with progress(wanted.doing, quiet=quiet) as watch:
        made = reworded(report(data, order=order, gold=gold, **wanted.keywords(), progress=watch))
    Output().print(lambda console: print_summary(console, made, tested=wanted.tested))
    for target in targets:
        with waiting(f"writing {target.name}", quiet=quiet):
            made.save(target)
