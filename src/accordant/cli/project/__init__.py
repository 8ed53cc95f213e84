"""`accordant project`: steps of the procedure and views of a project as commands."""
