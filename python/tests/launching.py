"""Starts jobs for tests."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

BOXCAR = [sys.executable, "-m", "boxcar", "run"]

# Variables with which launchers start as many processes as requested, as root as well.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_opal_common_ucx_opal_mem_hooks": "0",
    "OPENBLAS_NUM_THREADS": "1",
}

# Jobs use the libfabric of the folder, if given.
OFI = ["BOXCAR_SUBSTRATE=ofi"]
if "BOXCAR_TEST_LIBFABRIC" in os.environ:
    OFI.append("LD_LIBRARY_PATH=" + os.environ["BOXCAR_TEST_LIBFABRIC"])

LAUNCHERS = {
    "processes": lambda pes: [*BOXCAR, "-n", str(pes), "--"],
    "nodes": lambda pes: [*BOXCAR, "-n", str(pes), "--nodes", "2", "--"],
    "ofi": lambda pes: ["env", *OFI, *BOXCAR, "-n", str(pes), "--nodes", "2", "--"],
    "openmpi": lambda pes: ["mpirun.openmpi", "-n", str(pes)],
    "mpich": lambda pes: ["mpiexec.mpich", "-n", str(pes)],
    "shmem": lambda pes: ["oshrun", "-n", str(pes)],
}


@functools.cache
def is_there(launcher: str) -> bool:
    if launcher == "ofi":
        return (
            "libboxcar_ofi"
            in subprocess.run(
                [sys.executable, "-m", "boxcar", "info"], capture_output=True, text=True, check=True
            ).stdout
        )
    return shutil.which(LAUNCHERS[launcher](1)[0]) is not None


def launch(
    launcher: str,
    pes: int,
    script: Path | str,
    *words: str,
    timeout: float = 300,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LAUNCHERS[launcher](pes), sys.executable, str(script), *words],
        env={**os.environ, **ENVIRONMENT, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
