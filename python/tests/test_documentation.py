"""Every Python sample of the documentation is a whole program that runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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
