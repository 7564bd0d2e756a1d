#!/usr/bin/env python3
"""Measures whether the memory of `steno transcribe --from-list` stays flat for hours.

    Tools/archives/measure_worker.py STENO [--hours 24] [--model NAME]

One process gets that many hours of audio (sentences, a talk, ten minutes, and broken recordings); its memory, descriptors and
children are read from /proc. It fails if one of them grows. Needs ffmpeg and Linux.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import wave

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Fixtures"


def samples():
    """The fixtures' talk as 16-bit samples at 16 kHz."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(FIXTURES / "speech" / "talk.flac")]
    return subprocess.run(command + ["-ar", "16000", "-ac", "1", "-f", "s16le", "-"], check=True, capture_output=True).stdout


def write(path, data):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(data)
    return str(path)


def clips(folder, talk, seconds, count):
    """Clips of the talk, each from a different place."""
    size, step = int(seconds * 32_000), 7 * 32_000
    doubled = talk * (2 + size // len(talk))
    return [write(folder / f"{seconds:g}s-{n}.wav", doubled[n * step % len(talk):][:size]) for n in range(count)]


def state(pid):
    """Resident memory in MB, open descriptors and child processes."""
    folder = pathlib.Path(f"/proc/{pid}")
    memory = next(line for line in (folder / "status").read_text().splitlines() if line.startswith("VmRSS"))
    children = [child for task in (folder / "task").iterdir() for child in (task / "children").read_text().split()]
    return int(memory.split()[1]) / 1024, len(list((folder / "fd").iterdir())), len(children)


def hours(steno, options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        talk = samples()
        long = clips(folder, talk, 600, 2)
        sentences = sorted(str(file) for file in (FIXTURES / "speech").glob("en-*.flac"))
        (folder / "empty.wav").touch()
        (folder / "words.wav").write_text("no recording " * 1000)
        broken = [str(folder / name) for name in ("empty.wav", "words.wav", "missing.wav")]
        # Half of the files are sentences, but most of the time goes to long recordings.
        cycle = long + [str(FIXTURES / "speech" / "talk.flac")] * 2 + sentences[:8] + broken
        command = [steno, "transcribe", "--from-list", "-", "--at-once", str(options.at_once), "--language", "en"]
        if options.model:
            command += ["--model", options.model]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        asked = answered = 0
        audio, rows, start, texts = 0.0, [], time.monotonic(), collections.defaultdict(set)
        while audio < options.hours * 3600 or answered < asked:
            while audio < options.hours * 3600 and asked - answered < options.at_once + 4:
                line = {"id": asked, "path": cycle[asked % len(cycle)]}
                process.stdin.write(json.dumps(line).encode() + b"\n")
                process.stdin.flush()
                asked += 1
            answer = json.loads(process.stdout.readline())
            answered += 1
            path = cycle[answer["id"] % len(cycle)]
            if ("error" in answer) != (path in broken):
                sys.exit(f"{path}: {answer.get('error')}")
            texts[path].add(answer.get("text"))
            audio += answer.get("duration", 0)
            if audio >= options.hours * 3600 / 40 * len(rows):
                rows.append((audio / 3600, *state(process.pid)))
                print("%.2f h: %.0f MB, %d descriptors, %d children" % rows[-1], flush=True)
        process.stdin.close()
        if process.stdout.read() or process.wait() != 0:
            sys.exit(f"the worker ended with {process.returncode}")
        elapsed = time.monotonic() - start
    different = [path for path, found in texts.items() if len(found) > 1]
    second, last = (max(row[1] for row in part) for part in (rows[len(rows) // 4:len(rows) // 2], rows[-len(rows) // 4:]))
    descriptors = [max(row[2] for row in part) for part in (rows[len(rows) // 4:len(rows) // 2], rows[-len(rows) // 4:])]
    print(f"{audio / 3600:.2f} h of audio, {answered} recordings in {elapsed:.0f} s, {audio / elapsed:.0f} times as fast as "
          f"speech; at most {second:.0f} MB in the second quarter, {last:.0f} MB in the last; descriptors {descriptors}")
    if different:
        sys.exit(f"the text of {different[0]} changed between two of its transcriptions")
    if last > second * 1.1 + 5 or descriptors[1] > descriptors[0] + 4:
        sys.exit("memory or descriptors grow")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steno")
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--model")
    options = parser.parse_args()
    hours(os.path.abspath(options.steno), options)


if __name__ == "__main__":
    main()
