"""The results as a document: for a terminal, a browser, a paper's appendix, a program.

The package has the name of the call ``accordant.report(data)``. Python puts a package that was
imported where the call would be looked up, so the package can be called, too.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A module that does what its function of the same name does."""

    def __call__(self, data: Any, **options: Any) -> Any:
        """See `accordant.report.report.report`."""
        from .report import report

        return report(data, **options)


sys.modules[__name__].__class__ = _Callable
