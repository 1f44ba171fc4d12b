"""Structures whose text has another width on each PE: the PEs take the width of the widest."""

from __future__ import annotations

import numpy as np

from .support import all_are, must_refuse, of_all


def _dtype(kind: str, width: int, align: bool = False) -> np.dtype:
    """Text as a field, in a structure within the structure, and in arrays of both."""
    text = f"{kind}{width}"
    inner = np.dtype([("x", "f4"), ("word", text), ("pair", text, (2,))], align=align)
    return np.dtype(
        [("name", text), ("n", "i8"), ("inner", inner), ("inners", inner, (2,)), ("end", "i2")],
        align=align,
    )


def _width_of(pe: int) -> int:
    return 1 + 3 * pe


def _rows(dtype: np.dtype, width: int, pe: int) -> np.ndarray:
    """Two rows, in which some text is as long as the width."""
    letter = "é" if dtype["name"].kind == "U" else "e"
    rows = np.zeros(2, dtype)
    rows["name"] = [letter * width, "b"]
    rows["n"] = [2 * pe, 2 * pe + 1]
    rows["inner"]["word"] = "w" * width
    rows["inner"]["pair"][:, 1] = ["q" * width, ""]
    rows["inners"]["pair"][:, 1, 0] = "z" * width
    rows["inners"]["x"][:, 1] = pe
    rows["end"] = -pe
    return rows


def _cases(world):
    """For several dtypes the rows of this PE, and those of all PEs in one array."""
    for kind in ["U", "S"]:
        for align in [False, True]:
            wide = _dtype(kind, _width_of(world.size - 1), align)
            all_rows = [_rows(wide, _width_of(pe), pe) for pe in range(world.size)]
            width = _width_of(world.rank)
            mine = _rows(_dtype(kind, width, align), width, world.rank)
            yield mine, np.concatenate(all_rows)


def _values(rows: np.ndarray) -> list[str]:
    """Each row as a text, which does not tell how wide its fields are."""
    return [str(row) for row in rows]


def _are_all(world, mine: np.ndarray, expected: np.ndarray) -> bool:
    """Whether the PEs have the expected rows, in any order."""
    is_right = sorted(_values(of_all(world, mine))) == sorted(_values(expected))
    return all_are(world, is_right and mine.dtype == expected.dtype)


def check_text_in_structures_that_move(world):
    for mine, rows in _cases(world):
        to = np.arange(2) % world.size
        assert _are_all(world, world.exchange(mine, to).items, rows)
        assert _are_all(world, world.exchange(np.stack([mine, mine], 1), to).items[:, 1], rows)
        some = mine if world.rank == world.size - 1 else mine[:0]
        assert _are_all(world, world.exchange(some, 0).items, rows[-2:])
        answers = world.ask([0, 0], np.full(2, world.size - 1), lambda asked: mine[asked])
        assert _values(answers) == _values(rows[[-2, -2]]) and answers.dtype == rows.dtype
        assert _values(world.ask(mine, 0, lambda asked: asked)) == _values(mine)
        found = world.gather(mine, [2 * world.size - 2, 1])
        assert _values(found) == _values(rows[[-2, 1]]) and found.dtype == rows.dtype
        chunks = [(mine, np.zeros(2, int))] * (world.rank % 2 + 1)
        arrived = [received.items for received in world.stream(chunks)]
        assert _are_all(world, np.concatenate(arrived)[: 2 * world.size], rows)


def check_text_in_structures_that_are_values(world):
    for mine, rows in _cases(world):
        keys, sorted_rows = world.sort_by_key(-mine["n"], mine)
        assert keys.tolist() == (-sorted_rows["n"]).tolist()
        assert _values(of_all(world, sorted_rows)) == _values(rows[::-1])
        n, first = world.group_by_key(mine["n"], mine, "first")
        assert n.tolist() == first["n"].tolist() and _are_all(world, first, rows)
        _, groups = world.group_by_key([0, 0], mine, "arrays")
        assert _are_all(world, groups.values, rows)
        everywhere = np.arange(2 * world.size)
        pairs = world.join(everywhere, everywhere, mine["n"], mine)
        assert _are_all(world, pairs[2][:: world.size], rows)


def check_text_in_structures_that_are_keys(world):
    for mine, rows in _cases(world):
        packed = _dtype(rows.dtype["name"].kind, _width_of(world.size - 1))
        assert _are_all(world, world.unique(mine), rows.astype(packed))
        found, counts = world.value_counts(np.concatenate([mine, mine]))
        assert _are_all(world, found, rows.astype(packed)) and (counts == 2).all()
        keys, sums = world.group_by_key(mine, mine["n"])
        assert _are_all(world, keys, rows.astype(packed)) and keys["n"].tolist() == sums.tolist()
        # The same keys in arrays of other widths, on the left and on the right as well.
        first = [("name", mine.dtype["name"])]
        left = np.zeros(1, first)
        right = np.zeros(1, [("name", f"{mine.dtype['name'].kind}{30 + world.rank}")])
        left["name"] = right["name"] = "b"
        pairs = world.join(left, [world.rank], right, [world.rank])
        assert world.reduce(len(pairs[0])) == world.size**2
        assert pairs[0].dtype == right.dtype.newbyteorder("=") or world.size > 1
        assert pairs[0].dtype["name"].itemsize == world.reduce(right.dtype.itemsize, "max")


def check_text_without_letters_in_structures(world):
    """The dtype of a PE that has no rows has text without a width."""
    last = world.rank == world.size - 1
    dtype = np.dtype([("name", f"U{5 if last else 0}"), ("word", "S")])
    rows = np.array([("Basel", b"")] * (2 if last else 0), dtype)
    assert world.exchange(rows, 0).items.tolist() == [("Basel", b"")] * 2 * (world.rank == 0)
    assert of_all(world, world.unique(rows)).tolist() == [("Basel", b"")]
    assert of_all(world, world.unique(rows[["word"]])).tolist() == [(b"",)]


def check_layouts_of_structures_with_text(world):
    """Fields that were left out leave gaps, which are as wide as their text."""
    width = _width_of(world.rank)
    dtype = np.dtype([("name", f"U{width}"), ("n", "i4"), ("end", f"S{width}")])
    rows = np.array([("n" * width, world.rank, "e" * width)], dtype)
    widest = _width_of(world.size - 1)
    for fields in [["n", "end"], ["end", "n"], ["name", "n"], ["n"]]:
        all_rows = [tuple(row[field] for field in fields) for row in world.all_gather(rows[0])]
        here = world.exchange(rows[fields], 0).items
        assert here.tolist() == (all_rows if world.rank == 0 else [])
        if "n" != fields[0]:
            assert here.dtype.itemsize >= 4 + widest
    reordered = np.dtype({"names": ["a", "b"], "formats": [f"S{width}", "i4"], "offsets": [4, 0]})
    here = world.exchange(np.array([("a" * width, 7)], reordered), 0).items
    every = [(b"a" * _width_of(pe), 7) for pe in range(world.size)]
    assert here.tolist() == (every if world.rank == 0 else [])
    # Some PEs have aligned fields, and others have not.
    fields = [("a", f"S{width}"), ("n", "i8")]
    mixed = np.array([("a" * width, 7)], np.dtype(fields, align=world.rank % 2 == 1))
    here = world.exchange(mixed, 0).items
    assert here.tolist() == (every if world.rank == 0 else [])
    records = np.array([("a" * width, 7)], fields).view(np.recarray)
    assert world.exchange(records, 0).items.tolist() == (every if world.rank == 0 else [])


def check_structures_with_text_that_differ(world):
    """In more than the width of text, which is an error on all PEs."""
    if world.size == 1:
        return
    usual = [("name", "U3"), ("n", "i8")]
    for other in [
        [("other", "U3"), ("n", "i8")],
        [("name", "S3"), ("n", "i8")],
        [("name", "U3"), ("n", "i4")],
        [("name", "U3", (2,)), ("n", "i8")],
        [("name", [("inner", "U3")]), ("n", "i8")],
        [("n", "i8"), ("name", "U3")],
        [("name", "U3")],
    ]:
        rows = np.zeros(2, usual if world.rank == 0 else other)
        must_refuse(world, lambda: world.exchange(rows, 0), "disagree on the dtype", "name", "PE 1")
        must_refuse(world, lambda: world.gather(rows, [0]), "disagree on the dtype")
        must_refuse(world, lambda: world.unique(rows), "disagree on the dtype")
        must_refuse(world, lambda: world.group_by_key([1, 2], rows, "first"), "dtype of values")
        must_refuse(world, lambda: world.sort_by_key([1, 2], rows), "dtype of values 0")
        must_refuse(world, lambda: world.join([1], [1], [1, 2], rows), "dtype of right_values")
    swapped = np.zeros(2, [("name", "<U3" if world.rank == 0 else ">U3"), ("n", "i8")])
    must_refuse(world, lambda: world.exchange(swapped, 0), "disagree on the dtype", "<U", ">U")
    must_refuse(
        world,
        lambda: world.join(np.zeros(1, usual), [1], np.zeros(1, [("name", "U3")]), [1]),
        "left_keys have dtype",
    )
    # A table is changed where it is, and keeps its width.
    table = np.zeros(1, [("name", f"U{1 + world.rank}")])
    must_refuse(world, lambda: world.scatter(table, [0], table, "put"), "disagree on the dtype")
