#!/usr/bin/env python3
"""Measures Steno's server and two peers on the same weights, recordings and machine: one clip, and many files at once.

    python Tools/speed/compare_servers.py RESULTS.json --steno-server PATH --whisper-server PATH --model FOLDER
        [--threads 2] [--rounds 3] [--clips 9] [--files 50]

The peers are the package faster-whisper-server (PyPI; it must be importable), which serves faster-whisper, and the
`whisper-server` of whisper.cpp. FOLDER holds `ct2-int8` (CTranslate2) and `ggml-q8_0.bin` (whisper.cpp) of the same weights;
Steno reads `ct2-int8`. All decode English with beam 5 and `--threads` threads.

In each round every server is restarted, warmed with one request, and ended; the order changes from round to round. The
clip is the fixture closest to four seconds, sent again after each response. The files are sent all at once, each on its own
connection; a client that is refused with 429 or 503 retries after the time that the server names, and the time counts. The
result is the time until the last text arrives. Word errors are counted, so that a server that is fast but wrong is noticed.
"""
import argparse
import concurrent.futures
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
import wave
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.paths import FIXTURES
from support.references import manifest
from support.word_errors import NORMALISER, errors

SPEECH = FIXTURES / "speech"
CLIP_SECONDS, START_SECONDS, REQUEST_SECONDS = 4.0, 60, 900
# The wait of a refused client if the server names no time.
PATIENCE = 1.0


class Refused(Exception):
    """The server is busy; `after` is the number of seconds to wait."""

    def __init__(self, after):
        super().__init__(f"refused for {after} s")
        self.after = after


class Server:
    """A server's command and the request that it understands."""

    def __init__(self, name, command, path, fields, environment=None):
        self.name, self.command, self.path, self.fields, self.environment = name, command, path, fields, environment or {}

    def start(self):
        self.port = free_port()
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [argument.replace("PORT", str(self.port)) for argument in self.command], stdout=self.log, stderr=self.log,
            env={**os.environ, **self.environment})
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.log.seek(0)
                    sys.exit(f"{self.name} did not start:\n{self.log.read().decode(errors='replace')[-2000:]}")
                time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def transcribe(self, recording):
        """The text of a WAV file; waits if the server is busy."""
        refusals = 0
        while True:
            try:
                return self.request(recording), refusals
            except Refused as refused:
                refusals += 1
                time.sleep(refused.after)

    def request(self, recording):
        boundary = uuid.uuid4().hex
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
                 for name, value in self.fields.items()]
        parts += [f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="clip.wav"\r\n'
                  "Content-Type: audio/wav\r\n\r\n".encode(), recording, f"\r\n--{boundary}--\r\n".encode()]
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=REQUEST_SECONDS)
        try:
            connection.request("POST", self.path, b"".join(parts), {"Content-Type": f"multipart/form-data; boundary={boundary}"})
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status in (429, 503):
            raise Refused(float(answer.getheader("Retry-After") or PATIENCE))
        if answer.status != 200:
            sys.exit(f"{self.name} answered {answer.status}: {body[:500]!r}")
        return json.loads(body)["text"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def servers(a, folder):
    """The servers, each with its equivalent settings."""
    model, threads = Path(a.model), str(a.threads)
    common = {"response_format": "json", "language": "en", "temperature": "0"}
    found = []
    if a.steno_server:
        found.append(Server(
            "Steno", [a.steno_server, "serve", "--port", "PORT", "--model", str(model / "ct2-int8"), "--threads", threads],
            "/v1/audio/transcriptions", {**common, "model": "whisper-1"}))
    settings = folder / "faster-whisper.yaml"
    settings.write_text(json.dumps({"models": [{  # JSON is YAML.
        "name": "peer", "path": str(model / "ct2-int8"),
        "model_options": {"device": "cpu", "compute_type": "int8", "cpu_threads": a.threads},
        "transcribe_options": {"beam_size": 5}}]}))
    found.append(Server(
        "faster-whisper-server",
        [sys.executable, "-c", "from faster_whisper_server.cli import main; main()", "--config", str(settings), "--host",
         "127.0.0.1", "--port", "PORT"],
        "/v1/audio/transcriptions", {**common, "model_name": "peer"}))
    if a.whisper_server:
        found.append(Server(
            "whisper.cpp server",
            [a.whisper_server, "-m", str(model / "ggml-q8_0.bin"), "-t", threads, "-bs", "5", "-bo", "5", "--host", "127.0.0.1",
             "--port", "PORT"],
            "/inference", common, {"LD_LIBRARY_PATH": str(Path(a.whisper_server).parent)}))
    return found


def recordings(folder):
    """(name, seconds, WAV bytes, reference text) of the English recordings, which become 16 kHz WAV files."""
    found = []
    for name, entry in sorted(manifest(SPEECH).items()):
        if entry.get("language", "en") != "en" or not (SPEECH / name).exists():
            continue
        path = folder / f"{Path(name).stem}.wav"
        subprocess.run(["ffmpeg", "-v", "error", "-i", str(SPEECH / name), "-ar", "16000", "-ac", "1", str(path)], check=True)
        with wave.open(str(path)) as file:
            found.append((name, file.getnframes() / file.getframerate(), path.read_bytes(), entry["text"]))
    return found


def measure(server, clip, files, clips):
    server.start()
    try:
        server.transcribe(clip[2])
        times = []
        for _ in range(clips):
            start = time.perf_counter()
            server.transcribe(clip[2])
            times.append(time.perf_counter() - start)
        with concurrent.futures.ThreadPoolExecutor(len(files)) as pool:
            start = time.perf_counter()
            answers = list(pool.map(lambda file: server.transcribe(file[2]), files))
            together = time.perf_counter() - start
    finally:
        server.stop()
    wrong, words = map(sum, zip(*(errors(file[3], text, "en") for file, (text, _) in zip(files, answers))))
    return {"clip_s": statistics.median(times), "files_s": together, "refusals": sum(refusals for _, refusals in answers),
            "wer_percent": 100 * wrong / words}


def table(results):
    """Medians over the rounds, and Steno's share of each peer's."""
    def median(name, figure):
        return statistics.median(one[figure] for one in results["rounds"][name])
    lines = [f"{results['files']} recordings of {results['seconds']:.0f} s in all; a clip of {results['clip_s']:.1f} s; "
             f"{results['threads']} threads, beam 5.", "",
             "| server | clip, s | Steno's share | files at once, s | Steno's share | refused and asked again | WER |",
             "|---|---|---|---|---|---|---|"]
    for name in results["rounds"]:
        shares = [f"{median('Steno', f) / median(name, f):.2f}" if "Steno" in results["rounds"] and name != "Steno" else "–"
                  for f in ("clip_s", "files_s")]
        lines.append(f"| {name} | {median(name, 'clip_s'):.3f} | {shares[0]} | {median(name, 'files_s'):.1f} | {shares[1]} | "
                     f"{median(name, 'refusals'):.0f} | {median(name, 'wer_percent'):.2f} % |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="file for all figures, as JSON")
    parser.add_argument("--steno-server")
    parser.add_argument("--whisper-server")
    parser.add_argument("--model", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clips", type=int, default=9)
    parser.add_argument("--files", type=int, default=50)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = recordings(Path(folder))
        clip = min(found, key=lambda one: abs(one[1] - CLIP_SECONDS))
        files = found[:a.files]
        if len(files) < a.files:
            sys.exit(f"there are only {len(files)} recordings")
        all_servers = servers(a, Path(folder))
        rounds = {server.name: [] for server in all_servers}
        for round in range(a.rounds):
            for i in range(len(all_servers)):
                server = all_servers[(i + round) % len(all_servers)]
                rounds[server.name].append(measure(server, clip, files, a.clips))
                print(f"round {round + 1}: {server.name}: {rounds[server.name][-1]}", file=sys.stderr)
    results = {"files": len(files), "seconds": sum(file[1] for file in files), "clip_s": clip[1], "threads": a.threads,
               "normaliser": NORMALISER, "rounds": rounds}
    Path(a.results).write_text(json.dumps(results, indent=1) + "\n")
    print(table(results))


if __name__ == "__main__":
    main()
