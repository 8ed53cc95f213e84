"""Draw the picture of the procedure for the pages: `python docs/procedure.py`.

The same drawing as in the report of a project, without a project; changes its colours on a dark
screen by itself.
"""

from __future__ import annotations

from pathlib import Path

from accordant.views.project_picture import procedure_svg

TARGET = Path(__file__).parent / "_static" / "procedure.svg"

if __name__ == "__main__":
    TARGET.write_text(procedure_svg(standalone=True) + "\n", encoding="utf-8")
