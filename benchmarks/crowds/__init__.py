"""Labels and coders on public crowds whose true labels are known: every model, every peer."""
