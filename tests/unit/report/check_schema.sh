#!/bin/sh
# Validates the JSON of every fixture of the report tests against the schema we ship.
program=./tests/unit/report/test_report
test -x "$program" || program=$1
python3 -c 'import jsonschema' 2>/dev/null || {
    echo "1..0 # SKIP python3 with jsonschema is not installed: THE SCHEMA WAS NOT CHECKED"
    exit 0
}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
"$program" --write "$dir" || exit 1
python3 - "$dir" <<'END'
import glob, json, os, sys

from jsonschema import Draft202012Validator

folder = sys.argv[1]
with open(os.path.join(folder, "schema"), encoding="ascii") as f:
    schema = json.load(f)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
failed = 0


def complain(*words):
    global failed
    failed += 1
    print("#", *words)


files = sorted(glob.glob(os.path.join(folder, "*.json")))
for name in files:
    with open(name, encoding="utf-8") as f:
        report = json.load(f)
    for error in validator.iter_errors(report):
        complain(os.path.basename(name), error.json_path, error.message[:200])
    # A schema that accepts everything would prove nothing.
    for key in list(report):
        less = {k: v for k, v in report.items() if k != key}
        if validator.is_valid(less):
            complain(os.path.basename(name), "is valid without", key)
if not files:
    complain("no reports were written")
print("ok" if failed == 0 else "not ok", f"1 - {len(files)} reports are as the schema says")
print("1..1")
END
