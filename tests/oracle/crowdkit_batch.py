"""Runs in the environment of crowd-kit and CrowdTruth: JSON jobs on standard input, results on standard output.

    .venv-crowdkit/bin/python tests/oracle/crowdkit_batch.py < jobs.json > results.json

A job is {"model": name, "rows": [[item, coder, label], …], "rounds": number, "settings": {…}}.
With rounds the model does exactly so many, without it stops where it wants to. The result holds
the probability of each label of each item, items and labels sorted; of a majority vote the label
of each item; of CrowdTruth the quality of the items, of the coders and of the labels, all sorted;
null where it fails.
"""

import json
import sys
import warnings
from importlib.metadata import version

import pandas as pd

NAMES = ("crowd-kit", "crowdtruth", "numpy", "pandas", "scipy")
TIME = "2020-01-01 00:00:00"  # which CrowdTruth asks for
ENDLESS = -float("inf")  # no change is too small


def qualities(job):
    import crowdtruth  # only its own environment has it
    from crowdtruth.configuration import DefaultConfig

    rows = [
        (str(n), item, coder, TIME, TIME, label, item)
        for n, (item, coder, label) in enumerate(job["rows"])
    ]
    names = ["judgment", "unit", "worker", "started", "submitted", "label", "text"]

    settings = {
        "inputColumns": ["text"],
        "outputColumns": ["label"],
        "customPlatformColumns": names[:5],
        "open_ended_task": False,
        "annotation_vector": sorted({row[2] for row in job["rows"]}),
    }
    config = type("Config", (DefaultConfig,), settings)()
    data, config = crowdtruth.load(data_frame=pd.DataFrame(rows, columns=names), config=config)
    found = crowdtruth.run(data, config)
    kinds = ("units", "uqs"), ("workers", "wqs"), ("annotations", "aqs")
    return [found[table][score].sort_index().tolist() for table, score in kinds]


def fitted(job):
    if job["model"] == "CrowdTruth":
        return qualities(job)
    from crowdkit import aggregation  # only its own environment has it

    frame = pd.DataFrame(job["rows"], columns=["task", "worker", "label"])
    settings = dict(job.get("settings", {}))
    if "rounds" in job:
        settings["n_iter"] = job["rounds"]
        if job["model"] != "MACE":  # which has no tolerance
            settings["tol"] = ENDLESS
    model = getattr(aggregation, job["model"])(**settings)
    try:
        if job["model"] == "MajorityVote":
            return model.fit_predict(frame).sort_index().tolist()
        return model.fit_predict_proba(frame).sort_index(axis=1).sort_index().to_numpy().tolist()
    except (ValueError, ZeroDivisionError, IndexError, TypeError, AttributeError):
        return None


def main():
    warnings.simplefilter("ignore")
    jobs = json.load(sys.stdin)
    results = [fitted(job) for job in jobs]
    versions = {name: version(name) for name in NAMES}
    versions["python"] = sys.version.split()[0]
    json.dump({"versions": versions, "results": results}, sys.stdout)


if __name__ == "__main__":
    main()
