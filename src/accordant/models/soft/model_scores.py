"""The predictions of several models beside each other: a row for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from ...diagnosis.finding import Finding
from ...diagnosis.words import quoted
from ...errors import unknown
from ...results import Result
from .soft_labels import SoftLabels
from .soft_scores import SoftScores

__all__ = ["ModelScores", "models_in", "of_models"]

FIRST = ("cross_entropy", "js", "accuracy")
"""Measures of a printed line, where they were taken."""


@dataclass(frozen=True, eq=False, repr=False)
class ModelScores(Result):
    """The scores of several models against the same soft labels; made by `score_predictions`.

    Parameters
    ----------
    each : mapping of str to SoftScores
        By the name of the model.
    """

    told_as: ClassVar[str] = "model-scores"
    question: ClassVar[None] = None

    each: Mapping[str, SoftScores]

    def __iter__(self) -> Iterator[str]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, model: str) -> SoftScores:
        if model not in self.each:
            raise unknown("model", model, self.each, "there are")
        return self.each[model]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of all models; that their items differ stands first."""
        sizes = {name: len(found.items) for name, found in self.each.items()}
        same = len({frozenset(map(str, found.items)) for found in self.each.values()}) == 1
        said = Counter(f.sentence for found in self.each.values() for f in found.findings)
        told: dict[str, Finding] = {}
        for name, found in self.each.items():
            for f in found.findings:
                of_all = said[f.sentence] == len(self.each)
                sentence = f.sentence if of_all else f"{quoted(name)}: {f.sentence}"
                told[sentence] = replace(f, sentence=sentence)
        return (*([] if same else [_other_items(sizes)]), *told.values())

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model: each measure, and its interval."""
        return [
            {
                "question": found.question,
                "model": name,
                "n_items": len(found.items),
                **{
                    f"{score.measure}{end}": value
                    for score in found.scores
                    for end, value in (
                        ("", score.value), ("_low", score.low), ("_high", score.high),
                    )
                },
            }
            for name, found in self.each.items()
        ]  # fmt: skip


def _other_items(sizes: Mapping[str, int]) -> Finding:
    least, most = min(sizes.values()), max(sizes.values())
    n = f"{least:,} to {most:,}" if least < most else f"{least:,}"
    return Finding(
        "other_items", "warning",
        f"The models did not predict the same items ({n} each), so their scores are of different "
        "items.",
        "Compare models on items that all of them predicted.",
        {"n": dict(sizes)}, title="Models with different items",
    )  # fmt: skip


def models_in(predictions: Any, soft: SoftLabels) -> Mapping[str, Any] | None:
    """The predictions of each model, if a mapping holds those of several; else None.

    A mapping is from models if none of its keys is an item, and each value holds predictions for
    many items: soft labels, a posterior, a file, a frame, a mapping, an array of rows.

    Examples
    --------
    >>> import accordant as ac
    >>> soft = ac.soft_labels([["a", "b"], ["a", "b"]], smoothing="none")
    >>> list(models_in({"one": [[1, 0], [0, 1]], "two": ["a", "b"]}, soft))
    ['one', 'two']
    >>> models_in(dict(zip(soft.names, ["a", "b"])), soft) is None
    True
    """
    if not isinstance(predictions, Mapping) or not predictions:
        return None
    items = set(map(str, soft.names))
    if any(str(key) in items for key in predictions):
        return None
    if not all(_holds_many(value, len(soft)) for value in predictions.values()):
        return None
    return {str(name): value for name, value in predictions.items()}


def _holds_many(value: Any, n_items: int) -> bool:
    """Whether a value can be the predictions of a model, rather than that of an item."""
    if isinstance(value, str | Path):
        return Path(value).is_file()
    if isinstance(value, Mapping):
        return any(isinstance(x, Mapping | list | tuple | str) for x in value.values())
    if isinstance(value, list | tuple):
        return len(value) == n_items and all(
            isinstance(x, Mapping | list | tuple | str) for x in value
        )
    made = hasattr(value, "probabilities") or hasattr(value, "columns")
    return made or getattr(value, "ndim", 0) == 2


def of_models(predictions: Mapping[str, Any], score: Callable[[Any], SoftScores]) -> ModelScores:
    """Each model scored in the same way."""
    return ModelScores({name: score(value) for name, value in predictions.items()})
