"""A private PostgreSQL cluster in a temporary folder: a Unix socket there and no other address; no system service.

postgres_cluster.py start FILE    starts one and writes where it is to FILE
postgres_cluster.py stop FILE     stops it and removes it

As root the server runs as the user postgres, which Debian's package makes: PostgreSQL refuses root.
"""
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile

PASSWORD = "correct horse/battery:staple@home"
ACCESS = """local all keeper scram-sha-256
local all all trust
"""


def programs():
    """The newest server's, where Debian or the PATH has them."""
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if folders:
        return folders[-1]
    found = shutil.which("initdb")
    return pathlib.Path(found).parent if found else None


class Cluster:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"

    @staticmethod
    def start(settings=""):
        cluster = Cluster(tempfile.mkdtemp(prefix="fugu-pg-", dir="/tmp"))
        if os.getuid() == 0:
            shutil.chown(cluster.folder, "postgres", "postgres")
        cluster._run("initdb", "--no-sync", "-A", "trust", "-U", "owner", "-E", "UTF8", "--locale=C.UTF-8",
                     "-D", cluster.data)
        (cluster.data / "pg_hba.conf").write_text(ACCESS)
        with (cluster.data / "postgresql.conf").open("a") as file:
            file.write(f"listen_addresses = ''\nunix_socket_directories = '{cluster.folder}'\nfsync = off\n"
                       f"max_connections = 50\nlog_min_messages = fatal\n{settings}\n")
        cluster.up()
        cluster.sql(f"CREATE ROLE keeper LOGIN PASSWORD '{PASSWORD}'; CREATE ROLE guest LOGIN;")
        return cluster

    def up(self):
        self._run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "start")

    def stop(self, mode="fast"):
        self._run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def remove(self):
        try:
            self.stop("immediate")
        except RuntimeError:
            pass  # it was down
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, user="owner", database="postgres", password=None):
        from urllib.parse import quote
        secret = "" if password is None else ":" + quote(password, safe="")
        return f"postgresql://{user}{secret}@/{database}?host={self.folder}"

    def sql(self, text, user="owner", database="postgres", stdin=None):
        """Runs it by psql; the rows, fields parted by |."""
        done = subprocess.run(["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", self.url(user, database),
                               *(["-f", "-"] if stdin is None else ["-c", text])],
                              input=text if stdin is None else stdin, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.splitlines()

    def _run(self, program, *arguments):
        how = {}
        if os.getuid() == 0:
            entry = pwd.getpwnam("postgres")
            how = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": os.getgrouplist("postgres", entry.pw_gid)}
        # Files, not pipes: the server would hold a pipe open.
        with tempfile.TemporaryFile() as said:
            done = subprocess.run([programs() / program, *map(str, arguments)], cwd="/", stdin=subprocess.DEVNULL,
                                  stdout=said, stderr=said, timeout=120, **how)
            if done.returncode != 0:
                said.seek(0)
                raise RuntimeError(f"{program}: {said.read().decode()}")


def main():
    command, file = sys.argv[1], pathlib.Path(sys.argv[2])
    if command == "start":
        if file.exists():  # of a run that was killed
            Cluster(json.loads(file.read_text())["folder"]).remove()
            file.unlink()
        cluster = Cluster.start()
        file.write_text(json.dumps({"folder": str(cluster.folder)}))
    elif file.exists():
        Cluster(json.loads(file.read_text())["folder"]).remove()
        file.unlink()


if __name__ == "__main__":
    main()
