"""Runs the real studio and talks to it as a browser would, or as one would not."""
import http.client
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import schemas
PROGRAM = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
ADULT = ROOT.parent / "shared" / "data" / "adult" / "adult.data"

GRADES = "union,grade\n" + "".join(f"{union},{grade}\n" for union, grades in
                                   [("yes", [3, 4, 5, 6, 3, 4, 5]), ("no", [4, 5, 6, 7, 4, 5, 6])]
                                   for grade in grades)


def slow_table():
    """A column on which the linear programmes take long."""
    return "s,x\n" + "".join(f"{s},{(x * 7919) % 1201}\n" for s in "ab" for x in range(900 if s == "a" else 700))


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        return self.headers.get(name)

    @property
    def json(self):
        return json.loads(self.body)


class Studio:
    """One run of `fugu studio` in a folder."""

    def __init__(self, folder, *arguments, environment=None, start_new_session=False):
        self.folder = folder
        self.process = subprocess.Popen([PROGRAM, "studio", *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **(environment or {})}, start_new_session=start_new_session)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), (self.address, self.process.stderr.read())
        parts = urllib.parse.urlsplit(self.address)
        self.port = parts.port
        self.root = parts.path
        self.token = parts.path.split("/")[2]

    def ask(self, method, path, body=None, headers=None, inside=True, timeout=60):
        """One request with the headers of the page, which `headers` adds to, replaces, or with None leaves out. The path is
        beneath the token, or with `inside` off as it stands."""
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if method != "GET":
            sent["Origin"] = f"http://127.0.0.1:{self.port}"
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.putrequest(method, self.root + path[1:] if inside else path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            data = body.encode() if isinstance(body, str) else body
            if data is not None and "Content-Length" not in sent:
                connection.putheader("Content-Length", str(len(data)))
            elif method == "POST" and data is None and "Content-Length" not in sent:
                connection.putheader("Content-Length", "0")
            connection.endheaders(data)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def open(self, name):
        answer = self.ask("POST", "/api/table", {"name": str(name)})
        assert answer.status == 200, answer.body
        return answer.json["table"]

    def upload(self, text, name="people.csv"):
        answer = self.ask("POST", f"/api/upload?name={urllib.parse.quote(name)}", text if isinstance(text, bytes) else text.encode(),
                          {"Content-Type": "application/octet-stream"})
        assert answer.status == 200, answer.body
        return answer.json["table"]

    def finished(self, view):
        while view["state"] in ("waiting", "running"):
            view = self.ask("GET", f"/api/jobs/{view['job']}").json
        return view

    def digest(self, table, question, plan=None):
        """Of the plan that the page would show; of none where there is no plan."""
        view = self.work("calibrate", table, question, plan)
        return view["result"]["digest"] if view["state"] == "done" else "none"

    def work(self, kind, table, question, plan=None, **more):
        if kind == "release" and "digest" not in more:
            more["digest"] = self.digest(table, question, plan)
        answer = self.ask("POST", f"/api/{kind}", {"table": table, "question": question, "plan": plan or {}, **more})
        assert answer.status == 200, answer.body
        return self.finished(answer.json)

    def done(self, *arguments, **more):
        before = schemas.state(self.folder)
        view = self.work(*arguments, **more)
        assert view["state"] == "done", view
        schemas.hold_new(before, self.folder)
        return view["result"]

    def wrong(self, *arguments, **more):
        view = self.work(*arguments, **more)
        assert view["state"] == "failed", view
        return view["error"]

    def download(self, file):
        answer = self.ask("GET", f"/api/file/{file['id']}")
        assert answer.status == 200, answer.body
        if answer.header("Content-Type") == "application/json" and (kind := schemas.kind_of(answer.json)):
            assert schemas.wrong_with(answer.json, kind) == "", f"{file['name']} is not as its schema says"
        return answer

    def alive(self):
        return self.process.poll() is None

    def ended(self, seconds=20):
        """Its exit status, once it has ended."""
        return self.process.wait(timeout=seconds)

    def stop(self):
        if self.alive():
            self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture
def start(tmp_path):
    """Starts studios in a fresh folder and stops them at the end."""
    running = []

    def begin(*arguments, **more):
        studio = Studio(tmp_path, "--no-browser", *arguments, **more)
        running.append(studio)
        return studio

    yield begin
    for studio in running:
        studio.stop()


@pytest.fixture
def studio(start, tmp_path):
    """One with a small table."""
    (tmp_path / "grades.csv").write_text(GRADES)
    return start("grades.csv")


def fugu(folder, *arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def until(condition, seconds=20):
    """Whether it comes true within the time; a limit for hanging, not a measurement."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()
