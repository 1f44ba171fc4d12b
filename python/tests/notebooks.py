"""The tutorials are notebooks; the outputs in their files are the outputs of a run.

``python notebooks.py [FILE...]`` runs the files, or all, and writes the new outputs.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))
VARIES = "output-varies"
"""The tag of a cell whose output is another one in every run, and is not kept."""


def executed(file: Path, folder: Path) -> str:
    """The content for the file, from a run in a folder that looks like the repository."""
    (folder / "data").symlink_to(ROOT / "data")
    place = folder / file.parent.relative_to(ROOT)
    place.mkdir(parents=True)
    notebook = nbformat.read(file, as_version=4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=120,
        coalesce_streams=True,
        resources={"metadata": {"path": str(place)}},
    )
    # Whether something lasts long enough to show its progress varies.
    client.execute(env={**os.environ, "BOXCAR_PROGRESS": "0"})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.metadata.pop("execution", None)
            outputs = [] if VARIES in cell.metadata.get("tags", []) else cell.outputs
            # The launcher's text about a failed job varies, and goes to stderr.
            cell.outputs = [_kept(each) for each in outputs if each.get("name") != "stderr"]
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return nbformat.writes(notebook, ensure_ascii=False) + "\n"


def _kept(output: Any) -> Any:
    """The text of an output."""
    if "data" in output:
        output.data = {"text/plain": output.data["text/plain"]}
        output.metadata = {}
    if "execution_count" in output:
        output.execution_count = None
    return output


if __name__ == "__main__":
    for each in [Path(name).resolve() for name in sys.argv[1:]] or NOTEBOOKS:
        with tempfile.TemporaryDirectory(prefix="boxcar-") as name:
            each.write_text(executed(each, Path(name)))
