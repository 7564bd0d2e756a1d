#!/usr/bin/env python3
"""Times Steno, faster-whisper and whisper.cpp on one sound with the same Whisper weights, in turn, on one machine.

    python Tools/compare_speed.py SOUND --steno PATH --model CT2_FOLDER [--whisper-cpp PATH --ggml FILE]
        [--threads 2] [--beam 5] [--runs 3] [--language en] [--text FILE]

Each engine runs in a process of its own, one after the other, RUNS times; the table has the median and the spread of the
time from loaded model to finished text (whisper.cpp: of the whole process, loading takes it a fraction of a second), and
the peak memory of the process. faster-whisper must be importable (it runs in
this Python). SOUND is a file every engine reads: 16 kHz mono WAV. With --text the word error rate stands beside it.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from text_errors import errors

WORKER = """
import sys, time, json
from faster_whisper import WhisperModel
sound, folder, compute, threads, beam, language, batch = sys.argv[1:8]
model = WhisperModel(folder, device="cpu", compute_type=compute, cpu_threads=int(threads))
if int(batch):
    from faster_whisper import BatchedInferencePipeline
    model = BatchedInferencePipeline(model)
start = time.perf_counter()
extra = {"batch_size": int(batch)} if int(batch) else {}
segments, _ = model.transcribe(sound, beam_size=int(beam), language=language, **extra)
text = "".join(s.text for s in segments)
print(json.dumps({"seconds": time.perf_counter() - start, "text": text}))
"""


def run(command):
    """Runs a command; returns its output, its errors, its peak memory in MB."""
    timed = subprocess.run(["/usr/bin/time", "-f", "PEAK %M", *command], capture_output=True, text=True, check=True)
    peak = int(re.findall(r"PEAK (\d+)", timed.stderr)[-1]) / 1024
    return timed.stdout, timed.stderr, peak


def steno(a, precision):
    with tempfile.TemporaryDirectory() as out:
        _, messages, peak = run([a.steno, "transcribe", a.sound, "--model", a.model, "--precision", precision, "--threads",
                               str(a.threads), "--beam-size", str(a.beam), "--language", a.language, "--verbose",
                               "--output-format", "json", "--output-dir", out])
        seconds = float(re.search(r"s of sound in ([\d.]+) s", messages).group(1))
        text = json.loads(next(Path(out).glob("*.json")).read_text())["text"]
    return seconds, peak, text


def faster_whisper(a, compute, batch=0):
    out, _, peak = run([sys.executable, "-c", WORKER, a.sound, a.model, compute, str(a.threads), str(a.beam), a.language, str(batch)])
    result = json.loads(out.strip().splitlines()[-1])
    return result["seconds"], peak, result["text"]


def whisper_cpp(a):
    start = time.perf_counter()
    out, _, peak = run([a.whisper_cpp, "-m", a.ggml, "-f", a.sound, "-t", str(a.threads), "-bs", str(a.beam), "-l",
                        a.language, "-np"])
    seconds = time.perf_counter() - start
    return seconds, peak, " ".join(re.sub(r"^\[.*?\]\s*", "", line) for line in out.splitlines())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("sound")
    p.add_argument("--steno", required=True)
    p.add_argument("--model", required=True)
    p.add_argument("--whisper-cpp")
    p.add_argument("--ggml")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--beam", type=int, default=5)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--language", default="en")
    p.add_argument("--text")
    a = p.parse_args()
    engines = {
        "Steno int8": lambda: steno(a, "int8"),
        "Steno float32": lambda: steno(a, "float32"),
        "faster-whisper int8": lambda: faster_whisper(a, "int8"),
        "faster-whisper int8, batch 8": lambda: faster_whisper(a, "int8", 8),
        "faster-whisper float32": lambda: faster_whisper(a, "float32"),
    }
    if a.whisper_cpp:
        engines["whisper.cpp " + Path(a.ggml).stem] = lambda: whisper_cpp(a)
    results = {name: [] for name in engines}
    for _ in range(a.runs):
        for name, engine in engines.items():
            results[name].append(engine())
            print(name, f"{results[name][-1][0]:.2f} s", file=sys.stderr)
    reference = Path(a.text).read_text() if a.text else None
    base = statistics.median(r[0] for r in results["Steno int8"])
    print("| engine | median s | min–max s | of Steno int8 | peak MB | WER |\n|---|---|---|---|---|---|")
    for name, runs in results.items():
        seconds = [r[0] for r in runs]
        wer = "–"
        if reference:
            wrong, words = errors(reference, runs[-1][2], a.language)
            wer = f"{100 * wrong / words:.2f} %"
        median = statistics.median(seconds)
        print(f"| {name} | {median:.2f} | {min(seconds):.2f}–{max(seconds):.2f} | {median / base:.2f} | "
              f"{statistics.median(r[1] for r in runs):.0f} | {wer} |")


if __name__ == "__main__":
    main()
