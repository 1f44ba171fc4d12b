"""Checks on the PEs of a world: functions ``check_*`` that all PEs call.

Each check states its expectations with ``assert``. The checks run one after another in one job, for
every kind of job (``test_checks.py``), and each leaves the world as it was.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

import boxcar

Check = Callable[[boxcar.World], None]


def everywhere(check: Check) -> Check:
    """Marks a check that every kind of job runs in the gate, too: the substrate matters to it."""
    check.is_for_all_jobs = True  # type: ignore[attr-defined]
    return check


def is_for_all_jobs(check: Check) -> bool:
    """Whether the check is marked by ``everywhere``."""
    return getattr(check, "is_for_all_jobs", False)


def all_checks() -> dict[str, Check]:
    """The checks by name, in the order of running."""
    checks: dict[str, Check] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        found = vars(importlib.import_module(f"{__name__}.{module.name}"))
        for name, value in found.items():
            if name.startswith("check_"):
                checks[f"{module.name}.{name.removeprefix('check_')}"] = value
    return checks
