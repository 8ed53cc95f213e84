"""What belongs to one person and stands beside the log: unsent texts, and the hash of a token.

It is neither hashed nor copied with the events, and whoever has the file or the schema can read it.
"""

from __future__ import annotations

from collections.abc import Container

from sqlalchemy import Connection, Table, delete, insert, select

from .record import check_name, check_text
from .tables import draft, token

__all__ = ["Personal"]


class Personal:
    """What can be read and, in a transaction that writes, changed; from `Store.personal`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def drafts(self, person: str) -> dict[str, str]:
        """Key → text of what a person has not sent."""
        query = select(draft.c.key, draft.c.text).where(draft.c.person == person)
        return {row.key: row.text for row in self._connection.execute(query.order_by(draft.c.key))}

    def keep_draft(self, person: str, key: str, text: str) -> None:
        """Keep a text in place of the one before; an empty one removes it."""
        check_name("key of a draft", key)
        check_text("draft", text)
        self._drop(draft, person, key)
        if text:
            row = {"person": person, "key": key, "text": text}
            self._connection.execute(insert(draft), row)

    def drop_drafts(self, person: str, acts: Container[str]) -> None:
        """Remove the texts of acts that are done: what stands in a key before its last "/"."""
        for key in self.drafts(person):
            if key.rpartition("/")[0] in acts:
                self._drop(draft, person, key)

    def tokens(self) -> dict[str, str]:
        """Person → hash of their token."""
        return {row.person: row.digest for row in self._connection.execute(select(token))}

    def keep_token(self, person: str, digest: str) -> None:
        """Keep the hash of a person's token in place of the one before; an empty one removes it."""
        self._drop(token, person)
        if digest:
            self._connection.execute(insert(token), {"person": person, "digest": digest})

    def _drop(self, table: Table, person: str, key: str = "") -> None:
        query = delete(table).where(table.c.person == person)
        self._connection.execute(query.where(table.c.key == key) if key else query)
