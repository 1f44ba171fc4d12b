"""What a PE that ``run`` has started does."""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import sys
import traceback
from pathlib import Path

import cloudpickle

from . import pickling
from .starting import CALL, SETTING, failure_file, result_file
from .world import fail, world


def _pickled(error: BaseException) -> bytes:
    try:
        data: bytes = cloudpickle.dumps(error)
        pickle.loads(data)
    except Exception:
        return b""
    return data


def main(folder: Path) -> int:
    faulthandler.enable()
    sys.path[:] = json.loads((folder / SETTING).read_text())["path"]
    here = world()
    try:
        function, arguments = pickling.loads((folder / CALL).read_bytes())
        result = cloudpickle.dumps(function(here, *arguments))
        _write(result_file(folder, here.rank), result)
        return 0
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        # Without the frames of this function.
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        text = "".join(traceback.format_exception(type(error), error, trace))
        is_first = fail(here, error)
        _write(failure_file(folder, here.rank), pickle.dumps((is_first, _pickled(error), text)))
        return 1


def _write(path: Path, data: bytes) -> None:
    """All or nothing, as the launcher may end this process."""
    part = path.with_suffix(path.suffix + ".part")
    part.write_bytes(data)
    os.replace(part, path)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
