#!/usr/bin/env python3
"""Sends audio to `steno live` in real time for hours, and checks that memory and lag stay flat.

    python Tools/live/long_session.py --steno PATH [--hours 3] [--minutes M] [--seed 5] [--json FILE]

The talk and the sentences of Tests/Fixtures/speech, in random order with pauses of 0.3 to 8 s, go through a pipe in real time.
Once a minute it records the resident memory of the process, how far the newest event lags behind the written audio, and how
often the pipe was full.

Exit code 1 if the memory of the last quarter is more than a tenth above that of the second (the first one warms up), if the lag
of the last quarter is more than 0.2 s above that of the second, if a `lag`, `skipped` or `error` event occurred, or if the session did
not finish with text in every quarter.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from live.live_streams import RATE, append, manifest
from support.paths import FIXTURES

import soundfile

CHUNK = 512  # samples: 32 ms


def audio(seed):
    """Endless speech as 16-bit samples, piece by piece."""
    draw = random.Random(seed)
    rows = manifest(FIXTURES / "speech")
    while True:
        draw.shuffle(rows)
        for file, _ in rows:
            samples = soundfile.read(file, dtype="int16")[0]
            yield samples if samples.ndim == 1 else samples[:, 0]
            yield np.zeros(int(draw.uniform(0.3, 8) * RATE), np.int16)


def resident(pid):
    """Resident memory in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    return 0.0


def run(a):
    seconds = 60 * a.minutes if a.minutes else 3600 * a.hours
    process = subprocess.Popen([a.steno, "live", "--input", "-", "--language", "en", "--format", "jsonl"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    state = {"position": 0.0, "bad": [], "finals": [], "end": None}

    def read():
        for line in process.stdout:
            event = json.loads(line)
            state["position"] = max(state["position"], event.get("position", 0.0))
            if event["type"] in ("lag", "skipped", "error"):
                state["bad"].append(event)
            elif event["type"] == "final":
                state["finals"].append(event["position"])
            elif event["type"] == "state":
                state["end"] = event.get("state")

    reader = threading.Thread(target=read)
    reader.start()
    notes, late, written, pending = [], 0, 0, np.zeros(0, np.int16)
    pieces = audio(a.seed)
    start = time.monotonic()
    # The header of a stream, whose length is unknown.
    process.stdin.write(b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0" + RATE.to_bytes(4, "little")
                        + (2 * RATE).to_bytes(4, "little") + b"\x02\0\x10\0data\xff\xff\xff\xff")
    while written < seconds * RATE:
        while len(pending) < CHUNK:
            pending = np.concatenate([pending, next(pieces)])
        due = start + written / RATE
        time.sleep(max(0.0, due - time.monotonic()))
        process.stdin.write(pending[:CHUNK].tobytes())
        process.stdin.flush()
        late += time.monotonic() - due > 0.5
        pending, written = pending[CHUNK:], written + CHUNK
        if written // (60 * RATE) > len(notes):
            notes.append((resident(process.pid), written / RATE - state["position"]))
            print(f"{len(notes)} min: {notes[-1][0]:.0f} MB, {notes[-1][1]:.2f} s behind", flush=True)
    process.stdin.close()
    code = process.wait()
    reader.join()
    quarter = len(notes) // 4

    def of(part, column):
        return statistics.median(note[column] for note in notes[part * quarter:(part + 1) * quarter])

    if quarter == 0:
        sys.exit("At least four minutes are needed.")
    memory, lag = [of(i, 0) for i in range(4)], [of(i, 1) for i in range(4)]
    spoken = [sum(i * seconds / 4 <= p < (i + 1) * seconds / 4 for p in state["finals"]) for i in range(4)]
    faults = [text for text, is_bad in [
        ("memory grew", memory[3] > 1.1 * memory[1]), ("the lag grew", lag[3] > lag[1] + 0.2),
        (f"events: {state['bad'][:3]}", bool(state["bad"])), ("a quarter without text", min(spoken) == 0),
        (f"state {state['end']}, exit code {code}", state["end"] != "finished" or code != 0)] if is_bad]
    return {"minutes": len(notes), "memory_mb": memory, "lag_s": lag, "final_events": spoken, "late_writes": late, "faults": faults}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--steno", required=True)
    p.add_argument("--hours", type=float, default=3)
    p.add_argument("--minutes", type=float)
    p.add_argument("--seed", type=int, default=5)
    p.add_argument("--json")
    a = p.parse_args()
    result = run(a)
    print(f"{result['minutes']} minutes; by quarter: memory {' '.join(f'{x:.0f}' for x in result['memory_mb'])} MB, behind "
          f"{' '.join(f'{x:.2f}' for x in result['lag_s'])} s, final events {result['final_events']}; "
          f"{result['late_writes']} late writes; {'; '.join(result['faults']) or 'flat'}")
    append(a.json, result)
    sys.exit(1 if result["faults"] else 0)


if __name__ == "__main__":
    main()
