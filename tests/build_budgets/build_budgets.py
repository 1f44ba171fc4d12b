#!/usr/bin/env python3
"""Holds builds to budgets: build_budgets.py SOURCE FOLDER COMPILER (BUILD... | --compiled BUILT)

BUILD: demo, all or python, see BUDGETS. Each is built from nothing in FOLDER, without a cache of compilers. With
--compiled the demo is not built again: its objects are in the folder BUILT, with their times (see timed.sh). The
processor time of a build is stated in units, each of which is the time that COMPILER takes for reference.cpp on this
machine: so a budget holds on a slow day, too. Fails if a build takes more than its budget.
"""
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Units of reference.cpp, a third above the last measurement; of `python` by its log, not by this script.
BUDGETS = {"demo": 35, "compiled demo": 35, "all": 172, "python": 130}


def cpu_seconds(command, **options):
    """The processor time of a command and of all its processes, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def unit(compiler, folder):
    command = [compiler, "-std=c++20", "-O3", "-c", HERE / "reference.cpp", "-o", folder / "reference.o"]
    return statistics.median(cpu_seconds(command) for _ in range(3))


def build(name, source, folder, environment):
    target = folder / name
    if name == "python":
        subprocess.run([sys.executable, "-m", "venv", target], check=True)
        subprocess.run([target / "bin" / "pip", "install", "--quiet", "build", "scikit-build-core>=0.11",
                        "nanobind>=2.4"], check=True)
        return cpu_seconds([target / "bin" / "python", "-m", "build", "--wheel", "--no-isolation",
                            "--outdir", target / "dist", source,
                            f"--config-setting=build-dir={target / 'build'}"], env=environment)
    configure = ["cmake", "-S", source, "-B", target, "-D", "CMAKE_BUILD_TYPE=Release"]
    programs = ["--target", "demo_programs"] if name == "demo" else []
    return (cpu_seconds(configure, env=environment)
            + cpu_seconds(["cmake", "--build", target, "--parallel", str(os.cpu_count()), *programs],
                          env=environment))


def compiled(built):
    """The processor time that the compiler took for the objects of the demo, in seconds."""
    inputs = subprocess.run(["ninja", "-C", built, "-t", "inputs", "demo_programs"], check=True,
                            capture_output=True, text=True).stdout.split()
    objects = [built / name for name in inputs if name.endswith((".o", ".gch"))]
    seconds = 0.0
    for made in objects:
        times = made.with_name(made.name + ".time").read_text().split()
        for minutes, rest in (re.fullmatch(r"(\d+)m([\d.]+)s", time).groups() for time in times[2:]):
            seconds += 60 * int(minutes) + float(rest)
    return seconds


def report(name, taken, one):
    """Whether the budget is kept. `taken`: seconds; `one`: the seconds of a unit."""
    units = taken / one
    print(f"{name}: {taken:.0f} s of processor time, {units:.0f} units of {one:.2f} s; the budget is {BUDGETS[name]}")
    return units <= BUDGETS[name]


def main():
    source, folder, compiler = (pathlib.Path(word) for word in sys.argv[1:4])
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_C_COMPILER_LAUNCHER")}
    if shutil.which("ninja"):
        environment["CMAKE_GENERATOR"] = "Ninja"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if sys.argv[4] == "--compiled":
        kept = report("compiled demo", compiled(pathlib.Path(sys.argv[5])), unit(compiler, folder))
    else:
        kept = True
        for name in sys.argv[4:]:
            before = unit(compiler, folder)
            taken = build(name, source, folder, environment)
            kept &= report(name, taken, (before + unit(compiler, folder)) / 2)
    shutil.rmtree(folder)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
