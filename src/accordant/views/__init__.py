"""Each result told once, as sections."""
