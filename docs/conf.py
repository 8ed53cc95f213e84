"""How Sphinx builds this documentation: `make docs`."""

from accordant._version import __version__

project = "Accordant"
author = "the Accordant authors"
copyright = "2026, the Accordant authors"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3

# The pages' own examples only; those in docstrings are run with the tests.
doctest_test_doctest_blocks = ""

autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"Accordant {release}"
