"""Agreement of coders, as people need it.

>>> import accordant as ac
>>> ac.agreement([["a", "b", "a", "a"], ["a", "b", "b", "a"]], "kappa")["kappa"].value
0.5

Everything public hangs on this module and loads when first used.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .results import Form, Result

if TYPE_CHECKING:
    from .data.annotations import Annotations, Reading, Status
    from .data.read import read
    from .decomposition.call import decompose
    from .decomposition.decomposition import Decomposition
    from .decomposition.decompositions import Decompositions
    from .diagnosis.diagnose import Diagnosis
    from .errors import (
        AccordantError,
        Conflict,
        InputError,
        RequestError,
        StoreError,
        UndefinedError,
    )
    from .inference.benchmarks import benchmark
    from .inference.needed import items_needed
    from .measure.coefficients import COEFFICIENTS
    from .measure.distances import Distance
    from .measure.listing import list_coefficients
    from .measure.results import Agreement, Undefined
    from .models.call import fit
    from .models.coders.call import coders
    from .models.coders.coders import Coders, CodersOfQuestions
    from .models.crowdtruth.call import crowdtruth
    from .models.crowdtruth.original_call import CrowdTruthOriginal, crowdtruth_original
    from .models.crowdtruth.result import CrowdTruth
    from .models.listing import ModelList, list_models
    from .models.posterior import Posterior
    from .models.posteriors import Posteriors
    from .models.sets.scores import SetScores
    from .models.sets.set_posterior import SetPosterior
    from .models.soft.ambiguity import ambiguity
    from .models.soft.ambiguous import Ambiguity
    from .models.soft.call import soft_labels
    from .models.soft.exchange import read_soft
    from .models.soft.model_scores import ModelScores
    from .models.soft.scoring import score_predictions
    from .models.soft.soft_labels import SoftLabels
    from .models.soft.soft_scores import SoftScores
    from .models.standing_in.call import model_as_coder
    from .models.standing_in.planning import AlternativePlan, alternative_test_items
    from .models.standing_in.result import ModelAsCoder
    from .models.trust.choosing import ModelChoice, which_model
    from .public import (
        AgreementTable,
        ComparisonTable,
        agreement,
        compare,
        diagnose,
    )
    from .resolution.project import Project
    from .resolution.refusal import Refused
    from .scheme import Scheme
    from .simulate.crowd import SimulatedCrowd, simulate_crowd
    from .simulate.multilabel import simulate_multilabel
    from .simulate.planted import simulate_cause
    from .simulate.study import MultilabelStudy, multilabel_study
    from .views.project_report import ProjectReport, project_report
    from .views.report import Report, report

_HOME = {
    "data.annotations": ["Annotations", "Reading", "Status"],
    "data.read": ["read"],
    "errors": [
        "AccordantError",
        "Conflict",
        "InputError",
        "RequestError",
        "StoreError",
        "UndefinedError",
    ],
    "measure.coefficients": ["COEFFICIENTS"],
    "measure.listing": ["list_coefficients"],
    "measure.distances": ["Distance"],
    "measure.results": ["Agreement", "Undefined"],
    "decomposition.call": ["decompose"],
    "decomposition.decomposition": ["Decomposition"],
    "decomposition.decompositions": ["Decompositions"],
    "diagnosis.diagnose": ["Diagnosis"],
    "inference.benchmarks": ["benchmark"],
    "inference.needed": ["items_needed"],
    "models.call": ["fit"],
    "models.coders.call": ["coders"],
    "models.coders.coders": ["Coders", "CodersOfQuestions"],
    "models.crowdtruth.call": ["crowdtruth"],
    "models.crowdtruth.original_call": ["CrowdTruthOriginal", "crowdtruth_original"],
    "models.crowdtruth.result": ["CrowdTruth"],
    "models.listing": ["ModelList", "list_models"],
    "models.posterior": ["Posterior"],
    "models.posteriors": ["Posteriors"],
    "models.sets.scores": ["SetScores"],
    "models.sets.set_posterior": ["SetPosterior"],
    "models.soft.call": ["soft_labels"],
    "models.soft.exchange": ["read_soft"],
    "models.soft.soft_labels": ["SoftLabels"],
    "models.soft.model_scores": ["ModelScores"],
    "models.soft.scoring": ["score_predictions"],
    "models.soft.soft_scores": ["SoftScores"],
    "models.standing_in.call": ["model_as_coder"],
    "models.standing_in.planning": ["AlternativePlan", "alternative_test_items"],
    "models.standing_in.result": ["ModelAsCoder"],
    "models.trust.choosing": ["ModelChoice", "which_model"],
    "models.soft.ambiguity": ["ambiguity"],
    "models.soft.ambiguous": ["Ambiguity"],
    "public": [
        "AgreementTable",
        "ComparisonTable",
        "agreement",
        "compare",
        "diagnose",
    ],
    "views.project_report": ["ProjectReport", "project_report"],
    "views.report": ["Report", "report"],
    "resolution.project": ["Project"],
    "resolution.refusal": ["Refused"],
    "scheme": ["Scheme"],
    "simulate.crowd": ["SimulatedCrowd", "simulate_crowd"],
    "simulate.multilabel": ["simulate_multilabel"],
    "simulate.planted": ["simulate_cause"],
    "simulate.study": ["MultilabelStudy", "multilabel_study"],
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "COEFFICIENTS", "AccordantError", "Agreement", "AgreementTable", "AlternativePlan", "Ambiguity",
    "Annotations", "Coders", "CodersOfQuestions", "ComparisonTable", "Conflict", "CrowdTruth",
    "CrowdTruthOriginal", "Decomposition", "Decompositions", "Diagnosis", "Distance", "InputError",
    "ModelAsCoder", "ModelChoice", "ModelList", "ModelScores", "MultilabelStudy", "Posterior",
    "Posteriors", "Project", "ProjectReport", "Reading", "Refused", "Report", "RequestError",
    "Scheme", "SetPosterior", "SetScores", "SimulatedCrowd", "SoftLabels", "SoftScores", "Status",
    "StoreError", "Undefined", "UndefinedError", "__version__", "agreement",
    "alternative_test_items", "ambiguity", "benchmark", "coders", "compare", "crowdtruth",
    "crowdtruth_original", "decompose", "diagnose", "fit", "items_needed", "list_coefficients",
    "list_models", "model_as_coder", "multilabel_study", "project_report", "read", "read_soft",
    "report", "score_predictions", "simulate_cause", "simulate_crowd", "simulate_multilabel",
    "soft_labels", "which_model",
]  # fmt: skip


def _shown_as(result: Any, form: Form) -> str:
    from .render.show import shown_as

    return shown_as(result, form)


def _saved_as(document: Any, path: Path, full: bool) -> Path:
    from .render.saving import saved_as

    return saved_as(document, path, full=full)


Result.shown_as = staticmethod(_shown_as)
Result.saved_as = staticmethod(_saved_as)


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'accordant' has no attribute {name!r}")
    return getattr(import_module(f".{_MODULE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
