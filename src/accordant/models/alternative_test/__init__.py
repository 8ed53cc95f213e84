"""Whether a model can stand in for a human coder."""
