"""Sparse matrices of SciPy, distributed over the PEs by blocks of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .agreement import Call
from .errors import ArgumentError
from .exchanging import Shipment

if TYPE_CHECKING:
    from .world import World


def transpose(world: World, matrix: Any) -> Any:
    """The transpose of a sparse matrix that is spread over the PEs by blocks of rows.

    Collective. Needs SciPy.

    Args:
        matrix: This PE's rows, a sparse matrix or array of SciPy with as many columns as those of
            all others and the same dtype; the rows of PE 0 are the first ones. A PE may have none.

    Returns:
        This PE's rows of the transpose, in CSR form: the columns of the matrix are spread by blocks
        that differ by one at most, and PE 0 has the first ones.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "transpose")
    mine: Any = None
    height = 0
    with call.checks():
        import scipy.sparse as sp

        if not sp.issparse(matrix):
            raise ArgumentError(f"matrix is a {type(matrix).__name__}: give a sparse one of SciPy")
        if len(matrix.shape) != 2:
            raise ArgumentError(f"matrix has shape {matrix.shape}: give two dimensions")
        mine = sp.coo_array(matrix)
        if mine.dtype.hasobject:
            raise ArgumentError(f"matrix has dtype {mine.dtype}: give numbers")
        height = mine.shape[0]
        call.must_be_alike({"number of columns": mine.shape[1], "dtype": mine.dtype})
    heights = call.agree(height)
    columns, size = mine.shape[1], world.size
    starts = np.array([columns * pe // size for pe in range(size + 1)])
    to = (np.searchsorted(starts, mine.col, "right") - 1).astype(np.int32)
    shipment = Shipment(world._pe, to)
    rows = shipment.move(mine.row + np.int64(sum(heights[: world.rank])))
    cols = shipment.move(mine.col.astype(np.int64))
    data = shipment.move(np.ascontiguousarray(mine.data))
    first, end = starts[world.rank], starts[world.rank + 1]
    form = (int(end - first), sum(heights))
    result = sp.coo_array((data, (cols - first, rows)), shape=form).tocsr()
    return sp.csr_matrix(result) if isinstance(matrix, sp.spmatrix) else result
