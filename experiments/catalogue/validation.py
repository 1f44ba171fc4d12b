"""This machine, with real PEs, beside the simulated machine that is fitted to it.

What the fit has measured is not among the cases: they have other sizes of buffers, and most of them
other numbers of PEs. Nothing else should run meanwhile.
"""

from simulator import Run
from this_machine import ITEMS, PLACES, PROCESSES, Fit, ThisMachine

TITLE = "Validation: real PEs and simulated ones"
SOURCE = "this machine, with 2 to 64 PEs as processes and as ranks of both MPIs on two nodes"


def cases(place, quick):
    """(PEs, settings)"""
    if place == PROCESSES:
        pes = [2, 4] if quick else [2, 4, 8, 16, 32, 64]
    else:
        pes = [2] if quick else [2, 4]
    for n in pes:
        for size in (8, 64):
            for buffer in (1024, 8192):
                items = ITEMS * 8 // size // n
                base = {"items": items, "item_bytes": size, "buffer": buffer}
                yield n, base | {"hops": 1}
                if n >= 4:
                    yield n, base | {"hops": 2, "group": 2 if n < 16 else 4}
                if n >= 16:
                    yield n, base | {"hops": 3, "group": 4}


def run(simulator, quick, outcome):
    errors = {}
    cores = None
    with ThisMachine(simulator.boxcar) as machine:
        for place in PLACES[: 1 if quick else None]:
            fit = Fit(machine, simulator, place, cores, every=9 if quick else 1).run()
            cores = cores or fit.values
            lines = {"measured": {}, "simulated": {}}
            for n, settings in cases(place, quick):
                measured = machine.seconds(place, "traffic", n, settings, times=1 if quick else 3)
                per_node = -(-n // place.nodes())
                one = Run("traffic", n, per_node, fit.network(), settings | {"sessions": 2})
                simulated = simulator.all([one])[0]["seconds"]
                errors.setdefault(place.launcher, []).append(abs(simulated / measured - 1))
                way = ", ".join(f"{k} {v}" for k, v in settings.items() if k in ("hops", "buffer"))
                if settings["item_bytes"] == 8:
                    for name, seconds in (("measured", measured), ("simulated", simulated)):
                        lines[name].setdefault(way, []).append([n, 1e9 * seconds / ITEMS])
            for way in lines["measured"]:
                outcome.panel(
                    f"{place.launcher}: {way}",
                    "PEs",
                    "nanoseconds for an item",
                    {name: line[way] for name, line in lines.items()},
                )
    for launcher, all_errors in errors.items():
        all_errors.sort()
        median = all_errors[len(all_errors) // 2]
        outcome.claim(
            f"{launcher}: the median of the errors is at most 25 %",
            f"{100 * median:.0f} % in {len(all_errors)} cases; three quarters are within "
            f"{100 * all_errors[3 * len(all_errors) // 4]:.0f} %, the largest is "
            f"{100 * all_errors[-1]:.0f} %",
            median <= 0.25,
        )
