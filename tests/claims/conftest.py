from __future__ import annotations

import numpy as np
import pytest

from accordant import Annotations, read


@pytest.fixture(scope="session")
def sparse() -> Annotations:
    """120 items, 12 coders, 2 annotations each."""
    rng = np.random.default_rng(8)
    truth = rng.random(120) < 0.5
    rows = [
        {"item": i, "coder": f"c{c}", "label": "yes" if t != (rng.random() < 0.1) else "no"}
        for i, t in enumerate(truth)
        for c in rng.choice(12, 2, replace=False)
    ]
    import pandas as pd

    return read(pd.DataFrame(rows))
