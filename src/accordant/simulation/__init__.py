"""Annotations with known truth, and studies of what measures make of them."""
