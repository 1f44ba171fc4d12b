"""Every Python sample of the documentation is a whole program that runs; so is every notebook."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from notebooks import NOTEBOOKS, executed

ROOT = Path(__file__).parents[2]
SAMPLES = {
    f"{page.relative_to(ROOT)}-{number}": sample
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
    for number, sample in enumerate(
        re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
    )
}


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name: str, tmp_path: Path) -> None:
    script = tmp_path / "sample.py"
    script.write_text(SAMPLES[name])
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook(file: Path, tmp_path: Path) -> None:
    assert executed(file, tmp_path) == file.read_text(), "run python/tests/notebooks.py"
