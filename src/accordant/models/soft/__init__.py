"""Distributions in place of labels: made, exported, and predictions scored against them."""
