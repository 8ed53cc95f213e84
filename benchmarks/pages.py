"""Parts of a page that programs write: each between two comments, so that none touches another's.

``<!-- part: NAME -->`` … ``<!-- end -->``, as in README.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["COVERAGE", "put"]

COVERAGE = Path("docs/reference/coverage.md")


def put(page: Path, part: str, text: str) -> None:
    """Write one part of a page anew; the rest of the page stays as it is."""
    place = re.compile(rf"(<!-- part: {part} -->\n).*?(<!-- end -->)", re.DOTALL)
    old = page.read_text(encoding="utf-8")
    new, n = place.subn(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", old)
    if n != 1:
        raise SystemExit(f"{page} has {n} places for the part {part!r}, not one")
    page.write_text(new, encoding="utf-8")
