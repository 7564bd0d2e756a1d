#!/usr/bin/env python3
"""Runs one script with faster-whisper and with steno.faster_whisper, each in its own process, and prints time and memory.

    Tools/comparisons/python/measure.py PYTHON RECORDING MODEL STENO-MODEL [COMPUTE-TYPE …]

PYTHON has both packages installed; MODEL is a folder in CTranslate2 format for faster-whisper, and STENO-MODEL a name or a
folder for Steno. Both use as many threads as there are cores. The runs take turns, so that other work on the machine disturbs
both; seconds of CPU time are more reliable on a busy machine than seconds on the clock.
"""

import json
import os
import subprocess
import sys

SCRIPT = """
import importlib, json, resource, sys, time
package, model, recording, compute_type, threads = sys.argv[1:6]
start = time.perf_counter()
WhisperModel = importlib.import_module(package).WhisperModel
whisper = WhisperModel(model, device="cpu", compute_type=compute_type, cpu_threads=int(threads))
loaded = time.perf_counter()
segments, info = whisper.transcribe(recording, language="en", beam_size=5)
text = "".join(segment.text for segment in segments)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "package": package, "type": compute_type, "load": round(loaded - start, 2),
    "seconds": round(time.perf_counter() - loaded, 1), "cpu": round(usage.ru_utime + usage.ru_stime, 1),
    "audio": round(info.duration, 1), "peak MB": usage.ru_maxrss // 1024, "words": len(text.split()),
}))
"""


def main():
    python, recording, model, steno_model, *types = sys.argv[1:]
    for compute_type in types or ["int8", "float32"]:
        for package, name in (("faster_whisper", model), ("steno.faster_whisper", steno_model)):
            result = subprocess.run(
                [python, "-c", SCRIPT, package, name, recording, compute_type, str(os.cpu_count())],
                check=True, capture_output=True, text=True)
            print(json.dumps(json.loads(result.stdout.splitlines()[-1])), flush=True)


if __name__ == "__main__":
    main()
