"""Types of the parameters that public calls share, for readers, type checkers and command lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from ..kinds import AtLeast, Between, Commas, Metavar, Untyped

Data: TypeAlias = Annotated[Any, Untyped()]
Progress: TypeAlias = Callable[[int, int], None]

Share: TypeAlias = Annotated[float, Between(0, 1), Metavar("SHARE")]
Level: TypeAlias = Annotated[float, Between(0, 1, open=True), Metavar("SHARE")]
Number: TypeAlias = Annotated[float, AtLeast(0), Metavar("N")]
Positive: TypeAlias = Annotated[int, AtLeast(1), Metavar("N")]
Count: TypeAlias = Annotated[int, AtLeast(0), Metavar("N")]
Seed: TypeAlias = Annotated[int | Any, AtLeast(0), Metavar("N")]
Numbers: TypeAlias = Annotated[Sequence[float], Metavar("P,P,...")]
Names: TypeAlias = Annotated[Sequence[str], Commas(), Metavar("NAME")]

Coefficient: TypeAlias = Annotated[str, Metavar("NAME")]
Weights: TypeAlias = Annotated[Any, Metavar("NAME")]
Gold: TypeAlias = Annotated[Any, Metavar("NAME|FILE")]
Model: TypeAlias = Annotated[Any, Metavar("NAME")]
Categories: TypeAlias = Annotated[int | Sequence[Any], Metavar("N|A,B,C")]
Epsilon: TypeAlias = Annotated[float | str, Metavar("LOSS")]

Scale: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio", "circular", "bipolar"]
Interval: TypeAlias = Literal["auto", "analytic", "bootstrap", "none"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
