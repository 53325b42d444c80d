"""A real PostgreSQL that fails, changes and is shared: passwords, rights, signals, shutdowns, a full disk, other writers."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import pytest

from conftest import PROGRAM, fresh_database
from postgres_cluster import PASSWORD, Cluster
from postgres_test import FLAGS, even

pytestmark = pytest.mark.usefixtures("few_people")


def test_a_password_is_seen_nowhere(fugu, postgres):
    postgres.sql("CREATE TABLE t (s text, x int); INSERT INTO t SELECT CASE WHEN k % 3 = 0 THEN 'a' ELSE 'b' END, k % 2 FROM "
                 "generate_series(1, 300) k; GRANT SELECT ON t TO keeper; GRANT CREATE ON SCHEMA public TO keeper")
    url = postgres.url_for("keeper", PASSWORD)
    slow = "SELECT t.* FROM t WHERE pg_sleep(0.01) IS NOT NULL"
    process = subprocess.Popen([PROGRAM, "release", url, "--query", slow, *FLAGS, "--into", "out", "--ledger", "budget.db",
                                "--dataset", "d", "--budget", "1"], cwd=fugu.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    words = [PASSWORD, PASSWORD.split("/")[1], "horse", "battery", "staple"]
    seen = set()
    while process.poll() is None:
        if postgres.sessions():  # it has connected, so it has begun
            with open(f"/proc/{process.pid}/cmdline", "rb") as file:
                seen.add(file.read().decode(errors="replace"))
        time.sleep(0.05)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert seen and all("keeper" in line and "release" in line for line in seen if line)
    texts = [*seen, out.decode(), err.decode()] + [path.read_bytes().decode(errors="replace")
                                                  for path in fugu.folder.iterdir()]
    assert len(texts) >= 5 and not any(word in text for word in words for text in texts)
    # The ledger knows the place and the table.
    assert " out" in fugu.ok("ledger", "show", "--ledger", "budget.db")
    for password in ("wrong" + PASSWORD, None):
        err = fugu.fails(5, "calibrate", postgres.url_for("keeper", password), "--table", "t", *FLAGS, says="password",
                         PGPASSFILE="/nowhere")
        assert not any(word in err for word in words)
    fugu.ok("calibrate", postgres.url_for("keeper"), "--table", "t", *FLAGS, PGPASSWORD=PASSWORD)
    passfile = fugu.write("pgpass", f"*:*:*:keeper:{PASSWORD.replace(':', chr(92) + ':')}\n")
    passfile.chmod(0o600)
    fugu.ok("calibrate", postgres.url_for("keeper"), "--table", "t", *FLAGS, PGPASSFILE=str(passfile))


def test_missing_rights_leave_nothing_behind(fugu, postgres):
    postgres.sql(f"CREATE TABLE t (s text, x int); INSERT INTO t VALUES {even([1])}; CREATE TABLE open (s text, x int);"
                 f"INSERT INTO open VALUES {even([1])}; GRANT SELECT ON open TO guest")
    before = postgres.tables()
    guest = postgres.url_for("guest")
    fugu.fails(5, "calibrate", guest, "--table", "t", *FLAGS, says="permission denied")
    fugu.fails(5, "release", guest, "--table", "open", *FLAGS, "--into", "out", says="permission denied")
    fugu.fails(5, "calibrate", postgres.url_for("nobody_here"), "--table", "t", *FLAGS, says="nobody_here")
    fugu.fails(5, "calibrate", "postgresql:///x?host=/nowhere", "--table", "t", *FLAGS, says="postgresql:///nowhere/x")
    assert postgres.tables() == before
    fugu.ok("release", guest, "--table", "open", *FLAGS, "-o", "out.csv")


def slow_release(fugu, database, seconds):
    """A release that lasts that long, in the state in which it writes to the new table."""
    database.sql("CREATE TABLE IF NOT EXISTS t (s text, x int); INSERT INTO t SELECT s, 1 FROM unnest(ARRAY['a', 'b']) s, "
                 "generate_series(1, 50)")
    fugu.ok("calibrate", database.url, "--table", "t", *FLAGS, "-o", "plan.json", "--force")
    query = f"SELECT t.* FROM t WHERE pg_sleep({seconds / 100}) IS NOT NULL"
    process = subprocess.Popen([PROGRAM, "release", database.url, "--query", query, "--plan", "plan.json", "--new-data", "--into",
                                "out"], cwd=fugu.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(process, lambda: any("FROM STDIN" in line for line in database.sessions()))
    return process


def wait_for(process, reached):
    for _ in range(1000):
        if reached():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.kill()
    raise AssertionError("it never came to that")


def wait_for_the_end_of(database):
    for _ in range(1000):
        if not database.sessions():
            return
        time.sleep(0.05)
    raise AssertionError(database.sessions())


def check_failed(fugu, process, status, says=()):
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, (process.returncode, err)
    lines = err.decode().splitlines()
    assert out == b"" and len(lines) == 2 and lines[0].startswith("fugu: ") and lines[1].startswith("hint: "), err
    for text in [says] if isinstance(says, str) else says:
        assert text in lines[0]
    assert sorted(path.name for path in fugu.folder.iterdir()) == ["plan.json"]


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_stops_the_server_and_leaves_nothing(fugu, postgres, signal_number):
    process = slow_release(fugu, postgres, 300)
    process.send_signal(signal_number)
    if signal_number == signal.SIGKILL:
        process.communicate()
    else:
        check_failed(fugu, process, 128 + signal_number, "stopped")
    wait_for_the_end_of(postgres)
    assert postgres.tables() == ["public.t"]


def test_a_signal_stops_the_counting_too(fugu, postgres):
    postgres.sql("CREATE TABLE t (s text, x int); INSERT INTO t VALUES ('a', 1)")
    for command in ("calibrate", "compare", "inspect"):
        flags = FLAGS if command != "inspect" else []
        process = subprocess.Popen([PROGRAM, command, postgres.url, "--query", "SELECT t.* FROM t, pg_sleep(300)", *flags],
                                   cwd=fugu.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(process, lambda: any("pg_sleep" in line and line.startswith("active") for line in postgres.sessions()))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130 and out == b"", err
        wait_for_the_end_of(postgres)


def test_a_connection_that_is_cut(fugu, postgres):
    # The writer's loss is felt when rows come.
    for which, seconds in (("FROM STDIN", 3), ("TO STDOUT", 300)):
        process = slow_release(fugu, postgres, seconds)
        postgres.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fugu' AND query LIKE "
                     f"'%{which}%' AND datname = current_database()")
        check_failed(fugu, process, 5)
        assert postgres.tables() == ["public.t"]


@pytest.fixture
def own_cluster():
    cluster = Cluster.start()
    yield cluster
    cluster.remove()


def test_a_server_that_is_shut_down_in_the_middle(fugu, own_cluster):
    database = fresh_database(own_cluster)
    for mode in ("immediate", "fast"):
        process = slow_release(fugu, database, 300)
        own_cluster.stop(mode)
        check_failed(fugu, process, 5)
        own_cluster.up()
        assert database.tables() == ["public.t"]


def test_a_full_disk_in_the_server(fugu):
    if os.getuid() != 0:
        pytest.skip("only root can make a small disk")
    small = pathlib.Path(tempfile.mkdtemp(prefix="fugu-small-"))  # tests that run beside this one close pytest's folders
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4M", "tmpfs", small], capture_output=True).returncode != 0:
        pytest.skip("no small disk can be mounted here")
    cluster = None
    try:
        subprocess.run(["chown", "postgres:", small], check=True)
        small.chmod(0o700)
        cluster = Cluster.start()
        cluster.sql(f"CREATE TABLESPACE small LOCATION '{small}'")
        query = "SELECT s, k % 7 AS x FROM unnest(ARRAY['a', 'b']) s, generate_series(1, 300000) k"
        fugu.fails(5, "release", cluster.url(), "--query", query, *FLAGS, "--into", "out", "--ledger", "budget.db", "--dataset",
                   "d", "--budget", "1", PGOPTIONS="-c default_tablespace=small", says=["space", "make room"])
        assert cluster.sql("SELECT count(*) FROM pg_class WHERE relname = 'out'") == ["0"]
        fugu.ok("release", cluster.url(), "--query", query, *FLAGS, "--into", "out")
    finally:
        if cluster:
            cluster.remove()
        subprocess.run(["umount", small])
        small.rmdir()


def test_a_table_that_changes_all_the_time_is_seen_at_one_moment(fugu, postgres):
    """Each transaction adds a value to both secrets: at every moment no noise is needed, between two moments it would be."""
    postgres.sql("CREATE TABLE t (s text, x int); INSERT INTO t SELECT s, k % 5 FROM unnest(ARRAY['a', 'b']) s, "
                 "generate_series(1, 1000) k; CREATE TABLE stop (x int)")
    postgres.sql("""CREATE PROCEDURE write() LANGUAGE plpgsql AS $$ DECLARE k int := 0; BEGIN
        LOOP
          INSERT INTO t VALUES ('a', k % 5), ('b', k % 5); COMMIT;
          UPDATE t SET x = (k + 1) % 5 WHERE x = k % 5 AND ctid IN (SELECT min(ctid) FROM t WHERE x = k % 5 GROUP BY s); COMMIT;
          k := k + 1; EXIT WHEN EXISTS (SELECT FROM stop);
        END LOOP; END $$""")
    writer = subprocess.Popen(["psql", "-X", "-q", "-d", postgres.url, "-c", "CALL write()"], stderr=subprocess.PIPE)
    try:
        totals = []
        for round in range(4):
            fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "--into", f"out{round}")
            plan = json.loads((fugu.folder / f"out{round}.plan.json").read_text())
            assert plan["mechanism"]["scale"] == 0
            given = plan["scenario"]["priors"][0]["given"]
            counts = {value: mass for value, mass in zip(given["a"]["values"], given["a"]["mass"])}
            assert given["a"] == given["b"]
            found = dict(map(int, row.split("|")) for row in postgres.sql(f"SELECT x, count(*) FROM out{round} GROUP BY 1"))
            assert found == {value: 2 * int(count) for value, count in counts.items()}
            totals.append(sum(found.values()))
        assert totals == sorted(set(totals)) and writer.poll() is None  # it did change meanwhile
    finally:
        postgres.sql("INSERT INTO stop VALUES (1)")
        assert writer.wait(60) == 0, writer.stderr.read()


def test_two_releases_at_once(fugu, postgres):
    postgres.sql(f"CREATE TABLE t (s text, x int); INSERT INTO t VALUES {even(range(50))}")
    start = lambda folder, into, *more: subprocess.Popen(
        [PROGRAM, "release", postgres.url, "--query", "SELECT t.* FROM t WHERE pg_sleep(0.01) IS NOT NULL", *FLAGS, "--into", into,
         *more], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    folders = [fugu.folder / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    both = [start(folder, folder.name) for folder in folders]
    assert [process.wait(60) for process in both] == [0, 0]
    assert postgres.sql("SELECT * FROM one EXCEPT ALL SELECT * FROM two") == []
    same = [start(folder, "same") for folder in folders]
    assert sorted(process.wait(60) for process in same) == [0, 2]
    assert postgres.sql("SELECT count(*) FROM same") == ["100"]
    forced = [start(folder, "same", "--force") for folder in folders]
    assert [process.wait(60) for process in forced] == [0, 0], [process.stderr.read() for process in forced]
    assert postgres.sql("SELECT count(*) FROM same") == ["100"] and len(postgres.tables()) == 4
