"""What a user asks of a model of coders, from the command line."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import click

from .asked import most_option
from .group import FITTING, OUTPUT
from .options import option

__all__ = ["SHOWN", "Fitting", "fitting_options", "gold_option", "model_option", "seed_option"]

# Spelled out, so that the help does not load the models; a test compares them.
MODELS = (
    "majority", "weighted", "dawid_skene", "pooled", "map", "variational", "one_coin", "mace",
    "glad", "hierarchical", "ordinal", "subtypes",
)  # fmt: skip
SHOWN = (
    "labels", "items", "prevalence", "coders", "confusion", "leaving-out", "schools", "readings",
    "scores", "calibration", "coverage", "checks", "crowdtruth", "crowdtruth-original",
    "convergence", "findings",
)  # fmt: skip
INTERNAL = ("history",)
"""Options of models that are not for a command line."""
AGAINST_TRUTH = ("scores", "calibration")
"""Tables that need --truth."""


@dataclass(frozen=True)
class Fitting:
    """The options of `accordant fit`."""

    model: str | None = None
    which: bool = False
    settings: tuple[str, ...] = ()
    gold: str | None = None
    truth: Any = None
    abstentions: str = "missing"
    sets: str = "labels"
    decide: str = "marginal"
    tau: float | None = None
    restarts: int | None = None
    max_iterations: int = 2000
    level: float = 0.95
    seed: int = 0
    keep: float | None = None
    keep_share: float | None = None
    show: str | None = None
    of: str | None = None
    most: int | None = None

    @property
    def names(self) -> list[str] | None:
        """The models that are compared, or None for the usual ones."""
        names = [name.strip() for name in (self.model or "").split(",")]
        return [name for name in names if name] or None

    @property
    def shown(self) -> str | None:
        """The table that is shown; None for the whole answer."""
        return "confusion" if self.of is not None and self.show is None else self.show

    @property
    def kept(self) -> dict[str, float]:
        """The keywords of `Posterior.keep`; none if all items are kept."""
        both = {"confidence": self.keep, "share": self.keep_share}
        return {name: x for name, x in both.items() if x is not None}

    def check(self) -> None:
        """Refuse what says nothing together, and a model that does not exist.

        Raises
        ------
        UsageError
        """
        if self.which and (self.show or self.kept or self.tau or self.settings):
            raise click.UsageError("--which compares models: leave --show, --keep, --tau "
                                   "and --set out")  # fmt: skip
        if not self.which and self.names is not None and len(self.names) > 1:
            raise click.UsageError("-m takes one model; with --which several are compared")
        if len(self.kept) > 1:
            raise click.UsageError("--keep and --keep-share are two ways to choose: give one")
        if self.kept and self.shown not in (None, "labels"):
            raise click.UsageError(f"--keep chooses labels; leave --show {self.shown} out")
        if self.show in AGAINST_TRUTH and self.truth is None:
            raise click.UsageError(f"--show {self.show} needs known labels: --truth FILE|NAME")
        if self.of is not None and self.shown not in ("confusion", "coders"):
            raise click.UsageError("--of CODER goes with --show confusion or --show coders")
        from ..models import all as every  # noqa: F401 - importing it registers the models
        from ..models.model import model_of

        chosen = [model_of(name) for name in self.names or ["pooled"]]
        known = [name for name in chosen[0].takes if name not in INTERNAL]
        for name in self.set_options:
            if name not in known:
                raise click.UsageError(
                    f"--set {name}: the options of {chosen[0].name} are "
                    f"{', '.join(known) or 'none'}; accordant models {chosen[0].key} explains them"
                )
        if self.gold is not None and self.gold == self.truth:
            raise click.UsageError(
                f"--gold and --truth are both {self.gold!r}: labels that the model was told cannot "
                "score it"
            )

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.fit`.

        Raises
        ------
        BadParameter
            If an option of the model is not NAME=VALUE.
        """
        return {
            "model": (self.names or ["pooled"])[0],
            "gold": self.gold,
            "abstentions": self.abstentions,
            "sets": self.sets,
            "decide": self.decide,
            "restarts": self.restarts,
            "max_iterations": self.max_iterations,
            "rng": self.seed,
            "tau": self.tau,
            **self.set_options,
        }

    @property
    def set_options(self) -> dict[str, Any]:
        """Options of the model: numbers, True and False, or words."""
        found = {}
        for text in self.settings:
            name, equals, value = text.partition("=")
            if not equals or not name.strip():
                raise click.BadParameter(
                    f"{text!r} is not NAME=VALUE, such as prior=none", param_hint="--set"
                )
            found[name.strip().replace("-", "_")] = _value(value.strip())
        return found


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def model_option(what: str, *, more: str = "") -> Any:
    """The option of the model; ``what`` it is for."""
    return option(
        FITTING, "-m", "--model", metavar="NAME",
        help=f"{what}: {', '.join(MODELS)}. Default: pooled, Dawid–Skene's model with what a coder "
        f"hardly shows drawn towards the others. accordant models tells what each assumes.{more}",
    )  # fmt: skip


gold_option = option(
    FITTING, "--gold", metavar="FILE|NAME",
    help="Control items, whose labels are known: a file with the columns item and gold, a column "
    "about the items, or a coder. The model learns from them.",
)  # fmt: skip
seed_option = option(
    FITTING, "--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N",
    help="Of whatever is drawn.",
)  # fmt: skip

fitting_options = (
    model_option("The model", more=" Several, with commas, after --which."),
    option(
        FITTING, "--which", is_flag=True,
        help="Compare models by how well they predict annotations that were hidden from them, and "
        "say which to take.",
    ),
    gold_option,
    option(
        FITTING, "--truth", metavar="FILE|NAME",
        help="Known labels to score by, from the same places. The model is not told them.",
    ),
    option(
        FITTING, "--set", "settings", multiple=True, metavar="NAME=VALUE",
        help="An option of the model, such as prior=none, method=em or draws=2000; accordant "
        "models NAME lists those of a model, with their defaults.",
    ),
    option(
        FITTING, "--abstentions", type=click.Choice(["missing", "informative"]), default="missing",
        show_default=True, help="Whether a skipped item tells something about the item.",
    ),
    option(
        FITTING, "--sets", type=click.Choice(["labels", "apart", "whole"]), default="labels",
        show_default=True,
        help="Sets of labels label by label, with what a coder does with all labels as prior; "
        "without it; or each set as a category.",
    ),
    option(
        FITTING, "--decide", type=click.Choice(["marginal", "most probable", "jaccard"]),
        default="marginal", show_default=True,
        help="Of sets of labels: the labels more probable than not; the most probable set; or the "
        "one that overlaps most with the truth on average.",
    ),
    option(
        FITTING, "--tau", type=click.FloatRange(0, min_open=True), metavar="POWER",
        help="What an annotation counts; 1 is the model itself, which is too sure, since it takes "
        "coders as independent. Default: as control items or the likeness of coders tell.",
    ),
    option(
        FITTING, "--restarts", type=click.IntRange(0), metavar="N",
        help="Further starts. Default: 5 for up to 100,000 annotations, none for more.",
    ),
    option(
        FITTING, "--max-iterations", type=click.IntRange(1), default=2000, show_default=True,
        metavar="N", help="Where to stop if the model does not converge.",
    ),
    option(
        FITTING, "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95, show_default=True, metavar="SHARE", help="Confidence level.",
    ),
    seed_option,
    option(
        OUTPUT, "--keep", type=click.FloatRange(0, 1), metavar="CONFIDENCE",
        help="Only labels with this probability or more.",
    ),
    option(
        OUTPUT, "--keep-share", type=click.FloatRange(0, 1), metavar="SHARE",
        help="Only this share of the labels, the surest.",
    ),
    option(
        OUTPUT, "--show", type=click.Choice(SHOWN), metavar="TABLE",
        help="Only this table: labels; items (the least sure, with who said what), prevalence; "
        "coders, confusion (what they answer to what), leaving-out (what hangs on each), schools "
        "(coders who share a reading) and their readings; scores and calibration against --truth; "
        "coverage (what keeping the surest buys), checks (could the model have made these "
        "annotations?), crowdtruth (CrowdTruth 2.0), crowdtruth-original (1.0), convergence, "
        "findings. JSON, CSV, Markdown and LaTeX hold one: labels unless you say otherwise.",
    ),
    option(OUTPUT, "--of", metavar="CODER", help="Only this coder's confusion or line."),
    most_option,
)  # fmt: skip
