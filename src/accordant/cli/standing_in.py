"""What a user asks of models beside humans, from the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from .asked import most_option
from .group import OUTPUT, STANDING_IN
from .options import option
from .source import by_question

__all__ = ["ALIGNMENTS", "FEW", "SHOWN", "StandingIn", "loss", "standing_in_options"]

# Spelled out, so that the help does not load the statistics; a test compares them.
ALIGNMENTS = ("accuracy", "neg_rmse", "similarity")
FEW = ("exact", "wilcoxon", "leave_out")
SHOWN = (
    "tests", "humans", "agreement", "beside", "beside-humans", "pairs", "rivals", "findings",
)  # fmt: skip


@dataclass(frozen=True)
class StandingIn:
    """The options of `accordant.model_as_coder`; ``model`` or ``models`` says who is a model."""

    model: tuple[str, ...] = ()
    models: Path | None = None
    human: tuple[str, ...] = ()
    epsilon: tuple[str, ...] = ()
    alignment: str = "accuracy"
    q: float = 0.05
    min_items: int = 30
    few: str = "exact"
    show: str | None = None
    most: int | None = None

    @property
    def asked(self) -> bool:
        """Whether there is a model to compare with humans."""
        return bool(self.model) or self.models is not None

    @property
    def names(self) -> list[str]:
        """The coders of the data that are models."""
        return [name.strip() for given in self.model for name in given.split(",") if name.strip()]

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.model_as_coder`, but for the models themselves."""
        humans = [name.strip() for given in self.human for name in given.split(",")]
        return {
            "humans": [name for name in humans if name] or None,
            "epsilon": by_question(self.epsilon, "--epsilon", loss) or 0.1,
            "alignment": self.alignment,
            "q": self.q,
            "min_items": self.min_items,
            "few": self.few,
        }


def loss(text: str) -> float | str:
    """A number, or a name such as expert."""
    try:
        return float(text)
    except ValueError:
        return text.strip()


standing_in_options = (
    option(
        STANDING_IN, "--model", multiple=True, metavar="CODER",
        help="A coder of the file who is a model (repeat it, or separate names by commas): may it "
        "stand in for a human?",
    ),
    option(
        STANDING_IN, "--models", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
        help="A file of which all coders are models, with the items named as in the other.",
    ),
    option(
        STANDING_IN, "--human", multiple=True, metavar="CODER",
        help="Whom to compare with. Default: everybody who is no model.",
    ),
    option(
        STANDING_IN, "--epsilon", multiple=True, metavar="LOSS",
        help="How much worse than a human a model may be: a number, expert (0.2), skilled (0.15) "
        "or crowd (0.1); for one human: CODER=LOSS. Default: 0.1.",
    ),
    option(
        STANDING_IN, "--alignment", type=click.Choice(ALIGNMENTS), default="accuracy",
        show_default=True,
        help="How near a label is to those of other humans: the share who gave the same; minus the "
        "root of the mean squared distance, for numbers; or the mean of the weights that fit the "
        "scale.",
    ),
    option(
        STANDING_IN, "--q", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05,
        show_default=True, metavar="SHARE", help="False discovery rate over the humans.",
    ),
    option(
        STANDING_IN, "--min-items", type=click.IntRange(0), default=30, show_default=True,
        metavar="N", help="With fewer items of a human the t-test is not trusted.",
    ),
    option(
        STANDING_IN, "--few", type=click.Choice(FEW), default="exact", show_default=True,
        help="What happens to humans with fewer items: an exact test, a signed-rank test, or none.",
    ),
    option(
        OUTPUT, "--show", type=click.Choice(SHOWN), metavar="TABLE",
        help="With --model or --models only this table: tests (each model), humans (each model "
        "beside each human), agreement (humans, models and both), beside (a model and a human with "
        "the same others, paired), beside-humans (for each human), pairs of coders, rivals (pairs "
        "of models), findings. JSON and CSV hold one: tests unless you say otherwise.",
    ),
    most_option,
)  # fmt: skip
