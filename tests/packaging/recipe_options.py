#!/usr/bin/env python3
"""Fails if a recipe of packaging/ gives CMake an option that CMake does not know.

recipe_options.py REPOSITORY

CMake ignores an unknown option of its command line: an option that was renamed has no effect.
"""

import pathlib
import re
import sys

RECIPES = {
    "packaging/conda": ["build_boxcar.sh", "build_boxcar_python.sh"],
    "packaging/container": ["Containerfile"],
    "packaging/debian": ["rules"],
    "packaging/spack": ["spack_repo/boxcar/packages/boxcar/package.py"],
}
# Options on a command line of CMake or pip, and in a package of Spack.
GIVEN = [
    re.compile(r"-D *([A-Za-z]\w*)[=:]"),
    re.compile(r"cmake\.define\.([A-Za-z]\w*)="),
    re.compile(r"define(?:_from_variant)?\(\s*[\"'](\w+)[\"']"),
    re.compile(r"[\"'](BOXCAR_\w+)[\"']"),
]
KNOWN = [re.compile(r"\boption\((\w+)"), re.compile(r"\bset\((\w+) [^)]*\bCACHE\b")]
FOLDERS_OF_CMAKE = ["", "cmake", "src", "bench", "examples", "packaging", "python"]


def known_options(repository):
    """The options of Boxcar, and those of CMake that every project has."""
    names = {"BUILD_SHARED_LIBS"}
    for folder in FOLDERS_OF_CMAKE:
        walk = (repository / folder).rglob if folder else (repository / folder).glob
        for pattern in ("CMakeLists.txt", "*.cmake"):
            for file in walk(pattern):
                text = file.read_text()
                names.update(name for known in KNOWN for name in known.findall(text))
    return names


def problems(repository):
    known = known_options(repository)
    for folder, recipes in RECIPES.items():
        for recipe in recipes:
            name = f"{folder}/{recipe}"
            text = (repository / name).read_text()
            given = {option for pattern in GIVEN for option in pattern.findall(text)}
            if not any(option.startswith("BOXCAR_") for option in given):
                yield f"{name} gives no option of Boxcar: the test looks for another form of them"
            for option in sorted(given):
                if option not in known and not option.startswith("CMAKE_"):
                    yield (
                        f"{name} gives CMake the option {option}, but no option() and no CACHE "
                        "variable has this name: rename it there, or remove it"
                    )


found = list(problems(pathlib.Path(sys.argv[1])))
for problem in found:
    print(problem)
sys.exit(1 if found else 0)
