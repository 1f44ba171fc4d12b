"""The documentation site: `make docs`, by scripts/build-site."""

import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent
sys.path.insert(0, str(SITE))
sys.path.insert(0, str(SITE.parent / "python"))

project = "Boxcar"
author = "the authors of Boxcar"
copyright = "the authors of Boxcar"

extensions = [
    "myst_parser",
    "reference",
    "repository",
    "plots",
    "notebook_pages",
    "breathe",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
# The package is read where it stands, without its native part.
autodoc_mock_imports = ["boxcar._native", "cloudpickle"]
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
root_doc = "index"
language = "en"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

breathe_projects = {"boxcar": str(SITE.parent / "build" / "doxygen" / "xml")}
breathe_default_project = "boxcar"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_default_members = ("members",)
breathe_show_include = False
# Every page of the reference opens the namespace boxcar; and in C an enum may be called like a
# function.
suppress_warnings = ["duplicate_declaration.cpp", "duplicate_declaration.c"]

html_theme = "furo"
html_title = "Boxcar"
html_static_path = ["static"]
html_css_files = ["boxcar.css"]
html_copy_source = False
html_use_index = False
html_domain_indices = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "tango"
pygments_dark_style = "monokai"
toc_object_entries_show_parents = "hide"
