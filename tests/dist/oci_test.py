"""The OCI image: unpacked by another program than the one that a user has, and run as a chroot."""

import json
import os
import re
import subprocess
import tarfile

import pytest
from machine import artefact, output_of
from three_commands import plan_of, run_three_commands


@pytest.fixture
def image(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can run a chroot")
    file = artefact("*-oci.tar")
    with tarfile.open(file) as tar:
        tar.extractall(tmp_path / "image")
    version = re.search(r"fugu-([\d.]+)-oci", file.name)[1]
    output_of("umoci", "unpack", "--image", f"{tmp_path}/image:fugu:{version}", tmp_path / "bundle")
    return tmp_path / "bundle"


def runner(image):
    """Runs the image's entry point as its configuration says, and nothing of this machine is seen."""
    process = json.loads((image / "config.json").read_text())["process"]
    user = process["user"]
    assert user["uid"] != 0 and user["gid"] != 0

    def run(*words):
        command = ["unshare", "--mount", "--pid", "--fork", f"--root={image}/rootfs", f"--wd={process['cwd']}", "--mount-proc",
                   f"--setgid={user['gid']}", f"--setuid={user['uid']}", *process["args"], *words]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    return run, lambda file: (image / "rootfs" / process["cwd"].lstrip("/") / file).read_text()


def test_three_commands_run_in_it(image, plan):
    run, read = runner(image)
    run_three_commands(run, read)
    assert plan_of(run, read) == plan


def test_it_holds_the_program_the_c_library_and_the_licences_alone(image):
    root = image / "rootfs"
    files = {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}
    assert files == {"usr/bin/fugu", "usr/share/doc/fugu/LICENSE", "usr/share/doc/fugu/NOTICE", "etc/passwd", "etc/group",
                     "lib64/ld-linux-x86-64.so.2", "lib/x86_64-linux-gnu/libc.so.6", "lib/x86_64-linux-gnu/libm.so.6"}
    assert not [path for path in root.rglob("*") if path.is_file() and path.stat().st_mode & 0o6022]
