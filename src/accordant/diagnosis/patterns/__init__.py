"""Patterns in disagreements: what they point to, and how much is at stake."""
