"""Makes an installed module self-contained: copies the shared libraries it needs beyond the C and C++ runtimes into
_libs beside it, under names of their own, and writes a NOTICE with the licences of all that went in.

Usage: bundle.py MODULE NOTICE [FILE …], where each FILE (an archive, a header) belongs to a library linked or compiled in.
"""

import hashlib
import importlib.metadata
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "packaging"))
from licences import licence_of, notice, output_of

# Every Linux that runs C++ has these, and a process must have one of each.
RUNTIME = re.compile(r"(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so)")


def needed_libraries(module):
    """SONAME -> path of all that the loader would bring in, directly or below, beyond the runtimes."""
    found = {}
    for line in output_of("ldd", module).splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if not arrow or RUNTIME.match(name):
            continue
        if rest.startswith("not found"):
            sys.exit(f"bundle: {name}, which {module.name} needs, was not found")
        found[name] = pathlib.Path(rest.rsplit(" (", 1)[0])
    return found


def own_name(soname, path):
    """A name that no other copy of the library in the process has: the loader tells libraries apart by name alone."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    stem, suffix = soname.split(".so", 1)
    return f"{stem}-{digest}.so{suffix}"


def bundle(module, libraries):
    names = {soname: own_name(soname, path) for soname, path in libraries.items()}
    folder = module.parent / "_libs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for soname, path in libraries.items():
        copy = folder / names[soname]
        shutil.copyfile(path, copy)
        copy.chmod(0o755)
        output_of("patchelf", "--set-soname", names[soname], "--set-rpath", "$ORIGIN", copy)
    for file in [module, *folder.iterdir()]:
        for soname in output_of("patchelf", "--print-needed", file).split():
            if soname in names:
                output_of("patchelf", "--replace-needed", soname, names[soname], file)
    output_of("patchelf", "--set-rpath", "$ORIGIN/_libs", module)


def licence_of_nanobind():
    files = importlib.metadata.files("nanobind") or []
    texts = [file.locate().read_text() for file in files if "LICENSE" in file.name.upper()]
    return "nanobind", "\n".join(texts)


def main(module, notice_file, *inside):
    module = pathlib.Path(module)
    libraries = needed_libraries(module)
    text = notice("This wheel", [licence_of_nanobind(), *map(licence_of, [*libraries.values(), *inside])])
    bundle(module, libraries)
    notice_file = pathlib.Path(notice_file)
    notice_file.parent.mkdir(parents=True, exist_ok=True)
    notice_file.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
