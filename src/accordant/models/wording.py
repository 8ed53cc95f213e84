"""What labels and coders are called: of a model that has beliefs, and of a vote that has shares."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Model

__all__ = ["BELIEF", "INDEPENDENTLY", "RELATIVE", "VOTE", "Wording", "wording"]


@dataclass(frozen=True)
class Wording:
    """The words that readers see for what a model finds.

    Parameters
    ----------
    labels, coders : str
        Headings above the labels and above the coders.
    confidence : str
        What the largest probability of an item is.
    least : str
        Heading above the items with the least of it.
    right : str
        Heading of the competence of coders, and ``meant`` what it is.
    truth, is_true : str
        What coders are compared with, after *with*, and the heading of its categories.
    """

    labels: str
    coders: str
    confidence: str
    least: str
    right: str
    meant: str
    truth: str
    is_true: str


BELIEF = Wording(
    labels="Estimated labels",
    coders="Annotator reliability",
    confidence="probability",
    least="Least certain items",
    right="accuracy",
    meant="probability of a correct label",
    truth="the estimated labels",
    is_true="estimated label",
)
VOTE = Wording(
    labels="Labels by vote",
    coders="Agreement with the vote",
    confidence="share of votes",
    least="Closest votes",
    right="agreement with vote",
    meant="share of the annotations with the label that got most votes, the coder's own included",
    truth="the label of the vote",
    is_true="vote",
)


INDEPENDENTLY = (
    "Intervals allow for uncertain labels and for coders who err together as much as is visible "
    "here; errors that all coders share are not visible"
)
"""What stands beside every table with intervals of coders."""
RELATIVE = (
    "Verdicts compare the coders of this crowd with each other: they rest on narrower intervals, "
    "without what all coders may be misjudged by together."
)
"""What stands beside verdicts where coders err together."""


def wording(model: Model) -> Wording:
    """The words for what a model finds.

    Examples
    --------
    >>> from accordant.models.all import MODELS
    >>> wording(MODELS["majority"]).labels, wording(MODELS["mace"]).labels
    ('Labels by vote', 'Estimated labels')
    """
    return BELIEF if model.probabilistic else VOTE
