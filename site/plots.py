"""Figures of `boxcar bench --json` and of experiments/run, drawn as SVG when the site is built.

A paragraph of a page that is nothing but a link to a file of data/bench/ or data/experiments/
becomes a picture of what is in the file, with the text of the link as its title. In the repository
it stays a link to the figures.

Of a benchmark, the setting of which there are the most values goes along x; each value of another
one has a panel of its own. An experiment says itself what its panels show.
Colors come from static/boxcar.css, so that the pictures follow the theme.
"""

import html
import json
import math
import re
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

REPOSITORY = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 14, 44
SETTINGS = {
    "pes": "PEs",
    "nodes": "nodes",
    "item_bytes": "bytes of an item",
    "buffer_bytes": "bytes of a buffer",
    "class": "class",
}
# Where what one item takes is of interest, and not how many a second: what to divide that by.
OF_A_RUN = {"collectives": 1, "session": 1, "pingpong": 2}


class Axis:
    """A scale from the least to the largest value, by powers of 2 or, from zero, linear."""

    def __init__(self, values, begin, end, logarithmic):
        self.begin, self.end, self.logarithmic = begin, end, logarithmic
        if logarithmic:
            # What is zero has no place: it is drawn at the end.
            values = [value for value in values if value > 0] or [1]
            self.low, self.high = (
                math.floor(math.log2(min(values))),
                math.ceil(math.log2(max(values))),
            )
            self.high = max(self.high, self.low + 1)
            step = max(1, math.ceil((self.high - self.low) / 6))
            self.ticks = [2.0**i for i in range(self.low, self.high + 1, step)]
        else:
            step = round_step(max(values) / 4)
            self.low, self.high = 0, step * math.ceil(max(values) / step)
            self.ticks = [step * i for i in range(round(self.high / step) + 1)]

    def place(self, value):
        along = (math.log2(value) if value > 0 else self.low) if self.logarithmic else value
        return self.begin + (along - self.low) / (self.high - self.low) * (self.end - self.begin)


def round_step(least):
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= least)


def text_of(number):
    for limit, sign in ((2**20, "Mi"), (2**10, "Ki")):
        if number >= limit and number % limit == 0:
            return f"{number / limit:g} {sign}"
    return f"{number:.3g}"


def varied(report):
    """The settings with more than one value, those with the most first."""
    values = {name: {result["setting"][name] for result in report["results"]} for name in SETTINGS}
    return sorted(
        (name for name in SETTINGS if len(values[name]) > 1), key=lambda name: -len(values[name])
    )


def points_of(report):
    """(panel, line) -> [(x, y)], and what the axes are."""
    names = varied(report)
    if not names:
        raise ExtensionError(
            "a plot needs a benchmark that was run with several values of a setting"
        )
    along, *others = names
    of_a_run = OF_A_RUN.get(report["benchmark"])
    points = {}
    for result in report["results"]:
        panel = ", ".join(f"{SETTINGS[name]}: {result['setting'][name]}" for name in others)
        for contender in result["contenders"]:
            rate = contender.get("items_per_second_and_pe")
            if (contender["role"] == "limit" and not of_a_run) or not rate:
                continue
            y = 1e6 / rate / of_a_run if of_a_run else rate / 1e6
            points.setdefault(panel, {}).setdefault(contender["name"], []).append(
                (result["setting"][along], y)
            )
    return (
        points,
        SETTINGS[along],
        "microseconds" if of_a_run else "million items a second and PE",
        of_a_run,
    )


def mark(kind, x, y):
    """A point, whose shape tells its line to those who do not see colors."""
    if kind % 3 == 0:
        return "circle", f'cx="{x:.1f}" cy="{y:.1f}" r="4"'
    if kind % 3 == 1:
        return "rect", f'x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"'
    return "path", f'd="M{x:.1f} {y - 5:.1f}l5 8.5h-10z"'


def centred(place, text):
    return f'<text {place} text-anchor="middle">{text}</text>'


def panel_of(title, lines, kinds, x_axis, y_axis, x_label, y_label):
    out = [
        f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
        f"<title>{html.escape(title or y_label)}</title>"
    ]
    for tick in y_axis.ticks:
        y = y_axis.place(tick)
        out.append(
            f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text_of(tick)}</text>'
        )
    for tick in x_axis.ticks:
        x = x_axis.place(tick)
        out.append(
            f'<path class="grid" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
            + centred(f'x="{x:.1f}" y="{HEIGHT - BOTTOM + 17}"', text_of(tick))
        )
    out.append(centred(f'x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}"', x_label))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(centred(f'transform="translate(12 {middle}) rotate(-90)"', y_label))
    for name, points in lines.items():
        kind = kinds[name]
        places = [(x_axis.place(x), y_axis.place(y), x, y) for x, y in sorted(points)]
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y, *_ in places)
        out.append(f'<g class="line-{kind}"><path class="line" d="M{way}"/>')
        for x, y, *numbers in places:
            tag, shape = mark(kind, x, y)
            out.append(
                f"<{tag} {shape}><title>{html.escape(name)}: {numbers[1]:.4g} {y_label}, "
                f"{text_of(numbers[0])} {x_label}</title></{tag}>"
            )
        out.append("</g>")
    caption = f"<figcaption>{html.escape(title)}</figcaption>" if title else ""
    return "".join(out) + f"</svg>{caption}</figure>"


def legend_of(kinds):
    items = "".join(
        f'<li class="line-{kind}"><svg width="28" height="14" aria-hidden="true">'
        '<path class="line" d="M0 7H28"/>'
        f"<{' '.join(mark(kind, 14, 7))}/></svg> {html.escape(name)}</li>"
        for name, kind in kinds.items()
    )
    return f'<ul class="legend">{items}</ul>'


def kinds_of(panels):
    """Of lines, by their names: the same in all panels."""
    kinds = {}
    for lines in panels:
        for name in lines:
            kinds.setdefault(name, len(kinds))
    return kinds


def points_in(panels):
    return [point for lines in panels for points in lines.values() for point in points]


def block_of(title, kinds, drawn, about):
    return (
        f'<div class="plot"><p class="title">{html.escape(title)}</p>{legend_of(kinds)}'
        f'<div class="panels">{drawn}</div><p class="about">{about}</p></div>'
    )


def axes_of(points, x_is_logarithmic, y_is_logarithmic):
    return (
        Axis([x for x, _ in points], LEFT + 8, WIDTH - RIGHT - 8, x_is_logarithmic),
        Axis([y for _, y in points], HEIGHT - BOTTOM, TOP, y_is_logarithmic),
    )


def plot_of_benchmark(report, title):
    panels, x_label, y_label, of_a_run = points_of(report)
    kinds = kinds_of(panels.values())
    axes = axes_of(points_in(panels.values()), True, bool(of_a_run))
    drawn = "".join(
        panel_of(name, lines, kinds, *axes, x_label, y_label) for name, lines in panels.items()
    )
    launcher = report["launcher"] or []
    command = " ".join(launcher[: launcher.index("boxcar")] if "boxcar" in launcher else launcher)
    command = f"{command} " if command else ""
    command += " ".join(report["command"])
    command = re.sub(r" --json \S+", "", command)
    machine = report["machine"]
    about = (
        f"<code>{html.escape(command)}</code>, {html.escape(machine['processor'])}, "
        f"{html.escape(report['build']['compiler'])}, {report['time'][:10]}"
    )
    return block_of(title, kinds, drawn, about)


def plot_of_experiment(found, title):
    """Each panel has axes of its own."""
    panels = found["panels"]
    kinds = kinds_of(panel["lines"] for panel in panels)
    drawn = ""
    for panel in panels:
        logarithmic = panel["logarithmic"]
        axes = axes_of(points_in([panel["lines"]]), "x" in logarithmic, "y" in logarithmic)
        drawn += panel_of(panel["title"], panel["lines"], kinds, *axes, panel["x"], panel["y"])
    about = f"<code>{html.escape(found['command'])}</code>, {found['date']}"
    return block_of(title, kinds, drawn, about)


PLOTS = {"data/bench/": plot_of_benchmark, "data/experiments/": plot_of_experiment}


class Plots(SphinxTransform):
    default_priority = 90  # before links are led elsewhere

    def apply(self):
        for paragraph in list(self.document.findall(nodes.paragraph)):
            link = paragraph[0] if len(paragraph) == 1 else None
            target = str(link.get("reftarget", "")) if isinstance(link, nodes.Element) else ""
            plot_of = next((plot for folder, plot in PLOTS.items() if folder in target), None)
            if plot_of is None or not target.endswith(".json"):
                continue
            file = (Path(self.app.srcdir) / self.env.docname).parent / target
            self.env.note_dependency(file.resolve())
            report = json.loads(file.read_text())
            picture = nodes.raw("", plot_of(report, paragraph.astext()), format="html")
            paragraph.replace_self(picture)


def setup(app):
    app.add_transform(Plots)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
