"""Conversion of any arrays for the native part: contiguous, aligned, plain bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from .errors import ArgumentError

Array = npt.NDArray[Any]

_INDEX_CODES = ("i4", "i8", "u4", "u8")
_REAL_CODES = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
_NUMBER_CODES = (*_REAL_CODES, "c8", "c16")


def array_of(values: Any, name: str) -> Array:
    """As an array of at least one dimension, without a copy where that can be."""
    array = array_or_value(values, name)
    if array.ndim == 0:
        raise ArgumentError(f"{name} is a single value: give an array, of one element if need be")
    if array.dtype.hasobject:
        _refuse_objects(array, values, name)
    return array


def _refuse_objects(array: Array, given: Any, name: str) -> NoReturn:
    if hasattr(given, "columns"):
        raise ArgumentError(
            f"{name} is a {type(given).__name__}: give one of its columns, or pass the whole table "
            "to a function of boxcar.frame"
        )
    of_type = (
        f" of type {type(array.flat[0]).__name__}" if array.dtype == object and array.size else ""
    )
    raise ArgumentError(
        f"{name} has dtype {array.dtype}, elements of which are references to objects{of_type}: "
        "give numbers, fixed-width strings (dtype 'S' or 'U') or structures of these"
    )


def place_in(array: Array, position: int) -> str:
    """The indices of an element, for messages: "[1, 2]", or "" if the array is a single value."""
    return str([int(i) for i in np.unravel_index(position, array.shape)]) if array.ndim else ""


def leaves(array: Array) -> Iterator[Array]:
    """Views of all fields of an array of structures, and of the fields of inner structures."""
    if array.dtype.names is None:
        yield array
        return
    for name in array.dtype.names:
        yield from leaves(array[name])


def changed(array: Array, converted: Array, kinds: str) -> npt.NDArray[np.bool_]:
    """Whether the conversion of each value, or of a field of a structure, changed the value.

    Values that are NaN or NaT do not count, nor do values of other kinds than these.
    """
    result = np.zeros(array.shape, bool)
    for before, after in zip(leaves(array), leaves(converted), strict=True):
        if before.dtype.kind in kinds:
            with np.errstate(over="ignore", invalid="ignore"):
                differs = (after.astype(before.dtype) != before) & (before == before)
            result |= differs.any(axis=tuple(range(array.ndim, before.ndim)))
    return result


def array_or_value(values: Any, name: str) -> Array:
    """Converts values to a plain array, of no dimension if they are a single value.

    Raises ArgumentError if values are masked or missing, or if the object cannot be converted.
    """
    if isinstance(values, np.ndarray):
        return _without_mask(values, name)
    try:
        if _is_column(values):
            return _array_of_column(values, name)
        if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
            return np.from_dlpack(values)
        if isinstance(values, (list, tuple)):
            _refuse_masked(values, name)
        array = np.asarray(values)
        if array.dtype.kind == "U" and isinstance(values, (list, tuple)):
            _refuse_text_with_last_nul(values, name)
        return array
    except ArgumentError:
        raise
    except Exception as problem:
        raise ArgumentError(
            f"{name} cannot be made an array: {type(problem).__name__}: {problem}"
        ) from problem


def _refuse_masked(arrays: Sequence[Any], name: str) -> None:
    """Raises ArgumentError if some of the arrays are masked arrays, with masked values."""
    if not any(issubclass(kind, np.ma.MaskedArray) for kind in set(map(type, arrays))):
        return
    masks = [np.ma.getmaskarray(each) for each in arrays if isinstance(each, np.ma.MaskedArray)]
    masked = sum(int(np.count_nonzero(np.ma.flatten_mask(mask))) for mask in masks)
    if masked != 0:
        raise ArgumentError(
            f"{name} has {masked} masked values: leave those rows out, or fill them"
        )


def _without_mask(array: Array, name: str) -> Array:
    """The data of an array as a plain ``numpy.ndarray``, if none of its values is masked."""
    _refuse_masked([array], name)
    return np.asarray(array)


def converted(array: Array, dtype: np.dtype[Any], name: str) -> Array:
    """Converts an array to a dtype, contiguous and aligned, if no more than digits are lost.

    Raises ArgumentError with the first value that the dtype cannot hold.
    """
    if array.dtype != dtype:
        if array.dtype.kind in "iu" and dtype.kind in "iubm":
            limits = np.iinfo(np.int64 if dtype.kind in "bm" else dtype)
            least, most = (0, 1) if dtype.kind == "b" else (limits.min, limits.max)
            if not np.can_cast(array.dtype, dtype, "safe"):
                _refuse_first(
                    array, (array < least) | (array > most), name, f"of {dtype}, {least} to {most}"
                )
        elif array.dtype.kind in "biufc" and dtype.kind in "fc":
            _check_casting(array, dtype, "same_kind", name)
            with np.errstate(over="ignore", invalid="ignore"):
                result = array.astype(dtype)
            most = np.finfo(dtype).max
            lost = np.isfinite(array) & ~np.isfinite(result)
            _refuse_first(array, lost, name, f"of {dtype}, -{most} to {most}")
            array = result
        elif array.dtype.kind in "SU" and dtype.kind in "SU":
            _check_casting(array, dtype, "same_kind", name)
            letters = letters_of(dtype)
            if letters_of(array.dtype) > letters:
                lost = np.char.str_len(array) > letters
                _refuse_first(array, lost, name, f"of {dtype}, {letters} letters")
        else:
            _check_casting(array, dtype, "safe" if dtype.kind in "VSU" else "same_kind", name)
            if np.can_cast(array.dtype, dtype, "safe"):  # of times: their unit becomes no coarser
                result = array.astype(dtype)
                _refuse_first(array, changed(array, result, "mM"), name, f"of {dtype}")
                array = result
    return np.require(array, dtype, ["C", "A"])


def _refuse_first(array: Array, is_wrong: npt.NDArray[np.bool_], name: str, what: str) -> None:
    if is_wrong.any():
        first = int(np.argmax(is_wrong))
        value = array.reshape(-1)[first].item()
        raise ArgumentError(
            f"{name} leave the range {what}: {name}{place_in(array, first)} is {value!r}"
        )


def _check_casting(
    array: Array, dtype: np.dtype[Any], casting: Literal["safe", "same_kind"], name: str
) -> None:
    if not np.can_cast(array.dtype, dtype, casting):
        raise ArgumentError(f"{name} have dtype {array.dtype}, and need {dtype}: convert them")


def _is_column(values: Any) -> bool:
    """Whether the values are a column of pandas, polars, Arrow or any library with Arrow's
    interface."""
    names = ("__arrow_c_stream__", "__arrow_c_array__", "to_numpy")
    return any(hasattr(values, name) for name in names)


def _array_of_column(values: Any, name: str) -> Array:
    if isinstance(getattr(values, "dtype", None), np.dtype) and not values.dtype.hasobject:
        return np.asarray(values)
    try:
        import pyarrow as pa

        column = pa.chunked_array(values)
    except (ImportError, TypeError):
        return _array_without_arrow(values, name)
    if pa.types.is_dictionary(column.type):
        column = without_dictionary(column)
    if isinstance(column.type, pa.BaseExtensionType):
        raise ArgumentError(
            f"{name} has type {column.type}, which is none of Arrow's own: convert it to numbers, "
            "text or times"
        )
    if pa.types.is_null(column.type) and len(column) == 0:
        return np.empty(0, np.str_)  # as text of no letters, which has any width
    _refuse_missing(column.null_count, name)
    array: Array = column.to_numpy()
    kind = type_without_views(column.type)
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return array
    from pyarrow import compute

    if compute.any(compute.ends_with(column.cast(kind), "\0")).as_py():
        _refuse_last_nul(name)
    return array.astype(np.str_)


def type_without_views(kind: Any) -> Any:
    """The type of Arrow for text or bytes that are no views; any other type as it is."""
    import pyarrow as pa

    if kind == pa.string_view():
        return pa.large_string()
    return pa.large_binary() if kind == pa.binary_view() else kind


def without_dictionary(column: Any) -> Any:
    """The values of a column of Arrow that has a dictionary; of views, as text or bytes."""
    import pyarrow as pa

    kind = column.type
    values = type_without_views(kind.value_type)
    # Arrow casts no dictionaries of views to their values.
    return column.cast(pa.dictionary(kind.index_type, values, kind.ordered)).cast(values)


def _array_without_arrow(values: Any, name: str) -> Array:
    """Converts a column of pandas or polars by its own functions."""
    if not hasattr(values, "to_numpy"):
        raise ArgumentError(
            f"{name} is a column of {type(values).__module__}, which pyarrow converts: install "
            "boxcar[arrow], or give an array"
        )
    if hasattr(values, "isna"):  # pandas
        _refuse_missing(int(np.count_nonzero(values.isna())), name)
        dtype = getattr(getattr(values, "dtype", None), "numpy_dtype", None)
        array: Array = values.to_numpy() if dtype is None else values.to_numpy(dtype=dtype)
    else:
        _refuse_missing(int(values.null_count()) if hasattr(values, "null_count") else 0, name)
        array = np.asarray(values.to_numpy())
    is_text = array.dtype.hasobject and all(isinstance(each, str) for each in array.reshape(-1))
    if is_text:
        _refuse_text_with_last_nul(array.reshape(-1), name)
    return array.astype(np.str_) if is_text else array


def _refuse_text_with_last_nul(values: Iterable[Any], name: str) -> None:
    if any(isinstance(each, str) and each.endswith("\0") for each in values):
        _refuse_last_nul(name)


def _refuse_last_nul(name: str) -> None:
    raise ArgumentError(
        f"{name} has text that ends in NUL, which arrays of NumPy drop: take the NUL away, or use "
        "boxcar.frame"
    )


def _refuse_missing(missing: int, name: str) -> None:
    if missing != 0:
        raise ArgumentError(
            f"{name} has {missing} missing values: leave those rows out, or fill them"
        )


def rows_of(values: Any, name: str) -> Array:
    """The same, contiguous and aligned."""
    return np.require(array_of(values, name), requirements=["C", "A"])


def keys_of(values: Any, name: str) -> Array:
    """One-dimensional, contiguous, in this machine's byte order."""
    keys = native(array_of(values, name))
    if keys.ndim != 1:
        raise ArgumentError(f"{name} has shape {keys.shape}: give one dimension")
    return np.ascontiguousarray(keys)


def raw(array: Array) -> npt.NDArray[np.uint8]:
    """The bytes of a contiguous array."""
    if array.nbytes == 0:
        return np.empty(0, np.uint8)
    return array.reshape(-1).view(np.uint8)


def row_bytes(array: Array) -> int:
    """Of one row of it."""
    return array.dtype.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))


def with_rows(count: int, like: Array) -> Array:
    """An array of so many rows, not filled, of the form of those of another one."""
    return np.empty((count, *like.shape[1:]), like.dtype)


def form_of(array: Array) -> dict[str, object]:
    """What must be the same on all PEs."""
    return {"dtype": _name_of(array.dtype), "shape of a row": array.shape[1:]}


def _name_of(dtype: np.dtype[Any]) -> str:
    return str(dtype.descr) if dtype.names else dtype.str if not dtype.isnative else str(dtype)


def is_text(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "SU"


def letters_of(dtype: np.dtype[Any]) -> int:
    """The number of letters for which a dtype of fixed-width text has room."""
    return dtype.itemsize // np.dtype(f"{dtype.kind}1").itemsize


def code_of(dtype: np.dtype[Any]) -> str:
    """How the native part calls a type of numbers in this machine's byte order; or ""."""
    code = f"{dtype.kind}{dtype.itemsize}"
    return code if dtype.isnative and code in _NUMBER_CODES else ""


def is_real(dtype: np.dtype[Any]) -> bool:
    return code_of(dtype) in _REAL_CODES


def native(array: Array) -> Array:
    """In this machine's byte order."""
    if array.dtype.isnative:
        return array
    return array.astype(array.dtype.newbyteorder("="))


def indices_of(values: Any, name: str) -> Array:
    """Integers, as the native part takes them."""
    array = native(array_of(values, name))
    if array.size == 0 and not isinstance(values, np.ndarray):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"{name} has dtype {array.dtype}: give integers")
    if code_of(array.dtype) not in _INDEX_CODES:
        array = array.astype(np.int32)
    return np.require(array, requirements=["C", "A"])
