"""Results that functions of a library make of tables, agreed on by all PEs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .agreement import Call
from .frame_library import Table
from .frame_transport import Part, give_common_types

if TYPE_CHECKING:
    from .world import World


def result_of(world: World, name: str, part: Part, function: Callable[[Table], Any]) -> Any:
    """Collective. What a function makes of a part: a table, with the same types on all PEs.

    The function may also make a Series of pandas, which is left as it is.
    """
    call = Call(world._pe, name)
    kind = type(part.table)
    with call.functions_of_program():
        part.table = function(part.table)
        call.must_be_alike({"type of the result": type(part.table).__name__})
        if type(part.table) is kind:
            columns = part.library.columns(part.table)
            call.must_be_alike({"columns of the result": columns})
    call.agree()
    if type(part.table) is kind:
        give_common_types(world, name, part)
    return part.table
