"""A document as terminal, HTML, Markdown, LaTeX, PDF, JSON, notebook."""
