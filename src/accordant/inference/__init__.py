"""How sure a coefficient is: standard errors, intervals, tests."""
