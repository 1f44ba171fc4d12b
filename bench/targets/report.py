"""A report of `boxcar bench --json`: the figures of contenders, by name and setting."""

from measurement_error import MeasurementError


class Report:
    def __init__(self, document):
        self.machine = document["machine"]
        self.build = document["build"]
        self.results = document["results"]

    def result(self, **setting):
        """The result whose setting has these values."""
        for result in self.results:
            if all(result["setting"][key] == value for key, value in setting.items()):
                if "failure" in result:
                    raise MeasurementError(result["failure"])
                return result
        raise MeasurementError(f"the report has no result with {setting}")

    def find(self, name, **setting):
        """The figures of a contender in the setting that has these values."""
        for contender in self.result(**setting)["contenders"]:
            if contender["name"] == name:
                if "failure" in contender:
                    raise MeasurementError(f"{name}: {contender['failure']}")
                return contender
        raise MeasurementError(f"the report has no contender {name} with {setting}")

    def baselines(self, **setting):
        """The baselines of a setting that were measured."""
        found = [contender for contender in self.result(**setting)["contenders"]
                 if contender["role"] == "baseline" and "failure" not in contender]
        if not found:
            raise MeasurementError(f"the report has no measured baseline with {setting}")
        return found


def rate(contender):
    """Items a second and PE."""
    return contender["items_per_second_and_pe"]


def total_rate(contender):
    """Items a second of all PEs together."""
    return rate(contender) * contender["workers"]


def byte_rate(contender):
    """Bytes a second and PE."""
    return contender["bytes_per_second_and_pe"]
