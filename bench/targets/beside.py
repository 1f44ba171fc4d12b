"""Results of several processors side by side, as a table in Markdown."""

from table import text_of_wanted

KIB = 1024


def _labels(all_results):
    """A name for each column: the processor, with a number if several have the same."""
    names = [f"{each.machine['processor']}, {each.machine['cores']} cores" for each in all_results]
    return [name if names.count(name) == 1 else f"{name} ({names[:place].count(name) + 1})"
            for place, name in enumerate(names)]


def _cell(row):
    if row is None or (row.measured is None and row.met is None):
        return "-"
    if row.measured is None:
        return "**failed**"
    text = f"{row.measured:.3g}" if abs(row.measured) < 1000 else f"{row.measured:.0f}"
    return f"{text} {row.unit}" if row.met else f"**{text} {row.unit}**"


def _line(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _description(label, results):
    machine, build = results.machine, results.build
    caches = ", ".join(f"{machine[level + '_cache_bytes'] // KIB} KiB"
                       for level in ["first", "second", "third"])
    commit = build["commit"]
    source = "unknown" if commit is None else commit["id"] + (
        ", with changes" if commit["changed"] else "")
    quick = " These are figures of --quick, which mean nothing." if results.quick else ""
    return (f"- {label}: caches of {caches}; {machine['system']}; {build['compiler']}, "
            f"`{build['flags']}`; commit {source}.{quick}")


def markdown(all_results):
    """A row for each target that any of the results has, in the order in which they come."""
    labels = _labels(all_results)
    first_rows = {}
    for results in all_results:
        for row in results.rows:
            first_rows.setdefault(row.name, row)
    columns = [{row.name: row for row in results.rows} for results in all_results]
    lines = [_line(["what", "wanted", *labels]), _line(["---"] * (2 + len(labels)))]
    for name, first in first_rows.items():
        lines.append(_line([name, text_of_wanted(first),
                            *(_cell(column.get(name)) for column in columns)]))
    lines += ["", "Bold: falls short. -: not measured.", ""]
    lines += [_description(label, results) for label, results in zip(labels, all_results)]
    return "\n".join(lines)
