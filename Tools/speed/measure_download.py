#!/usr/bin/env python3
"""Measures the memory and the time of a download from a local hub that sends as fast as it can.

usage: measure_download.py PROGRAM [--megabytes 1000] [--rounds 3]      PROGRAM is steno-download
"""
import argparse, hashlib, http.server, json, os, re, subprocess, tempfile, threading, time
from pathlib import Path


class Hub(http.server.BaseHTTPRequestHandler):
    """A hub with one repository: the files of a folder, with their hashes."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def begin(self, status, length, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def do_GET(self):
        path = self.path.split("?")[0]
        if path.startswith("/api/models/"):
            files = [{"rfilename": name, "size": size, "lfs": {"sha256": digest, "size": size}}
                     for name, (size, digest) in self.server.files.items()]
            body = json.dumps({"sha": "a" * 40, "siblings": files}).encode()
            self.begin(200, len(body))
            self.wfile.write(body)
            return
        name = path.split("/")[-1]
        size, digest = self.server.files[name]
        match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(match.group(1)) if match else 0
        extra = {"Content_Range": f"bytes {start}-{size - 1}/{size}"} if match else {}
        self.begin(206 if match else 200, size - start, ETag=f'"{digest[:16]}"', **extra)
        with open(self.server.folder / name, "rb") as file:
            while start < size:
                start += os.sendfile(self.connection.fileno(), file.fileno(), start, min(1 << 20, size - start))


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.folder, server.files = folder, {}
    for path in folder.iterdir():
        with open(path, "rb") as file:
            server.files[path.name] = (path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("--megabytes", type=int, default=1000)
parser.add_argument("--rounds", type=int, default=3)
args = parser.parse_args()
with tempfile.TemporaryDirectory() as work:
    work, content = Path(work), Path(work) / "content"
    content.mkdir()
    (content / "config.json").write_text('{"alignment_heads": []}')
    (content / "vocabulary.txt").write_text("a\nb\n")
    with open(content / "model.bin", "wb") as file:
        for _ in range(args.megabytes):
            file.write(os.urandom(1_000_000))
    endpoint = serve(content)
    for number in range(args.rounds):
        models = work / f"models-{number}"
        environment = {"HF_ENDPOINT": endpoint, "STENO_MODELS": str(models), "HOME": str(work)}
        start = time.perf_counter()
        process = subprocess.Popen([args.program, "measured/model"], env=environment, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        assert status == 0 and (models / "measured/model/model.bin").stat().st_size == args.megabytes * 1_000_000
        print(f"{args.megabytes} MB in {seconds:.1f} s ({args.megabytes / seconds:.0f} MB/s), peak memory "
              f"{usage.ru_maxrss * 1024 / 1e6:.0f} MB", flush=True)
