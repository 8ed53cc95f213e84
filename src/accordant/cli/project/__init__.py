"""The commands of a project; importing the room registers them."""

from __future__ import annotations

from . import annotation_sheets, export_files, foundation
from .click_commands import PARTS, Project

__all__ = ["annotation_sheets", "export_files", "foundation", "project"]


def project() -> Project:
    """Resolve disagreement, to a documented ground truth.

    A project follows the six steps of Oortwijn, Ossenkoppele and Betti (2021): research question,
    task and guidelines, conceptual alignment, blind individual annotation, comparison, resolution.
    Nothing is overruled: coders agree, and the record says why. `accordant project status` shows
    what is possible next. The project is one file, or a URL of PostgreSQL for a team.

    Examples
    --------
    Begin a project in letters.accordant:
    $ accordant project new 'Letters' --as ana
    Where it stands, what is missing, who is awaited:
    $ accordant project status
    Write the task of a file:
    $ accordant project task toolbox.toml
    Annotate, from a sheet:
    $ accordant project annotate filled.xlsx --as bob
    Discuss a case:
    $ accordant project case reason 3 'it is a report' --cites 'rule R2'
    """
    return Project("project", PARTS, project.__doc__)
