"""The licences of the libraries that stand inside what is handed out, as this machine's packages state them.

For the wheel (python/bundle.py) and for what `make dist` makes.
"""

import pathlib
import re
import subprocess

RULE = "\n" + "=" * 79 + "\n"


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def debian_packages(files):
    """file -> package that owns it. dpkg knows some files under /lib that are found under /usr/lib, and the reverse."""
    asked = {}
    for file in files:
        real = str(pathlib.Path(file).resolve())
        for name in (str(file), real, real.removeprefix("/usr"), "/usr" + real):
            asked.setdefault(name, file)
    owners = {}
    try:
        # It fails where one name has no owner, and tells of the others.
        told = subprocess.run(["dpkg-query", "-S", *asked], capture_output=True, text=True).stdout
    except FileNotFoundError:
        return owners
    for line in told.splitlines():
        packages, _, name = line.rpartition(": ")
        if name in asked:
            owners.setdefault(asked[name], packages.split(",")[0].split(":")[0])
    return owners


def without_lists_of_files(text):
    """A copyright file that goes through thousands of files one by one (Boost's), less those lists."""
    if len(text) < 200_000:
        return text
    stanzas = text.split("\n\n")
    return "\n\n".join(part for part in stanzas if not part.startswith("Files:") or part.startswith("Files: *\n"))


def licence_of_package(package):
    """(name, text) of the licences that a package states."""
    return package, without_lists_of_files(pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace"))


def licence_of(file):
    """The same of the library a file belongs to."""
    package = debian_packages([file]).get(file)
    if package and pathlib.Path(f"/usr/share/doc/{package}/copyright").exists():
        return licence_of_package(package)
    return pathlib.Path(file).name, "The machine that built this has no licence text for this library.\n"


def common_licences(texts):
    """The full texts that Debian's copyright files only point to."""
    names = sorted({name.rstrip(".") for text in texts for name in re.findall(r"/usr/share/common-licenses/([\w.-]+)", text)})
    paths = [pathlib.Path("/usr/share/common-licenses") / name for name in names]
    return [(path.name, path.read_text()) for path in paths if path.exists()]


def notice(what, licences):
    """A NOTICE of (name, text) for each library, and the texts that these point to."""
    parts = dict(licences)
    sections = sorted(parts.items()) + common_licences(parts.values())
    opening = f"{what} holds, besides fugu itself, these libraries, each under its own licence: " + ", ".join(sorted(parts)) + ".\n"
    return opening + "".join(f"{RULE}{name}{RULE}\n{text}" for name, text in sections)
