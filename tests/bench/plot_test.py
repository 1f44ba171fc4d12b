#!/usr/bin/env python3
"""Tests that `boxcar bench --plot` writes XML with the measured values, at the right places between
the ticks.

plot_test.py BOXCAR
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
HALF_A_TENTH = 0.051  # of a pixel: places are written with one decimal
MICROSECONDS = 1e6
SIZES = [64, 4096]
CLASSES = ["broadcast", "scan"]


def run(boxcar, benchmark, folder):
    """The picture, and the report of the same run."""
    picture = os.path.join(folder, "picture.svg")
    report = os.path.join(folder, "report.json")
    subprocess.run([boxcar, "bench", benchmark, "--pes", "2", "--class", ",".join(CLASSES),
                    "--item-bytes", ",".join(map(str, SIZES)), "--items", "5", "--rounds", "1",
                    "--plot", picture, "--json", report],
                   check=True, stdout=subprocess.DEVNULL, timeout=60)
    return xml.parse(picture).getroot(), json.load(open(report, encoding="utf-8"))


def groups(parent, name):
    return [g for g in parent.iter(SVG + "g") if g.get("class") == name]


def texts(element):
    return [text.text for text in element.iter(SVG + "text")]


def ticks(panel, name, coordinate):
    return {float(line.get("data-value")): float(line.get(coordinate))
            for line in panel.iter(SVG + "line") if line.get("class") == name}


def place_of(value, marked, logarithmic):
    """The place of a value on an axis with the ticks."""
    measure = math.log if logarithmic else float
    (first, at_first), (last, at_last) = min(marked.items()), max(marked.items())
    share = (measure(value) - measure(first)) / (measure(last) - measure(first))
    return at_first + share * (at_last - at_first)


def check_panel(panel, logarithmic):
    """Returns the points of each line."""
    x_ticks = ticks(panel, "tick-x", "x1")
    y_ticks = ticks(panel, "tick-y", "y1")
    assert len(x_ticks) > 1 and len(y_ticks) > 1, (x_ticks, y_ticks)
    lines = {}
    for line in groups(panel, "line"):
        points = lines[line.get("data-name")] = {}
        for point in groups(line, "point"):
            x, y = float(point.get("data-x")), float(point.get("data-y"))
            points[x] = y
            mark = point.find(SVG + "path").get("transform")
            left, down = map(float, mark.removeprefix("translate(").removesuffix(")").split())
            slack = HALF_A_TENTH * 20  # ticks are rounded as well, and may be near each other
            assert abs(left - place_of(x, x_ticks, True)) < slack, (x, left, x_ticks)
            assert abs(down - place_of(y, y_ticks, logarithmic)) < slack, (y, down, y_ticks)
            assert 0 <= left <= 320 and 0 <= down <= 220, (left, down)
    return lines


def measured(report, problem_class, size, name):
    for result in report["results"]:
        setting = result["setting"]
        if (setting["class"], setting["item_bytes"]) == (problem_class, size):
            return next(c for c in result["contenders"] if c["name"] == name)
    raise AssertionError(f"{problem_class} of {size} bytes is not in the report")


def check_latencies(panel, report, problem_class):
    lines = check_panel(panel, True)
    assert "latency (µs)" in texts(panel) and "bytes of a block" in texts(panel), texts(panel)
    assert problem_class in texts(panel), texts(panel)
    assert sorted(lines["Boxcar, automatic"]) == SIZES, lines
    for size, y in lines["Boxcar, automatic"].items():
        contender = measured(report, problem_class, size, "automatic")
        runs = contender["items"] / contender["workers"]
        expected = contender["median_seconds"] / runs * MICROSECONDS
        assert math.isclose(y, expected, rel_tol=1e-6), (y, expected)


def check_overlaps(panel, report, problem_class):
    lines = check_panel(panel, False)
    assert "overlap (%)" in texts(panel), texts(panel)
    for size, y in lines["Boxcar, automatic"].items():
        expected = 100 * measured(report, problem_class, size, "automatic")["run"]["overlap"]
        assert math.isclose(y, expected, rel_tol=1e-6, abs_tol=1e-9), (y, expected)


def main():
    boxcar = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        picture, report = run(boxcar, "collectives", folder)
        title = "collectives: 2 PEs on 1 node, substrate threads"
        assert title in texts(picture), texts(picture)
        panels = groups(picture, "panel")
        assert len(panels) == len(CLASSES), panels
        for panel, problem_class in zip(panels, CLASSES):
            check_latencies(panel, report, problem_class)
        legend = texts(groups(picture, "legend")[0])
        assert "Boxcar, automatic" in legend and "limit" in legend, legend
        assert len(legend) == len(set(legend)), legend

        picture, report = run(boxcar, "overlap", folder)
        panels = groups(picture, "panel")
        assert len(panels) == 3 * len(CLASSES), panels
        for first, problem_class in zip(range(0, len(panels), 3), CLASSES):
            check_latencies(panels[first], report, problem_class)
            check_overlaps(panels[first + 1], report, problem_class)
            assert "part that does not overlap (µs)" in texts(panels[first + 2])


main()
