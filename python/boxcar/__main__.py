"""``python -m boxcar`` and ``boxcar``: the command, with Python's scripts started by Python."""

import os
import sys

from . import command


def main() -> None:
    words = ["boxcar", *command.with_interpreter(sys.argv[1:])]
    os.execv(command.PATH, words)


if __name__ == "__main__":
    main()
