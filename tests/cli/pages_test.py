"""The man page renders without warnings, and shells take the completion scripts."""
import shutil
import subprocess

import pytest

COMMANDS = ["demo", "inspect", "compare", "calibrate", "verify", "release", "run", "statement", "estimate", "report", "figure", "studio",
            "model count", "model rate", "model chain", "compose", "ledger", "completion"]


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, **more)
    assert done.returncode == 0 and done.stderr == "", done
    return done.stdout


def test_man_page_names_everything(fugu):
    page = fugu.ok("--man")
    assert page.startswith(".TH FUGU 1")
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES"):
        assert f".SH {section}\n" in page
    for command in COMMANDS:
        assert f'.SH "fugu {command}"' in page
    for option in ("epsilon", "secret", "public", "pairs", "method", "scenario", "missing"):
        assert f"\\-\\-{option}" in page


@needs("groff")
def test_man_page_renders(fugu):
    run("groff", "-man", "-ww", "-z", "-Tutf8", input=fugu.ok("--man"))


@needs("man")
def test_man_page_shows(fugu, tmp_path):
    fugu.write("fugu.1", fugu.ok("--man"))
    done = subprocess.run(["man", "-l", str(tmp_path / "fugu.1")], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        pytest.skip("man does not work here")
    assert "Pufferfish privacy with a proof" in done.stdout


@needs("bash")
@pytest.mark.parametrize("words, wanted", [
    (["fugu", "c"], ["compare", "calibrate", "compose", "completion"]),
    (["fugu", "model", ""], ["count", "chain", "rate"]),
    (["fugu", "model", "count", "--us"], ["--users"]),
    (["fugu", "count", "--us"], ["--users"]),
    (["fugu", "release", "--help"], ["--help", "--help-all"]),
    (["fugu", "compare", "--missing", "d"], ["drop"]),
    (["fugu", "calibrate", "--method", ""], ["sensitivity", "kantorovich", "relaxed", "harmonic", "sharp", "exact", "optimal", "channel",
                                                 "swap", "theorem3a", "theorem3b", "dp-laplace",
                                                 "randomized-response"]),
    (["fugu", "calibrate", "--met"], ["--method"]),
    (["fugu", "completion", ""], ["bash", "zsh", "fish"]),
    (["fugu", "verify", "pla"], ["plan.json"]),
    (["fugu", "run", "pla"], ["plan.json"]),
    (["fugu", "compose", "plan.json", "pla"], ["plan.json"]),
    (["fugu", "ledger", ""], ["show", "ask", "reserve", "void"]),
    (["fugu", "demo", "--dir", "fol"], ["folder"]),
])
def test_bash(fugu, words, wanted):
    fugu.write("fugu.bash", fugu.ok("completion", "bash"))
    fugu.write("plan.json", "")
    (fugu.folder / "folder").mkdir()
    script = 'source ./fugu.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fugu; printf "%s\\n" "${COMPREPLY[@]}"'
    assert run("bash", "-c", script, "bash", *words, cwd=fugu.folder).split() == wanted


@needs("zsh")
def test_zsh(fugu):
    fugu.write("_fugu", fugu.ok("completion", "zsh"))
    run("zsh", "-f", "-c", "source ./_fugu", cwd=fugu.folder)
    script = "autoload -Uz compinit; compinit -u -D; source ./_fugu; print ${_comps[fugu]}"
    assert run("zsh", "-f", "-c", script, cwd=fugu.folder) == "_fugu\n"


@needs("fish")
def test_fish(fugu):
    fugu.write("fugu.fish", fugu.ok("completion", "fish"))
    script = 'source ./fugu.fish; complete -C "fugu calibrate --method e"; complete -C "fugu c"; complete -C "fugu model r"; complete -C "fugu model rate --with"'
    words = [line.split("\t")[0] for line in run("fish", "-N", "-c", script, cwd=fugu.folder).splitlines()]
    assert words == ["exact", "calibrate", "compare", "completion", "compose", "rate", "--within"]
