#!/usr/bin/env python3
"""Verdicts are computed from expectations; stored figures, expectations and the docs agree.

verdicts_test.py REPOSITORY
"""

import json
import sys
from pathlib import Path

REPOSITORY = Path(sys.argv[1])
EXPERIMENTS = REPOSITORY / "experiments"
sys.path.insert(0, str(EXPERIMENTS))
sys.dont_write_bytecode = True

from claims_table import text_of_page  # noqa: E402
from expectations import (  # noqa: E402
    ORDER,
    expectations_of,
    needs_reason,
    summary_of,
    verdict_of,
)

NAMES = sorted(file.stem for file in (EXPERIMENTS / "catalogue").glob("*.py"))


def stored(name):
    return json.loads((REPOSITORY / "data" / "experiments" / f"{name}.json").read_text())


def test_ratios():
    twice = {"value": 2, "no_effect": 1}
    for found, verdict in [
        (2, "reproduced"),
        (2.2, "reproduced"),
        (1.8, "reproduced"),
        (2.3, "same shape"),
        (1.5, "same shape"),
        (3.9, "same shape"),
        (4.1, "refuted"),
        (1.13, "refuted"),
        (1, "refuted"),
        (0.5, "refuted"),
    ]:
        assert verdict_of(twice, found) == verdict, (found, verdict_of(twice, found))


def test_losses():
    less = {"value": 0.828, "no_effect": 1}
    assert verdict_of(less, 0.8) == "reproduced"
    assert verdict_of(less, 0.74) == "same shape"
    assert verdict_of(less, 0.65) == "refuted"
    assert verdict_of(less, 1.14) == "refuted"


def test_bounds():
    five = {"at_least": 5, "no_effect": 1}
    assert verdict_of(five, 7) == verdict_of(five, 4.5) == "reproduced"
    assert verdict_of(five, 3.4) == "same shape"
    assert verdict_of(five, 2) == "refuted"
    assert verdict_of({"at_most": 1}, 1.1) == "reproduced"
    assert verdict_of({"at_most": 1}, 1.2) == "refuted"


def test_the_worst_number_counts():
    assert verdict_of({"at_most": 1}, [1, 1.05]) == "reproduced"
    assert verdict_of({"at_most": 1}, [1, 1.5]) == "refuted"
    assert verdict_of({"value": 2, "no_effect": 1}, [2, 3]) == "same shape"


def test_statements_and_goals():
    assert verdict_of({"holds": True}, True) == "same shape"
    assert verdict_of({"holds": True}, False) == "refuted"
    goal = {"at_most": 0.15, "goal": True}
    assert verdict_of(goal, 0.15) == "met"
    assert verdict_of(goal, 0.16) == "missed"


def test_statements_are_never_reproduced():
    for found in (True, False, [True, True], [True, False]):
        assert verdict_of({"holds": True}, found) != "reproduced", found


def test_findings_that_differ_need_a_reason():
    number, statement = {"value": 2, "no_effect": 1}, {"holds": True}
    assert needs_reason(number, "same shape") and not needs_reason(statement, "same shape")
    assert needs_reason(number, "refuted") and needs_reason(statement, "refuted")
    assert needs_reason({"at_most": 1, "goal": True}, "missed")
    for verdict in ("reproduced", "met", "not run"):
        assert not needs_reason(number, verdict), verdict


def test_summaries():
    assert summary_of(["refuted", "refuted"]) == "refuted"
    assert summary_of(["refuted", "reproduced", "refuted"]) == "1 reproduced, 2 refuted"


def test_each_expectation_has_one_kind():
    for name in NAMES:
        for key, claim in expectations_of(name)[1].items():
            kinds = {"value", "at_least", "at_most", "holds"} & set(claim)
            assert len(kinds) == 1, f"{name}, {key}: {kinds}"
            assert claim.get("goal") or claim["where"], f"{name}, {key}: where does the paper say it?"


def test_stored_verdicts_follow_from_the_expectations():
    for name in NAMES:
        found = stored(name)
        source, expected = expectations_of(name)
        assert found["source"] == source, name
        assert sorted(claim["key"] for claim in found["claims"]) == sorted(expected), name
        for claim in found["claims"]:
            assert claim["says"] == expected[claim["key"]]["says"], claim
            assert claim["verdict"] == verdict_of(expected[claim["key"]], claim["found"]), claim
            assert claim["verdict"] in ORDER
        assert found["verdict"] == summary_of([claim["verdict"] for claim in found["claims"]])


def test_findings_that_differ_have_a_reason_and_others_have_none():
    for name in NAMES:
        _, expected = expectations_of(name)
        for claim in stored(name)["claims"]:
            reason = expected[claim["key"]].get("reason", "")
            if needs_reason(expected[claim["key"]], claim["verdict"]):
                assert reason, f"{name}, {claim['key']}: say the reason, or that it was not found"
            else:
                assert not reason, f"{name}, {claim['key']} needs no reason: {claim['verdict']}"


def test_the_docs_have_the_stored_figures():
    page = (REPOSITORY / "docs" / "experiments.md").read_text()
    assert text_of_page(page) == page, "docs/experiments.md: run experiments/claims_table.py"
    for name in NAMES:
        assert f"](../data/experiments/{name}.json)" in page, f"docs/experiments.md: {name}"
    others = {file.stem for file in (REPOSITORY / "data" / "experiments").glob("*.json")}
    assert others == set(NAMES), others ^ set(NAMES)


for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
    test()
    print(f"{test.__name__}: passed")
