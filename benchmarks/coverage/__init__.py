"""How often nominal 95 % intervals hold the true value, in simulated studies.

``python -m benchmarks.coverage`` runs the grid of regimes that users meet (`grid`), ``python -m
benchmarks.coverage.worlds`` every method with few coders, and ``python -m
benchmarks.coverage.label_sets`` the measures of label sets. All write their part of
docs/reference/coverage.md.
"""
