"""How Sphinx builds this documentation: `make docs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from accordant._version import __version__

project = "Accordant"
author = "the Accordant authors"
copyright = "2026, the Accordant authors"
version = release = __version__

extensions = [
    "generated",
    "mathml",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build", "_ext"]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3

# The pages' own examples only; those in docstrings are run with the tests.
doctest_test_doctest_blocks = ""

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings say types, with shapes
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"Accordant {release}"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["accordant.css"]
