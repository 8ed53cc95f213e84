"""The log of events, guarded against changes, and snapshots of the state.

The guards do not replace `verify`: whoever may write to the file can drop them. They stop
mistakes, and programs that mean well.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["downgrade", "upgrade"]

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# `insert or replace` deletes rows without asking the trigger for deletions, so the trigger for
# insertions looks for all three keys.
SQLITE = (
    """
    create trigger event_is_kept before delete on event
    begin select raise(abort, 'accepted events are never deleted'); end
    """,
    """
    create trigger event_is_fixed before update on event
    begin select raise(abort, 'accepted events are never changed'); end
    """,
    """
    create trigger event_follows before insert on event
    when new.seq is not 1 + coalesce((select max(seq) from event), 0)
      or new.prev is not coalesce(
           (select hash from event order by seq desc limit 1), printf('%064d', 0))
      or exists (select 1 from event where id = new.id)
      or exists (select 1 from event where stream = new.stream and version = new.version)
    begin select raise(abort, 'an event must follow the last one'); end
    """,
)
POSTGRESQL = (
    """
    create function event_is_fixed() returns trigger language plpgsql as $$
    begin raise exception 'accepted events are never changed or deleted'; end $$
    """,
    """
    create trigger event_is_kept before truncate on event
    for each statement execute function event_is_fixed()
    """,
    """
    create trigger event_is_fixed before update or delete on event
    for each statement execute function event_is_fixed()
    """,
    """
    create function event_follows() returns trigger language plpgsql
    set search_path from current as $$
    declare last record;
    begin
      select seq, hash into last from event order by seq desc limit 1;
      if new.seq <> 1 + coalesce(last.seq, 0)
         or new.prev <> coalesce(last.hash, repeat('0', 64)) then
        raise exception 'an event must follow the last one';
      end if;
      return new;
    end $$
    """,
    """
    create trigger event_follows before insert on event
    for each row execute function event_follows()
    """,
)


def upgrade() -> None:
    """Make the tables and their guards."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "event",
        sa.Column("seq", number, autoincrement=False, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("version", number, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("prev", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="event_pk"),
        sa.UniqueConstraint("id", name="event_id_key"),
        sa.UniqueConstraint("stream", "version", name="event_stream_version_key"),
    )
    op.create_table(
        "snapshot",
        sa.Column("seq", number, autoincrement=False, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("format", number, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("blob", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="snapshot_pk"),
    )
    for statement in SQLITE if sqlite else POSTGRESQL:
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    """There is nothing before the first schema."""
    raise RuntimeError("the first schema cannot be taken back: events are never deleted")
