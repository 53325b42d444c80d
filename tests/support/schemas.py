"""The files that the program writes, held against docs/schema. `schemas.py FOLDER [NAME …]` holds those of a folder, but for these
names."""

import functools
import json
import pathlib
import sys

import jsonschema

try:
    import referencing
except ImportError:
    referencing = None

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema"
KINDS = ("job", "scenario", "plan", "statement", "receipt")


def schema(kind):
    return json.loads((SCHEMAS / f"{kind}.schema.json").read_text())


@functools.cache
def validator(kind):
    every = {f"{one}.schema.json": schema(one) for one in KINDS}
    mine = every[f"{kind}.schema.json"]
    if referencing is None:  # before jsonschema 4.18, as Debian 12 has it
        return jsonschema.Draft202012Validator(mine, resolver=jsonschema.RefResolver(f"{kind}.schema.json", mine, store=every))
    known = referencing.Registry().with_contents(every.items())
    return jsonschema.Draft202012Validator(mine, registry=known)


def kind_of(document):
    """Which of fugu's files it is; None for any other."""
    if not isinstance(document, dict):
        return None
    if document.get("format") == "fugu-job":
        return "job"
    if "statement_digest" in document:
        return "receipt"
    if "witness" in document and "mechanism" in document:
        return "plan"
    if "estimate" in document and "mechanism" in document:
        return "statement"
    return "scenario" if "priors" in document and "guarantee" not in document else None


def wrong_with(document, kind):
    """The first thing that the schema does not allow, and where; empty where there is none."""
    found = jsonschema.exceptions.best_match(validator(kind).iter_errors(document))
    return "" if found is None else f"{found.json_path}: {found.message[:300]}"


def state(folder):
    """Which JSON files are there, and which version of each."""
    files = {}
    for path in pathlib.Path(folder).rglob("*.json"):
        try:
            status = path.lstat()
        except OSError:
            continue
        files[path] = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return files


def held(path):
    """Its kind, when the file is one of fugu's and is as its schema says; fails when it is not."""
    try:
        document = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    kind = kind_of(document)
    if kind is not None:
        assert wrong_with(document, kind) == "", f"{path.name} is not as docs/schema/{kind}.schema.json says"
    return kind


def hold_new(before, folder):
    """The kinds of the files that appeared or changed since `before`, each held against its schema."""
    return [held(path) for path, version in state(folder).items() if before.get(path) != version]


if __name__ == "__main__":
    for path in state(sys.argv[1]):
        if path.name not in sys.argv[2:]:
            held(path)
