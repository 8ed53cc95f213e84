"""Models of coders: annotator reliability, items and labels estimated together."""
