"""The table of targets that a run prints."""


def heading():
    return f"{'what':72}{'measured':>14}{'wanted':>22}"


def text_of_wanted(row):
    return f"{'at most ' if row.at_most else ''}{row.wanted:g} {row.unit}"


def line_of(row):
    """A line for a row; `!` marks what falls short."""
    mark = " !" if row.met is False else ""
    if row.measured is None:
        kind = "failed" if row.met is False else "not measured"
        return f"{row.name:72}{kind:>14}{text_of_wanted(row):>22}{mark}  ({row.reason})"
    return f"{row.name:72}{f'{row.measured:.2f} {row.unit}':>14}{text_of_wanted(row):>22}{mark}"


def summary(rows):
    """How many targets are met, and the name of each that falls short."""
    missed = [row for row in rows if row.met is False]
    met = sum(row.met is True for row in rows)
    counts = f"{met} met, {len(missed)} missed, {len(rows) - met - len(missed)} not measured"
    return "\n".join([counts, *(f"! {row.name}" for row in missed)])
