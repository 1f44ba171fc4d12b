"""This machine, with real PEs, beside the simulated machine that is fitted to it.

What the fit has measured is not among the cases: they have other sizes of buffers, and most of them
other numbers of PEs. Nothing else should run meanwhile.
"""

from this_machine import ITEMS, PLACES, PROCESSES, Fit, ThisMachine, traffic

IS_MEASURED = True
TITLE = "Validation: real PEs and simulated ones"


def cases(place, quick):
    pes = [2, 4] if quick or place != PROCESSES else [2, 4, 8, 16, 32, 64]
    sizes = [(size, buffer) for size in (8, 64) for buffer in (1024, 8192)]
    yield from traffic([n for n in pes if n < 16], {2: (4, 2)}, sizes)
    yield from traffic([n for n in pes if n >= 16], {2: (16, 4), 3: (16, 4)}, sizes)


def run(simulator, quick, outcome):
    errors = {}
    cores = None
    with ThisMachine(simulator.boxcar) as machine:
        for place in PLACES[: 1 if quick else None]:
            fit = Fit(machine, simulator, place, cores, every=9 if quick else 1).run()
            cores = cores or fit.values
            lines = {"measured": {}, "simulated": {}}
            for case in cases(place, quick):
                n, settings = case.pes, case.settings
                times = 1 if quick else 3
                measured = machine.seconds(place, case.program, n, settings, times)
                simulated = fit.simulated(place, [case])[0]
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
            launcher,
            median,
            f"{len(all_errors)} cases; three quarters are within "
            f"{100 * all_errors[3 * len(all_errors) // 4]:.0f} %, the largest error is "
            f"{100 * all_errors[-1]:.0f} %",
        )
