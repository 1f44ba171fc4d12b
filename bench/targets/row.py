"""A row of the results: a target, what was measured, and whether the target is met."""

import math
from dataclasses import asdict, dataclass

from measurement_error import MeasurementError, NotMeasured


@dataclass
class Row:
    part: str
    name: str
    unit: str
    wanted: float
    at_most: bool
    measured: float | None = None
    met: bool | None = None  # None: not measured
    reason: str = ""  # why there is no figure

    def as_dict(self):
        return asdict(self)


def _row_of(part, target, find_value):
    """The row of a target whose value `find_value` returns, or the reason why there is no value."""
    row = Row(part.name, target.name, target.unit, target.wanted, target.at_most)
    try:
        measured = find_value()
        if not math.isfinite(measured):
            raise MeasurementError(f"the measured value is {measured}")
        row.measured, row.met = measured, target.is_met_by(measured)
    except NotMeasured as reason:
        row.reason = str(reason)
    except MeasurementError as failure:
        row.met, row.reason = False, str(failure)
    return row


def rows_of(part, runner):
    """Measures a part, and judges each of its targets."""
    def raise_again(problem):
        raise problem

    try:
        measured = part.measure(runner)
    except (MeasurementError, NotMeasured) as problem:
        return [_row_of(part, target, lambda p=problem: raise_again(p)) for target in part.targets]
    return [_row_of(part, target, lambda t=target: t.value(measured)) for target in part.targets]
