"""What counts as agreement, what counts as chance, and the coefficient that compares them."""
