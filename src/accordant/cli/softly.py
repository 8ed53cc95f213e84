"""What a user asks of soft labels, from the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from .asked import most_option
from .fit_options import gold_option, model_option, seed_option
from .group import MEASURING, SOFT
from .options import option

__all__ = ["SMOOTHINGS", "Softly", "soft_options"]

# Spelled out, so that the help does not load the statistics; a test compares them.
SMOOTHINGS = ("hierarchical", "none", "cells", "jeffreys")
SCORING = ("ties", "floor", "unit", "interval", "resamples")
MAKING = ("smoothing", "weights", "temper")


@dataclass(frozen=True)
class Softly:
    """The options of `accordant soft`."""

    of: str = "opinion"
    smoothing: str | None = None
    weights: str | None = None
    model: str | None = None
    gold: str | None = None
    temper: bool = True
    predictions: tuple[Path, ...] = ()
    ties: str = "left_out"
    floor: float = 1e-12
    unit: str = "bits"
    interval: str = "delta"
    resamples: int = 2000
    level: float = 0.95
    ambiguity: bool = False
    false: float = 0.1
    seed: int = 0
    most: int | None = None

    def check(self, given: set[str]) -> None:
        """Refuse options that say nothing together; ``given`` are those that were typed.

        Raises
        ------
        UsageError
        """
        if self.ambiguity and self.predictions:
            raise click.UsageError("--ambiguity and --predictions are two questions: ask one")
        if self.ambiguity and self.of == "belief":
            raise click.UsageError("--ambiguity is about what coders say; leave --of out")
        if self.of == "belief" and (self.smoothing or self.weights):
            raise click.UsageError("--smoothing and --weights are of opinions, not of beliefs")
        for name in SCORING:
            if name in given and not self.predictions:
                raise click.UsageError(f"--{name} is of scores: it goes with --predictions FILE")
        if "false" in given and not self.ambiguity:
            raise click.UsageError("--false goes with --ambiguity")
        if self.model is not None:
            from ..models import all as every  # noqa: F401 - importing it registers the models
            from ..models.model import model_of

            model_of(self.model)

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.soft_labels`."""
        common: dict[str, Any] = {"of": self.of, "gold": self.gold, "model": self.model or "pooled"}
        if self.of == "belief":
            return common | {"tempered": self.temper}
        unsmoothed = "none" if self.predictions else "hierarchical"
        return common | {"smoothing": self.smoothing or unsmoothed, "weights": self.weights}

    def predicted(self) -> Path | dict[str, Path]:
        """The file of a model, or those of several by their names without the ending."""
        if len(self.predictions) == 1:
            return self.predictions[0]
        stems = [path.stem for path in self.predictions]
        alike = len(set(stems)) < len(stems)
        names = map(str, self.predictions) if alike else stems
        return dict(zip(names, self.predictions, strict=True))

    def scoring(self) -> dict[str, Any]:
        """The keywords of `accordant.score_predictions`."""
        return {
            "ties": self.ties, "floor": self.floor, "unit": self.unit, "interval": self.interval,
            "level": self.level, "n_resamples": self.resamples, "rng": self.seed,
        }  # fmt: skip


soft_options = (
    option(
        SOFT, "--of", type=click.Choice(["opinion", "belief"]), default="opinion",
        show_default=True,
        help="An opinion is how the labels that coders give are distributed; a belief is how "
        "probable it is that a label is the true one.",
    ),
    option(
        SOFT, "--smoothing", type=click.Choice(SMOOTHINGS),
        help="Of opinions, as few votes are extreme: towards the shares of all items, as far as "
        "the data say; not at all; by one annotation over all categories; by half a one for each. "
        "Default: hierarchical, and none for --predictions.",
    ),
    option(
        SOFT, "--weights", type=click.Choice(["competence"]),
        help="Of opinions: coders count by their competence under the model. Default: all alike.",
    ),
    model_option("For beliefs, competence and ambiguity"),
    gold_option,
    option(
        SOFT, "--temper/--no-temper", default=True, show_default=True,
        help="Of beliefs: whether they are about as often right as they say.",
    ),
    option(
        SOFT, "--predictions", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
        multiple=True,
        help="Score a model's predictions: a file with a column item and a column for each "
        "category, or one for the label; or JSON lines with item and soft. Once for each of "
        "several models.",
    ),
    option(
        SOFT, "--ambiguity", is_flag=True,
        help="Tell ambiguous items from erring coders: which disagreements coders explain, and "
        "which remain with the item.",
    ),
    option(
        SOFT, "--false", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.1,
        show_default=True, metavar="SHARE",
        help="With --ambiguity: share of false ones that is accepted among ambiguous items.",
    ),
    option(
        MEASURING, "--ties", type=click.Choice(["left_out", "shared"]), default="left_out",
        show_default=True, help="Items whose coders are tied, in accuracy and F1.",
    ),
    option(
        MEASURING, "--floor", type=click.FloatRange(0, 0.5, max_open=True), default=1e-12,
        show_default=True, metavar="P", help="Least probability where logarithms are taken.",
    ),
    option(
        MEASURING, "--unit", type=click.Choice(["bits", "nats"]), default="bits",
        show_default=True, help="Of cross-entropy and divergences.",
    ),
    option(
        MEASURING, "--interval", type=click.Choice(["delta", "bootstrap"]), default="delta",
        show_default=True, help="How standard errors and intervals of scores are made.",
    ),
    option(
        MEASURING, "--resamples", type=click.IntRange(2), default=2000, show_default=True,
        metavar="N", help="Bootstrap resamples.",
    ),
    option(
        MEASURING, "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95, show_default=True, metavar="SHARE", help="Confidence level.",
    ),
    seed_option,
    most_option,
)  # fmt: skip
