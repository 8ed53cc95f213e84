"""What belongs to one person and stands beside the log: unsent texts, and the hash of a token."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["downgrade", "upgrade"]

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "draft",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person", "key", name="draft_pk"),
    )
    op.create_table(
        "token",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person", name="token_pk"),
    )


def downgrade() -> None:
    """Drop them, with what people have not sent yet."""
    op.drop_table("token")
    op.drop_table("draft")
