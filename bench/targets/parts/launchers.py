"""The parts that compare Boxcar with MPI: once for each launcher."""

from dataclasses import replace

from measurement_error import NotMeasured
from runner import name_of_launcher


def for_launchers(runner, make_part):
    """Calls make_part(launcher, name) for each launcher. Without any, the targets stay in the
    results as not measured."""
    if not runner.launchers:
        return [replace(make_part("", "MPI"), measure=_without_launcher)]
    return [make_part(launcher, name_of_launcher(launcher)) for launcher in runner.launchers]


def _without_launcher(_):
    raise NotMeasured("give --mpirun COMMAND, for example --mpirun 'mpirun -n 2'")
