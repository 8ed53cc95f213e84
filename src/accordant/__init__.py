"""Agreement of coders, as people need it.

>>> import accordant as ac
>>> ac.agreement([["a", "b", "a", "a"], ["a", "b", "b", "a"]], "kappa")["kappa"].value
0.5

Everything public hangs on this module and loads when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from .api.agreement import agreement, benchmark, compare, items_needed, span_f1
    from .api.annotations import example, read
    from .api.diagnosis import decompose, describe, diagnose
    from .api.model_use import model_as_coder, score_predictions, soft_labels
    from .api.models import coders, crowdtruth, fit, list_models
    from .api.report import project_report, report
    from .api.simulation import multilabel_study, simulate
    from .data.annotations import Annotations, Status
    from .diagnosis.agreement import AgreementTable
    from .diagnosis.diagnose import Diagnosis
    from .errors import (
        AccordantError,
        Conflict,
        InputError,
        RequestError,
        StoreError,
        UndefinedError,
    )
    from .measure.coefficients import COEFFICIENTS
    from .measure.distances import Distance
    from .measure.results import Agreement
    from .models.posterior import Posterior
    from .resolution.command import Refused
    from .resolution.project import Project
    from .results import Form
    from .scheme import Scheme
    from .views.report import Report

_HOME = {
    "api.agreement": "agreement benchmark compare items_needed span_f1",
    "api.annotations": "example read",
    "api.diagnosis": "decompose describe diagnose",
    "api.model_use": "model_as_coder score_predictions soft_labels",
    "api.models": "coders crowdtruth fit list_models",
    "api.report": "project_report report",
    "api.simulation": "multilabel_study simulate",
    "data.annotations": "Annotations Status",
    "diagnosis.agreement": "AgreementTable",
    "diagnosis.diagnose": "Diagnosis",
    "errors": "AccordantError Conflict InputError RequestError StoreError UndefinedError",
    "measure.coefficients": "COEFFICIENTS",
    "measure.distances": "Distance",
    "measure.results": "Agreement",
    "models.posterior": "Posterior",
    "resolution.command": "Refused",
    "resolution.project": "Project",
    "scheme": "Scheme",
    "views.report": "Report",
}
_MODULE = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [
    "COEFFICIENTS",
    "AccordantError",
    "Agreement",
    "AgreementTable",
    "Annotations",
    "Conflict",
    "Diagnosis",
    "Distance",
    "InputError",
    "Posterior",
    "Project",
    "Refused",
    "Report",
    "RequestError",
    "Scheme",
    "Status",
    "StoreError",
    "UndefinedError",
    "__version__",
    "agreement",
    "benchmark",
    "coders",
    "compare",
    "crowdtruth",
    "decompose",
    "describe",
    "diagnose",
    "example",
    "fit",
    "items_needed",
    "list_models",
    "model_as_coder",
    "multilabel_study",
    "project_report",
    "read",
    "report",
    "score_predictions",
    "simulate",
    "soft_labels",
    "span_f1",
]


def _shown_as(result: Any, form: Form) -> str:
    from .render.show import shown_as

    return shown_as(result, form)


def _saved_as(document: Any, path: Path, full: bool) -> Path:
    from .render.saving import saved_as

    return saved_as(document, path, full=full)


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        from .removed import instead

        gone = instead("call", name)
        more = f": {gone}" if gone else ""
        raise AttributeError(f"module 'accordant' has no attribute {name!r}{more}")
    return getattr(import_module(f".{_MODULE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
