"""What must hold before a step is taken: one function for each guard, by its name."""
