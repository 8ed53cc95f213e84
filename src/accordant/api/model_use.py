"""What labels and models are used for: distributions to train and score by, models as coders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import RequestError, unknown
from ..kinds import AtLeast, Metavar
from ..validation import checked
from .types import Coefficient, Count, Data, Epsilon, Level, Model, Names, Seed

if TYPE_CHECKING:
    from ..models.alternative_test import ModelAsCoder
    from ..models.label_distributions import SoftLabels
    from ..models.prediction_scores import SoftScores
    from ..models.question_results import Each

__all__ = ["model_as_coder", "score_predictions", "soft_labels"]


@checked
def soft_labels(
    data: Data,
    *,
    of: Literal["opinion", "belief"] | None = None,
    smoothing: Literal["hierarchical", "none"] = "hierarchical",
    model: Model = "blend",
    **more: Any,
) -> SoftLabels | Each[SoftLabels]:
    """A distribution over the categories for each item: label distribution or posterior.

    An *opinion* is the distribution of the labels that coders give. A *belief* is the posterior
    probability that a label is the true one, given that there is one. Where coders legitimately
    differ, train on the opinion; the two are never mixed.

    Parameters
    ----------
    data : Annotations, path, data frame, array, Posterior or Posteriors
        Anything that `read` takes, or what `fit` returned.
    of : {'opinion', 'belief'}, optional
        By default the opinion. In Python, of a posterior the belief.
    smoothing : {'hierarchical', 'none'}
        Of opinions. Few votes give extreme shares: three of three do not show that everybody would
        say so. 'hierarchical' shrinks the shares of an item towards those of all items, the more
        the fewer annotations it has and the more similar the items are, as estimated from the data
        (Dirichlet–multinomial distribution, Minka 2000); 'none' leaves them as they are.
    model : str
        Of beliefs: see `fit`.
    **more
        Options of `read`; for beliefs also of `fit`.

    Returns
    -------
    SoftLabels
        Or one for each question, if there are several. Opinions of a posterior have
        `SoftLabels.entropy_by_errors`, the entropy that errors of coders alone would give.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If there is no such kind, smoothing or option, or if a vote is asked for posterior
        probabilities.

    Examples
    --------
    >>> import accordant as ac
    >>> votes = [["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]]
    >>> ac.soft_labels(votes, smoothing="none").probabilities[2].round(3).tolist()
    [0.667, 0.333]
    """
    from ..data.read import read
    from ..models.call import Posteriors
    from ..models.label_distributions import KINDS, belief, opinion
    from ..models.posterior import Posterior
    from ..models.question_results import Each
    from ..models.set_posterior import SetPosterior
    from .models import fit

    if of is not None and of not in KINDS:
        raise unknown("kind of soft labels", of, KINDS, "choose from", parameter="of")
    fitted = isinstance(data, Posterior | SetPosterior | Posteriors)
    if fitted and more:
        raise RequestError(
            "an option for data; what was fitted has been read already", parameter=next(iter(more))
        )
    kind = of or ("belief" if fitted else "opinion")
    if kind == "belief" and smoothing != "hierarchical":
        raise RequestError("an option for opinions", parameter="smoothing")
    found: tuple[SoftLabels, ...]
    if fitted or kind == "belief":
        made = data if fitted else fit(data, model, **more)
        each = made.each if isinstance(made, Posteriors) else (made,)
        found = tuple(
            belief(one) if kind == "belief" else opinion(one.data, smoothing, one) for one in each
        )
    else:
        annotations = read(data, **more)
        questions = annotations.questions
        found = tuple(opinion(annotations.of_question(q), smoothing) for q in questions)
    return found[0] if len(found) == 1 else Each(found)


@checked
def score_predictions(
    predictions: Data,
    soft: Data,
    *,
    level: Level = 0.95,
    resamples: Annotated[int, AtLeast(2), Metavar("N")] = 2000,
    seed: Seed = 0,
    **more: Any,
) -> SoftScores:
    """Score predictions against soft labels: five measures, each with an interval over items.

    Parameters
    ----------
    predictions : path, frame, SoftLabels, Posterior, or a mapping of model to these
        A file (CSV, Parquet, JSON lines) or a frame with a column ``item`` and a column for each
        category (its name, or ``p_`` and its name) or one ``label``. Of sets of labels each label
        has a probability of its own.
    soft : SoftLabels, path, frame or Annotations
        What to score against; annotations become opinions by `soft_labels`, without smoothing,
        which would favour predictions with the same shrinkage.
    level : float
        Of the intervals: percentiles of a bootstrap over items.
    resamples, seed : int
        Of the bootstrap.
    **more
        Options of `soft_labels` if ``soft`` are annotations.

    Returns
    -------
    SoftScores
        Cross-entropy and Jensen–Shannon divergence in bits, the Brier score, and accuracy and macro
        F1 against the coders' most frequent label, without items on which coders are tied. Beside
        each stands what the soft labels themselves, the coders' most frequent label and the
        frequencies of the categories get.

    Raises
    ------
    InputError
        If a row is no distribution, a category is unknown, or no item fits.

    Notes
    -----
    Cross-entropy and Brier score are lowest for the coders' distribution itself (they are proper
    scores); accuracy does not reward calibrated probabilities. A probability below 1e-12 counts as
    1e-12 in the cross-entropy, so that labels in the place of distributions have a finite one.

    Examples
    --------
    >>> import accordant as ac
    >>> soft = ac.soft_labels([["a", "b", "a"], ["a", "b", "b"]], smoothing="none")
    >>> guess = {"item": [1, 2, 3], "a": [0.9, 0.2, 0.5], "b": [0.1, 0.8, 0.5]}
    >>> scores = ac.score_predictions(guess, soft)
    >>> round(scores["brier"].value, 3), scores["accuracy"].value
    (0.033, 1.0)
    """
    from ..models.label_distributions import SoftLabels
    from ..models.prediction_scores import scored, single
    from ..models.question_results import Each

    if isinstance(soft, SoftLabels | Each):
        if more:
            raise RequestError(
                "an option for annotations; these are soft labels already",
                parameter=next(iter(more)),
            )
        against = soft
    else:
        opinions = more.get("of", "opinion") == "opinion"
        against = soft_labels(soft, **{**({"smoothing": "none"} if opinions else {}), **more})
    return scored(predictions, single(against), level=level, n_resamples=resamples, seed=seed)


@checked
def model_as_coder(
    data: Data,
    models: Data,
    *,
    humans: Names | None = None,
    epsilon: Epsilon = 0.1,
    alignment: Literal["accuracy", "neg_rmse", "similarity"] = "accuracy",
    q: Level = 0.05,
    min_items: Count = 30,
    coefficient: Coefficient = "alpha",
    level: Level = 0.95,
    **reading: Any,
) -> ModelAsCoder:
    """Test whether a model may replace a human coder, with agreement of humans and models.

    The alternative annotator test leaves out each human in turn and asks whether the model agrees
    with the remaining humans as well as the one who was left out. Human–human and human–model
    agreement stand beside it.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Annotations by humans, perhaps with those of models among them.
    models : str, sequence of str, or a source
        Which coders of the data are models; or a file, frame or annotations of which all coders
        are models. Items are matched by name.
    humans : sequence of str, optional
        Whom to compare with; by default all coders who are not models.
    epsilon : float or str
        How much worse a model may be than a human, in exchange for being cheaper: a number, or
        'expert' (.2), 'skilled' (.15), 'crowd' (.1).
    alignment : {'accuracy', 'neg_rmse', 'similarity'}
        How near a label is to those of the other humans: the share who gave the same; −√ of the
        mean squared distance, for numbers; the mean of the weights that fit the scale (for sets
        of labels MASI).
    q : float
        False discovery rate over the humans (Benjamini & Yekutieli 2001).
    min_items : int
        Humans with fewer items have an exact test in place of the t-test.
    coefficient : str
        Of agreement: 'alpha', 'kappa', 'percent', 'kappa_linear' …
    level : float
        Confidence level.
    **reading
        Options of `read`, for both sources.

    Returns
    -------
    ModelAsCoder
        With ``tests`` (per model), ``human_tests`` (per human and model), ``groups`` (agreement)
        and ``findings``.

    Raises
    ------
    InputError
        If the data cannot be read, or no item of the models is one of the data.
    RequestError
        If there is no human or no model, or an option is out of its range.

    Notes
    -----
    Source: Calderon, Reichart & Dror (2025), with the program and the data that they published
    beside the paper. On item i human j wins if S(h_j) ≥ S(f) and the model if S(f) ≥ S(h_j), both
    in a tie. The hypothesis ρ_model ≤ ρ_human − ε is tested for each human by a paired one-sided
    t-test; ω is the share of humans for whom it is rejected, and ω ≥ .5 passes. An item counts if
    two humans and the model annotated it. Of a coder who annotated an item more than once the
    first annotation is taken.

    The differences that are tested are −1, 0 and 1, most of them ties. With fewer than
    ``min_items`` items of a human two exact binomial tests are made, that the human is nearer on a
    share ε of all items or more, and on (1 + ε) / 2 of those where one is nearer or more; p is
    twice the smaller one. The paper's text uses Wilcoxon's test there. It tests the median, and at
    a level of 5 % it lets through too many models that lose exactly ε: 70 % with 11 items, ε = .1
    and a model that is never nearer.

    With more items the t-test is kept, as published. It too is unsafe where a model is hardly
    ever nearer than the human: with no such item and a loss of exactly ε = .1 it rejects 18 % at
    30 items and 12 % at 100. A large ``min_items`` tests all humans exactly.

    Intervals of ρ and of agreement are linearised over items: all comparisons on an item count
    as one observation.

    Examples
    --------
    >>> import accordant as ac
    >>> right = [k % 3 for k in range(60)]
    >>> human = [[(x + (k % j == 0)) % 3 for k, x in enumerate(right)] for j in (5, 7, 9)]
    >>> names = ["Ada", "Bea", "Cem", "model"]
    >>> found = ac.model_as_coder([*human, right], ["model"], coder=names, epsilon="crowd")
    >>> found["model"].passed, found["model"].n_beaten
    (True, 3)
    """
    from ..models.alternative_test import compared
    from ..models.humans_and_models import sides

    found = sides(data, models, humans, coefficient, reading)
    return compared(found, epsilon, alignment, q, min_items, level)
