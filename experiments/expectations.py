"""Verdicts: what an experiment finds, beside the number of the paper in expectations.json.

An expectation is a number of a paper (`value`, `at_least` or `at_most`), a statement of a paper
without a number (`holds`), or a number that Boxcar sets itself (`goal`). A statement holds by a
limit that the experiment sets; the limit stands in parentheses behind the statement. The verdicts
are

- reproduced: within 10 % of the paper's number;
- same shape: the effect is between half and twice the size of the paper's effect, as logarithms of
  the ratio to the number that means no effect; or a statement without a number holds;
- refuted: anything else;
- met or missed: a goal, without any tolerance;
- not run: there is no finding.
"""

import json
import math
from pathlib import Path

FILE = Path(__file__).resolve().parent / "expectations.json"

REPRODUCED, SAME_SHAPE, REFUTED = "reproduced", "same shape", "refuted"
MET, MISSED, NOT_RUN = "met", "missed", "not run"
# The best verdict comes first.
ORDER = [REPRODUCED, MET, SAME_SHAPE, MISSED, REFUTED, NOT_RUN]
TOLERANCE = 0.1 + 1e-9  # with the rounding of the quotient
EFFECT_RATIOS = (0.5, 2.0)
# A smaller difference, as a part of one, does not decide whether a statement holds.
STATEMENT_TOLERANCE = 0.05


def expectations_of(experiment):
    """The source of the experiment's expectations, and its claims by their keys."""
    found = json.loads(FILE.read_text())[experiment]
    return found["source"], found["claims"]


def lies_within(expected, number, tolerance):
    if "at_least" in expected:
        return number >= (1 - tolerance) * expected["at_least"]
    if "at_most" in expected:
        return number <= (1 + tolerance) * expected["at_most"]
    return abs(number / expected["value"] - 1) <= tolerance


def has_shape(expected, number):
    """Whether the effect has the direction and about the size of the expected effect."""
    if "no_effect" not in expected or number <= 0:
        return False
    target = next(expected[kind] for kind in ("value", "at_least", "at_most") if kind in expected)
    none = expected["no_effect"]
    size = math.log(number / none) / math.log(target / none)
    return EFFECT_RATIOS[0] <= size <= EFFECT_RATIOS[1]


def verdict_of(expected, found):
    """The verdict on a finding: a number, several numbers of which the worst counts, or whether a
    statement holds, or None."""
    if found is None:
        return NOT_RUN
    if isinstance(found, list):
        return max((verdict_of(expected, number) for number in found), key=ORDER.index)
    if "holds" in expected:
        return SAME_SHAPE if found == expected["holds"] else REFUTED
    if expected.get("goal"):
        return MET if lies_within(expected, found, 0) else MISSED
    if lies_within(expected, found, TOLERANCE):
        return REPRODUCED
    return SAME_SHAPE if has_shape(expected, found) else REFUTED


def needs_reason(expected, verdict):
    """Whether the finding differs from the expectation."""
    if verdict == SAME_SHAPE:
        return "holds" not in expected
    return verdict in (MISSED, REFUTED)


def summary_of(verdicts):
    """The verdict on an experiment: the verdict that all claims have, or their numbers."""
    kinds = [kind for kind in ORDER if kind in verdicts]
    if len(kinds) == 1:
        return kinds[0]
    return ", ".join(f"{verdicts.count(kind)} {kind}" for kind in kinds)
