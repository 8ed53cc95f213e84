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
    from .data.annotations import Annotations, Reading, Status
    from .data.read import read
    from .decomposition.call import decompose
    from .decomposition.decomposition import Decomposition
    from .decomposition.decompositions import Decompositions
    from .diagnosis.diagnose import Diagnosis
    from .errors import AccordantError, InputError, RequestError, UndefinedError
    from .inference.benchmarks import benchmark
    from .inference.needed import items_needed
    from .measure.coefficients import COEFFICIENTS
    from .measure.distances import Distance
    from .measure.results import Agreement, Undefined
    from .public import (
        AgreementTable,
        ComparisonTable,
        agreement,
        compare,
        diagnose,
    )
    from .reports.report import Report, report
    from .scheme import Scheme
    from .simulate.multilabel import simulate_multilabel
    from .simulate.planted import simulate_cause
    from .simulate.study import MultilabelStudy, multilabel_study

_HOME = {
    "data.annotations": ["Annotations", "Reading", "Status"],
    "data.read": ["read"],
    "errors": ["AccordantError", "InputError", "RequestError", "UndefinedError"],
    "measure.coefficients": ["COEFFICIENTS"],
    "measure.distances": ["Distance"],
    "measure.results": ["Agreement", "Undefined"],
    "decomposition.call": ["decompose"],
    "decomposition.decomposition": ["Decomposition"],
    "decomposition.decompositions": ["Decompositions"],
    "diagnosis.diagnose": ["Diagnosis"],
    "inference.benchmarks": ["benchmark"],
    "inference.needed": ["items_needed"],
    "public": [
        "AgreementTable",
        "ComparisonTable",
        "agreement",
        "compare",
        "diagnose",
    ],
    "reports.report": ["Report", "report"],
    "scheme": ["Scheme"],
    "simulate.multilabel": ["simulate_multilabel"],
    "simulate.planted": ["simulate_cause"],
    "simulate.study": ["MultilabelStudy", "multilabel_study"],
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "COEFFICIENTS", "AccordantError", "Agreement", "AgreementTable", "Annotations",
    "ComparisonTable", "Decomposition", "Decompositions", "Diagnosis", "Distance", "InputError",
    "MultilabelStudy", "Reading", "Report", "RequestError", "Scheme", "Status", "Undefined",
    "UndefinedError", "__version__", "agreement", "benchmark", "compare", "decompose", "diagnose",
    "items_needed", "multilabel_study", "read", "report", "simulate_cause", "simulate_multilabel",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'accordant' has no attribute {name!r}")
    return getattr(import_module(f".{_MODULE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
