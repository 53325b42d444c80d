"""The studio is closed by default: one test for each door."""
import os
import pathlib
import pwd
import socket
import subprocess
import sys
import time

import pytest

from conftest import GRADES, until

QUESTION = {"secret": "union", "public": "grade", "epsilon": "0.5"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")


def listening(port):
    """The addresses, in hexadecimal, that listen on the port."""
    found = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in pathlib.Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            address, at = fields[1].split(":")
            if int(at, 16) == port and fields[3] == "0A":
                found.append(address)
    return found


# ---------------------------------------------------------------- who may ask

def test_it_listens_on_the_loopback_address_alone(studio):
    assert listening(studio.port) == ["0100007F"]


def test_the_address_holds_the_token_and_no_cookie_is_set(studio):
    assert len(studio.token) == 64 and studio.address == f"http://127.0.0.1:{studio.port}/s/{studio.token}/"
    for path in ["/", "/studio.js", "/api/session"]:
        for _ in range(2):  # the page may be loaded again
            answer = studio.ask("GET", path)
            assert answer.status == 200 and answer.header("Set-Cookie") is None
            assert studio.token.encode() not in answer.body


def test_a_file_may_lead_the_browser_here(studio):
    assert studio.ask("GET", "/", headers={"Sec-Fetch-Site": "cross-site"}).status == 200
    assert studio.ask("GET", "/api/session", headers={"Sec-Fetch-Site": "cross-site"}).status == 403


def test_the_token_is_in_no_log_and_in_no_file_but_the_one_that_opens_the_browser(start, tmp_path):
    place = tmp_path / "temporary"
    place.mkdir()
    studio = start(environment={"TMPDIR": str(place)})
    table = studio.upload(GRADES)
    studio.done("release", table, QUESTION, output="out.csv")
    studio.wrong("compare", table, {**QUESTION, "epsilon": "-1"})
    studio.ask("GET", "/nothing")
    studio.ask("GET", "/" + "a" * 3000)
    studio.ask("POST", "/api/compare", "{", {"Content-Type": "application/json"})
    studio.ask("GET", "/", headers={"Host": "evil.example"})
    holding = [path.name for path in tmp_path.rglob("*") if path.is_file() and studio.token.encode() in path.read_bytes()]
    assert holding == ["open.html"]
    command = pathlib.Path(f"/proc/{studio.process.pid}/cmdline").read_bytes()
    studio.process.terminate()
    said, complained = studio.process.communicate(timeout=20)
    assert studio.token not in said + complained and studio.token.encode() not in command


@pytest.mark.parametrize("method,path", [
    ("GET", "/"), ("GET", "/studio.js"), ("GET", "/studio.css"), ("GET", "/api/session"), ("GET", "/api/jobs/1"),
    ("GET", "/api/file/f1"), ("POST", "/api/table"), ("POST", "/api/upload"), ("POST", "/api/compare"),
    ("POST", "/api/release"), ("DELETE", "/api/jobs/1"), ("GET", "/nothing")])
def test_nothing_is_answered_without_the_token(studio, method, path):
    token = studio.token
    others = [path, "/s" + path, f"/s/{path}", f"/s/{'0' * 64}{path}", f"/s/{token[:-1]}{path}", f"/s/{token}0{path}",
              f"/s/{token.upper()}x{path}", f"//s/{token}{path}", f"{path}?token={token}", f"/S/{token}{path}"]
    for other in others:
        for headers in [{}, {"Cookie": f"fugu-studio-{studio.port}={token}"}, {"Referer": studio.address}]:
            answer = studio.ask(method, other, {} if method == "POST" else None, headers, inside=False)
            assert answer.status == 403, other
            assert b"grades" not in answer.body and answer.header("Set-Cookie") is None


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost",
                                  "localhost:{port}.evil.example", "[::1]:{port}", "", None])
def test_another_host_is_refused(studio, host):
    name = host.format(port=studio.port) if host else host
    for path in ["/", "/api/session"]:
        assert studio.ask("GET", path, headers={"Host": name}).status in (400, 403)
    assert studio.ask("GET", "/api/session", headers={"Host": f"localhost:{studio.port}"}).status == 200


def test_two_hosts_are_refused(studio):
    request = f"GET {studio.root} HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nHost: evil.example\r\n\r\n"
    assert raw(studio, request.encode()).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1",
                                    "http://localhost:{port}", None])
def test_another_origin_is_refused_for_what_changes_something(studio, origin):
    name = origin.format(port=studio.port) if origin else origin
    for method, path in [("POST", "/api/table"), ("POST", "/api/compare"), ("POST", "/api/upload"),
                         ("POST", "/api/release"), ("DELETE", "/api/jobs/1")]:
        answer = studio.ask(method, path, {"name": "grades.csv"} if method == "POST" else None, {"Origin": name})
        assert answer.status == 403
    assert studio.ask("POST", "/api/table", {"name": "grades.csv"}).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_the_browser_says_comes_from_elsewhere_is_refused(studio, site):
    for method, path in [("GET", "/studio.js"), ("GET", "/api/session"), ("POST", "/api/table")]:
        body = {"name": "grades.csv"} if method == "POST" else None
        assert studio.ask(method, path, body, {"Sec-Fetch-Site": site}).status == 403
        assert studio.ask(method, path, body, {"Sec-Fetch-Site": "same-origin"}).status == 200


def test_only_the_pages_kinds_of_bodies_are_taken(studio):
    body = '{"name": "grades.csv"}'
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None]:
        assert studio.ask("POST", "/api/table", body, {"Content-Type": kind}).status == 415
    assert studio.ask("POST", "/api/table", body, {"Content-Type": "application/json; charset=utf-8"}).status == 200


def test_every_answer_carries_the_policy(studio):
    answers = [studio.ask("GET", "/"), studio.ask("GET", "/studio.js"), studio.ask("GET", "/api/session"),
               studio.ask("GET", "/nothing"), studio.ask("GET", "/", inside=False),
               studio.ask("GET", "/", headers={"Host": "evil.example"}), studio.ask("POST", "/api/table", {})]
    assert {answer.status for answer in answers} >= {200, 400, 403, 404}
    for answer in answers:
        assert answer.header("Content-Security-Policy") == POLICY
        assert answer.header("X-Content-Type-Options") == "nosniff"
        assert answer.header("Referrer-Policy") == "no-referrer"
        assert answer.header("Cache-Control") == "no-store"
        assert answer.header("Access-Control-Allow-Origin") is None


def test_the_page_names_no_other_host(studio):
    for path in ["/", "/studio.css"]:
        assert b"http" not in studio.ask("GET", path).body.replace(b"http-equiv", b"")


# ---------------------------------------------------------------- what may be read and written

@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.csv", "secret.csv", "./grades.csv", "link.csv", "up/secret.csv",
                                  "grades.csv/", "", "-", "sub/../grades.csv", "file:///etc/passwd", "grades.csv\0"])
def test_tables_that_were_not_named_are_not_opened(start, tmp_path, name):
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "secret.csv").write_text(GRADES)
    (inside / "sub").mkdir()
    (inside / "grades.csv").write_text(GRADES)
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    (inside / "up").symlink_to(tmp_path)
    studio = start("--folder", "in")
    answer = studio.ask("POST", "/api/table", {"name": name})
    assert answer.status == 400, answer.body
    assert b"root:" not in answer.body
    assert studio.ask("POST", "/api/table", {"name": "grades.csv"}).status == 200


def test_without_a_folder_only_the_tables_of_the_command_line(studio, tmp_path):
    (tmp_path / "other.csv").write_text(GRADES)
    assert studio.ask("POST", "/api/table", {"name": "other.csv"}).status == 400
    assert studio.ask("POST", "/api/table", {"name": str(tmp_path / "grades.csv")}).status == 400
    assert studio.ask("POST", "/api/table", {"name": "grades.csv"}).status == 200


@pytest.mark.parametrize("part,texts", [
    ("question", {"prior": "/etc/passwd"}), ("question", {"scenario": "/etc/passwd"}), ("question", {"table": "/etc/passwd"}),
    ("question", {"secret": ["union"]}), ("question", {"rows": "x"}), ("plan", {"loss": "/etc/passwd"}),
    ("plan", {"output": "x"}), ("plan", {"method": 1}), ("question", {"no-header": "yes"})])
def test_no_text_of_the_page_names_a_file(studio, part, texts):
    table = studio.open("grades.csv")
    body = {"table": table, "question": QUESTION, "plan": {}}
    body[part] = {**body[part], **texts}
    answer = studio.ask("POST", "/api/calibrate", body)
    assert answer.status == 400 and b"root:" not in answer.body, answer.body


@pytest.mark.parametrize("output", ["../out.csv", "/tmp/fugu-studio-escape.csv", "sub/out.csv", ".hidden", "", "a\\b", "-o", "a\nb", "a\u202evsc.csv", "\u2066a.csv", "a\u061c.csv"])
def test_releases_stay_in_the_folder(studio, tmp_path, output):
    (tmp_path / "sub").mkdir()
    before = sorted(tmp_path.rglob("*"))
    wrong = studio.wrong("release", studio.open("grades.csv"), QUESTION, output=output)
    assert (wrong["field"], wrong["status"]) == ("output", 2)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_release_replaces_nothing(studio, tmp_path):
    (tmp_path / "out.csv").write_text("mine\n")
    wrong = studio.wrong("release", studio.open("grades.csv"), QUESTION, output="out.csv")
    assert wrong["field"] == "output" and "exists" in wrong["message"]
    assert (tmp_path / "out.csv").read_text() == "mine\n"
    assert studio.wrong("release", studio.open("grades.csv"), QUESTION, output="grades.csv")["status"] == 2


def test_uploads_lie_in_a_folder_of_their_own_and_go_with_the_studio(start, tmp_path):
    place = tmp_path / "temporary"
    place.mkdir()
    studio = start(environment={"TMPDIR": str(place)})
    studio.upload(GRADES, "../../../escape.csv")
    folders = list(place.iterdir())
    assert folders and all(folder.stat().st_mode & 0o777 == 0o700 for folder in folders)
    files = [path for path in place.rglob("*") if path.is_file() and path.name != ".made-by-a-fugu-studio"]
    assert len(files) == 2 and all(path.stat().st_mode & 0o077 == 0 for path in files)
    assert not list(tmp_path.rglob("*escape*"))
    studio.stop()
    assert list(place.iterdir()) == []


# ---------------------------------------------------------------- how much

def raw(studio, data, more=(), seconds=30):
    """What comes back for these bytes, then those, until the other side closes."""
    with socket.create_connection(("127.0.0.1", studio.port), timeout=seconds) as connection:
        try:
            connection.sendall(data)
            for part in more:
                connection.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while part := connection.recv(65536):
                answer += part
                if b"\r\n\r\n" in answer:
                    break
        except ConnectionResetError:
            pass
        return answer


def head(studio, path="/api/table", method="POST", *more):
    lines = [f"{method} {studio.root}{path[1:]} HTTP/1.1", f"Host: 127.0.0.1:{studio.port}", f"Origin: http://127.0.0.1:{studio.port}",
             "Content-Type: application/json", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def test_large_bodies_are_refused_before_they_are_read(studio):
    assert raw(studio, head(studio, "/api/compare", "POST", f"Content-Length: {(1 << 20) + 1}")).startswith(b"HTTP/1.1 413")
    assert raw(studio, head(studio, "/api/upload", "POST", f"Content-Length: {(2 << 30) + 1}")).startswith(b"HTTP/1.1 413")
    assert studio.ask("POST", "/api/table", '{"name": "' + "x" * (1 << 20) + '"}', {"Content-Type": "application/json"}).status == 413
    assert studio.ask("GET", "/api/session").status == 200


def test_the_upload_limit_can_be_set(start):
    studio = start("--upload-limit", "1K")
    headers = {"Content-Type": "application/octet-stream"}
    assert studio.ask("POST", "/api/upload?name=a.csv", b"x" * 1024, headers).status == 200
    assert studio.ask("POST", "/api/upload?name=a.csv", b"x" * 1025, headers).status == 413


def test_bodies_of_unknown_length_or_compressed_are_refused(studio):
    assert raw(studio, head(studio, "/api/upload", "POST", "Transfer-Encoding: chunked"), [b"5\r\nhello\r\n"]).startswith(b"HTTP/1.1 411")
    assert raw(studio, head(studio, "/api/table", "POST", "Content-Encoding: gzip", "Content-Length: 5") + b"hello").startswith(b"HTTP/1.1 415")
    two = head(studio, "/api/table", "POST", "Content-Length: 5", "Content-Length: 6")
    assert raw(studio, two + b"hello!").startswith(b"HTTP/1.1 400")


def test_large_heads_are_refused(studio):
    assert raw(studio, head(studio, "/", "GET", "X-Long: " + "x" * 5000)).startswith(b"HTTP/1.1 431")
    assert raw(studio, head(studio, "/", "GET", *["X-Many: " + "x" * 100] * 1000)).startswith(b"HTTP/1.1 431")
    assert raw(studio, head(studio, "/" + "a" * 3000, "GET")).startswith(b"HTTP/1.1 414")
    assert studio.alive()


@pytest.mark.parametrize("data", [b"\r\n\r\n", b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"\x16\x03\x01\x02\r\n\r\n",
                                  b"GET / HTTP/1.1\r\nA\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\n\r\n"])
def test_what_is_no_request_is_refused(studio, data):
    assert raw(studio, data).startswith(b"HTTP/1.1 400")
    assert studio.ask("GET", "/api/session").status == 200


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"table": 1}', '{"table": "t9"}', "{" * 5000, '{"table": "a", "table": "b"}', "\xff"])
def test_what_is_no_question_is_refused(studio, body):
    answer = studio.ask("POST", "/api/compare", body.encode("latin-1"), {"Content-Type": "application/json"})
    assert answer.status == 400
    assert set(answer.json["error"]) == {"message", "hint", "status", "field"}


def test_slow_requests_are_cut_off_and_others_go_on(studio):
    """A head that never ends, a body that never comes: both are closed by the studio, and nobody else waits."""
    slow_head = socket.create_connection(("127.0.0.1", studio.port), timeout=60)
    slow_head.sendall(b"GET / HTTP/1.1\r\nX: ")
    slow_body = socket.create_connection(("127.0.0.1", studio.port), timeout=60)
    slow_body.sendall(head(studio, "/api/table", "POST", "Content-Length: 100") + b"{")
    for _ in range(5):
        assert studio.ask("GET", "/api/session").status == 200

    open_still = {slow_head, slow_body}

    def drip():
        """A byte to each; those that the studio has closed are taken out."""
        for connection in list(open_still):
            try:
                connection.sendall(b"x")
                connection.settimeout(0.1)
                if connection.recv(1000) is not None:
                    open_still.discard(connection)
            except socket.timeout:
                pass
            except (BrokenPipeError, ConnectionResetError):
                open_still.discard(connection)
        return not open_still

    assert until(drip, 60)
    slow_head.close()
    slow_body.close()
    assert studio.ask("GET", "/api/session").status == 200


def answers(studio):
    try:
        return studio.ask("GET", "/api/session").status == 200
    except OSError:
        return False


def test_connections_that_say_nothing_keep_nobody_out(studio):
    """Sixty-four that are idle, and as many again: the one that asks is answered at once."""
    idle = [socket.create_connection(("127.0.0.1", studio.port), timeout=20) for _ in range(64)]
    try:
        for _ in range(3):
            assert studio.ask("GET", "/api/session").status == 200
        for connection in idle[:32]:
            connection.sendall(b"G") if is_open(connection) else None
        idle += [socket.create_connection(("127.0.0.1", studio.port), timeout=20) for _ in range(64)]
        for _ in range(3):
            assert studio.ask("GET", "/api/session").status == 200
        assert until(lambda: sum(map(is_open, idle)) <= 64), "the oldest were ended"
    finally:
        for connection in idle:
            connection.close()


def is_open(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        connection.setblocking(True)


def test_connections_that_are_served_are_bounded_and_the_studio_recovers(studio):
    """Sixty-four bodies that are still on their way are not ended for another."""
    held = []
    try:
        for _ in range(3):  # those whose head has not been read yet may be ended for others
            for _ in range(64):
                held.append(socket.create_connection(("127.0.0.1", studio.port), timeout=20))
                try:
                    held[-1].sendall(head(studio, "/api/table", "POST", "Content-Length: 100") + b"{")
                except OSError:
                    pass  # it was refused
            time.sleep(1)
        assert until(lambda: refused(studio), 5)
    finally:
        for connection in held:
            connection.close()
    assert until(lambda: answers(studio))


def refused(studio):
    extra = socket.create_connection(("127.0.0.1", studio.port), timeout=0.5)
    try:
        answer = extra.recv(1000)
        return answer.startswith(b"HTTP/1.1 503") and b"close other pages" in answer
    except OSError:
        return False
    finally:
        extra.close()


# ---------------------------------------------------------------- other users of the machine

ASKS = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
connection.request("GET", sys.argv[2])
print(connection.getresponse().status)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user for a moment")
def test_another_user_is_refused_even_with_the_address(studio):
    def asked_by(user):
        done = subprocess.run([sys.executable, "-I", "-c", ASKS, str(studio.port), f"{studio.root}api/session"], user=user, group=user,
                              extra_groups=[], capture_output=True, text=True, timeout=60, cwd="/")
        assert done.returncode == 0, done.stderr
        return int(done.stdout)
    nobody = pwd.getpwnam("nobody").pw_uid
    assert asked_by(nobody) == 403
    assert asked_by(0) == 200


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user for a moment")
def test_idle_connections_of_another_user_keep_nobody_out(studio):
    holds = ("import socket, sys, time\n"
             "held = [socket.create_connection(('127.0.0.1', int(sys.argv[1]))) for _ in range(100)]\n"
             "print('held', flush=True)\ntime.sleep(60)")
    other = subprocess.Popen([sys.executable, "-I", "-c", holds, str(studio.port)], user=pwd.getpwnam("nobody").pw_uid, stdout=subprocess.PIPE,
                             text=True, cwd="/")
    try:
        assert other.stdout.readline() == "held\n"
        for _ in range(5):
            assert studio.ask("GET", "/api/session").status == 200
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
