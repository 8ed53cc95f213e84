"""Models of coders against crowd-kit 1.4.2, whose defects we lack, and CrowdTruth against 2.1.

crowd-kit asks for a language-model library of 800 MB, so both have an environment of their own:
`make crowdkit`. Their answers to 20 random crowds are frozen in crowdkit.json, which holds the
crowds too, so that the comparison runs everywhere. To make the file anew: `make crowdkit`, then

    python -m oracle.test_crowdkit        (in tests/, with the package installed)

Where crowd-kit differs, and why:

- Dawid–Skene stops when its objective falls, and this holds the prior once for each annotation
  instead of once for each item, so that it may fall at any time. GLAD's objective lacks the
  entropy of the labels, so it falls too. Both are compared after a fixed number of iterations.
- Probabilities and errors below 1e-10 are 1e-10; MACE adds 1e-8 to a likelihood.
- MACE counts the spam of a coder in the order of coders and labels, but stores it in the order of
  the rows. It is right where rows are sorted by coder and label, and is compared there.
- MACE's restarts all have one seed. Of ties in a vote the label wins that stands first in the rows.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import accordant as ac
from accordant.models.call import fitted
from accordant.models.em import How

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FROZEN = HERE / "crowdkit.json"
PYTHON = ROOT / ".venv-crowdkit" / "bin" / "python"

Floats = NDArray[np.float64]
Rows = list[tuple[str, str, str]]

SEED = 20_260_301
N_FROZEN, N_LIVE = 20, 2
ROUNDS = 20
TIED = 4  # the number of a crowd with ties in the vote
DIGITS = 8
PRINTED = 10.0**-DIGITS


class Peer(NamedTuple):
    """A model, how it is run there and here, and how near the two must be."""

    name: str
    key: str
    job: dict[str, Any]
    ours: How
    within: float
    n_frozen: int = N_FROZEN


PLAIN = How(max_iterations=ROUNDS, tolerance=0)
FAR = How(max_iterations=20_000, tolerance=1e-13)
EXACT = 1e-7  # what its floor of 1e-10 may do in twenty rounds
SUMS = 1e-12  # the same rounds, summed in another order
CLOSE = 2e-5  # it has not quite arrived after so many rounds; its inner search stops at 1e-5

PEERS = (
    Peer("DawidSkene", "dawid_skene", {"rounds": ROUNDS}, PLAIN, EXACT),
    Peer("OneCoinDawidSkene", "one_coin", {"rounds": ROUNDS}, PLAIN, EXACT),
    Peer("GLAD", "glad", {"rounds": 60, "settings": {"m_step_tol": 1e-5}}, FAR, CLOSE, 5),
    Peer("MACE", "mace", {"rounds": 400, "settings": {"n_restarts": 1}}, FAR, CLOSE),
    Peer("CrowdTruth", "crowdtruth", {}, How(), SUMS),
)


class Crowd(NamedTuple):
    """Codes of labels (coders, items), -1 for missing, and what is true of the items (I,)."""

    codes: NDArray[np.int64]
    truth: NDArray[np.int64]

    def rows(self, order: Any = slice(None)) -> Rows:
        """Coder by coder, or in another order."""
        coder, item = np.nonzero(self.codes >= 0)
        label = self.codes[coder, item]
        return [
            (f"item {i:03}", f"coder {c:03}", f"label {k}")
            for i, c, k in zip(item[order], coder[order], label[order], strict=True)
        ]

    def accuracy(self, probabilities: Any) -> float:
        return float((np.argmax(probabilities, 1) == self.truth).mean())


@cache
def crowd(number: int) -> Crowd:
    """4-10 coders, 30-50 items, 2-4 labels, up to 40 % missing; errors of each coder's own."""
    rng = np.random.default_rng([SEED, number])
    k, n_coders, n_items = 2 + number % 3, int(rng.integers(4, 11)), int(rng.integers(30, 51))
    skill = rng.uniform(0.45, 0.95, (n_coders, 1, 1))
    confusion = skill * np.eye(k) + (1 - skill) * rng.dirichlet(np.ones(k), (n_coders, k))
    truth = rng.integers(k, size=n_items)
    truth[:k] = range(k)
    drawn = rng.random((n_coders, n_items, 1)) > confusion.cumsum(2)[:, truth]
    codes = drawn.sum(2).clip(0, k - 1)
    gone = rng.random(codes.shape) < rng.uniform(0, 0.4)
    gone[rng.integers(n_coders, size=n_items), range(n_items)] = False
    return Crowd(np.where(gone, -1, codes), truth)


@cache
def birds() -> Crowd:
    """60 items, 20 coders who miss one of two labels more often than the other."""
    rng = np.random.default_rng([77, 0])
    truth = rng.integers(2, size=60)
    hit, correct = rng.uniform(0.2, 0.9, (20, 1)), rng.uniform(0.6, 1, (20, 1))
    codes = rng.random((20, 60)) < np.where(truth, hit, 1 - correct)
    return Crowd(codes.astype(np.int64), truth)


@cache
def thousand() -> Crowd:
    """20 items with 1,000 annotations each, seven of ten of them right, four labels."""
    rng = np.random.default_rng(1000)
    truth = np.arange(20) % 4
    wrong = (truth + rng.integers(1, 4, (1000, 20))) % 4
    return Crowd(np.where(rng.random((1000, 20)) < 0.7, truth, wrong), truth)


def orders(n: int) -> list[Any]:
    """Three orders of n rows."""
    return [np.random.default_rng(k).permutation(n) for k in range(3)]


def answers(peer: Peer, rows: Rows) -> list[Floats]:
    """Of a model the probabilities, of CrowdTruth three qualities."""
    if peer.key != "crowdtruth":
        return [ours(rows, peer.key, restarts=0, how=peer.ours)]
    found: Any = ac.crowdtruth(rows)
    names = found.items, found.coders, found.categories
    quality = [found[f"{x}_quality"] for x in ("item", "coder", "category")]
    return [q[np.argsort(list(n))] for n, q in zip(names, quality, strict=True)]


def same(mine: list[Floats], theirs: Any, within: float, what: Any) -> None:
    parts = [theirs] if len(mine) == 1 else theirs
    for one, other in zip(mine, parts, strict=True):
        wanted = np.array(other)
        single = np.isnan(one)  # an item with one annotation, which CrowdTruth leaves out
        if wanted.shape != one.shape:
            one = one[~single]
        assert one == pytest.approx(wanted, abs=within), what


def ours(rows: Rows, key: str, restarts: int | None = None, how: How = How()) -> Floats:  # noqa: B008
    """(I, K) probabilities, items and labels sorted; after so many rounds as crowd-kit has."""
    found: Any = fitted(ac.read(rows), key, restarts=restarts, how=how)
    items, categories = np.argsort(list(found.items)), np.argsort(list(found.categories))
    return np.asarray(found.estimate.probabilities[items][:, categories])


# ------------------------------------------------------------------ crowd-kit's answers


def some(numbers: range, peer: Peer) -> range:
    """All of them, or a part for a peer that takes long."""
    return numbers[: max(1, len(numbers) * peer.n_frozen // N_FROZEN)]


def jobs(numbers: range) -> list[dict[str, Any]]:
    """Each crowd with each model."""
    return [
        {"model": peer.name, "rows": sorted(crowd(n).rows(), key=lambda row: row[1:]), **peer.job}
        for peer in PEERS
        for n in some(numbers, peer)
    ]


def defects() -> dict[str, dict[str, Any]]:
    """Jobs that show what is wrong in crowd-kit, by name."""
    tied, few = crowd(TIED), birds()
    found = {
        "Dawid-Skene stops": {"model": "DawidSkene", "rows": few.rows()},
        "GLAD stops": {"model": "GLAD", "rows": crowd(0).rows()},
        "a thousand": {"model": "MACE", "rows": thousand().rows(), "rounds": 10},
        "restarts": {
            "model": "MACE",
            "rows": few.rows(orders(few.codes.size)[0]),
            "rounds": 50,
            "settings": {"n_restarts": 4},
        },
    }
    for k, order in enumerate(orders(few.codes.size)):
        settings = {"n_restarts": 1}
        found[f"MACE, order {k}"] = {
            "model": "MACE",
            "rows": few.rows(order),
            "rounds": 50,
            "settings": settings,
        }
    for k, order in enumerate(orders(int((tied.codes >= 0).sum()))):
        found[f"majority, order {k}"] = {"model": "MajorityVote", "rows": tied.rows(order)}
    return found


def run(wanted: list[dict[str, Any]]) -> Any:
    done = subprocess.run(
        [PYTHON, HERE / "crowdkit_batch.py"],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@cache
def frozen() -> Any:
    return json.loads(FROZEN.read_text(encoding="utf-8"))


def shown(name: str) -> Any:
    """What crowd-kit answers where it is wrong."""
    return frozen()["defects"][name]


# ------------------------------------------------------------------ the same answers


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.key)
def test_frozen(peer: Peer) -> None:
    found = frozen()["answers"][peer.name]
    assert len(found) == peer.n_frozen
    for number, theirs in enumerate(found):
        codes = np.array(frozen()["crowds"][number])
        mine = answers(peer, Crowd(codes, codes[0]).rows())
        same(mine, theirs, peer.within + PRINTED, number)


@pytest.mark.needs("crowdkit")
def test_live() -> None:
    """Other crowds than the frozen ones."""
    numbers = range(N_FROZEN, N_FROZEN + N_LIVE)
    found = iter(run(jobs(numbers))["results"])
    for peer in PEERS:
        for number in some(numbers, peer):
            same(answers(peer, crowd(number).rows()), next(found), peer.within, (peer, number))


# ------------------------------------------------------------------ defects that we lack


def test_dawid_skene_goes_on_where_crowd_kit_stops() -> None:
    few, theirs = birds(), np.array(shown("Dawid-Skene stops"))
    early = [ours(few.rows(), "dawid_skene", 0, How(max_iterations=n)) for n in range(1, 9)]
    stopped = [n for n, q in enumerate(early, start=1) if np.abs(q - theirs).max() < 1e-6]
    assert len(stopped) == 1  # it is on our way, and stopped there
    found: Any = ac.fit(few.rows(), "dawid_skene")
    assert found.converged
    assert found.log_likelihood > found.history[stopped[0]] + 1
    assert few.accuracy(theirs) < few.accuracy(ours(few.rows(), "dawid_skene"))


def test_glad_goes_on_where_crowd_kit_stops() -> None:
    theirs, there = np.array(shown("GLAD stops")), np.array(frozen()["answers"]["GLAD"][0])
    assert np.abs(theirs - there).max() > 0.01
    assert ours(crowd(0).rows(), "glad") == pytest.approx(there, abs=CLOSE)


def test_the_order_of_rows_breaks_no_tie() -> None:
    tied = crowd(TIED)
    shuffles = orders(int((tied.codes >= 0).sum()))
    theirs = {tuple(shown(f"majority, order {k}")) for k in range(3)}
    assert len(theirs) > 1
    mine = [ours(tied.rows(order), "majority") for order in shuffles]
    assert (mine[0] == mine[1]).all()
    assert (mine[0] == mine[2]).all()
    found: Any = ac.fit(tied.rows(), "majority")
    unsure = {item for item, label in zip(found.items, found.labels, strict=True) if label is None}
    assert unsure
    for k, item in enumerate(sorted(found.items)):
        assert item in unsure or len({labels[k] for labels in theirs}) == 1


def test_the_order_of_rows_does_not_change_mace() -> None:
    few = birds()
    theirs = [np.array(shown(f"MACE, order {k}")) for k in range(3)]
    assert min(np.abs(theirs[0] - other).max() for other in theirs[1:]) > 0.5
    shuffles = orders(few.codes.size)
    mine = [ours(few.rows(order), "mace", restarts=2) for order in shuffles]
    assert mine[1] == pytest.approx(mine[0], abs=1e-9)
    assert mine[2] == pytest.approx(mine[0], abs=1e-9)
    assert few.accuracy(mine[0]) > max(few.accuracy(q) for q in theirs)


def test_restarts_of_mace_differ() -> None:
    assert shown("restarts") == shown("MACE, order 0")  # four are as one
    found: Any = ac.fit(birds().rows(), "mace", restarts=4)
    first = {run.history[0] for run in (found.estimate.climb, *found.estimate.restarts)}
    assert len(first) == 5


@pytest.mark.parametrize("key", ["majority", "dawid_skene", "one_coin", "mace", "glad"])
def test_a_thousand_annotations_of_an_item(key: str) -> None:
    assert shown("a thousand") is None
    many = thousand()
    q = ours(many.rows(), key, restarts=0)
    assert np.isfinite(q).all()
    assert many.accuracy(q) == 1


# ------------------------------------------------------------------ make crowdkit.json anew


def freeze() -> None:
    wanted, shows = jobs(range(N_FROZEN)), defects()
    found = run([*wanted, *shows.values()])
    results = iter(found["results"])

    def short(x: Any) -> Any:
        if isinstance(x, list):
            return [short(y) for y in x]
        return round(x, DIGITS) if isinstance(x, float) else x

    tables: dict[str, list[Any]] = {}
    for job in wanted:
        tables.setdefault(job["model"], []).append(short(next(results)))
    head = {
        "about": "What crowd-kit and CrowdTruth say of random crowds. Not accordant's output.",
        "versions": found["versions"],
        "made by": "python -m oracle.test_crowdkit",
        "codes": "of labels, a row for each coder, -1 for missing",
        "answers": "probability of each label of each item; qualities of items, coders, labels",
    }

    def lines(values: Any) -> str:
        return ",\n".join(json.dumps(v, separators=(",", ":")) for v in values)

    crowds = lines(crowd(n).codes.tolist() for n in range(N_FROZEN))
    parts = ",\n".join(f'"{name}": [\n{lines(each)}\n]' for name, each in tables.items())
    bad = ",\n".join(
        f'"{name}": {json.dumps(short(result), separators=(",", ":"))}'
        for name, result in zip(shows, results, strict=True)
    )
    text = (
        f'{{"head": {json.dumps(head, indent=1)},\n"crowds": [\n{crowds}\n],\n'
        f'"answers": {{\n{parts}\n}},\n"defects": {{\n{bad}\n}}}}\n'
    )
    FROZEN.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    freeze()
