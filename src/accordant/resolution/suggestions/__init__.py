"""What the data suggest about cases. Suggestions, never decisions: nothing here writes an event."""
