"""Disagreement as a signal: the quality scores of CrowdTruth."""
