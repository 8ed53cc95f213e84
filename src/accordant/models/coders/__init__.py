"""Coders at a glance: competence, spam, schools, and what each one changes."""
