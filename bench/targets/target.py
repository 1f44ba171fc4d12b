"""A target: what Boxcar promises to reach, and how it follows from what was measured."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Target:
    name: str
    wanted: float
    unit: str
    value: Callable[[Any], float]  # of what the part of the target has measured
    at_most: bool = False

    def is_met_by(self, measured):
        return measured <= self.wanted if self.at_most else measured >= self.wanted


def median_of(value):
    """The median of a value over several reports: settings of one run follow one another, and over
    several runs they take turns."""
    return lambda reports: statistics.median(value(report) for report in reports)
