"""The findings of an experiment beside its expectations."""

import importlib.util
import json
import time
from pathlib import Path

from expectations import expectations_of, summary_of, verdict_of

HERE = Path(__file__).resolve().parent


def text_of(found):
    if found is None:
        return "not run"
    if isinstance(found, bool):
        return "holds" if found else "does not hold"
    numbers = found if isinstance(found, list) else [found]
    return ", ".join(f"{number:.3g}" for number in numbers)


class Outcome:
    """`panels` are pictures: lines of points by name. `claims` are expectations, each with the
    finding and the verdict. `remarks` are sentences without an expectation."""

    def __init__(self, name, about):
        self.name, self.about = name, about
        self.about["source"], self.expected = expectations_of(name)
        self.panels, self.claims, self.remarks = [], [], []

    def panel(self, title, x, y, lines, logarithmic=("x",)):
        self.panels.append(
            {"title": title, "x": x, "y": y, "logarithmic": list(logarithmic), "lines": lines}
        )

    def claim(self, key, found, details=""):
        """Compares a finding with the expectation of that key: a number, a list of numbers of which
        the worst counts, whether a statement holds, or None if it was not looked at."""
        expected = self.expected[key]
        self.claims.append(
            {
                "key": key,
                "says": expected["says"],
                "where": expected["where"],
                "found": found,
                "details": details,
                "verdict": verdict_of(expected, found),
            }
        )

    def remark(self, text):
        self.remarks.append(text)

    def verdict(self):
        return summary_of([claim["verdict"] for claim in self.claims])

    def text(self):
        lines = [f"{self.name}: {self.about['title']}: {self.verdict()} ({self.about['seconds']} s)"]
        for panel in self.panels:
            lines.append(f"  {panel['title'] or self.about['title']}: {panel['y']} by {panel['x']}")
            for name, points in panel["lines"].items():
                figures = ", ".join(f"{x:g}: {y:.4g}" for x, y in points)
                lines.append(f"    {name}: {figures}")
        for claim in self.claims:
            lines.append(f"  {claim['verdict']}: {claim['says']}")
            details = f" ({claim['details']})" if claim["details"] else ""
            lines.append(f"      {text_of(claim['found'])}{details}")
        lines += [f"  {remark}" for remark in self.remarks]
        return "\n".join(lines)

    def write(self, file):
        file.parent.mkdir(parents=True, exist_ok=True)
        figures = {"experiment": self.name, **self.about, "verdict": self.verdict()}
        figures |= {"claims": self.claims, "remarks": self.remarks, "panels": self.panels}
        file.write_text(json.dumps(figures, indent=1) + "\n")


class Experiment:
    """A file of catalogue/: TITLE, and `run(simulator, quick, outcome)`."""

    def __init__(self, name):
        self.name = name
        spec = importlib.util.spec_from_file_location(name, HERE / "catalogue" / f"{name}.py")
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    def is_measured(self):
        """Whether the experiment runs on this machine itself, so that its figures differ from run to
        run."""
        return getattr(self.module, "IS_MEASURED", False)

    def run(self, simulator, quick):
        about = {"title": self.module.TITLE}
        outcome = Outcome(self.name, about)
        begin = time.monotonic()
        self.module.run(simulator, quick, outcome)
        about["command"] = f"experiments/run {self.name}"
        about["date"] = time.strftime("%Y-%m-%d")
        about["seconds"] = round(time.monotonic() - begin)
        return outcome
