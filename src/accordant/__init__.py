"""Agreement of coders, as people need it.

>>> import accordant as ac
>>> ac.agreement([["a", "b", "a", "a"], ["a", "b", "b", "a"]], "kappa")["kappa"].value
0.5

Everything public hangs on this module and loads when first used.
"""

# ruff: noqa: F403 (the calls of `api` are all public)
from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:
    from pathlib import Path

    from .api.agreement import *
    from .api.data_sets import *
    from .api.diagnosis import *
    from .api.model_use import *
    from .api.models import *
    from .api.reports import *
    from .data.annotations import Annotations as Annotations
    from .data.annotations import Status as Status
    from .diagnosis.agreement_table import AgreementTable as AgreementTable
    from .diagnosis.diagnose import Diagnosis as Diagnosis
    from .errors import AccordantError as AccordantError
    from .errors import Conflict as Conflict
    from .errors import InputError as InputError
    from .errors import RequestError as RequestError
    from .errors import StoreError as StoreError
    from .errors import UndefinedError as UndefinedError
    from .measure.coefficient_value import Agreement as Agreement
    from .measure.coefficients import COEFFICIENTS as COEFFICIENTS
    from .measure.distances import Distance as Distance
    from .models.posterior import Posterior as Posterior
    from .resolution.command import Refused as Refused
    from .resolution.project import Project as Project
    from .results import Form
    from .scheme import Scheme as Scheme
    from .views.report import Report as Report

CALLS = ("agreement", "data_sets", "diagnosis", "model_use", "models", "reports")
"""The modules of `api`: every name in their ``__all__`` is public."""
TYPES = {
    "data.annotations": "Annotations Status",
    "diagnosis.agreement_table": "AgreementTable",
    "diagnosis.diagnose": "Diagnosis",
    "errors": "AccordantError Conflict InputError RequestError StoreError UndefinedError",
    "measure.coefficients": "COEFFICIENTS",
    "measure.distances": "Distance",
    "measure.coefficient_value": "Agreement",
    "models.posterior": "Posterior",
    "resolution.command": "Refused",
    "resolution.project": "Project",
    "scheme": "Scheme",
    "views.report": "Report",
}
"""The modules of what calls take and return."""


@cache
def _homes() -> dict[str, str]:
    """The module of every public name; those of calls are light to import."""
    types = {name: module for module, names in TYPES.items() for name in names.split()}
    calls = {name: f"api.{m}" for m in CALLS for name in _module(f"api.{m}").__all__}
    return {**types, **calls}


def _module(name: str) -> Any:
    return import_module(f".{name}", __name__)


def _shown_as(result: Any, form: Form) -> str:
    from .render.show import shown_as

    return shown_as(result, form)


def _saved_as(document: Any, path: Path, full: bool) -> Path:
    from .render.saving import saved_as

    return saved_as(document, path, full=full)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(["__version__", *_homes()])
    if not name.startswith("__") and name in _homes():
        return getattr(_module(_homes()[name]), name)
    from .removed import instead

    gone = instead("call", name)
    more = f": {gone}" if gone else ""
    raise AttributeError(f"module 'accordant' has no attribute {name!r}{more}")


def __dir__() -> list[str]:
    return sorted(["__version__", *_homes()])
