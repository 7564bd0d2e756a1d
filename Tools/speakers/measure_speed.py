#!/usr/bin/env python3
"""The time that speaker labels take beside the transcription, per second of audio.

usage: measure_speed.py FOLDER --steno PROGRAM [PROGRAM …] [--only PREFIX] [--isa avx2] [--threads 2] [--rounds 3]

Each recording of FOLDER is transcribed by Moonshine tiny with `--speakers auto` and without, in turns; the labels take the
difference. Of each the fastest round counts, since other work on the machine only adds time. Two programs take turns too, for
the share of the time that a change leaves. STENO_MODELS chooses the networks, as for steno itself.
"""
import argparse
import os
import pathlib
import subprocess
import time
import wave


def seconds(path):
    with wave.open(str(path)) as file:
        return file.getnframes() / file.getframerate()


def run(program, path, threads, labels, environment):
    start = time.perf_counter()
    subprocess.run([program, "transcribe", str(path), "--model", "moonshine-tiny", "--threads", str(threads), "--quiet",
                    *(["--speakers", "auto"] if labels else [])],
                   check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steno", required=True, nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--isa", help="the best instruction set that may be used, as STENO_MAX_ISA")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()
    environment = dict(os.environ, **({"STENO_MAX_ISA": a.isa} if a.isa else {}))
    paths = sorted(a.folder.glob(a.only + "*.wav"))
    if not paths:
        parser.error(f"{a.folder} has no {a.only}*.wav")
    audio = sum(map(seconds, paths))
    fastest = {}
    for _ in range(a.rounds):
        for path in paths:
            for program in a.steno:
                for labels in (False, True):
                    key = program, path, labels
                    taken = run(program, path, a.threads, labels, environment)
                    fastest[key] = min(taken, fastest.get(key, taken))
    took = {}
    for program in a.steno:
        without, with_labels = (sum(fastest[program, path, labels] for path in paths) for labels in (False, True))
        took[program] = (with_labels - without) / audio
        print(f"{program}: labels {took[program]:.4f} s per second of audio, the transcription {without / audio:.4f} s")
    for program in a.steno[1:]:
        print(f"{program}: {took[program] / took[a.steno[0]]:.2f} of the labels' time of {a.steno[0]}")


if __name__ == "__main__":
    main()
