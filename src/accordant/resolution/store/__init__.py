"""Where the events of a project are kept: one SQLite file, or a PostgreSQL server for a team.

The store knows nothing of the procedure. `record` says what is kept and how it is hashed,
`store` opens a project; SQLAlchemy is loaded by the second only.
"""
