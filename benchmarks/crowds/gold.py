"""The public crowds whose true labels are known, read from ../shared/data/crowd."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import accordant as ac

DATA = (
    Path(os.environ.get("ACCORDANT_DATA") or Path(__file__).parents[3] / "shared" / "data")
    / "crowd"
)

FOURTEEN = (
    "snow_rte",
    "snow_temporal",
    "bluebird",
    "weather_cf",
    "sp_polarity",
    "zencrowd_us",
    "product",
    "tweet_sentiment",
    "face_sentiment",
    "web",
    "crowd_ner_60docs",
    "adult",
    "trec",
    "relevance",
)
"""Those over which means are taken."""

FURTHER: Mapping[str, str] = {
    "snow_wsd": "nearly all items have one category",
    "discogem_pdtb300": "coders are positions, not persons; other categories in the gold labels",
    "discogem_qa_l3": "coders are positions, not persons; other categories in the gold labels",
}
"""Crowds that are scored, but do not enter means, and why."""

LEFT_OUT: Mapping[str, str] = {
    "snow_affect": "numeric: 0 to 100, the gold label is a mean",
    "snow_wordsim": "numeric, and the gold label is on another scale",
    "bjhp": "two coders, and the gold label is what the same two agreed on",
}
"""Data with gold labels that are not scored, and why."""

ORDERED = ("web", "adult", "relevance")
NEARLY = 0.99
CAP = 3_000
"""Items of a crowd that slow models are given, those with a gold label first."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """Annotations of persons, and what is known to be true.

    Parameters
    ----------
    name : str
    frame : DataFrame
        item, coder, label: all text; repeated annotations count each time.
    gold : mapping
        Item → labels any of which is right.
    n_items : int
        Of the whole crowd, if this is a part of it.
    """

    name: str
    frame: Any
    gold: Mapping[Hashable, tuple[str, ...]]
    n_items: int

    @cached_property
    def data(self) -> ac.Annotations:
        """The annotations as ours are given them."""
        scale: Any = "ordinal" if self.name in ORDERED else None
        return ac.read(self.frame, duplicates="keep", scale=scale)

    @property
    def complete(self) -> bool:
        """Whether (nearly) every item has a gold label.

        Only then is the accuracy of coders and the prevalence known; else it is that of a sample.
        """
        return len(self.gold) >= NEARLY * int(self.frame.item.nunique())

    @property
    def per_item(self) -> float:
        """Annotations of an item, on average."""
        return len(self.frame) / int(self.frame.item.nunique())

    @property
    def is_part(self) -> bool:
        return int(self.frame.item.nunique()) < self.n_items

    @cached_property
    def capped(self) -> Crowd:
        """A part with few items, the same each time: those with gold labels first."""
        items = np.sort(self.frame.item.unique())
        if len(items) <= CAP:
            return self
        order = np.random.default_rng(1).permutation(len(items))
        known = np.array([item in self.gold for item in items])[order]
        kept = items[order[np.argsort(~known, kind="stable")][:CAP]]
        chosen = set(kept.tolist())
        gold = {item: labels for item, labels in self.gold.items() if item in chosen}
        return replace(self, frame=self.frame[self.frame.item.isin(chosen)], gold=gold)


def crowd(name: str) -> Crowd:
    """One crowd by its name in the manifest."""
    import pandas as pd

    frame = pd.read_csv(DATA / f"{name}.csv", dtype=str, keep_default_na=False)
    frame = frame[frame.label != ""]
    table = pd.read_csv(DATA / f"{name}.gold.csv", dtype=str, keep_default_na=False)
    names: dict[str, str] = {plain(label): label for label in frame.label.unique()}
    items = set(frame.item)
    gold = {
        item: tuple(names.get(plain(x), x) for x in re.split(r"[;,\n]", text) if x.strip())
        for item, text in zip(table.item, table.gold, strict=True)
        if item in items
    }
    return Crowd(name, frame, gold, int(frame.item.nunique()))


def plain(label: str) -> str:
    """A label without its higher levels: ``Expansion.Conjunction`` is ``conjunction``."""
    return label.strip().rsplit(".", 1)[-1].lower()


def crowds(wanted: str = "") -> Iterator[Crowd]:
    """All crowds, or the one that is wanted."""
    for name in (*FOURTEEN, *FURTHER):
        if wanted in ("", name):
            yield crowd(name)
