"""Runs in irrCAC's own environment: JSON jobs on standard input, results on standard output.

    .venv-irrcac/bin/python tests/oracle/irrcac_batch.py < jobs.json > results.json

A job is {"labels": coders x items, null for missing; "categories": [...]; "weights": name}.
Its result holds, for each coefficient, value, pa, pe, se, low, high, p; null where irrCAC fails.
"""

import json
import math
import sys
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd

COEFFICIENTS = ("gwet", "fleiss", "conger", "bp", "krippendorff")
DIGITS = 12


def numbers(job, coefficient):
    from irrCAC.raw import CAC  # only its own environment has it

    frame = pd.DataFrame(job["labels"], dtype=float).T
    try:
        cac = CAC(frame, weights=job["weights"], categories=job["categories"], digits=DIGITS)
        found = getattr(cac, coefficient)()["est"]
    except (ZeroDivisionError, ValueError, IndexError):
        return None
    keys = ("coefficient_value", "pa", "pe", "se", "confidence_interval", "p_value")
    value, pa, pe, se, (low, high), p = (found[k] for k in keys)
    return [x if math.isfinite(x) else None for x in map(float, (value, pa, pe, se, low, high, p))]


def main():
    warnings.simplefilter("ignore")  # it divides by zero where a coefficient is undefined
    jobs = json.load(sys.stdin)
    results = [{c: numbers(job, c) for c in COEFFICIENTS} for job in jobs]
    versions = {
        "irrCAC": version("irrCAC"),
        "numpy": np.__version__,
        "pandas": pd.__version__,
        "scipy": version("scipy"),
        "python": sys.version.split()[0],
    }
    json.dump({"versions": versions, "results": results}, sys.stdout)


if __name__ == "__main__":
    main()
