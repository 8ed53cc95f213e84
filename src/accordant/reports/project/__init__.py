"""The report of a project: how disagreement became a documented ground truth, or did not."""
