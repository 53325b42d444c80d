"""Makes an installed module self-contained: copies the shared libraries it needs beyond the C and C++ runtimes into
_libs beside it, under names of their own, and writes a NOTICE with the licences of all that went in.

Usage: bundle.py MODULE NOTICE [FILE …], where each FILE (an archive, a header) belongs to a library linked or compiled in.
"""

import hashlib
import importlib.metadata
import pathlib
import re
import shutil
import subprocess
import sys

# Every Linux that runs C++ has these, and a process must have one of each.
RUNTIME = re.compile(r"(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so)")
RULE = "\n" + "=" * 79 + "\n"


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


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


def debian_package(file):
    """The package that owns a file; dpkg knows some files under /lib that are found under /usr/lib, and the reverse."""
    real = str(pathlib.Path(file).resolve())
    for candidate in (str(file), real, real.removeprefix("/usr"), "/usr" + real):
        try:
            return output_of("dpkg-query", "-S", candidate).split(":")[0]
        except (subprocess.CalledProcessError, FileNotFoundError):
            pass
    return None


def without_lists_of_files(text):
    """A copyright file that goes through thousands of files one by one (Boost's), less those lists."""
    if len(text) < 200_000:
        return text
    stanzas = text.split("\n\n")
    return "\n\n".join(part for part in stanzas if not part.startswith("Files:") or part.startswith("Files: *\n"))


def licence_of(file):
    """(name, text) of the library a file belongs to, as this machine's packages state them."""
    package = debian_package(file)
    copyright_file = pathlib.Path(f"/usr/share/doc/{package}/copyright")
    if package and copyright_file.exists():
        return package, without_lists_of_files(copyright_file.read_text(errors="replace"))
    return pathlib.Path(file).name, "The machine that built this wheel has no licence text for this library.\n"


def licence_of_nanobind():
    files = importlib.metadata.files("nanobind") or []
    texts = [file.locate().read_text() for file in files if "LICENSE" in file.name.upper()]
    return "nanobind", "\n".join(texts)


def common_licences(texts):
    """The full texts that Debian's copyright files only point to."""
    names = sorted({name.rstrip(".") for text in texts for name in re.findall(r"/usr/share/common-licenses/([\w.-]+)", text)})
    paths = [pathlib.Path("/usr/share/common-licenses") / name for name in names]
    return [(path.name, path.read_text()) for path in paths if path.exists()]


def notice(files):
    parts = dict([licence_of_nanobind(), *(licence_of(file) for file in files)])
    sections = sorted(parts.items()) + common_licences(parts.values())
    opening = "This wheel holds, besides fugu itself, these libraries, each under its own licence: " + ", ".join(sorted(parts)) + ".\n"
    return opening + "".join(f"{RULE}{name}{RULE}\n{text}" for name, text in sections)


def main(module, notice_file, *inside):
    module = pathlib.Path(module)
    libraries = needed_libraries(module)
    text = notice([*libraries.values(), *inside])
    bundle(module, libraries)
    notice_file = pathlib.Path(notice_file)
    notice_file.parent.mkdir(parents=True, exist_ok=True)
    notice_file.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
