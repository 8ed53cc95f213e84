"""Sets of labels: label by label, or the set as a whole."""
