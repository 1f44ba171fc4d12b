#!/usr/bin/env python3
"""Holds the includes of the sources against the table of floors in docs/architecture.md.

The page README.md of a folder names the folder's floor as the table does.

`floors.py REPOSITORY` prints a line for each breach and ends with status 1 if there is one.
`floors.py REPOSITORY --uses` prints which floors each floor includes headers of.

The table has these columns:
- floor: the name;
- sources: folders (they end with a slash) and patterns of files, from the root of the repository;
- headers: patterns of public headers, from include/boxcar;
- library: what the floor is compiled into; where it is a component, the build must agree;
- uses: the floors whose headers it may include, beside its own and those of the lowest floor, which
  every floor may include;
- what it is: for readers.
"""

import fnmatch
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

TABLE = "docs/architecture.md"
COLUMNS = ["floor", "sources", "headers", "library", "uses", "what it is"]
BUILD = "src/CMakeLists.txt"
TREES = ["include/boxcar", "src", "bench", "examples", "python/src"]
PUBLIC = "include/boxcar/"
# Include folders of some sources, beside their own folders.
ROOTS = ["src", "bench", "examples"]
SUFFIXES = {".hpp", ".cpp", ".h", ".c"}
# In programs <shmem.h> is the header of the machine's OpenSHMEM, not Boxcar's own.
OF_THE_MACHINE = {"shmem.h"}
# Headers made during the build.
GENERATED = {"source_commit.hpp"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


@dataclass
class Floor:
    name: str
    row: int  # the first is the highest
    sources: list
    headers: list
    library: str
    uses: list
    used: set = field(default_factory=set)  # floors whose headers it includes
    files: int = 0

    def patterns(self):
        return self.sources + [PUBLIC + header for header in self.headers]


def words(cell):
    """The words between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def read_table(text):
    """The floors of the table with the columns above."""
    heading = "| " + " | ".join(COLUMNS) + " |"
    lines = text.splitlines()
    if heading not in lines:
        raise SystemExit(f"{TABLE} has no table with the heading\n{heading}")
    floors = []
    for line in lines[lines.index(heading) + 2 :]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != len(COLUMNS):
            raise SystemExit(f"{TABLE}: this row of floors has not {len(COLUMNS)} cells:\n{line}")
        name, sources, headers, library, uses, _ = cells
        used = [other.strip() for other in uses.split(",") if other.strip()]
        floors.append(
            Floor(name, len(floors), words(sources), words(headers), library.strip("`"), used)
        )
    return floors


def matches(file, pattern):
    if pattern.endswith("/"):
        return file.startswith(pattern)
    return file.count("/") == pattern.count("/") and fnmatch.fnmatchcase(file, pattern)


def claims(file, floors):
    """The floors that claim a file by the most special pattern: the deepest, then the longest."""
    found = [
        ((pattern.count("/"), len(pattern)), floor)
        for floor in floors
        for pattern in floor.patterns()
        if matches(file, pattern)
    ]
    most = max((special for special, _ in found), default=None)
    return [floor for special, floor in found if special == most]


def find_files(repository):
    return sorted(
        path.relative_to(repository).as_posix()
        for tree in TREES
        for path in (repository / tree).rglob("*")
        if path.suffix in SUFFIXES
    )


def without_comments(text):
    """Comments become empty; they keep their lines."""
    return re.sub(
        r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"',
        lambda found: found[0] if found[0][0] == '"' else "\n" * found[0].count("\n"),
        text,
        flags=re.DOTALL,
    )


def includes(text):
    """Each include with its line, its name, and whether it is in angle brackets."""
    code = without_comments(text)
    for found in INCLUDE.finditer(code):
        line = code.count("\n", 0, found.start()) + 1
        yield line, found[1] or found[2], found[1] is None


def headers_in_c(files):
    """The headers in C by their names in include lines."""
    return {
        Path(file).name: file
        for file in files
        if re.fullmatch(rf"{PUBLIC}[^/]+-c/[^/]+", file) and Path(file).name not in OF_THE_MACHINE
    }


def resolve(file, name, in_brackets, files, in_c):
    """The included file of the repository; None for other files."""
    if in_brackets and name.startswith("boxcar/"):
        return "include/" + name
    if not in_brackets:
        folder = Path(file).parent
        for parent in [folder, *folder.parents, *map(Path, ROOTS)]:
            candidate = (parent / name).as_posix()
            if candidate in files:
                return candidate
    return in_c.get(name)


def check_table(floors):
    """Yields the mistakes of the table itself."""
    rows = {floor.name: floor.row for floor in floors}
    for floor in floors:
        for other in floor.uses:
            if other not in rows:
                yield f"{TABLE}: {floor.name} may use {other}, which is no floor of the table"
            elif rows[other] <= floor.row:
                yield f"{TABLE}: {floor.name} may use {other}, which does not stand below it"
        for other in {o for o in floor.uses if floor.uses.count(o) > 1}:
            yield f"{TABLE}: {floor.name} may use {other}, twice"
    yield from check_libraries(floors)


def check_libraries(floors):
    """Yields the libraries that need themselves, directly or by other libraries."""
    library_of = {floor.name: floor.library or floor.name for floor in floors}
    needs = {}
    for floor in floors:
        library = library_of[floor.name]
        others = {library_of.get(other, library) for other in floor.uses}
        needs.setdefault(library, set()).update(others - {library})

    def reached(library):
        found, waiting = set(), [library]
        while waiting:
            for other in needs.get(waiting.pop(), set()) - found:
                found.add(other)
                waiting.append(other)
        return found

    for library in sorted(needs):
        if library in reached(library):
            yield f"{TABLE}: the library {library} needs itself, by way of others"


def line_for_readme(floor):
    """The line of a folder's README.md that names the folder's floor."""
    uses = ", ".join([*floor.uses, "basis"])
    return f"Floor: {floor.name}. May include: {uses}."


def check_readmes(repository, files, floor_of):
    """Yields the folders whose README.md does not name their floors as the table does."""
    floors_of = {}
    for file in files:
        if file in floor_of:
            floors_of.setdefault(Path(file).parent, {})[floor_of[file].name] = floor_of[file]
    for folder, floors in sorted(floors_of.items()):
        readme = repository / folder / "README.md"
        if not readme.exists():
            continue
        lines = readme.read_text().splitlines()
        for floor in floors.values():
            if (line := line_for_readme(floor)) not in lines:
                yield f"{folder}/README.md has no line: {line}"


def components(text):
    """The sources of each component by its name, and the components used by it."""
    found = {}
    for call in re.finditer(r"^boxcar_add_component\(([^)]*)\)", text, re.MULTILINE):
        name, *arguments = call[1].split()
        end = arguments.index("USES") if "USES" in arguments else len(arguments)
        found[name] = (arguments[:end], arguments[end + 1 :])
    return found


def check_components(found, floor_of, floors):
    """Yields the differences between the table and the components of the build."""
    for component, (sources, uses) in found.items():
        for source in sources:
            floor = floor_of.get(f"src/{source}")
            if floor is not None and floor.library != component:
                yield (
                    f"{BUILD}: {source} is a part of {component}, but {TABLE} has it in "
                    f"{floor.library or 'no library'}"
                )
        reached, waiting = {component}, list(uses)
        while waiting:
            other = waiting.pop()
            if other not in reached:
                reached.add(other)
                waiting += found.get(other, ([], []))[1]
        library_of = {floor.name: floor.library for floor in floors}
        needed = {
            library_of.get(other)
            for floor in floors
            if floor.library == component
            for other in floor.uses
        }
        for library in sorted(needed & found.keys() - reached):
            yield f"{BUILD}: {component} does not use {library}, which {TABLE} says that it does"


def check(repository):
    """The floors, with the floors that they use, and all breaches."""
    repository = Path(repository)
    floors = read_table((repository / TABLE).read_text())
    problems = list(check_table(floors))
    files = find_files(repository)
    known = set(files)
    floor_of = {}
    for file in files:
        found = claims(file, floors)
        if not found:
            problems.append(f"{file}: no floor of {TABLE} claims it")
        elif len(found) > 1:
            names = " and ".join(floor.name for floor in found)
            problems.append(f"{file}: several floors of {TABLE} claim it: {names}")
        else:
            floor_of[file] = found[0]
            found[0].files += 1
    build = repository / BUILD
    if build.exists():
        problems += check_components(components(build.read_text()), floor_of, floors)
    problems += check_readmes(repository, files, floor_of)
    for floor in floors:
        for pattern in floor.patterns():
            if not any(matches(file, pattern) for file in files):
                problems.append(f"{TABLE}: {floor.name} has `{pattern}`, which no file matches")
    lowest = floors[-1]
    in_c = headers_in_c(files)
    for file in files:
        for line, name, in_brackets in includes((repository / file).read_text()):
            target = resolve(file, name, in_brackets, known, in_c)
            if target is None:
                if not in_brackets and name not in GENERATED:
                    problems.append(f'{file}:{line}: "{name}" is not found')
                continue
            here, there = floor_of.get(file), floor_of.get(target)
            if target not in known:
                problems.append(f"{file}:{line}: <{name}> does not exist")
            if here is None or there is None or here is there:
                continue
            here.used.add(there.name)
            if there is not lowest and there.name not in here.uses:
                problems.append(
                    f"{file}:{line}: {here.name} may not use {there.name} ({TABLE}), "
                    f"but includes {target}"
                )
    for floor in floors:
        for other in floor.uses:
            if other == lowest.name:
                problems.append(f"{TABLE}: {floor.name} names {other}, which every floor may use")
            elif other not in floor.used:
                problems.append(
                    f"{TABLE}: {floor.name} may use {other}, but includes nothing of it"
                )
    return floors, problems


def main(arguments):
    floors, problems = check(arguments[0])
    if "--uses" in arguments:
        order = {floor.name: floor.row for floor in floors}
        for floor in floors:
            print(f"{floor.name}: {', '.join(sorted(floor.used, key=order.get))}")
        return 0
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
