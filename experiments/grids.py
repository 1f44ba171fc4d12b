"""Sizes of grids, as programs of experiments are told them."""


def grid(nodes, dimensions, per_node):
    """`dimensions` sizes: the last is the PEs of a node, the others are about equal powers of
    two."""
    power = nodes.bit_length() - 1
    if nodes != 1 << power:
        raise ValueError(f"{nodes} nodes are no power of two")
    among = dimensions - 1
    powers = [power // among + (i < power % among) for i in range(among)]
    return "x".join(str(size) for size in [*(1 << p for p in powers), per_node])
