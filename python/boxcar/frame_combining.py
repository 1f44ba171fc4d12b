"""Group-by of tables by states: results for parts of the rows that are combined to results for all
rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .frame_library import Function, Library, Table

_OF_RESULTS = {"size": "sum", "count": "sum", "real_sum": "sum"}


class Combination:
    """The aggregations of a group-by, each computed from states.

    A table of states has the keys, each once, and a column for each function.
    """

    def __init__(
        self,
        library: Library,
        by: list[Any],
        functions: list[Function],
        aggregations: Any,
        options: Mapping[str, Any],
    ) -> None:
        self._library = library
        self._by = by
        self.functions = functions
        self._aggregations = aggregations
        self._options = options
        self._prefix = "state"
        while any(str(key).startswith(self._prefix) for key in by):
            self._prefix += "_"
        self._states: dict[Function, str] = {}
        self._outputs = [self._output_of(function) for function in functions]

    def _output_of(self, function: Function) -> tuple[str, str | None]:
        if function.name != "mean":
            return self._state_of(function), None
        total = self._state_of(Function("real_sum", function.column))
        return total, self._state_of(Function("count", function.column))

    def _state_of(self, function: Function) -> str:
        return self._states.setdefault(function, f"{self._prefix} {len(self._states)}")

    def states_of_rows(self, table: Table) -> Table:
        functions = {name: function for function, name in self._states.items()}
        return self._library.combine(table, self._by, functions, self._options)

    def merged(self, states: Table) -> Table:
        """The states of groups from states of parts of the groups."""
        functions = {
            name: Function(_OF_RESULTS.get(function.name, function.name), name)
            for function, name in self._states.items()
        }
        return self._library.combine(states, self._by, functions, self._options)

    def result(self, states: Table, like: Table) -> Any:
        """What the library makes of the groups.

        Args:
            like: A table without rows, with the types of the columns of the rows.
        """
        template = self._library.aggregate(like, self._by, self._aggregations, self._options)
        return self._library.finish(states, self._by, self._outputs, template, self._options)


def combination_of(
    library: Library,
    like: Table,
    by: list[Any],
    aggregations: Any,
    options: Mapping[str, Any],
) -> Combination | None:
    """None if the aggregations need all rows of a group at once."""
    functions = library.functions(like, by, aggregations, options)
    if not functions:
        return None
    return Combination(library, by, functions, aggregations, options)
