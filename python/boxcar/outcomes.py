"""What becomes of the function on each PE travels to the program that has called ``run``.

A PE writes its outcome to a file without a name, and sends the descriptor of the file to the
program by a socket that the PEs have inherited. So outcomes may be large, the program has all of
one or nothing, and files vanish with the processes, also if these are killed. Messages about
progress go by the same socket.
"""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Literal

from .errors import MachineError

Kind = Literal["result", "failure"]

_LEAST_DESCRIPTOR = 3  # below are standard input, output and error of the launcher
_LONGEST_MESSAGE = 1024
_OF_PROGRESS = b"progress "


def move_above_standard(descriptor: int) -> int:
    """Another descriptor of the same file, which is none of standard input, output and error."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _LEAST_DESCRIPTOR)


class OutcomeReceiver:
    """The program's end of the socket, and what has come."""

    def __init__(self, on_progress: Callable[[bytes], None]) -> None:
        self._on_progress = on_progress
        self.results: dict[int, bytes] = {}
        """What the function returned, by the PE."""
        self.failures: dict[int, bytes] = {}
        """How it failed."""
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with here, there:
            there.setblocking(True)  # for all PEs, whatever the program's default is
            self._here = socket.socket(fileno=move_above_standard(here.fileno()))
            self._here.setblocking(False)
            self.for_pes = move_above_standard(there.fileno())
            """The descriptor that PEs inherit."""

    def __enter__(self) -> OutcomeReceiver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._here.close()
        os.close(self.for_pes)

    def fileno(self) -> int:
        """Of what can be read when an outcome has come."""
        return self._here.fileno()

    def receive(self) -> None:
        """Takes all that has come, and waits for nothing."""
        while True:
            try:
                message, descriptors, _, _ = socket.recv_fds(
                    self._here, _LONGEST_MESSAGE, 1, socket.MSG_CMSG_CLOEXEC
                )
            except BlockingIOError:
                return
            if not message:  # the PEs have ended
                return
            if message.startswith(_OF_PROGRESS):
                self._on_progress(message.removeprefix(_OF_PROGRESS))
                continue
            if not descriptors:
                raise MachineError(
                    "a result cannot be received, as this program has too many open files: raise "
                    "the limit (ulimit -n), or close some"
                )
            with open(descriptors[0], "rb") as file:
                file.seek(0)
                content = file.read()
            kind, pe = message.decode().split()
            (self.results if kind == "result" else self.failures)[int(pe)] = content


class OutcomeSender:
    """The end of the socket that a PE has inherited, which its own child processes do not."""

    def __init__(self, descriptor: int) -> None:
        self._there = socket.socket(fileno=descriptor)
        self._there.setblocking(True)
        self._there.set_inheritable(False)
        # Made before the function is called, which may choose another folder of temporary files.
        self._file = tempfile.TemporaryFile(prefix="boxcar-")

    def send(self, kind: Kind, pe: int, content: bytes) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(content)
        self._file.flush()
        socket.send_fds(self._there, [f"{kind} {pe}".encode()], [self._file.fileno()])

    def send_progress(self, message: bytes) -> None:
        """Sends a message, or drops the message if the program does not keep up."""
        with suppress(OSError):
            self._there.send(_OF_PROGRESS + message, socket.MSG_DONTWAIT)
