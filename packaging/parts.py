"""What stands inside the program besides fugu: the Debian packages whose archives the linker took, and those whose
headers were compiled in. Asked of the linker's map and of the compiler's lists of headers, so that nothing is forgotten.

Usage: parts.py static|shared|r BUILD prints the licences of what is in that program, or in the installed R package.
"""

import dataclasses
import functools
import json
import pathlib
import re
import sys

from licences import debian_packages, licence_of_package, notice, output_of

HERE = pathlib.Path(__file__).resolve().parent
# Interfaces to the kernel: no code of theirs is in a program.
INTERFACES = {"linux-libc-dev"}
# What is compiled for the program, and for the R package.
PROGRAM = r"CMakeFiles/(fugu|fugu_\w+|page_assets)\.dir/"
ROOMS = r"CMakeFiles/fugu_(?!studio)\w+\.dir/"


@dataclasses.dataclass(frozen=True)
class Part:
    package: str  # the binary package whose copyright file speaks of it
    source: str
    version: str  # of the source
    licence: str  # SPDX
    linked: bool  # else compiled in from headers


@functools.cache
def spdx_licences():
    lines = (line.split("#")[0].split(None, 1) for line in (HERE / "licences.txt").read_text().splitlines())
    return {line[0]: line[1].strip() for line in lines if line}


def part(package, linked):
    source, version = output_of("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}\n", package).splitlines()[0].split()
    if source not in spdx_licences():
        sys.exit(f"dist: the program holds code of {package}, whose licence is not in packaging/licences.txt\n"
                 f"hint: read /usr/share/doc/{package}/copyright and add a line for {source}")
    return Part(package, source, version, spdx_licences()[source], linked)


def archives_in(map_file):
    """The archives of which the linker took a member."""
    text = pathlib.Path(map_file).read_text(errors="replace")
    members = text[text.index("Archive member included"):text.index("\nMemory Configuration")]
    return {pathlib.Path(name) for name in re.findall(r"^(/\S+\.a)\(", members, re.M)}


def linked_packages(build):
    for archive in archives_in(build / "packaging" / "fugu_static.map"):
        made = archive.with_name(archive.name + ".from")  # by packaging/archives
        if made.exists():
            yield made.read_text().split()[0]
        elif build not in archive.resolve().parents:
            yield debian_packages([archive])[archive]


def included_packages(build, objects=PROGRAM):
    """Of the headers that these objects were compiled with, not their tests."""
    headers, counts = set(), False
    for line in output_of("ninja", "-C", build, "-t", "deps").splitlines():
        if not line.startswith(" "):
            counts = bool(re.match(objects, line)) and "fugu_test" not in line
        elif counts and line.strip().startswith("/usr/"):
            headers.add(pathlib.Path(line.strip()))
    return set(debian_packages(sorted(headers)).values())


def parts_of(build, kind="static"):
    """One for each source package, linked ones first."""
    build = pathlib.Path(build).resolve()
    found = {}
    linked = sorted(set(linked_packages(build))) if kind == "static" else []
    for package in linked:
        found.setdefault((one := part(package, True)).source, one)
    included = included_packages(build, ROOMS) | {"r-cran-cpp11"} if kind == "r" else included_packages(build)
    for package in sorted(included - INTERFACES):
        found.setdefault((one := part(package, False)).source, one)
    return sorted(found.values(), key=lambda one: one.source)


def page_packages(root):
    """(name, version, licence, in the page?) of the npm packages that its lock file pins, for this kind of machine."""
    lock = json.loads((root / "page" / "package-lock.json").read_text())
    for path, entry in sorted(lock["packages"].items()):
        if path and "linux" in entry.get("os", ["linux"]) and "x64" in entry.get("cpu", ["x64"]):
            yield path.split("node_modules/")[-1], entry["version"], entry.get("license", "NOASSERTION"), not entry.get("dev", False)


def page_licences(root):
    for name, _, _, inside in page_packages(root):
        if inside:
            folder = root / "page" / "node_modules" / name
            yield name, "\n".join(file.read_text() for file in sorted(folder.glob("LICEN[CS]E*")))


def main(kind, build):
    texts = [licence_of_package(one.package) for one in parts_of(build, kind)]
    if kind == "r":
        print(notice("The installed R package", texts), end="")
    else:
        print(notice("This program", [*texts, *page_licences(HERE.parent)]), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
