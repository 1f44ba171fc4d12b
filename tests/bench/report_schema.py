"""The schema of reports, for tests; they are skipped where the schema cannot be checked."""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)


def validator_of(schema_file):
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)
