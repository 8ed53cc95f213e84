"""Coders, items and labels estimated together: who can be trusted, and what is probably true."""
