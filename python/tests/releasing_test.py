"""What is drawn is what was proved, and long work behaves."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import fugu
import numpy as np
import pandas as pd
import pytest
from tables import PEOPLE


def numbers(rows, seed=1):
    random = np.random.default_rng(seed)
    secret = random.integers(0, 2, rows)
    return pd.DataFrame({"s": np.where(secret == 1, "A", "B"), "v": random.binomial(20, 0.4 + 0.1 * secret)})


def law_of(plan, reach):
    """The probabilities of -reach … reach by the plan's own integers, and what lies beyond."""
    mechanism = plan.to_dict()["mechanism"]
    assert mechanism["reach"] == 0 and mechanism["weights"] == ["1"]
    ratio = int(mechanism["tail"]["numerator"]) / 2 ** mechanism["tail"]["log2_denominator"]
    inside = (1 - ratio) / (1 + ratio) * ratio ** np.abs(np.arange(-reach, reach + 1))
    return np.append(inside, 1 - inside.sum())


def chi_square(drawn, law, reach):
    seen = np.array([(drawn == z).sum() for z in range(-reach, reach + 1)] + [(np.abs(drawn) > reach).sum()])
    expected = law * len(drawn)
    return float(((seen - expected) ** 2 / expected).sum())


def test_the_noise_that_is_drawn_is_the_noise_that_was_proved():
    table = numbers(200_000)
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="s", public="v"), epsilon=0.3, method="exact")
    drawn = (plan.release(table["v"]) - table["v"]).to_numpy()
    # 12 degrees of freedom: a right sampler exceeds 48 once in 300,000 runs.
    assert chi_square(drawn, law_of(plan, 6), 6) < 48
    wrong = fugu.calibrate(fugu.Scenario.from_table(table, secret="s", public="v"), epsilon=0.33, method="exact")
    assert chi_square(drawn, law_of(wrong, 6), 6) > 48, "noise of another size is told apart"
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.02
    again = (plan.release(table["v"]) - table["v"]).to_numpy()
    assert (drawn != again).mean() > 0.3, "each call draws anew"


def test_a_releaser_holds_no_counts():
    table = numbers(5000)
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="s", public="v", missing="drop"), epsilon=0.3, method="exact")
    pickled = pickle.dumps(plan.releaser())
    for count in set(json.loads(plan.to_json())["scenario"]["priors"][0]["given"]["A"]["mass"]):
        if count > 100:
            assert str(count).encode() not in pickled
    assert b'"secret":[]' in pickled and b'"s"' not in pickled
    for word in (b'"A"', b"prior", b"epsilon", b"empirical"):
        assert word not in pickled
    released = pickle.loads(pickled).release(table["v"])
    assert len(released) == 5000 and released.dtype == "int64"
    assert len(pickle.loads(pickled).release(table["v"].astype("Int64").mask(table["v"] == 8))) < 5000
    with pytest.raises(fugu.UsageError, match="one column"):
        plan.releaser().release(table)


def test_a_plan_that_was_changed_releases_nothing():
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.02, method="exact")
    said = plan.to_dict()
    said["mechanism"]["tail"]["numerator"] = str(int(said["mechanism"]["tail"]["numerator"]) // 2)
    with pytest.raises(fugu.GuaranteeError):
        fugu.Plan.from_json(json.dumps(said)).release(PEOPLE)


def test_progress_is_told_and_may_stop_the_work():
    told = []
    table = numbers(300_000)
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="s", public="v"), epsilon=0.3)
    scenario = fugu.Scenario.from_table(table, secret="s", public="v", progress=lambda f, w: told.append((f, w)))
    assert all(0 <= fraction <= 1 and words for fraction, words in told)

    class Enough(Exception):
        pass

    def stop(fraction, words):
        raise Enough

    with pytest.raises(Enough):
        fugu.calibrate(_slow(), epsilon=1, method="channel", progress=stop)
    assert fugu.calibrate(scenario, epsilon=0.3).to_json() == plan.to_json()


def _slow():
    """A question whose best channel takes long."""
    random = np.random.default_rng(3)
    laws = {name: {int(v): int(random.integers(1, 1000)) for v in range(400)} for name in "ABCDEFGHIJ"}
    return fugu.Scenario(laws)


def test_control_c_stops_long_work():
    code = (
        "import fugu, numpy as np, sys, time\n"
        "random = np.random.default_rng(3)\n"
        "laws = {n: {int(v): int(random.integers(1, 1000)) for v in range(400)} for n in 'ABCDEFGHIJ'}\n"
        "scenario = fugu.Scenario(laws)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    fugu.calibrate(scenario, epsilon=1, method='channel', time_limit=600)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=120)[0] == "stopped\n"


def test_other_threads_run_meanwhile():
    """The lock is not held: another thread counts while the core works."""
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    fugu.calibrate(_slow(), epsilon=1, method="channel", time_limit=2)
    ended = time.monotonic()
    done.set()
    thread.join()
    inside = [t for t in ticks if began < t < ended]
    assert len(inside) > 20
    assert max(b - a for a, b in zip(inside, inside[1:])) < ended - began


def test_threads_release_side_by_side():
    table = numbers(100_000)
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="s", public="v"), epsilon=0.3)
    results = [None] * 4

    def work(k):
        results[k] = plan.release(table["v"])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(released) == len(table) for released in results)
    assert not results[0].equals(results[1])


def test_a_child_process_draws_its_own_noise():
    table = numbers(1000)
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="s", public="v"), epsilon=0.3)
    code = (
        "import fugu, os, sys, json\n"
        "plan = fugu.Plan.from_json(open(sys.argv[1]).read())\n"
        "values = json.loads(sys.argv[2])\n"
        "plan.releaser().release(values)\n"
        "out = []\n"
        "for k in range(2):\n"
        "    r, w = os.pipe()\n"
        "    if os.fork() == 0:\n"
        "        os.write(w, json.dumps(plan.releaser().release(values)).encode()); os._exit(0)\n"
        "    os.wait()\n"
        "    out.append(os.read(r, 60000))\n"
        "print(out[0] != out[1])\n"
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        plan.save(os.path.join(folder, "plan.json"))
        done = subprocess.run([sys.executable, "-c", code, os.path.join(folder, "plan.json"), json.dumps(table["v"].tolist())],
                              capture_output=True, text=True, timeout=120)
    assert done.stdout == "True\n", done.stderr


def test_a_thread_that_releases_does_not_disturb_the_end():
    code = (
        "import fugu, threading, time\n"
        "plan = fugu.calibrate(fugu.Scenario({'a': {0: 1, 1: 2}, 'b': {0: 2, 1: 1}}), epsilon=0.1)\n"
        "work = lambda: [plan.release([0] * 300_000, new_data=True) for _ in range(500)]\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.5)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


CALLS = """
import os, fugu

def size():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

plan = fugu.calibrate(fugu.Scenario({"a": {0: 1, 1: 2}, "b": {0: 2, 1: 1}}), epsilon=0.1)
for _ in range(300):
    plan.verify()
before = size()
for _ in range(2000):
    plan.verify()
print(size() - before)
"""


def test_calls_leave_no_memory_behind():
    """In a process of its own: in this one other tests' threads and garbage come and go."""
    done = subprocess.run([sys.executable, "-I", "-c", CALLS], check=True, capture_output=True, text=True)
    assert int(done.stdout) < 1 << 20, "less than half a kilobyte a call"
