"""The results of a run, as a file: the machine, and a row for each target."""

import json
import os
from dataclasses import dataclass

from row import Row

FORMAT = 1
FEW_ITEMS = 1000


@dataclass
class Results:
    machine: dict  # as in a report of `boxcar bench`
    build: dict
    rows: list[Row]
    quick: bool = False


def machine_of(runner):
    """The machine, and the build of Boxcar: results without rows."""
    report = runner.bench("limit", rounds=1, items=FEW_ITEMS)
    return Results(report.machine, report.build, [], runner.quick)


def write(results, file):
    document = {"format": FORMAT, "quick": results.quick, "machine": results.machine,
                "build": results.build, "rows": [row.as_dict() for row in results.rows]}
    unfinished = f"{file}.unfinished"
    with open(unfinished, "w", encoding="utf-8") as stream:
        json.dump(document, stream, indent=1)
        stream.write("\n")
    os.replace(unfinished, file)


def read(file):
    """Throws ValueError if the file has no results."""
    try:
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        if document["format"] != FORMAT:
            raise ValueError(f"its format is {document['format']}, not {FORMAT}")
        return Results(document["machine"], document["build"],
                       [Row(**row) for row in document["rows"]], document["quick"])
    except (OSError, KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{file} has no results of targets ({problem}): "
                         "give a file that `run --json FILE` wrote") from problem
