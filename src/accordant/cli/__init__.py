"""The command line: one short function for each command, over the same calls as Python's."""
