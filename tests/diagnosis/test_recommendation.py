"""Just tell us which one to use."""

from __future__ import annotations

import numpy as np
import pytest

from accordant.data.annotations import Annotations
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.recommendation import Recommendation
from accordant.literature import LITERATURE
from accordant.measure.coefficients import COEFFICIENTS
from diagnosis.made import (
    FLEISS_1971,
    KRIPPENDORFF_2011,
    from_counts,
    from_table,
    of_grid,
    of_questions,
)

ORDINAL = of_grid(np.array([[0, 1], [1, 1], [2, 2], [0, 0]] * 20), (1, 2, 3), scale="ordinal")


def of(data: Annotations) -> Recommendation:
    return diagnose(data).recommendation


@pytest.mark.parametrize(
    "data, primary, beside",
    [
        (FLEISS_1971, "alpha", ("pi",)),  # six coders
        (KRIPPENDORFF_2011, "alpha", ("pi",)),  # four coders and gaps
        (of_grid(np.array([[0, 0], [1, 1], [0, -1]] * 30), "ab"), "alpha", ("pi",)),  # a gap
        (from_table([[50, 12], [8, 50]]), "pi", ("kappa",)),  # two coders, complete
        (from_table([[5, 1], [1, 5]]), "alpha", ("pi", "kappa")),  # the same, small sample
        (from_table([[20, 12], [8, 80]]), "pi", ("kappa", "ac", "s")),  # one category prevails
        (ORDINAL, "alpha", ("kappa",)),  # weighted
        (from_counts([[2, 0], [0, 2]] * 40), "pi", ()),  # nobody knows the coders
        (of_grid(np.zeros((60, 2), int), "ab"), "pi", ()),  # undefined
        (of_grid(np.array([[0, -1]]), "ab"), None, ()),  # nothing to compare
    ],
)
def test_recommended(data, primary, beside) -> None:
    found = of(data)
    assert (found.primary, found.beside) == (primary, beside)
    assert found.always == (("percent",) if primary else ())
    assert {row["coefficient"] for row in found.to_rows()} <= set(COEFFICIENTS)
    assert set(found.sources) <= set(LITERATURE)
    assert all(s.endswith((".", ":")) for s in (*found.reasons, *found.reading))
    assert "nan" not in str(found)


def test_weights_follow_the_scale() -> None:
    assert of(ORDINAL).weights == "ordinal-metric"
    assert of(FLEISS_1971).weights == "identity"


def test_weights_that_were_asked_for_count_as_weighted() -> None:
    part = diagnose(FLEISS_1971, weights="linear").pooled
    assert part.recommendation.reasons[0].startswith("With the weights “linear-by-value”,")
    assert "numbers_as_names" not in {f.code for f in part.findings}


def test_second_opinions_stand_beside_never_instead() -> None:
    found = of(from_table([[20, 12], [8, 80]]))
    assert "beside them, never instead" in found.reasons[-1]
    assert "PABAK" in found.reasons[-1]
    assert "ask for more" in found.reading[-1]
    assert any("prevalence index (−0.500)" in shown for shown in found.show)
    assert "the contingency table" in found.show


def test_unused_categories_are_a_caution_about_ac() -> None:
    found = of(from_table([[20, 12, 0], [8, 80, 0], [0, 0, 0]], "abc"))
    assert "count 1 unused category in their favour" in found.reasons[-1]


def test_one_coefficient_for_all_questions() -> None:
    """Alone, the first question would have π; with gaps in the second, α fits both."""
    grids = np.repeat([[0, 0], [1, 1], [0, 1]], [40, 40, 20], axis=0)
    gaps = grids.copy()
    gaps[::7, 0] = -1
    data = of_questions({"full": grids, "gaps": gaps})
    found = diagnose(data)
    assert of(data.of_question("full")).primary == "pi"
    assert {p.recommendation.primary for p in found} == {found.recommendation.primary} == {"alpha"}
    told = found["full"].recommendation
    assert told.beside[0] == "pi"
    assert told.reasons[0].endswith("for this one alone it would be π.")
    assert "because it fits every question" not in str(found["gaps"].recommendation)
    assert {p.recommendation.primary for p in diagnose(of_questions({"a": grids, "b": grids}))} == {
        "pi"
    }


def test_similar_or_not() -> None:
    assert "give similar results (here 0.667 and 0.667)" in str(of(from_table([[50, 12], [8, 50]])))
    assert "here they do not (−0.833 and 0.004)" in str(of(from_table([[5, 110], [0, 5]])))


def test_thresholds_come_with_their_authors_and_caveats() -> None:
    told = str(of(FLEISS_1971))
    for words in (".800", ".667", "Krippendorff", "Artstein & Poesio", "arbitrary", "near enough"):
        assert words in told
    for verdict in ("substantial", "moderate", "almost perfect", "excellent"):
        assert verdict not in told


def test_undefined_is_said() -> None:
    assert "Here it is undefined: every annotation is 'a'" in str(
        of(of_grid(np.zeros((60, 2), int), "ab"))
    )
