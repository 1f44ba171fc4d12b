"""Links from pages to files of the repository, which are read on the site as well.

- The README of the repository is the front page, and a Markdown file that a page of docs/ stands
  for (see below) is that page.
- Any other file gets a page of its own, with its text, or is downloaded if it is compressed; a
  folder gets one that lists its files.

A page of docs/ that consists of nothing but "This page is [NAME.md](../NAME.md)." has that file's
text.
"""

import functools
import posixpath
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

REPOSITORY = Path(__file__).resolve().parent.parent
DOCS = REPOSITORY / "docs"
COMPRESSED = (".gz",)
STANDS_FOR = re.compile(r"This page is \[.*\]\(\.\./(.*\.md)\)\.\s*$")


def pages_of_files():
    """Which page has the text of which Markdown file."""
    pages = {"README.md": "index"}
    for page in DOCS.glob("*.md"):
        match = STANDS_FOR.match(page.read_text())
        if match:
            pages[match.group(1)] = page.stem
    return pages


def take_text_of_file(app, docname, content):
    match = STANDS_FOR.match(content[0])
    if not match:
        return
    file = REPOSITORY / match.group(1)
    app.env.note_dependency(file)
    text = re.sub(r"(\]\()(?!http|#)", r"\1../", file.read_text())
    content[0] = text.replace("](../docs/", "](")


def page_of(file):
    """The name of the page of a file or a folder of the repository, which is relative to that."""
    return "source/" + (file if (REPOSITORY / file).is_file() else f"{file}/index")


class LinksToRepository(SphinxTransform):
    """Those that MyST has found to lead out of docs/."""

    default_priority = 100

    def apply(self):
        wanted = self.env.metadata[self.env.docname].setdefault("files of the repository", set())
        found = [
            *self.document.findall(addnodes.download_reference),
            *self.document.findall(addnodes.pending_xref),
        ]
        for link in found:
            file = self.file_of(link)
            if file is None:
                continue
            page = pages_of_files().get(file)
            anchor = link.get("reftargetid")
            if page is None:
                page = page_of(file)
                wanted.add(file)
            self.lead_to(link, page, anchor)

    def file_of(self, link):
        """Relative to the repository; None if the link leads elsewhere."""
        if link.get("reftype") != "myst":
            return None
        target = link["reftarget"]
        if link.get("refdomain") == "doc":
            target += ".md"  # MyST has taken it for a page
        path = (DOCS / self.env.docname).parent / target
        path = path.resolve()
        if path.is_relative_to(DOCS) or not path.is_relative_to(REPOSITORY) or not path.exists():
            return None
        if path.suffix in COMPRESSED:
            return None
        return str(path.relative_to(REPOSITORY))

    def lead_to(self, link, page, anchor):
        uri = (
            self.app.builder.get_relative_uri(self.env.docname, page)
            if page in self.env.found_docs
            else posixpath.relpath(page + ".html", Path(self.env.docname).parent.as_posix())
        )
        reference = nodes.reference(
            "", "", internal=True, refuri=uri + (f"#{anchor}" if anchor else "")
        )
        reference += [child.deepcopy() for child in link.children]
        link.replace_self(reference)


def files_below(folder):
    return sorted(path for path in (REPOSITORY / folder).rglob("*") if path.is_file())


def source_pages(app):
    """All pages of files and folders that pages lead to."""
    wanted = set()
    for metadata in app.env.metadata.values():
        wanted |= metadata.get("files of the repository", set())
    bodies = {}
    for folder in [file for file in wanted if (REPOSITORY / file).is_dir()]:
        below = files_below(folder)
        bodies[folder] = list_of_links(path.relative_to(REPOSITORY / folder) for path in below)
        wanted |= {str(path.relative_to(REPOSITORY)) for path in below}
    for file in [file for file in wanted if (REPOSITORY / file).is_file()]:
        text = (REPOSITORY / file).read_text()
        bodies[file] = app.builder.highlighter.highlight_block(
            text, language_of(file), linenos=False
        )
    for file in sorted(bodies):
        page = page_of(file)
        context = {
            "title": file,
            "body": f'<h1 class="file">{file}</h1>\n{bodies[file]}',
            "toctree": navigation_of(app.builder, posixpath.dirname(page)),
        }
        yield page, context, "page.html"


def list_of_links(files):
    rows = "".join(
        f'<li><a class="reference internal" href="{file}.html"><code>{file}</code></a></li>'
        for file in files
    )
    return f"<ul>{rows}</ul>"


@functools.cache
def navigation_of(builder, folder):
    """What the theme asks for the navigation: made once for a folder, as that takes long."""
    made = {}

    def toctree(**options):
        key = tuple(sorted(options.items()))
        if key not in made:
            made[key] = builder._get_local_toctree(f"{folder}/page", **options)
        return made[key]

    return toctree


def language_of(file):
    endings = {
        ".cpp": "cpp",
        ".hpp": "cpp",
        ".h": "c",
        ".c": "c",
        ".sh": "sh",
        ".md": "markdown",
        ".json": "json",
        ".py": "python",
        ".txt": "text",
    }
    return endings.get(Path(file).suffix, "text")


def setup(app):
    app.add_transform(LinksToRepository)
    app.connect("source-read", take_text_of_file)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
