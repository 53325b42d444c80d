"""The wheel for Debian's Python, in a virtual environment of a Debian that has Python and nothing else."""

from machine import artefact
from three_commands import TABLE, check_released

SCRIPT = f"""
import fugu, json
scenario = fugu.Scenario.from_table({TABLE!r}, secret="race", public="occupation")
fugu.calibrate(scenario, epsilon=0.5).save("plan.json")
fugu.Plan.load("plan.json").verify()
job = fugu.Job(table={{"file": {TABLE!r}}}, columns={{"race": {{"role": "secret"}}, "occupation": {{"role": "public"}}}},
               budget={{"epsilon": 0.5}}, outputs={{"release": "out.csv"}})
job.run()
print(json.dumps(fugu.estimate("out.csv")))
"""


def test_the_three_commands_from_python(machine, demo, plan):
    debian = machine("python", "python3-venv")
    debian.run("mkdir", "-p", "fugu-demo")
    debian.write(TABLE, (demo / "adult-occupation.csv").read_text())
    debian.run("python3", "-m", "venv", "/opt/venv")
    debian.run("/opt/venv/bin/pip", "install", "--quiet", "--no-index", f"/mnt/{artefact('*-cp311-*.whl').name}")
    said = debian.run("/opt/venv/bin/python", "-c", SCRIPT)
    assert "Adm-clerical" in said
    check_released(debian.read("out.csv"))
    assert debian.read("plan.json") == plan
