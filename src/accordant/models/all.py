"""All models, in the order in which they are listed: importing this registers them."""

# ruff: noqa: I001 - the order is that of the list
from .estimators import (
    blend,
    majority,
    weighted,
    dawid_skene,
    variational,
    one_coin,
    mace,
    glad,
    hierarchical,
    ordinal,
    subtypes,
)
from .model import MODELS

__all__ = [
    "MODELS", "blend", "dawid_skene", "glad", "hierarchical", "mace", "majority", "one_coin",
    "ordinal", "subtypes", "variational", "weighted",
]  # fmt: skip
