"""Exceptions of Boxcar. Every message has the error, with the value, and the remedy."""


class Error(RuntimeError):
    """The base of all errors raised by Boxcar."""


class ArgumentError(Error, ValueError):
    """A value that cannot work: a shape, a dtype, a destination out of range.

    A collective function raises it on all PEs, also if the value of one of them is wrong; nothing
    has moved, and the world can be used as before.
    """


class ContractError(Error):
    """A call that is illegal now, or in this thread or process."""


class WorldError(Error):
    """The world can no longer work together: a PE failed, left, or called another function."""


class MachineError(Error):
    """The machine refused something: memory, a file descriptor, a process."""


class MPI4PyError(ImportError, MachineError):
    """An import of mpi4py that was made for another MPI than the one which the world uses."""
