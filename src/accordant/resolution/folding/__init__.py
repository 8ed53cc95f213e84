"""How each event changes the state: the only code that does."""
