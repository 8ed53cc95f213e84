"""Runs the revisions in the transaction that `tables.upgrade` has begun."""

from __future__ import annotations

from alembic import context

__all__ = ["run"]


def run() -> None:
    """Bring the schema to the revision that was asked for."""
    attributes = context.config.attributes
    context.configure(
        connection=attributes["connection"],
        version_table_schema=attributes["schema"],
        render_as_batch=True,
    )
    context.run_migrations()


# Alembic loads this file under that name; whoever imports it otherwise only wants to read it.
if __name__ == "env_py":
    run()
