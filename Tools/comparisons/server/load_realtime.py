#!/usr/bin/env python3
"""Fills a running Steno server with live sessions, and checks that none is late, that the next is refused, and that idle or
half-open connections block nobody.

    steno serve --port 8099 --model base &
    pip install -r Tools/comparisons/server/requirements.txt
    Tools/comparisons/server/load_realtime.py --url http://127.0.0.1:8099 RECORDING.wav [--sessions N] [--half-open 1000]

Each session sends the recording (16-bit mono) in real time, starting half a second after the previous one. A turn's
delay is the time from the end of its last word in the recording to its `completed`. First a single session runs, then as many
as the server allows (`steno_live_sessions_limit` of its metrics) and one more that must be refused, then a single one again
while other connections send half a header and wait. The exit code is 1 if a session that should run is refused or fails, if
the extra one is not refused, or if turns on the full server are more than --late seconds later than those of a single
session.
"""
import argparse
import asyncio
import base64
import json
import re
import socket
import statistics
import sys
import time
import urllib.request
from urllib.parse import urlsplit

import websockets

from realtime_openai import recording

RATE, CHUNK_SECONDS, STAGGER_SECONDS, END_SECONDS = 24000, 0.1, 0.5, 60
COMPLETED = "conversation.item.input_audio_transcription.completed"
SETTINGS = {"type": "session.update", "session": {"type": "transcription", "audio": {"input": {
    "format": {"type": "audio/pcm", "rate": RATE}, "transcription": {"model": "whisper-1", "language": "en"}}}}}


async def session(url, samples):
    """A session's (delay of each turn, text), or the status with which it was refused."""
    try:
        async with websockets.connect(url, max_size=None, proxy=None) as socket:
            await socket.send(json.dumps(SETTINGS))
            start = time.monotonic()
            speaking = asyncio.create_task(speak(socket, samples, start))
            delays, texts = [], []
            while True:
                # Silence after the last sample ends the turn; then nothing is sent for a while.
                wait = END_SECONDS if not speaking.done() else 4
                try:
                    event = json.loads(await asyncio.wait_for(socket.recv(), wait))
                except asyncio.TimeoutError:
                    if speaking.done():
                        return delays, " ".join(texts)
                    raise
                if event["type"] == "error":
                    raise SystemExit(f"the server reports: {event['error']['message']}")
                if event["type"] == COMPLETED:
                    now = time.monotonic() - start
                    delays += [now - word["end"] for word in event["words"][-1:]]
                    texts.append(event["transcript"])
    except websockets.InvalidStatus as refused:
        return refused.response.status_code


async def speak(socket, samples, start):
    count = int(RATE * CHUNK_SECONDS)
    audio = samples.tobytes() + bytes(RATE * 2 * 3)
    for index in range(0, len(audio) // 2, count):
        await asyncio.sleep(max(0, start + (index + count) / RATE - time.monotonic()))
        piece = base64.b64encode(audio[2 * index:2 * (index + count)]).decode()
        await socket.send(json.dumps({"type": "input_audio_buffer.append", "audio": piece}))


async def together(url, samples, count):
    async def later(index):
        await asyncio.sleep(index * STAGGER_SECONDS)
        return await session(url, samples)
    return await asyncio.gather(*(later(index) for index in range(count)))


def show(name, results):
    """Prints the delays of the sessions that ran, and returns their median and 95th percentile."""
    delays = sorted(delay for result in results if not isinstance(result, int) for delay in result[0])
    if not delays:
        raise SystemExit(f"{name}: no turns")
    median, late = statistics.median(delays), delays[int(0.95 * (len(delays) - 1))]
    texts = {result[1] for result in results if not isinstance(result, int)}
    print(f"{name}: {len(results)} session{'s' * (len(results) != 1)}, {len(delays)} turns, complete {median:.2f} s after their last word "
          f"(median), {late:.2f} s (95th percentile), {delays[-1]:.2f} s (last); {len(texts)} different texts", flush=True)
    return median, late


def limit(base):
    metrics = urllib.request.urlopen(f"{base}/metrics").read().decode()
    return int(float(re.search(r"^steno_live_sessions_limit\S* (\S+)", metrics, re.M)[1]))


def half_open(base, count):
    """Connections that have sent half a header."""
    address = urlsplit(base)
    opened = []
    for _ in range(count):
        connection = socket.create_connection((address.hostname, address.port), 5)
        connection.sendall(b"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: ")
        opened.append(connection)
    return opened


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording")
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--sessions", type=int, help="number of sessions (default: the server's limit)")
    parser.add_argument("--half-open", type=int, default=1000)
    parser.add_argument("--late", type=float, default=1.0)
    a = parser.parse_args()
    base = a.url.rstrip("/")
    url = base.replace("http", "ws", 1) + "/v1/realtime?intent=transcription"
    samples = recording(a.recording, RATE)
    alone = show("alone", [asyncio.run(session(url, samples))])
    count = a.sessions or limit(base)
    results = asyncio.run(together(url, samples, count + 1))
    refused = [result for result in results if isinstance(result, int)]
    full = show("full", [result for result in results if not isinstance(result, int)])
    print(f"refused: {len(refused)} of {count + 1}, with status {refused}")
    opened = half_open(base, a.half_open)
    beside = show(f"with {len(opened)} half-open connections", [asyncio.run(session(url, samples))])
    for connection in opened:
        connection.close()
    failures = []
    if len(refused) != 1 or refused[0] not in (429, 503):
        failures.append("not exactly one session was refused")
    failures += [f"turns are late: {name}" for name, now in (("full", full), ("half-open", beside)) if now[1] > alone[1] + a.late]
    print("; ".join(failures) or "right")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
