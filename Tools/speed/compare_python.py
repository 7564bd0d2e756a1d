#!/usr/bin/env python3
"""Time and memory of one Python script, once with faster-whisper and once with Steno's wheel: only the import differs.

usage: python Tools/speed/compare_python.py --steno PYTHON --peer PYTHON --model FOLDER --audio FILE
           [--threads 2] [--compute-type int8] [--batch-size 8] [--rounds 3] [--json FILE]

PYTHON is the interpreter of an environment with the wheel and NumPy, or with faster-whisper. The model is a CTranslate2
folder, and the audio a WAV file, so that no program but the two decodes it. The programs take turns, in processes of their
own; the least time and the least processor time of the rounds count, and the greatest peak of memory.
"""
import argparse
import json
import os
import subprocess
import sys

SCRIPT = """
import json, os, resource, sys, time
package, model, audio, threads, compute_type, batch_size = sys.argv[1:]
start = time.perf_counter()
if package == "steno":
    from steno.faster_whisper import BatchedInferencePipeline, WhisperModel
else:
    from faster_whisper import BatchedInferencePipeline, WhisperModel
whisper = WhisperModel(model, device="cpu", compute_type=compute_type, cpu_threads=int(threads))
loaded, busy = time.perf_counter(), time.process_time()
if int(batch_size) > 0:
    segments, info = BatchedInferencePipeline(whisper).transcribe(audio, language="en", batch_size=int(batch_size))
else:
    segments, info = whisper.transcribe(audio, language="en")
text = " ".join(segment.text.strip() for segment in segments)
print(json.dumps({
    "load": loaded - start, "seconds": time.perf_counter() - loaded, "processor": time.process_time() - busy,
    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6, "words": len(text.split()),
    "audio": info.duration}))
"""


def run(package, python, a):
    command = [python, "-c", SCRIPT, package, a.model, a.audio, str(a.threads), a.compute_type, str(a.batch_size)]
    # On as many processors as threads, because reading the audio uses threads of its own.
    processors = sorted(os.sched_getaffinity(0))[:a.threads]
    result = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.sched_setaffinity(0, processors))
    if result.returncode != 0:
        sys.exit(f"compare_python: {package} failed")
    return json.loads(result.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steno", required=True)
    parser.add_argument("--peer", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--audio", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--compute-type", default="int8")
    parser.add_argument("--batch-size", type=int, default=0, help="0: windows one after the other")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    a = parser.parse_args()
    rounds = {"faster_whisper": [], "steno": []}
    for _ in range(a.rounds):
        for package, python in (("faster_whisper", a.peer), ("steno", a.steno)):
            rounds[package].append(run(package, python, a))
    summary = {}
    for package, results in rounds.items():
        best = {key: min(result[key] for result in results) for key in ("load", "seconds", "processor")}
        best |= {"megabytes": max(result["megabytes"] for result in results), "words": results[0]["words"]}
        summary[package] = best
        print(f"{package:15} load {best['load']:.2f} s, {best['seconds']:.2f} s for {results[0]['audio']:.0f} s of audio, "
              f"processor {best['processor']:.2f} s, {best['megabytes']:.0f} MB, {best['words']} words")
    ratio = summary["steno"]["seconds"] / summary["faster_whisper"]["seconds"]
    print(f"time of Steno: {ratio:.2f} of faster-whisper's")
    if a.json:
        with open(a.json, "w") as file:
            json.dump({"options": vars(a), "ratio": ratio, "programs": summary}, file, indent=1)


if __name__ == "__main__":
    main()
