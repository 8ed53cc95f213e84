"""How far a model can be believed: verdicts, calibration, checks, comparison of models."""
