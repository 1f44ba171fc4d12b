"""What an experiment has found, beside what was expected."""

import importlib.util
import json
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Outcome:
    """`panels` are pictures: lines of points by name. `claims` are expectations, each with the
    finding and whether the expectation holds."""

    def __init__(self, name, about):
        self.name, self.about = name, about
        self.panels, self.claims = [], []

    def panel(self, title, x, y, lines, logarithmic=("x",)):
        self.panels.append(
            {"title": title, "x": x, "y": y, "logarithmic": list(logarithmic), "lines": lines}
        )

    def claim(self, expected, found, holds):
        self.claims.append({"expected": expected, "found": found, "holds": bool(holds)})

    def verdict(self):
        held = sum(claim["holds"] for claim in self.claims)
        if held == len(self.claims):
            return "reproduced"
        return "reproduced in part" if held else "refuted"

    def text(self):
        lines = [f"{self.name}: {self.about['title']}: {self.verdict()} ({self.about['seconds']} s)"]
        for panel in self.panels:
            lines.append(f"  {panel['title'] or self.about['title']}: {panel['y']} by {panel['x']}")
            for name, points in panel["lines"].items():
                figures = ", ".join(f"{x:g}: {y:.4g}" for x, y in points)
                lines.append(f"    {name}: {figures}")
        for claim in self.claims:
            lines.append(f"  {'yes' if claim['holds'] else 'NO '} {claim['expected']}")
            lines.append(f"      {claim['found']}")
        return "\n".join(lines)

    def write(self, file):
        file.parent.mkdir(parents=True, exist_ok=True)
        figures = {"experiment": self.name, **self.about, "verdict": self.verdict()}
        figures |= {"claims": self.claims, "panels": self.panels}
        file.write_text(json.dumps(figures, indent=1) + "\n")


class Experiment:
    """A file of catalogue/ : TITLE, SOURCE, and `run(simulator, quick, outcome)`."""

    def __init__(self, name):
        self.name = name
        spec = importlib.util.spec_from_file_location(name, HERE / "catalogue" / f"{name}.py")
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    def run(self, simulator, quick):
        about = {"title": self.module.TITLE, "source": self.module.SOURCE}
        outcome = Outcome(self.name, about)
        begin = time.monotonic()
        self.module.run(simulator, quick, outcome)
        about["command"] = f"experiments/run {self.name}"
        about["date"] = time.strftime("%Y-%m-%d")
        about["seconds"] = round(time.monotonic() - begin)
        return outcome
