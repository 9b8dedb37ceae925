"""Deploys a small site to real servers on this machine. See `run`."""

import base64
import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.parse
import zlib

work, sitegen = pathlib.Path(sys.argv[1]), sys.argv[2]
ROUNDS = int(os.environ.get("ROUNDS", "20"))
SEED = int(os.environ.get("SEED", "1"))
KEY, SECRET = "S3RVER", "S3RVERsecret0123456789"
AZURE_ACCOUNT = "devstoreaccount1"
# The key of every emulator, from its documentation.
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
random.seed(SEED)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(port):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nothing answers at port {port}")


class Server:
    """A program that is ended with this one."""

    def __init__(self, name, command, port, **options):
        log = open(work / f"{name}.log", "wb")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, **options)
        self.port = port
        wait_for(port)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Proxy:
    """Stands between the program and a server, and fails now and then, or is slow."""

    def __init__(self, port):
        proxy = self
        self.to, self.failing, self.delay, self.count = port, 0.0, 0.0, 0

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self):
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                time.sleep(proxy.delay)
                proxy.count += 1
                if random.random() < proxy.failing:
                    self.send_response(503)
                    self.send_header("content-length", "0")
                    self.end_headers()
                    return
                inner = http.client.HTTPConnection("127.0.0.1", proxy.to, timeout=60)
                inner.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    inner.putheader(name, value)
                inner.endheaders(body)
                answer = inner.getresponse()
                text = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "content-length", "connection", "date", "server"):
                        self.send_header(name, value)
                given = answer.getheader("content-length") if self.command == "HEAD" else str(len(text))
                self.send_header("content-length", given or "0")
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(text)
                inner.close()

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_one

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class FolderPlace:
    """Reads what visitors get from a folder."""

    def __init__(self, folder):
        self.folder = folder

    def get(self, path):
        try:
            return (self.folder / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def names(self):
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix() for path in files}

    def headers(self, _):
        return None

    def put(self, path, content):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_bytes(content)


class BucketPlace:
    """Reads what visitors get from a bucket."""

    def __init__(self, port, prefix):
        import boto3
        from botocore.config import Config

        self.client = boto3.client(
            "s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
            config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 5}, request_checksum_calculation="when_required"),
        )
        self.prefix = prefix

    def create(self):
        self.client.create_bucket(Bucket="bakery")

    def get(self, path):
        try:
            return self.client.get_object(Bucket="bakery", Key=self.prefix + path)["Body"].read()
        except self.client.exceptions.NoSuchKey:
            return None

    def names(self):
        names, pages = set(), self.client.get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket="bakery", Prefix=self.prefix):
            names |= {each["Key"][len(self.prefix):] for each in page.get("Contents", [])}
        return names

    def headers(self, path):
        head = self.client.head_object(Bucket="bakery", Key=self.prefix + path)
        return head["ContentType"], head.get("CacheControl")

    def put(self, path, content):
        self.client.put_object(Bucket="bakery", Key=self.prefix + path, Body=content)


class AzurePlace:
    """Reads what visitors get from a container of Azure's emulator. Its requests are signed with a shared key
    (learn.microsoft.com/rest/api/storageservices, "Authorize with Shared Key")."""

    def __init__(self, port):
        self.port = port

    def ask(self, method, path, query=None, content=b"", extra=None):
        query = query or {}
        now = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())
        headers = {"x-ms-date": now, "x-ms-version": "2023-11-03", **(extra or {})}
        canonical = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers) if name.startswith("x-ms-"))
        resource = f"/{AZURE_ACCOUNT}/{AZURE_ACCOUNT}/{path}" + "".join(f"\n{name}:{query[name]}" for name in sorted(query))
        length = str(len(content)) if content else ""
        text = f"{method}\n\n\n{length}\n\n\n\n\n\n\n\n\n{canonical}{resource}"
        signature = hmac.new(base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest()
        headers["Authorization"] = f"SharedKey {AZURE_ACCOUNT}:{base64.b64encode(signature).decode()}"
        headers["Content-Length"] = str(len(content))
        inner = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        search = "?" + urllib.parse.urlencode(query) if query else ""
        inner.request(method, f"/{AZURE_ACCOUNT}/{path}{search}", body=content or None, headers=headers)
        answer = inner.getresponse()
        return answer, answer.read()

    def create(self):
        answer, text = self.ask("PUT", "bakery", {"restype": "container"})
        assert answer.status == 201, (answer.status, text)

    def get(self, path):
        answer, text = self.ask("GET", f"bakery/{path}")
        assert answer.status in (200, 404), (answer.status, text)
        return text if answer.status == 200 else None

    def names(self):
        _, text = self.ask("GET", "bakery", {"restype": "container", "comp": "list"})
        return set(re.findall("<Name>([^<]*)</Name>", text.decode()))

    def headers(self, path):
        answer, _ = self.ask("HEAD", f"bakery/{path}")
        return answer.getheader("Content-Type"), answer.getheader("Cache-Control")

    def put(self, path, content):
        answer, text = self.ask("PUT", f"bakery/{path}", content=content, extra={"x-ms-blob-type": "BlockBlob"})
        assert answer.status == 201, (answer.status, text)


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{ page.title }}</title>
{{ styles() }}
</head>
<body>
<main>
<h1>{{ page.title }}</h1>
{{ page.content }}
<p><a href="/">Home</a></p>
</main>
</body>
</html>
"""


class Project:
    """A project whose site differs in each version."""

    def __init__(self, folder, endpoint=None):
        self.folder, self.endpoint, self.to = folder, endpoint, None
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "templates/pages").mkdir(parents=True)
        (folder / "templates/pages/page.html").write_text(PAGE)
        (folder / "templates/styles").mkdir()

    def write(self, version, to):
        """Writes and builds a version of the site."""
        self.to = to
        draw = random.Random(f"{SEED} {version}")
        for old in ("content", "dist"):
            shutil.rmtree(self.folder / old, ignore_errors=True)
        pages, assets = self.folder / "content/pages", self.folder / "content/assets"
        pages.mkdir(parents=True)
        assets.mkdir()
        endpoint = f"    endpoint: {self.endpoint}\n" if self.endpoint else ""
        (self.folder / "content/site.yaml").write_text(
            "url: https://www.bakery.test\nlanguage: en\nname: Bakery\nsettings:\n"
            f"  deploy:\n    to: {to}\n{endpoint}"
        )
        colour = draw.randrange(1 << 24)
        (self.folder / "templates/styles/main.css").write_text(f"h1 {{ color: #{colour:06x}; }}\n")
        texts = [f"The {number} of version {draw.randrange(4)}." for number in range(30)]
        shown = sorted(draw.sample(range(30), 20))
        for number in shown:
            drawing = draw.randrange(6)
            circle = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="{drawing}"/></svg>\n'
            (assets / f"loaf-{drawing}.svg").write_text(circle)
            (pages / f"bread-{number}.md").write_text(
                f"---\ntitle: Bread {number}\n---\n\n{texts[number]}\n\n![A loaf](/assets/loaf-{drawing}.svg)\n"
            )
        links = "\n".join(f"- [Bread {number}](bread-{number}.md)" for number in shown)
        (pages / "index.md").write_text(f"---\ntitle: Bread\n---\n\n{links}\n")
        run(["build", "--against", "none", "--quiet"], self.folder, {})

    def dist(self):
        root = self.folder / "dist"
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def start(arguments, folder, environment):
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "AZURE_", "GOOGLE_"))}
    return subprocess.Popen(
        [sitegen, *arguments, "--root", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
        env={**plain, **environment}, text=True,
    )


def run(arguments, folder, environment, code=0):
    process = start(arguments, folder, environment)
    out, err = process.communicate(timeout=400)
    if process.returncode != code:
        raise SystemExit(f"{arguments} ended with {process.returncode} instead of {code}:\n{out}{err}")
    assert SECRET not in out + err, "a secret was printed"
    # Messages are wrapped.
    return out + " ".join(err.split())


class Reader(threading.Thread):
    """A visitor who loads pages, and then all files that each of them names."""

    def __init__(self, place):
        super().__init__(daemon=True)
        self.place, self.pages, self.files, self.missing, self.over = place, 0, 0, [], False

    def run(self):
        while not self.over:
            try:
                self.visit(random.choice([f"bread-{number}.html" for number in range(30)] + ["index.html"] * 5))
            except Exception as error:  # The test must not go on without its reader.
                self.missing.append(f"the reader failed: {error!r}")
                return

    def visit(self, path):
        page = self.place.get(path)
        if page is None:
            return
        self.pages += 1
        for address in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.decode()):
            self.files += 1
            if self.place.get(urllib.parse.unquote(address)[1:]) is None:
                self.missing.append(f"{address}, which {path} names")

    def stop(self):
        self.over = True
        self.join()
        assert not self.missing, self.missing[:5]
        assert self.pages > 0, "the reader has loaded nothing"


def compare(project, place, is_bucket):
    """Checks that visitors get the output folder, and no more than files for open pages beside it."""
    wanted = project.dist()
    if is_bucket:
        wanted.pop("manifest.json")
    names = {name for name in place.names() if not name.startswith(".sitegen-deploys/")} - {"of-somebody-else.txt"}
    lacking, more = set(wanted) - names, {name for name in names - set(wanted) if not name.startswith("assets/")}
    assert not lacking and not more, (lacking, more)
    for path, content in wanted.items():
        assert place.get(path) == content, f"{path} differs"
    assert place.get("of-somebody-else.txt") == b"mine"


def exercise(name, project, to, place, environment, is_bucket, proxy=None):
    """Everything that is tried with each target."""
    say = lambda text: print(f"  {text}", flush=True)
    place.put("of-somebody-else.txt", b"mine")
    project.write(0, to)
    listed = run(["deploy", "--dry-run"], project.folder, environment)
    assert "would change" in listed and "send    index.html" in listed, listed
    assert {path for path in place.names() if not path.startswith(".sitegen-deploys/")} == {"of-somebody-else.txt"}
    first = run(["deploy"], project.folder, environment).strip()
    is_exclusive = "ignores the condition" not in first
    say(first)
    compare(project, place, is_bucket)
    assert "has this site already" in run(["deploy"], project.folder, environment)
    if is_bucket:
        kinds = {path: place.headers(path) for path in project.dist() if path.endswith((".html", ".css", ".xml"))}
        for path, (kind, caching) in kinds.items():
            expected = {"html": "text/html", "css": "text/css", "xml": "application/xml"}[path.rsplit(".")[-1]]
            assert kind == f"{expected}; charset=utf-8" or expected == "application/xml" and "xml" in kind, (path, kind)
            assert caching == ("public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"), (path, caching)

    reader = Reader(place)
    reader.start()
    for version in range(1, 6):
        project.write(version, to)
        run(["deploy"], project.folder, environment)
        compare(project, place, is_bucket)
    before = project.dist()
    project.write(6, to)
    after = project.dist()
    run(["deploy"], project.folder, environment)
    for expected in (before, after, before):
        run(["deploy", "--rollback"], project.folder, environment)
        for path, content in expected.items():
            assert path == "manifest.json" and is_bucket or place.get(path) == content, f"{path} is not the one before"
    say("7 deploys and 3 rollbacks are right")

    # A deploy that is killed at any moment, and then another version or the same one.
    begin = time.monotonic()
    project.write(7, to)
    run(["deploy"], project.folder, environment)
    whole = time.monotonic() - begin
    killed = 0
    for version in range(100, 100 + ROUNDS):
        project.write(version, to)
        process = start(["deploy"], project.folder, environment)
        time.sleep(random.random() * whole)
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        if random.random() < 0.5:
            project.write(version + 1000, to)
        if random.random() < 0.2:
            run(["deploy", "--rollback"], project.folder, environment)
        run(["deploy"], project.folder, environment)
        compare(project, place, is_bucket)
    reader.stop()
    say(f"{ROUNDS} deploys, {killed} killed, are completed; a reader got {reader.pages} pages and {reader.files} files, none missing")

    # Somebody else.
    other = Project(project.folder.with_name(f"{name}-other"), project.endpoint)
    other.write(50, to)
    run(["deploy"], other.folder, environment)
    project.write(51, to)
    said = run(["deploy"], project.folder, environment, code=3)
    number = re.search(r"deploy (\d+) of", said)[1]
    assert "deploy-refused" in said, said
    compare(other, place, is_bucket)
    run(["deploy", "--over", number], project.folder, environment)
    compare(project, place, is_bucket)
    say("a deploy of somebody else is not undone unless it is named")

    # Two at the same time. Some servers do not keep them apart, which the first deploy has said.
    if is_exclusive:
        other.write(52, to)
        project.write(53, to)
        run(["deploy", "--dry-run", "--over", str(int(number) + 1)], other.folder, environment)
        both = [
            start(["deploy", "--over", str(int(number) + 1)], other.folder, environment),
            start(["deploy"], project.folder, environment),
        ]
        ends = [(process.communicate(), process.returncode) for process in both]
        codes = sorted(code for _, code in ends)
        winners = [each for each, (_, code) in zip((other, project), ends) if code == 0]
        say(f"two at the same time end with {codes}")
        if len(winners) == 1:
            compare(winners[0], place, is_bucket)
        assert codes in ([0, 3], [0, 0]), ends
        shutil.rmtree(other.folder / ".sitegen")
        project.write(54, to)
        last = max(int(path.split("/")[1].split(".")[0]) for path in place.names() if re.fullmatch(r"\.sitegen-deploys/\d+\.json", path))
        run(["deploy", "--over", str(last)], project.folder, environment)
        compare(project, place, is_bucket)

    # A damaged output is not deployed.
    project.write(55, to)
    (project.folder / "dist/index.html").write_text("damaged")
    seen = place.names()
    assert "output-differs" in run(["deploy"], project.folder, environment, code=1)
    assert place.names() == seen
    say("a damaged output is not deployed")

    # No file of ours is left beside what is needed.
    project.write(56, to)
    run(["deploy", "--no-rollback"], project.folder, environment)
    left = {path for path in place.names() if path.startswith(".sitegen-deploys/files/")}
    assert not left, left
    assert "no earlier deploy" in run(["deploy", "--rollback"], project.folder, environment, code=3)


def fail(project, to, place, environment, proxy):
    """What can go wrong between the program and a server of object storage."""
    say = lambda text: print(f"  {text}", flush=True)
    project.write(60, to)
    proxy.failing = 0.2
    run(["deploy"], project.folder, environment)
    proxy.failing = 0.0
    compare(project, place, True)
    say("a fifth of the requests answered with 503 are made again")
    # A file that changes while others are sent.
    project.write(61, to)
    proxy.delay = 0.2
    process = start(["deploy"], project.folder, environment)
    count = proxy.count
    while proxy.count < count + 8 and process.poll() is None:
        time.sleep(0.01)
    for path in (project.folder / "dist").rglob("*.html"):
        path.write_text("changed")
    out, err = process.communicate(timeout=200)
    proxy.delay = 0.0
    assert process.returncode == 3 and "has changed while the site was deployed" in " ".join(err.split()), (process.returncode, out, err)
    for path in place.names():
        assert place.get(path) != b"changed", path
    say("a file that changes meanwhile is not sent")
    project.write(61, to)
    run(["deploy"], project.folder, environment)
    compare(project, place, True)


def sshd():
    """Starts a server of SSH for this user, with keys of its own."""
    folder = work / "ssh"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
    shutil.copy(folder / "user.pub", folder / "authorized")
    port, me = free_port(), subprocess.check_output(["id", "-un"], text=True).strip()
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile {folder}/pid\nAuthorizedKeysFile {folder}/authorized\n"
        "StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\n"
        "MaxStartups 100\nSubsystem sftp internal-sftp\n"
    )
    os.makedirs("/run/sshd", exist_ok=True)
    server = Server("sshd", ["/usr/sbin/sshd", "-D", "-e", "-f", folder / "sshd_config"], port)
    (folder / "known").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
    (folder / "config").write_text(
        f"Host *\n  IdentityFile {folder}/user\n  IdentitiesOnly yes\n  UserKnownHostsFile {folder}/known\n  StrictHostKeyChecking yes\n"
    )
    # The programs of this user, with the settings of the test.
    (folder / "bin").mkdir()
    for program in ("ssh", "sftp"):
        wrapper = folder / "bin" / program
        wrapper.write_text(f"#!/bin/sh\nexec {shutil.which(program)} -F {folder}/config \"$@\"\n")
        wrapper.chmod(0o755)
    return server, {"PATH": f"{folder}/bin:{os.environ['PATH']}"}, f"{me}@127.0.0.1:{port}", folder


def try_folder(_):
    folder = work / "places/folder"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    exercise("folder", Project(work / "sites/folder"), str(folder), FolderPlace(folder), {}, False)


def try_server(name):
    server, environment, address, keys = sshd()
    try:
        folder = work / f"places/{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        to = f"{name}://{address}{folder}"
        exercise(name, Project(work / f"sites/{name}"), to, FolderPlace(folder), environment, False)
        (keys / "authorized").write_text("")
        project = Project(work / f"sites/{name}")
        project.write(70, to)
        said = run(["deploy"], project.folder, environment, code=3)
        assert "it must work without a password" in said, said
        print("  a key that the server does not know is reported")
    finally:
        server.stop()


def credentials(secret=SECRET):
    return {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "us-east-1"}


def try_bucket(name, command, checks_keys):
    port = free_port()
    server = Server(name, command(port), port)
    try:
        place, proxy = BucketPlace(port, "sites/bakery/"), Proxy(port)
        place.create()
        project = Project(work / f"sites/{name}", f"http://127.0.0.1:{proxy.port}")
        to = "s3://bakery/sites/bakery"
        exercise(name, project, to, place, credentials(), True, proxy)
        fail(project, to, place, credentials(), proxy)
        if checks_keys:
            said = run(["deploy"], project.folder, credentials("wrongwrongwrong"), code=3)
            assert "check the" in said and "wrongwrong" not in said, said
            print("  a wrong key is reported")
        said = run(["deploy", "--to", "s3://other-bakery"], project.folder, credentials(), code=3)
        assert "create the bucket of s3://other-bakery" in said, said
        said = run(["deploy"], project.folder, {"HOME": str(work)}, code=3)
        assert "there are no credentials for S3" in said, said
        print("  a bucket that is not there and missing credentials are reported")
    finally:
        server.stop()


def try_moto(name):
    try_bucket(name, lambda port: [work / "python/bin/moto_server", "-H", "127.0.0.1", "-p", str(port)], False)


def try_rclone(name):
    folder = work / "places/rclone"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program = work / "python/bin/rclone"
    try_bucket(name, lambda port: [program, "serve", "s3", "--addr", f"127.0.0.1:{port}", "--auth-key", f"{KEY},{SECRET}", folder], True)


def try_s3rver(name):
    folder = work / "places/s3rver"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program = work / "node_modules/.bin/s3rver"
    environment = dict(os.environ)
    environment["S3RVER_SECRET"] = SECRET
    try_bucket(name, lambda port: ["node", program, "-d", folder, "-a", "127.0.0.1", "-p", str(port), "--silent"], False)


def try_azurite(name):
    port, folder = free_port(), work / "places/azurite"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program = work / "node_modules/.bin/azurite-blob"
    command = ["node", program, "-l", folder, "--blobHost", "127.0.0.1", "--blobPort", str(port), "--silent", "--skipApiVersionCheck"]
    server = Server(name, command, port)
    try:
        place, proxy = AzurePlace(port), Proxy(port)
        place.create()
        project = Project(work / f"sites/{name}", f"http://127.0.0.1:{proxy.port}/{AZURE_ACCOUNT}")
        to = f"az://{AZURE_ACCOUNT}/bakery"
        environment = {"AZURE_STORAGE_ACCOUNT_KEY": AZURE_KEY}
        exercise(name, project, to, place, environment, True, proxy)
        fail(project, to, place, environment, proxy)
        said = run(["deploy"], project.folder, {"AZURE_STORAGE_ACCOUNT_KEY": base64.b64encode(b"wrong" * 9).decode()}, code=3)
        assert "check the credentials" in said, said
        print("  a wrong key is reported")
    finally:
        server.stop()


def build(folder, arguments, environment=None, code=0):
    """Builds a fresh copy of a project, and returns what is printed, its output, and how long it took."""
    shutil.rmtree(folder / ".sitegen", ignore_errors=True)
    shutil.rmtree(folder / "dist", ignore_errors=True)
    begin = time.monotonic()
    said = run(["build", *arguments], folder, environment or {}, code)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in (folder / "dist").rglob("*") if path.is_file()}
    return said, files, time.monotonic() - begin


def noise(width, height):
    """A PNG of pixels by chance."""
    rows = b"".join(b"\0" + random.randbytes(3 * width) for _ in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def share(name, to, environment):
    """What is tried with each place of a shared cache: builds, parts, and entries of somebody else."""
    project = Project(work / f"sites/{name}")
    project.write(1, "../nowhere")
    # Copies of it are larger than what a cache of Bazel has in a result itself.
    (project.folder / "content/assets/noise.png").write_bytes(noise(900, 600))
    with (project.folder / "content/pages/index.md").open("a") as index:
        index.write("\n![Noise](noise.png)\n")
    alone = build(project.folder, [])[1]
    environment = {**environment, "SITEGEN_CACHE_KEY": "0123456789abcdef" * 2}

    def traffic(said):
        read, written = re.search(r"shared cache: (\d+) \w+ read, (\d+) written", said).groups()
        return int(read), int(written)

    for part in ("1/3", "2/3", "3/3"):
        said = build(project.folder, ["--shard", part, "--cache", to], environment)[0]
        assert "nothing was published" in said, said
    said, files, _ = build(project.folder, ["--cache", to, "--timings"], environment)
    read, written = traffic(said)
    # A server that is slower than making something is not waited for.
    assert files == alone and read > written, said
    print(f"  three parts are put together: {read} entries read, {written} made again", flush=True)
    other = {**environment, "SITEGEN_CACHE_KEY": "fedcba9876543210" * 2}
    said, files, _ = build(project.folder, ["--cache", to], other)
    assert files == alone and traffic(said)[0] == 0, said
    said, files, _ = build(project.folder, ["--cache", to], {**environment, "SITEGEN_CACHE_KEY": ""})
    assert files == alone and "SITEGEN_CACHE_KEY is not set" in said, said
    print("  another secret has entries of its own, and without one nothing is read", flush=True)
    return project, alone, environment


def silent(answer):
    """A server that gives every request this answer, or none at all."""
    server = socket.create_server(("127.0.0.1", 0), backlog=200)
    kept = []

    def serve():
        while True:
            try:
                one = server.accept()[0]
            except OSError:
                return
            kept.append(one)
            if answer:
                one.recv(65536)
                one.sendall(answer)
                one.close()

    threading.Thread(target=serve, daemon=True).start()
    return server, f"http://127.0.0.1:{server.getsockname()[1]}"


def try_cache(_):
    (work / "places/nginx").mkdir(parents=True, exist_ok=True)
    shutil.rmtree(work / "places/nginx")
    folder = work / "places/nginx"
    (folder / "files").mkdir(parents=True)
    port = free_port()
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; user root;\nevents {{}}\nhttp {{ access_log off; server {{"
        f" listen 127.0.0.1:{port}; client_max_body_size 256m; client_body_temp_path {folder}/body;"
        f" location ~ ^/(ac|cas)/[0-9a-f]+$ {{ root {folder}/files; dav_methods PUT; create_full_put_path on; }} }} }}\n"
    )
    server = Server("nginx", [shutil.which("nginx") or "/usr/sbin/nginx", "-c", folder / "nginx.conf"], port)
    try:
        print("  nginx, by the protocol of Bazel", flush=True)
        project, alone, environment = share("cache-nginx", f"http://127.0.0.1:{port}", {})
        entries = [path for path in (folder / "files").rglob("*") if path.is_file()]
        for number, path in enumerate(entries):
            content = path.read_bytes()
            path.write_bytes([content[:-1] + b"x", content[: len(content) // 2], b""][number % 3])
        said, files, _ = build(project.folder, ["--cache", f"http://127.0.0.1:{port}"], environment)
        assert files == alone and "shared cache: 0 entries read" in said, said
        print(f"  {len(entries)} forged entries are not used", flush=True)
    finally:
        server.stop()
    _, _, usual = build(project.folder, [])
    said, files, time_taken = build(project.folder, ["--cache", f"http://127.0.0.1:{port}"], environment)
    assert files == alone and "does not answer" in said and time_taken < usual + 5, (said, time_taken, usual)
    print(f"  a server that is gone costs {time_taken - usual:.2f} s", flush=True)
    for answer, reason in [
        (b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "401"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "302"),
        (b"nonsense", "does not answer"),
        (b"", "does not answer"),
    ]:
        hanging, address = silent(answer)
        said, files, time_taken = build(project.folder, ["--cache", address], environment)
        assert files == alone and reason in said and time_taken < usual + 5, (said, time_taken, usual)
        print(f"  a server that answers {answer[:12] or 'nothing'} costs {time_taken - usual:.2f} s", flush=True)
        hanging.close()
    for name, command in {
        "moto": lambda port: [work / "python/bin/moto_server", "-H", "127.0.0.1", "-p", str(port)],
        "rclone": lambda port: [work / "python/bin/rclone", "serve", "s3", "--addr", f"127.0.0.1:{port}", "--auth-key", f"{KEY},{SECRET}", folder],
    }.items():
        port = free_port()
        server = Server(f"cache-{name}", command(port), port)
        try:
            print(f"  {name}, by the protocol of S3", flush=True)
            BucketPlace(port, "").create()
            environment = {**credentials(), "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}
            project, alone, environment = share(f"cache-{name}", "s3://bakery/cache", environment)
            said, files, _ = build(project.folder, ["--cache", "s3://other-bakery/cache"], environment)
            assert files == alone and "shared cache" in said, said
        finally:
            server.stop()


ALL = {
    "folder": try_folder, "moto": try_moto, "rclone": try_rclone, "s3rver": try_s3rver, "azurite": try_azurite,
    "ssh": try_server, "sftp": try_server, "cache": try_cache,
}
for name in sys.argv[3:] or ALL:
    print(f"\n== {name}", flush=True)
    ALL[name](name)
print("\n== every target works")
