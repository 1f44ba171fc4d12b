#!/usr/bin/env python3
"""Tests how bench/targets judges, takes medians, reads reports, and puts results side by side.

targets_test.py FOLDER    (bench/targets)
"""
import json
import math
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # beside the sources
FOLDER = Path(sys.argv.pop(1))
sys.path.insert(0, str(FOLDER))

import beside
import results
import table
from measurement_error import MeasurementError, NotMeasured
from part import Part
from parts import collectives, parts_of, python_tables
from report import Report, byte_rate, rate, total_rate
from row import Row, rows_of
from runner import Runner
from target import Target, median_of

MACHINE = {"processor": "AMD EPYC", "cores": 2, "first_cache_bytes": 32768,
           "second_cache_bytes": 1048576, "third_cache_bytes": 33554432,
           "memory_bytes": 1 << 34, "system": "Linux 6.1"}
BUILD = {"version": "0.2.0", "compiler": "GNU 12.2.0", "flags": "-O3",
         "commit": {"id": "a" * 40, "changed": True}}


def contender(name, speed=1.0, role="boxcar", **more):
    return {"name": name, "role": role, "workers": 2, "items_per_second_and_pe": speed,
            "bytes_per_second_and_pe": 8 * speed, **more}


def report(*found, complete=True):
    """A report whose results are pairs of a setting and contenders."""
    return {"machine": MACHINE, "build": BUILD, "complete": complete,
            "results": [{"setting": setting, "contenders": contenders}
                        for setting, contenders in found]}


def failing(problem):
    def fail(_):
        raise problem
    return fail


class Judging(unittest.TestCase):
    def rows(self, targets, measured=0.0, measure=None):
        return rows_of(Part("part", measure or (lambda _: measured), targets), None)

    def test_bounds_are_met_by_equal_values(self):
        for measured, at_most, met in [
                (1.0, False, True), (0.99, False, False), (1.01, False, True),
                (1.0, True, True), (0.99, True, True), (1.01, True, False)]:
            target = Target("name", 1, "x", lambda value: value, at_most)
            [row] = self.rows([target], measured)
            self.assertEqual((row.measured, row.met, row.reason), (measured, met, ""))

    def test_a_part_that_cannot_be_measured_is_not_missed(self):
        target = Target("name", 1, "x", lambda value: value)
        rows = self.rows([target, target], measure=failing(NotMeasured("no launcher")))
        self.assertEqual([(row.measured, row.met, row.reason) for row in rows],
                         [(None, None, "no launcher")] * 2)

    def test_a_part_that_fails_is_missed(self):
        [row] = self.rows([Target("name", 1, "x", lambda value: value)],
                          measure=failing(MeasurementError("broken")))
        self.assertEqual((row.measured, row.met, row.reason), (None, False, "broken"))

    def test_a_target_that_fails_leaves_the_others(self):
        targets = [Target("broken", 1, "x", failing(MeasurementError("broken"))),
                   Target("lacking", 1, "x", failing(NotMeasured("lacking"))),
                   Target("sound", 1, "x", lambda value: value)]
        self.assertEqual([row.met for row in self.rows(targets, 2.0)], [False, None, True])

    def test_what_is_no_number_is_a_failure(self):
        for measured in [math.nan, math.inf]:
            [row] = self.rows([Target("name", 1, "x", lambda value: value)], measured)
            self.assertEqual((row.measured, row.met), (None, False))

    def test_medians_are_of_the_values_of_each_run(self):
        ratio = median_of(lambda pair: pair[0] / pair[1])
        self.assertEqual(ratio([(1, 1), (9, 3), (8, 4)]), 2)
        self.assertEqual(ratio([(1, 1), (9, 3)]), 2)
        self.assertEqual(ratio([(5, 1)]), 5)

    def test_lines_mark_what_falls_short(self):
        short = Row("part", "short", "x", 1.5, False, 1.25, False)
        good = Row("part", "good", "us", 10, True, 9.0, True)
        absent = Row("part", "absent", "x", 1, False, None, None, "no launcher")
        broken = Row("part", "broken", "x", 1, False, None, False, "it broke")
        self.assertRegex(table.line_of(short), r"^short +1\.25 x +1\.5 x !$")
        self.assertRegex(table.line_of(good), r"^good +9\.00 us +at most 10 us$")
        self.assertRegex(table.line_of(absent), r"^absent +not measured +1 x  \(no launcher\)$")
        self.assertRegex(table.line_of(broken), r"^broken +failed +1 x !  \(it broke\)$")
        self.assertEqual(table.summary([short, good, absent, broken]),
                         "1 met, 2 missed, 1 not measured\n! short\n! broken")


class Reports(unittest.TestCase):
    def setUp(self):
        self.report = Report(report(
            ({"pes": 2, "class": ""}, [contender("conveyor", 3.0),
                                       contender("isend", 1, "baseline")]),
            ({"pes": 8, "class": ""}, [contender("conveyor", 5.0),
                                       contender("get", failure="no window")])))

    def test_figures_are_those_of_the_setting(self):
        self.assertEqual(rate(self.report.find("conveyor", pes=2)), 3)
        self.assertEqual(total_rate(self.report.find("conveyor", pes=8)), 10)
        self.assertEqual(byte_rate(self.report.find("conveyor", pes=8)), 40)

    def test_what_is_not_there_is_an_error(self):
        for name, setting, message in [("conveyor", {"pes": 4}, "no result with .*4"),
                                       ("porter", {"pes": 2}, "no contender porter"),
                                       ("get", {"pes": 8}, "get: no window")]:
            with self.assertRaisesRegex(MeasurementError, message):
                self.report.find(name, **setting)

    def test_baselines_are_those_that_were_measured(self):
        self.assertEqual([b["name"] for b in self.report.baselines(pes=2)], ["isend"])
        with self.assertRaisesRegex(MeasurementError, "no measured baseline"):
            self.report.baselines(pes=8)

    def test_a_setting_that_cannot_be_is_an_error(self):
        impossible = Report({"machine": MACHINE, "build": BUILD, "results": [
            {"setting": {"pes": 2}, "contenders": [], "failure": "hops is 2"}]})
        with self.assertRaisesRegex(MeasurementError, "hops is 2"):
            impossible.find("conveyor", pes=2)


class Commands(unittest.TestCase):
    def bench(self, lines):
        """What `Runner.bench` makes of a command that is this script for the shell."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "boxcar")
            program.write_text("#!/bin/sh\nfor file; do :; done\n" + lines, encoding="utf-8")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            return Runner(str(program)).bench("histogram")

    @staticmethod
    def writing(document):
        return "cat > \"$file\" <<'END'\n" + json.dumps(document) + "\nEND\n"

    def test_contenders_that_fail_leave_the_report(self):
        document = report(({"pes": 2}, [contender("conveyor", 3.0)]))
        found = self.bench(self.writing(document) + "exit 1")
        self.assertEqual(rate(found.find("conveyor")), 3)

    def test_commands_that_fail_say_why(self):
        with self.assertRaisesRegex(MeasurementError, "status 2: no such option"):
            self.bench("echo 'no such option' >&2; exit 2")
        with self.assertRaisesRegex(MeasurementError, "no report"):
            self.bench("exit 0")
        document = report(({"pes": 2}, [contender("conveyor")]), complete=False)
        with self.assertRaisesRegex(MeasurementError, "ended early"):
            self.bench(self.writing(document))

    def test_programs_take_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            order = Path(folder, "order")
            commands = [["sh", "-c", f"echo {name} >> {order}"] for name in "ab"]
            self.assertEqual(len(Runner("boxcar").seconds_in_turns(commands, rounds=2)), 2)
            self.assertEqual(order.read_text(encoding="utf-8").split(), ["a", "b"] * 3)
        with self.assertRaisesRegex(MeasurementError, "false failed with status 1"):
            Runner("boxcar").seconds_in_turns([["true"], ["false"]])


class Parts(unittest.TestCase):
    def cells(self, lead_of):
        """The collectives part, of a report in which MPI's best form has the speed 1."""
        def found(cell):
            name, size = cell
            return ({"class": name, "item_bytes": size},
                    [contender("automatic", lead_of(cell)), contender("blocking", 0.5, "baseline"),
                     contender("nonblocking", 1.0, "baseline"),
                     contender("persistent", 7.0, "baseline", failure="wrong")])

        measured = Report(report(*map(found, collectives.CELLS)))
        part = collectives.collectives("mpirun -n 2", "mpirun")
        reports = dict.fromkeys(["barrier", *collectives.OTHERS], measured)
        return rows_of(Part(part.name, lambda _: reports, part.targets), None)

    def test_collectives_are_compared_with_the_fastest_form_cell_by_cell(self):
        rows = self.cells(lambda cell: 0.9 if cell == ("scan", 4096) else 3.0)
        self.assertEqual(len(rows), len(collectives.CELLS) + 1)
        self.assertEqual([row.name for row in rows if not row.met],
                         ["scan of 4 KiB against MPI's fastest, mpirun"])
        number = len(collectives.CELLS)
        self.assertAlmostEqual(rows[-1].measured, (3 * (number - 1) + 0.9) / number)

    def rest(self, ours, *baselines):
        cell = collectives.OVERLAPPED[0]
        run = lambda seconds: {"run": {"rest_seconds": seconds}}
        measured = Report(report((
            {"class": cell[0], "item_bytes": cell[1]},
            [contender("automatic", **run(ours)),
             *(contender("nonblocking", 1, "baseline", **run(each)) for each in baselines)])))
        part = collectives.overlap("mpirun -n 2", "mpirun")
        return rows_of(Part(part.name, lambda _: measured, part.targets[:1]), None)[0]

    def test_what_is_not_hidden_is_compared_with_the_least_of_mpi(self):
        self.assertEqual((self.rest(1.0, 4.0, 2.0).measured, self.rest(1.0, 4.0, 2.0).met),
                         (0.5, True))
        self.assertEqual(self.rest(-1.0, 2.0).measured, 0)
        self.assertIs(self.rest(3.0, 2.0).met, False)
        self.assertIs(self.rest(1.0, 2.0, -1.0).met, None)

    def test_libraries_that_are_missing_are_named(self):
        figures = {"seconds": {"join": {"boxcar": 2.0, "pandas alone": 5.0},
                               "group_by_key": {"boxcar": 2.0}, "sort_by_key": {"boxcar": 1.0}},
                   "missing": {"polars": "polars cannot be imported", "pandas": "no pandas"}}
        part = python_tables.compared("python_tables", python_tables.TABLES)
        rows = {row.name: row for row in
                rows_of(Part(part.name, lambda _: figures, part.targets), None)}
        self.assertEqual(rows["join in Python against pandas"].measured, 2.5)
        missing = rows["join in Python against polars with 2 threads"]
        self.assertEqual((missing.met, missing.reason), (None, "polars cannot be imported"))
        self.assertIs(rows["sort_by_key in Python against NumPy on one process"].met, False)

    def test_every_target_has_a_name_of_its_own(self):
        for launchers in [[], ["mpirun.openmpi -n 2", "/usr/bin/mpirun.mpich -n 2"]]:
            names = [target.name for part in parts_of(Runner("boxcar", launchers))
                     for target in part.targets]
            self.assertEqual(len(names), len(set(names)))

    def test_without_launcher_and_python_their_targets_are_not_measured(self):
        runner = Runner("boxcar")
        missing = {"--mpirun": ["against_alltoallv", "collectives", "overlap", "start_by_mpi"],
                   "--python": ["start_in_python", "python_sort", "python_tables",
                                "reduction_memory"]}
        parts = {part.name: part for part in parts_of(runner)}
        for option, names in missing.items():
            for row in [row for name in names for row in rows_of(parts[name], runner)]:
                self.assertIs(row.met, None, row.name)
                self.assertIn(f"give {option}", row.reason)


class Beside(unittest.TestCase):
    def setUp(self):
        self.first = results.Results(MACHINE, BUILD, [
            Row("items", "histogram", "M", 195, False, 201.234, True),
            Row("sessions", "session", "us", 10, True, 12.5, False),
            Row("items", "against MPI", "x", 1.4, False, None, None, "no launcher")])
        self.second = results.Results(
            {**MACHINE, "processor": "Intel Xeon"}, {**BUILD, "commit": None}, [
                Row("items", "histogram", "M", 195, False, 1234.5, True),
                Row("items", "against MPI", "x", 1.4, False, None, False, "it broke"),
                Row("starts", "start", "ms", 10, True, 2.0, True)])

    def test_each_processor_has_a_column(self):
        self.assertEqual(beside.markdown([self.first, self.second]).splitlines(), [
            "| what | wanted | AMD EPYC, 2 cores | Intel Xeon, 2 cores |",
            "| --- | --- | --- | --- |",
            "| histogram | 195 M | 201 M | 1234 M |",
            "| session | at most 10 us | **12.5 us** | - |",
            "| against MPI | 1.4 x | - | **failed** |",
            "| start | at most 10 ms | - | 2 ms |",
            "",
            "Bold: falls short. -: not measured.",
            "",
            "- AMD EPYC, 2 cores: caches of 32 KiB, 1024 KiB, 32768 KiB; Linux 6.1; GNU 12.2.0, "
            f"`-O3`; commit {'a' * 40}, with changes.",
            "- Intel Xeon, 2 cores: caches of 32 KiB, 1024 KiB, 32768 KiB; Linux 6.1; GNU 12.2.0, "
            "`-O3`; commit unknown."])

    def test_columns_of_the_same_processor_have_numbers(self):
        self.assertEqual(beside.markdown([self.first, self.first]).splitlines()[0],
                         "| what | wanted | AMD EPYC, 2 cores (1) | AMD EPYC, 2 cores (2) |")

    def test_quick_figures_are_named(self):
        self.first.quick = True
        self.assertIn("figures of --quick, which mean nothing", beside.markdown([self.first]))

    def test_the_page_has_the_kept_results(self):
        root = FOLDER.parent.parent
        files = sorted((root / "data" / "targets").glob("*.json"))
        page = (root / "docs" / "processors.md").read_text(encoding="utf-8")
        self.assertIn(beside.markdown([results.read(file) for file in files]) + "\n", page)

    def test_files_keep_all(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "results.json")
            results.write(self.first, file)
            self.assertEqual(results.read(file), self.first)

    def test_other_files_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            results.write(self.first, Path(folder, "sound.json"))
            sound = Path(folder, "sound.json").read_text(encoding="utf-8")
            later = sound.replace('"format": 1', '"format": 99')
            for text in ["", "[]", "{}", later, sound.replace('"rows"', '"lines"'), "\udcff"]:
                file = Path(folder, "other.json")
                file.write_bytes(text.encode("utf-8", "surrogateescape"))
                with self.assertRaisesRegex(ValueError, "other.json .*give a file"):
                    results.read(file)


class Arguments(unittest.TestCase):
    def refused(self, *words):
        run = subprocess.run([FOLDER / "run", *words], capture_output=True, text=True, timeout=60,
                             check=False)
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        return run.stderr

    def test_what_cannot_work_is_refused_at_once(self):
        for words, message in [
                ([], "BOXCAR is missing: give"),
                (["/no/boxcar"], "BOXCAR is '/no/boxcar'.*give"),
                (["true", "--mpirun", "/no/mpirun -n 2"], "--mpirun is '/no/mpirun'.*give"),
                (["true", "--mpirun", ""], "--mpirun is empty: give"),
                (["true", "--mpirun", "true 'open"], "--mpirun is .*close the quotation"),
                (["true", "--mpirun", "true -n 2", "--mpirun", "true -n 2"], "more than once"),
                (["true", "--mpirun", "ls /no/folder"], "cannot start the command true: .*/no/fo"),
                (["true", "--python", "/no/python"], "--python is '/no/python'.*give"),
                (["true", "--python", "false"], "--python is 'false'.*install"),
                (["true", "--only", "letters"], "--only is 'letters'.*there are histogram, "),
                (["true", "--json", "/no/folder/file"], "--json is '/no/folder/file'.*give"),
                (["true", "--only", "one_pe"], "true does not measure: "),
                (["--beside", "/no/results"], "/no/results.*give"),
                (["true", "--beside", "/no/results"], "leave out BOXCAR")]:
            with self.subTest(words):
                self.assertRegex(self.refused(*words), message)


unittest.main()
