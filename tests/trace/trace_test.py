#!/usr/bin/env python3
"""Tests that the traces of PEs (BOXCAR_TRACE) are JSON that agrees with the PEs' own accounts, and
that the page of `boxcar report` agrees with the traces.

trace_test.py whole|throw BOXCAR PES NODES COMMAND...    COMMAND runs tests/trace/traced on PES PEs
trace_test.py bad BOXCAR TRACED
"""
import collections
import fcntl
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal

SPANS = {"call", "wait", "handlers"}


def run(command, **variables):
    return subprocess.run(command, env={**os.environ, **variables}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=100, check=False)


def read(path):
    """The events, with exact times."""
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=Decimal)


def parts_of(events):
    return {(e["pid"], e["tid"]): e["args"] for e in events if e["name"] == "boxcar_pe"}


def by_pe(events):
    """The events of each PE of each job."""
    parts = parts_of(events)
    found = {(p["job"], p["pe"]): [] for p in parts.values()}
    for e in events:
        if e["ph"] != "M":
            part = parts[e["pid"], e["tid"]]
            found[part["job"], part["pe"]].append(e)
    return found


def check_spans(events, part):
    """Spans of a PE lie within one another, or beside, and within its time."""
    ends = []
    spans = sorted((e for e in events if e["ph"] == "X"),
                   key=lambda e: (e["ts"], -Decimal(e["dur"])))
    for e in spans:
        assert e["cat"] in SPANS, e
        begin, end = e["ts"], e["ts"] + e["dur"]
        assert part["begin"] <= begin <= end <= part["end"], (e, part)
        while ends and ends[-1] <= begin:
            ends.pop()
        assert not ends or end <= ends[-1], (e, ends)
        ends.append(end)
    for e in events:
        assert part["begin"] <= e["ts"] <= part["end"], (e, part)


def check_sessions(events, are_over=True):
    """Events beside the spans begin, advance, and end; one at a time for each object."""
    states = collections.defaultdict(list)
    for e in events:
        if e["ph"] in "bne":
            states[e["cat"], e["id"]].append(e)
    for (category, _), all_of_it in states.items():
        phases = "".join(e["ph"] for e in sorted(all_of_it, key=lambda e: e["ts"]))
        pattern = r"(bn*e)*" if are_over else r"(bn*e)*(bn*)?"
        assert re.fullmatch(pattern, phases), (category, phases)
        for e in all_of_it:
            if e["ph"] == "b":
                assert e["args"]["about"] and e["args"]["kind"], e
    return {category for category, _ in states}


def buffers(events, name):
    return [e["args"] for e in events if e["name"] == name]


def check_pairs(pes):
    """Arrived items equal sent items, for each pair of PEs and each hop of each object."""
    sent, received = collections.Counter(), collections.Counter()
    for (job, pe), events in pes.items():
        for b in buffers(events, "sent"):
            assert b["filled"] <= b["capacity"], b
            sent[job, b["of"], b["hop"], pe, b["to"]] += b["bytes"]
        for b in buffers(events, "received"):
            received[job, b["of"], b["hop"], b["from"], pe] += b["bytes"]
    assert sent == received, (sent - received, received - sent)
    return sum(sent.values())


def check_accounts(pes, output):
    told = {int(pe): tuple(map(int, rest)) for pe, *rest in re.findall(
        r"PE (\d+) sent (\d+) buffers of (\d+) bytes, handled (\d+) items, "
        r"sent (\d+) messages", output)}
    seen = {}
    for (_, pe), events in pes.items():
        in_all = buffers(events, "sent")
        all_sent = [b for b in in_all if not b["of"].startswith("waves of")]
        handled = sum(e["args"]["items"] for e in events if e["cat"] == "handlers")
        seen[pe] = (len(all_sent), sum(b["bytes"] for b in all_sent), handled,
                    len(in_all) - len(all_sent))
    assert seen == told, (seen, told)


def report(boxcar, trace):
    page = trace + ".html"
    done = run([boxcar, "report", trace])
    assert done.returncode == 0 and page in done.stdout, (done.stdout, done.stderr)
    with open(page, encoding="utf-8") as file:
        html = file.read()
    assert html.startswith("<!DOCTYPE html>") and "</html>" in html
    assert not re.search(r"<script|https?:|<link|@import|url\(", html), "the page fetches something"
    return html, done.stdout


def cells(html, name):
    return [int(n) for n in re.findall(rf'data-{name}="(\d+)"', html)]


def check_report(boxcar, trace, pes):
    html, _ = report(boxcar, trace)
    sent = {key: buffers(events, "sent") for key, events in pes.items()}
    everything = [b for all_sent in sent.values() for b in all_sent]
    assert sum(cells(html, "bytes")) == sum(b["bytes"] for b in everything)
    assert sum(cells(html, "buffers")) == sum(1 for b in everything if b["filled"] != 0)
    assert sorted(cells(html, "sent")) == sorted(sum(b["bytes"] for b in s) for s in sent.values())
    if len(pes) > 12 or len({job for job, _ in pes}) > 1:
        return
    between = collections.Counter()
    for (_, pe), all_sent in sent.items():
        for b in all_sent:
            between[str(pe), str(b["to"])] += b["bytes"]
    drawn = re.findall(r'data-from="(\d+)" data-to="(\d+)" data-bytes="(\d+)"', html)
    assert len(drawn) == len(pes) ** 2
    for source, target, amount in drawn:
        assert int(amount) == between[source, target], (source, target, amount)


def check_whole(boxcar, trace, size, nodes, command):
    with open(trace, "w", encoding="utf-8") as file:
        file.write(trace_of({}))  # of an earlier job, which the job replaces
    done = run(command, BOXCAR_TRACE=trace)
    assert done.returncode == 0, (done.stdout, done.stderr)
    events = read(trace)
    parts = parts_of(events)
    assert sorted(p["pe"] for p in parts.values()) == list(range(size)), parts
    assert {p["nodes"] for p in parts.values()} == {nodes}, parts
    pes = by_pe(events)
    for part in parts.values():
        mine = pes[part["job"], part["pe"]]
        assert part["dropped"] == 0 and part["events"] == len(mine), part
        check_spans(mine, part)
        assert check_sessions(mine) == {"session", "run"}
        assert {"sent", "received", "making a conveyor"} <= {e["name"] for e in mine}
        kinds = {e["args"]["kind"] for e in mine if e["ph"] == "b"}
        assert {"conveyor", "stream", "schedule", "all_reduce"} <= kinds, kinds
    names = {b["of"] for events in pes.values() for b in buffers(events, "sent")}
    for purpose in ["calls", "replies"]:
        assert any(name.endswith(f", {purpose} of remote function twice") for name in names), names
    if size > 2:
        assert any("of a part of" in name for name in names), names
    assert check_pairs(pes) > 0
    check_accounts(pes, done.stdout)
    check_report(boxcar, trace, pes)


def check_bound(boxcar, trace, command):
    """A PE keeps no more events than allowed, the first ones, and reports the number of lost
    events."""
    bound = 40
    done = run(command, BOXCAR_TRACE=trace, BOXCAR_TRACE_EVENTS=str(bound))
    assert done.returncode == 0, done.stderr
    events = read(trace)
    for part in parts_of(events).values():
        assert part["events"] == bound and part["dropped"] > 0, part
    _, said = report(boxcar, trace)
    assert "BOXCAR_TRACE_EVENTS" in said, said


def check_throw(boxcar, trace, size, command):
    done = run([*command, "throw"], BOXCAR_TRACE=trace)
    assert done.returncode != 0 and "the reactor is too hot" in done.stderr + done.stdout, done
    events = read(trace)
    there = {p["pe"] for p in parts_of(events).values()}
    # Launchers of clusters may kill other PEs before they have written.
    assert size - 1 in there, there
    if "boxcar" in os.path.basename(command[0]) or command[0] == "env":
        assert there == set(range(size)), there
    pes = by_pe(events)
    for part in parts_of(events).values():
        check_spans(pes[part["job"], part["pe"]], part)
        check_sessions(pes[part["job"], part["pe"]], are_over=False)
    report(boxcar, trace)


def check_twice(boxcar, trace, traced):
    done = run([traced, "twice"], BOXCAR_TRACE=trace)
    assert done.returncode == 0, done.stderr
    events = read(trace)
    sizes = collections.Counter(p["pes"] for p in parts_of(events).values())
    assert sizes == {2: 2, 3: 3}, sizes
    pes = by_pe(events)
    check_pairs(pes)
    check_report(boxcar, trace, pes)


def check_part(boxcar, trace, traced):
    done = run([boxcar, "run", "-n", "2", "--", traced, "part"], BOXCAR_TRACE=trace)
    assert done.returncode == 0, done.stderr
    pes = by_pe(read(trace))
    check_pairs(pes)
    check_accounts(pes, done.stdout)


def expect_refusal(command, status, *mentions, **variables):
    done = run(command, **variables)
    assert done.returncode == status, done
    for text in mentions:
        assert text in done.stderr, (text, done.stderr)
    assert "begun" not in done.stdout, done.stdout


def check_bad(boxcar, traced, folder):
    trace = os.path.join(folder, "trace.json")
    four = {"BOXCAR_PES": "4"}
    # An unwritable trace is reported before any work is done.
    expect_refusal([traced], 1, folder + "/no/x", "No such file", "BOXCAR_TRACE", **four,
                   BOXCAR_TRACE=folder + "/no/x")
    expect_refusal([traced], 1, "/dev/null", "no plain file", **four, BOXCAR_TRACE="/dev/null")
    expect_refusal([boxcar, "run", "-n", "3", "--", traced], 1, folder + "/no/x",
                   BOXCAR_TRACE=folder + "/no/x")
    expect_refusal([traced], 1, "BOXCAR_TRACE_EVENTS=few", **four, BOXCAR_TRACE=trace,
                   BOXCAR_TRACE_EVENTS="few")
    # An empty variable means no trace, and no message.
    assert run([traced], BOXCAR_TRACE="").returncode == 0

    assert run([traced], **four, BOXCAR_TRACE=trace).returncode == 0
    with open(trace, encoding="utf-8") as file:
        lines = file.read().split("\n")

    def write(name, text):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def refused(status, *mentions, files):
        expect_refusal([boxcar, "report", *files], status, *mentions)

    refused(1, "nothing.json", "No such file", files=[os.path.join(folder, "nothing.json")])
    refused(2, "empty.json, line 1", "is empty", files=[write("empty.json", "")])
    refused(2, "foreign.json, line 1", "BOXCAR_TRACE=FILE",
            files=[write("foreign.json", '{"traceEvents":[]}\n')])
    refused(2, "other.json, line 2", files=[write("other.json", '[\n{"name":"x","ph":"X"}\n]\n')])
    refused(2, "newer.json, line 2", "format 9", files=[
        write("newer.json", "\n".join(lines).replace('"format":1', '"format":9'))])
    refused(2, "middle.json, line 20", "cut in the middle",
            files=[write("middle.json", "\n".join(lines[:19] + [lines[19][:30]] + lines[20:]))])
    refused(2, "a second time", files=[trace, trace])
    refused(2, "take the place", files=[trace, "-o", trace])
    refused(1, "-o", files=[trace, "-o", folder + "/no/page.html"])
    # An incomplete trace is shown up to its end.
    for cut in ["\n".join(lines[:50]) + "\n" + lines[50][:30], "\n".join(lines[:50]) + "\n"]:
        html, said = report(boxcar, write("cut.json", cut))
        assert "cut.json: " in said and "note" in html, said
    html, _ = report(boxcar, write("nobody.json", "\n".join(lines[:2]).rstrip(",") + "\n]\n"))
    assert "No PE has written" in html


def check_files(traced, folder):
    """A trace replaces no other file than a trace, and only the user of the PEs requests one."""
    four = {"BOXCAR_PES": "4"}

    def path_of(name, text):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    # A PE waits some seconds for a lock of another process. The other checks run meanwhile.
    locked = path_of("locked.json", "")
    with open(locked, encoding="utf-8") as keeper:
        fcntl.flock(keeper, fcntl.LOCK_EX)
        with subprocess.Popen([traced], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **four, "BOXCAR_TRACE": locked}) as waiting:
            precious = "precious\n" * 1000
            book = path_of("book.txt", precious)
            expect_refusal([traced], 1, "book.txt", "not a trace of Boxcar", **four,
                           BOXCAR_TRACE=book)
            link = os.path.join(folder, "link.json")
            os.symlink(book, link)
            expect_refusal([traced], 1, "link.json", "symbolic link", **four, BOXCAR_TRACE=link)
            with open(book, encoding="utf-8") as file:
                assert file.read() == precious
            os.remove(link)
            os.symlink(os.path.join(folder, "new.json"), link)
            expect_refusal([traced], 1, "link.json", "symbolic link", **four, BOXCAR_TRACE=link)
            assert not os.path.exists(link)
            check_raised_rights(traced, folder)
            output, complaint = waiting.communicate(timeout=30)
            assert waiting.returncode == 1 and "begun" not in output, (output, complaint)
            assert "locked.json" in complaint and "has it locked" in complaint, complaint


def check_raised_rights(traced, folder):
    """A program with another user's rights writes no file named by the user."""
    with open("/proc/self/status", encoding="utf-8") as file:
        gives_rights = "NoNewPrivs:\t0" in file.read()
    if os.geteuid() != 0 or not gives_rights or os.statvfs(folder).f_flag & os.ST_NOSUID:
        return
    nobody = 65534
    program = shutil.copy(traced, os.path.join(folder, "raised"))
    os.chown(program, nobody, nobody)
    os.chmod(program, 0o4755)
    with tempfile.TemporaryDirectory() as for_all:
        os.chmod(for_all, 0o777)
        trace = os.path.join(for_all, "trace.json")
        done = run([program], BOXCAR_TRACE=trace, BOXCAR_PES="2")
        assert done.returncode == 0 and not os.path.exists(trace), done


def trace_of(*parts, events=()):
    """A trace with the parts, each a dictionary of differences from the usual part."""
    lines = ["[", json.dumps({"name": "boxcar_trace", "ph": "M", "pid": 0, "tid": 0, "args": {
        "format": 1, "boxcar": "0.1.0", "job": "1", "machine": "m", "calendar": 1, "clock": 1}},
        separators=(",", ":"))]
    for i, part in enumerate(parts):
        args = {"job": "1", "pe": i, "pes": 2, "node": 0, "nodes": 1, "substrate": "x", "host": "h",
                "begin": 0, "end": 10, "events": 1, "dropped": 0, **part}
        lines[-1] += ","
        lines.append(json.dumps({"name": "boxcar_pe", "ph": "M", "pid": 1, "tid": i + 1,
                                 "args": args}))
    for event in events:
        lines[-1] += ","
        lines.append(json.dumps({"pid": 1, "tid": 1, **event}))
    return "\n".join([*lines, "]", ""])


def check_numbers(boxcar, folder):
    """A report ignores numbers in a file that contradict other numbers, or the data."""
    path = os.path.join(folder, "numbers.json")

    def write(text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def refused(line, mention, *parts, events=()):
        write(trace_of(*parts, events=events))
        expect_refusal([boxcar, "report", path], 2, f"numbers.json, line {line}: ", mention,
                       "BOXCAR_TRACE=FILE")

    many = {"pes": 65, "nodes": 2}
    refused(3, '"node": 100000000', *[{**many, "node": 10**8}])
    refused(3, '"node": -1', *[{**many, "node": -1}])
    refused(3, '"nodes": 3', {"nodes": 3})  # more than PEs
    refused(3, '"pes": 0', {"pes": 0})
    refused(3, '"pes": 18446744073709551615', {"pes": 2**64 - 1})
    refused(3, '"pes": 2.5', {"pes": 2.5})
    refused(3, '"pes": 2000000000', {"pes": 2 * 10**9})  # no world has so many
    refused(3, '"pe": 4294967296', {"pe": 2**32})
    refused(4, '"pes": 3', {}, {"pes": 3})
    refused(4, '"nodes": 2', {"pes": 2}, {"pes": 2, "nodes": 2})
    refused(3, '"begin": 1e+300', {"begin": 1e300, "end": 1e301})
    refused(3, "ended before it began", {"begin": 11})
    refused(3, '"dropped": -1', {"dropped": -1})
    sent = {"of": "a", "to": 1, "bytes": 1, "filled": 1, "capacity": 1, "local": True, "last": True}
    buffer = {"name": "sent", "ph": "i", "cat": "buffer", "ts": 1}
    for key, value in [("to", 2), ("to", -1), ("bytes", -1), ("filled", 1e300),
                       ("capacity", 2**63)]:
        refused(4, f'"{key}": ', {}, events=[{**buffer, "args": {**sent, key: value}}])
    wait = {"name": "w", "ph": "X", "cat": "wait", "ts": 1, "dur": 1, "args": {"in": "a"}}
    for key, value in [("ts", 1e300), ("dur", -1), ("dur", 1e16)]:
        refused(4, f'"{key}": ', {}, events=[{**wait, key: value}])
    # An incomplete part is ignored, also as the last line.
    write(trace_of({"host": 1}).replace("]\n", ""))
    assert "was left out" in report(boxcar, path)[1]
    # The size of a page depends on the written data, whatever number of PEs the file claims.
    for pes in [10**6, 2**22]:
        write(trace_of({"pes": pes, "pe": pes - 1}, {"pes": pes, "pe": 1}))
        done = run(["timeout", "5", boxcar, "report", path])
        assert done.returncode == 0, done
        assert f"PE 0, 2, 3, 4, 5, 6, 7, 8 and {pes - 10} more" in done.stdout, done
    kibibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert kibibytes < 1 << 20, kibibytes


def check_costly(boxcar, folder):
    """A report names what costs more than 2 % in messages, and what full buffers save."""
    path = os.path.join(folder, "costly.json")

    def sent(of, count, filled):
        args = {"of": of, "to": 1, "bytes": filled, "filled": filled, "capacity": 1000,
                "local": True, "last": False}
        return [{"name": "sent", "ph": "i", "cat": "buffer", "ts": 1, "args": args}] * count

    # Two PEs for 1 ms each. A message within a node costs 0.3 microseconds of processors.
    events = sent("calls of f", 1000, 10) + sent("calls of g", 130, 10) + sent("full", 200, 1000)
    with open(path, "w", encoding="utf-8") as file:
        file.write(trace_of({"end": 1000}, {"end": 1000}, events=events))
    html, _ = report(boxcar, path)
    assert re.findall(r'<li data-object="([^"]+)"', html) == ["calls of f", "full"], html
    item = re.search(r'<li data-object="calls of f">(.*?)</li>', html).group(1)
    for text in ["1,000 messages", "300", "15 %", "1 % full", "297"]:
        assert text in item, item
    item = re.search(r'<li data-object="full">(.*?)</li>', html).group(1)
    assert "3 % of the time" in item and "save about 0" in item, item


def main():
    what, boxcar, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        if what == "bad":
            check_bad(boxcar, rest[0], folder)
            check_numbers(boxcar, folder)
            check_costly(boxcar, folder)
            check_files(rest[0], folder)
            check_twice(boxcar, trace, rest[0])
            check_part(boxcar, trace, rest[0])
            return
        size, nodes, *command = rest
        os.environ["BOXCAR_NODES"] = nodes
        if what == "throw":
            check_throw(boxcar, trace, int(size), command)
        else:
            check_whole(boxcar, trace, int(size), int(nodes), command)
            check_bound(boxcar, trace, command)


main()
