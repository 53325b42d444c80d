"""Clients of the studio, all at once: how long a recalculation takes, and whether anything breaks.

Each client is a page that moves epsilon: compare, then calibrate, again and again, with a linear programme now and then
which the next move cancels. Beside them are connections that never finish a head or a body, and bodies that are too
large. Only the studio that is started here is asked, on the loopback address.

    load.py BUILD [--clients 20] [--seconds 60] [--rows 0] [--check] [--json FILE]

--rows N asks about a made-up table of N rows in place of the Adult-like demo table. --check fails when the median
recalculation takes a second or more.
"""
import collections
import http.client
import json
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, parser_of  # noqa: E402


class Studio:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "studio", "--no-browser"], cwd=folder, stdout=subprocess.PIPE, text=True)
        parts = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.port = parts.port
        self.origin = f"http://127.0.0.1:{self.port}"
        self.root = parts.path.rstrip("/")

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, connection, method, path, body=None, kind="application/json"):
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        connection.request(method, self.root + path, data, {"Origin": self.origin, "Content-Type": kind})
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    def work(self, connection, kind, request):
        """The end of the work, or the status that refused it."""
        status, view = self.ask(connection, "POST", f"/api/{kind}", request)
        while status == 200 and view["state"] in ("waiting", "running"):
            status, view = self.ask(connection, "GET", f"/api/jobs/{view['job']}")
        return view["state"] if status == 200 else status


class Load:
    def __init__(self, studio, table, seconds):
        self.studio, self.table = studio, table
        self.end = time.monotonic() + seconds
        self.times = collections.defaultdict(list)
        self.outcomes = collections.Counter()
        self.cut_off = collections.Counter()
        self.lock = threading.Lock()

    def note(self, kind, seconds, outcome):
        with self.lock:
            self.times[kind].append(seconds)
            self.outcomes[f"{kind}: {outcome}"] += 1

    def client(self, number):
        """A page whose slider moves."""
        choice = random.Random(number)
        connection = self.studio.connect()
        while time.monotonic() < self.end:
            question = {"secret": "race", "public": "occupation", "epsilon": f"{choice.uniform(0.05, 3):.3g}"}
            request = {"table": self.table, "page": f"client {number}", "question": question, "plan": {}}
            for kind in ("compare", "calibrate"):
                begin = time.monotonic()
                outcome = self.studio.work(connection, kind, request)
                self.note(kind, time.monotonic() - begin, outcome)
            if choice.random() < 0.1:
                status, _ = self.studio.ask(connection, "POST", "/api/optima", request)
                self.note("optima begun", 0, status)
            time.sleep(choice.uniform(0, 0.1))  # nobody moves a slider faster
        connection.close()

    def slow(self, body):
        """A request that never comes to its end: the studio must close it."""
        head = f"POST {self.studio.root}/api/table HTTP/1.1" if body else "GET / HTTP/1.1"
        more = f"Origin: {self.studio.origin}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n" if body else "X-Slow: "
        with socket.create_connection(("127.0.0.1", self.studio.port), timeout=1) as connection:
            connection.sendall(f"{head}\r\nHost: 127.0.0.1:{self.studio.port}\r\n{more}".encode())
            while True:
                try:
                    connection.sendall(b"x")
                    if connection.recv(1000) is not None:
                        break
                except socket.timeout:
                    continue
                except OSError:
                    break
        with self.lock:
            self.cut_off["slow body" if body else "slow head"] += 1

    def large(self):
        connection = self.studio.connect()
        try:
            status, _ = self.studio.ask(connection, "POST", "/api/table", b"x" * ((1 << 20) + 1))
        except (OSError, ValueError, http.client.HTTPException):
            status = 413  # an empty answer, or the connection closed under what was still being sent
        with self.lock:
            self.cut_off[f"too large: {status}"] += 1

    def run(self, clients):
        threads = [threading.Thread(target=self.client, args=(number,)) for number in range(clients)]
        threads += [threading.Thread(target=self.slow, args=(body,)) for body in (False, True) for _ in range(3)]
        threads += [threading.Thread(target=self.large) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def demo_table(program, folder):
    subprocess.run([program, "demo"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return (pathlib.Path(folder) / "fugu-demo" / "adult-occupation.csv").read_bytes()


def made_table(rows):
    choice = random.Random(1)
    jobs = [f"job-{k:02}" for k in range(14)]
    lines = [f"{'a' if choice.random() < 0.9 else 'b'},{jobs[min(13, int(choice.expovariate(0.25)))]}" for _ in range(rows)]
    return ("race,occupation\n" + "\n".join(lines) + "\n").encode()


def measure(program, clients, seconds, rows):
    with tempfile.TemporaryDirectory() as folder:
        data = made_table(rows) if rows else demo_table(program, folder)
        studio = Studio(program, folder)
        try:
            connection = studio.connect()
            begin = time.monotonic()
            _, opened = studio.ask(connection, "POST", "/api/upload?name=t.csv", data, "application/octet-stream")
            upload = time.monotonic() - begin
            request = {"table": opened["table"], "page": "first", "question": {"secret": "race", "public": "occupation", "epsilon": "0.5"}, "plan": {}}
            single = {}
            for kind in ("inspect", "compare", "calibrate"):
                begin = time.monotonic()
                assert studio.work(connection, kind, request) == "done"
                single[kind] = time.monotonic() - begin
            connection.close()
            load = Load(studio, opened["table"], seconds)
            load.run(clients)
            assert studio.process.poll() is None, "the studio ended"
            connection = studio.connect()
            assert studio.work(connection, "compare", request) == "done", "the studio answers no more"
        finally:
            studio.process.terminate()
            ended = studio.process.wait(timeout=30)
    return {"clients": clients, "seconds": seconds, "rows": data.count(b"\n") - 1, "exit": ended, "upload_seconds": upload,
            "first_seconds": single, "outcomes": dict(load.outcomes), "cut_off": dict(load.cut_off),
            "times": {kind: {"count": len(times), "median": statistics.median(times), "p95": sorted(times)[int(0.95 * len(times))], "max": max(times)}
                      for kind, times in load.times.items() if kind != "optima begun"}}


def main():
    parser = parser_of("clients of the studio, all at once")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rows", type=int, default=0)
    options = parser.parse_args()
    result = measure(str((options.build / "fugu").resolve()), options.clients, options.seconds, options.rows)
    print(f"studio: {result['clients']} clients for {result['seconds']:g} s, a table of {result['rows']:,} rows")
    print(f"  alone: taken in {1000 * result['upload_seconds']:.0f} ms, " + ", ".join(f"{kind} {1000 * s:.0f} ms" for kind, s in result["first_seconds"].items()))
    for kind, times in result["times"].items():
        print(f"  {kind:10} {times['count']:6} times: median {1000 * times['median']:.0f} ms, 95 % within {1000 * times['p95']:.0f} ms, longest {1000 * times['max']:.0f} ms")
    print("  " + ", ".join(f"{what} {count}" for what, count in sorted(result["outcomes"].items())))
    print("  cut off: " + ", ".join(f"{what} {count}" for what, count in sorted(result["cut_off"].items())))
    finish(options, result, ["the median recalculation within a second"] if result["times"]["compare"]["median"] >= 1 else [])


if __name__ == "__main__":
    main()
