"""Shared by the checks of the captions page: the server, a proxy that can be cut, the browser, and a scripted server."""
import contextlib
import http.server
import json
import mimetypes
import pathlib
import re
import select
import socket
import struct
import subprocess
import sys
import threading
import time
import wave

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from support.alignment import align
from support.paths import ROOT, SAMPLES

PAGE = ROOT / "Sources/StenoServer/Page/Page"
RATE = 16000
INAUGURAL = (
    "and so my fellow americans ask not what your country can do for you ask what you can do for your country"
)
FOX = "the quick brown fox jumps over the lazy dog"
LANGUAGES = ["en", "es", "pt", "de", "fr", "tr", "ar", "it", "ja", "nl", "pl", "zh"]


failures = []


def check(name, is_right, more=""):
    print(("ok    " if is_right else "FAIL  ") + name + (f": {more}" if more else ""), flush=True)
    if not is_right:
        failures.append(name)


def report():
    """Ends the program, with 1 if a check failed."""
    print(f"{len(failures)} failed" if failures else "all right")
    sys.exit(bool(failures))


def differences(expected, found):
    """The lost, the extra and the misheard words."""
    pairs = align(expected, found)
    lost, extra = [expected[i] for i, j in pairs if j is None], [found[j] for i, j in pairs if i is None]
    return lost, extra, [f"{expected[i]} as {found[j]}" for i, j in pairs if None not in (i, j) and expected[i] != found[j]]


def samples(name):
    with wave.open(str(SAMPLES / name)) as file:
        assert file.getframerate() == RATE and file.getnchannels() == 1
        return np.frombuffer(file.readframes(file.getnframes()), dtype=np.int16)


def write_clip(path, parts):
    """A WAV file of samples and of pauses in seconds, at 48 kHz as browsers capture."""
    pieces = [np.zeros(int(part * RATE), np.int16) if isinstance(part, (int, float)) else part for part in parts]
    audio = np.concatenate(pieces).astype(np.float32)
    positions = np.arange(3 * len(audio)) / 3
    wide = np.interp(positions, np.arange(len(audio)), audio).astype(np.int16)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48000)
        file.writeframes(wide.tobytes())
    return len(audio) / RATE


class Server:
    """`steno-server captions` on a port, which can be killed and started again."""

    def __init__(self, program, port, *options):
        self.command = [program, "captions", "--port", str(port), "--model", "base", *options]
        self.port = port

    def start(self, environment=None):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True, env=environment)
        for line in self.process.stderr:
            if "captions at" in line:
                self.address = line.split("captions at ")[1].strip()
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return self
        raise SystemExit("steno-server did not start")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop_with_address(self):
        self.stop()
        return self.address

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Proxy:
    """Forwards bytes between two ports; while it is cut, nothing passes, and neither side notices."""

    def __init__(self, port, target):
        self.target = target
        self.is_cut = False
        self.listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        while self.is_cut:
            time.sleep(0.05)
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            client.close()
            return
        was_cut = False
        with client, server, contextlib.suppress(OSError):
            while True:
                if self.is_cut:
                    was_cut = True
                    time.sleep(0.05)
                    continue
                if was_cut:
                    # Bytes in transit are lost, and so is the connection.
                    for end in (client, server):
                        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                for ready in select.select([client, server], [], [], 0.05)[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    (server if ready is client else client).sendall(data)


def launch(playwright, clip=None):
    """Chromium with a clip as its microphone, played once."""
    arguments = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", "--no-sandbox",
                 "--autoplay-policy=no-user-gesture-required"]
    if clip:
        arguments.append(f"--use-file-for-fake-audio-capture={clip}%noloop")
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)


class SourceHandler(http.server.BaseHTTPRequestHandler):
    """Serves the page from its sources, with a history of two sessions; recordings get the text of one of them."""

    # Whether to refuse the next recording.
    fails = False
    # The body of the last recording.
    upload = b""

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/v1/steno/captions":
            return self.json({"version": "dev", "model": "base", "languages": LANGUAGES, "history": True,
                              "speakers": True, "fingerprint": None, "language": None})
        if path.startswith("/v1/steno/history"):
            return self.history(path)
        name = {"/": "index.html", "/overlay": "overlay.html"}.get(path, path.removeprefix("/captions/"))
        file = PAGE / name
        if not file.is_file():
            return self.answer(b"", "text/plain", 404)
        kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0] or "text/plain"
        self.answer(file.read_bytes(), kind)

    def do_POST(self):
        SourceHandler.upload = self.rfile.read(int(self.headers["Content-Length"]))
        if SourceHandler.fails:
            SourceHandler.fails = False
            error = {"message": "The server failed.", "code": "internal_error"}
            return self.answer(json.dumps({"error": error}).encode(), "application/json", 500)
        text = " The quick brown fox"
        spoken = [{"word": word, "start": 0.1 + 0.2 * i, "end": 0.3 + 0.2 * i} for i, word in enumerate(text.split())]
        self.json({"text": text, "words": spoken, "segments": [{"id": 0, "start": 0.1, "end": 0.9, "text": text}]})

    def history(self, path):
        text = " And so, my fellow Americans, ask not what your country can do for you, ask what you can do for it."
        spoken = [{"word": " " + word, "start": 0.3 + 0.45 * i, "end": 0.7 + 0.45 * i}
                  for i, word in enumerate(text.split())]
        session = {"id": SESSION, "title": "Inaugural address", "start": 1795000000, "duration": 11.0, "language": "en",
                   "state": "finished"}
        if path.endswith("/search"):
            excerpt = [{"text": "ask not what your ", "isMatch": False}, {"text": "country", "isMatch": True}]
            return self.json({"hits": [{"session": SESSION, "start": 0.3, "segment": 0, "title": session["title"],
                                        "excerpt": excerpt}]})
        if path.endswith("/audio"):
            return self.answer((SAMPLES / "inaugural-1961.wav").read_bytes(), "audio/wav")
        if path.endswith("/summary"):
            return self.json({"title": "Ask what you can do for your country",
                              "text": "Ask not what your country can do for you, ask what you can do for it."})
        if path.endswith(SESSION):
            segments = [{"id": 0, "utterance": 0, "start": 0.3, "end": 10.5, "text": text, "editedText": None,
                         "words": spoken}]
            return self.json(session | {
                "hasAudio": True, "segments": segments})
        other = session | {"id": SESSION.replace("0b", "1b"), "title": "Doctor's appointment", "start": 1794910000,
                           "duration": 1312.0}
        self.json({"sessions": [session, other]})

    def json(self, value):
        self.answer(json.dumps(value).encode(), "application/json")

    def answer(self, body, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", policy())
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve_sources():
    """Serves the page from its sources on a free port; returns its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), SourceHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def policy():
    source = (PAGE.parent / "CaptionsPage.swift").read_text(encoding="utf-8")
    block = source[source.index("static let policy = ["):source.index('].joined(separator: "; ")')]
    return "; ".join(re.findall(r'"([^"]+)"', block))


SESSION = "0b54a2c8-5a0e-4d55-9c5b-5d5a2f0c1a11"


class ScriptedLive:
    """Replaces the server: speaks `/v1/steno/live` as a script directs."""

    def __init__(self, target):
        self.socket = None
        self.sequence = 0
        self.time = 0.0
        self.id = 0
        # The number of samples received.
        self.position = 0
        # The page's messages, without audio.
        self.said = []
        # Whether it responds; otherwise the page finds no server.
        self.answers = True
        target.route_web_socket(re.compile(r".*/v1/steno/live"), self.connect)

    def connect(self, socket):
        self.socket = socket
        socket.on_message(self.take)

    def take(self, message):
        if isinstance(message, bytes):
            position, = struct.unpack("<Q", message[:8])
            self.position = max(self.position, position + (len(message) - 8) // 2)
            return self.socket.send(json.dumps({"type": "ack", "position": self.position}))
        value = json.loads(message)
        self.said.append(value)
        if value["type"] == "hello" and self.answers:
            self.welcome("session" not in value)
        elif value["type"] == "finish":
            self.event("state", state="finished")
            self.socket.close(code=1000)

    def welcome(self, is_new):
        if is_new:
            self.position = 0
        self.socket.send(json.dumps({"type": "welcome", "session": "scripted", "position": self.position}))

    def lose(self):
        """Breaks the connection; the page gets no response when it reconnects."""
        self.answers = False
        self.said.clear()
        self.socket.close(code=1011)

    def asked(self, page, kind):
        """Waits for a message of the page; returns it."""
        for _ in range(200):
            found = [value for value in self.said if value["type"] == kind]
            if found:
                return found[-1]
            page.wait_for_timeout(50)
        raise SystemExit(f"the page did not say {kind}")

    def event(self, kind, **fields):
        line = {"type": kind, "sequence": self.sequence, "position": self.time, **fields}
        self.sequence += 1
        self.socket.send(json.dumps(line))

    def segment(self, text, seconds):
        return {"id": self.id, "utterance": self.id, "start": self.time, "end": self.time + seconds, "text": text,
                "words": []}

    def partial(self, text):
        self.event("partial", **self.segment(text, 1.0))

    def final(self, text, seconds=2.0, partials=()):
        self.event("final", **self.segment(text, seconds), partials=list(partials))
        self.time += seconds
        self.id += 1

    def end_utterance(self, pause=0.0):
        self.event("utterance_end", utterance=self.id)
        self.time += pause


def talk(live):
    """A short conversation for pictures and checks, with volatile text at its end."""
    live.event("speech", speaking=True, time=0)
    live.final(" Good morning, thank you for coming in today.")
    live.end_utterance(3)
    live.final(" Before we begin, is the text large enough for you to read?", 3)
    live.end_utterance(3)
    live.final(" Then let me explain what the results of last week mean,", 3)
    live.partial(" and what we would like to do next")


def until(page, expression, seconds=10):
    """Waits until an expression is true; Playwright's own function needs `eval`, which the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise SystemExit(f"not within {seconds} s: {expression}")
        page.wait_for_timeout(50)


def open_page(context, base, path="/", **settings):
    """Opens the page with settings, in English and without animations; returns when it is ready."""
    page = context.new_page()
    values = {"interface": "en", **settings}
    page.add_init_script(f"if (!localStorage['steno.settings']) localStorage['steno.settings'] = {json.dumps(json.dumps(values))}")
    page.goto(base + path)
    page.wait_for_selector("html[data-ready]")
    return page
