"""One file per revision, numbered; a revision that was released is never edited."""
