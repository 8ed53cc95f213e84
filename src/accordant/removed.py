"""What was given up before the first release, and what does the same job.

Each room adds a line for a public call, a model, a format or a command that is gone, so that the
error for the name says what to use instead.
"""

from __future__ import annotations

from collections.abc import Mapping

REMOVED: Mapping[str, Mapping[str, str]] = {
    "call": {
        # statistics
        # models
        "which_model": "known labels to choose by: fit(…, model).scores(truth) for each model",
        "alternative_test_items": "50 to 100 items of three humans, then model_as_coder",
        "ambiguity": 'fit, then soft_labels(…, of="opinion"): entropy_by_errors',
        "read_soft": "score_predictions, which reads such files",
        "crowdtruth_original": 'crowdtruth(data, version="1.0")',
        # simulation and the rest
        "simulate_cause": "simulate",
        "simulate_crowd": "simulate",
        "simulate_multilabel": "simulate(…, double=…)",
    },
    "model": {
        "variational": "blend, the default; for a full posterior distribution Stan or NumPyro",
        "hierarchical": "blend, the default; for a full posterior distribution Stan or NumPyro",
        "subtypes": "blend, the default; for a full posterior distribution Stan or NumPyro",
        "ordinal": "blend, the default; for a full posterior distribution Stan or NumPyro",
    },
    "format": {
        "gate_teamware": "a table of item, coder and label; the docs have a recipe for pandas",
        "le_wi_di": "a table of item, coder and label; the docs have a recipe for pandas",
        "pdtb": "a table of item, coder and label; the docs have a recipe for pandas",
        "mturk": "the results of the batch as a CSV file, which is read as a long table",
        "appen": "the full report as a CSV file, which is read as a long table",
        "toloka": "the assignments of the pool as a TSV file, which is read as a long table",
        # layouts and platforms that were written
        "onehot": "write 'long', and pandas.get_dummies of its labels",
        "table": "the report shows it; pandas.crosstab of the 'wide' layout makes one",
        "counts": "pandas.crosstab of item and label of the 'long' layout",
        "prodigy": "write 'long' as .csv",
        "webanno_tsv": "write 'long' as .csv",
    },
    "command": {
        # analyses
        "completion": 'in bash: eval "$(_ACCORDANT_COMPLETE=bash_source accordant)"',
        # project
        "project work": "accordant project status --as NAME, and sheets to fill in",
        "project meeting": "a case sheet with a consent column of each coder",
        "project group": "name the cases, or a range of them: case 3-7 accept",
        "project case dispute": "leave or postpone a case whose cause finds no consent",
        "project case retract": "project case refuse",
        "project case withdraw": "project case refuse, by who proposed it",
        "project case slip": "project case cause e, then project case rescore",
        "project case defer": "project case outcome, under an accepted cause b",
        "project case aggregate": "project case decide without an answer: the majority",
        "project resolve": "project go resolution",
        "project resume": "project go resolution",
        "project training": "project person NAME --training TEXT",
        "project adjudicator": "project person NAME --role adjudicator",
        "project acknowledge": "project sign-off",
        "project purpose": "project question TEXT --purpose TEXT",
        "project hypothesis": "project question TEXT --hypotheses TEXT",
        "project upgrade": "a project is opened by the version that wrote it",
        "project confirm": "write the guidelines as they are meant, as a local or drastic change",
    },
    "coefficient": {},
    "option": {
        "coders_in": 'layout="transposed" for coders in rows, layout="wide" for coders in columns',
        "only_question": "label",
        "only_coder": "coder",
        "ranked": 'layout="ranked"',
        "spans": 'layout="tokens"',
        "max_labels": 'separator="" where each cell is one label',
        "rename": "call the coders so in the file",
        "encoding": "save the file as UTF-8",
        "delimiter": "save the file with commas",
    },
}


def instead(kind: str, name: str) -> str:
    """What to use instead of something that is gone; empty where it never was.

    Examples
    --------
    >>> instead("model", "never")
    ''
    """
    return REMOVED[kind].get(name, "")
