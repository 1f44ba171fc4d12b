"""The reasons for which a target has no figure."""


class MeasurementError(Exception):
    """A command failed, or a contender did: the target counts as missed."""


class NotMeasured(Exception):
    """The machine or the command line lacks what a measurement needs: the message says what."""
