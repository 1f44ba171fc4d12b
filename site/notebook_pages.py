"""Notebooks as pages: their text, their code and the outputs in their files. Nothing is run."""

import json

from myst_parser.parsers.sphinx_ import MystParser


def markdown_of(notebook, name):
    """The Markdown of a page; `name` is the file that readers may have."""
    cells = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cells.append(source)
        else:
            cells.append(f"```python\n{source}\n```")
            cells += [
                f"```{{code-block}} text\n:class: output\n{text_of(output)}\n```"
                for output in cell["outputs"]
            ]
    cells.insert(1, f"{{download}}`Download this page as a notebook <{name}>`.")
    return "\n\n".join(cells) + "\n"


def text_of(output):
    text = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
    return "".join(text).rstrip("\n")


class NotebookParser(MystParser):
    supported = ("notebook",)

    def parse(self, inputstring, document):
        name = self.env.docname.rsplit("/", 1)[-1] + ".ipynb"
        super().parse(markdown_of(json.loads(inputstring), name), document)


def setup(app):
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
