"""A part of the targets: those that follow from one measurement."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runner import Runner
from target import Target


@dataclass(frozen=True)
class Part:
    name: str
    measure: Callable[[Runner], Any]
    targets: list[Target]
