"""`accordant project`: from disagreement to a documented ground truth, step by step."""

from __future__ import annotations

from ..project.group import project as made

__all__ = ["project"]

project = made()
