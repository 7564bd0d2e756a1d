#!/usr/bin/env python3
"""Measures what Spark adds to the plain command on the same cores; run it on an otherwise idle machine.

    .build-spark/spark-4/bin/python Integrations/spark/tests/measure_overhead.py STENO [--model NAME] [--rounds 3]

The job runs on a cluster of two Spark workers with one core each, the plain command as two single-threaded processes with
half of the clips each. They take turns; the texts must be equal. The compared time is that of the waves, from the start of
the first to the publishing of the last. Starting Spark and planning happen once per archive, however large it is, and are
printed separately. Fails if the median of the rounds is above the goals: 5 % for clips of a minute, 15 % for
clips of five seconds. `run.sh` makes the environments. Needs Java 17, ffmpeg and Linux.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import pyarrow.parquet

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "Tools" / "archives")]

from cluster import Cluster  # noqa: E402  (found by the path above)
from measure_worker import clips, samples  # noqa: E402

CORES = 2
# Seconds of a clip, and by how much the job may be slower.
GOALS = {60: 1.05, 5: 1.15}


def plain(steno, files, options, folder):
    """The seconds of the plain command, and the texts by the names of the files."""
    common = [steno, "transcribe", "--threads", "1", "--language", "en", "--quiet", "-f", "json"] + options
    start, running = time.monotonic(), []
    for number in range(CORES):
        with open(folder / f"plain-{number}", "wb") as output:
            running.append(subprocess.Popen(common + files[number::CORES], stdin=subprocess.DEVNULL, stdout=output))
    if any(process.wait() for process in running):
        sys.exit("the plain command failed")
    seconds = time.monotonic() - start
    answers = [json.loads(line) for number in range(CORES) for line in open(folder / f"plain-{number}", encoding="utf-8")]
    return seconds, {answer["file"]: answer["text"] for answer in answers}


def spark(cluster, steno, files, options, at_once, folder):
    """The seconds of the waves, those of the whole run, and the texts."""
    manifest, out = folder / "manifest.jsonl", folder / "out"
    manifest.write_text("".join(json.dumps({"path": file}) + "\n" for file in files))
    start = time.monotonic()
    job = cluster.submit(
        manifest, out, "--steno", steno, *options, "--threads", 1, "--at-once", at_once, "--progress-seconds", 5,
        "--", "--language", "en",
    )
    code, said = job.wait()
    seconds = time.monotonic() - start
    if code != 0:
        sys.exit("\n".join(said))
    texts = {}
    for file in out.glob("*.parquet"):
        texts |= {row["path"]: row["text"] for row in pyarrow.parquet.ParquetFile(file).read(["path", "text"]).to_pylist()}
    summary = json.loads((out / "_steno" / "summary.json").read_text())
    return summary["this_run"]["elapsed_seconds"], seconds, texts


def measure(cluster, steno, length, count, options):
    """Prints the figures of clips of one length; returns whether the goal is met."""
    model = ["--model", options.model] if options.model else []
    ratios, totals = [], []
    with tempfile.TemporaryDirectory() as name:
        files = clips(pathlib.Path(name), samples(), length, count)
        # The first round warms the file cache.
        for number in range(options.rounds + 1):
            folder = pathlib.Path(name) / f"round-{number}"
            folder.mkdir()
            own, texts = plain(steno, files, model, folder)
            waves, whole, found = spark(cluster, steno, files, model, options.at_once, folder)
            if found != texts:
                sys.exit("the texts differ")
            print(f"{length} s: plain {own:.1f} s, waves {waves:.1f} s, with Spark's start {whole:.1f} s", flush=True)
            if number > 0:
                ratios.append(waves / own)
                totals.append(whole - waves)
    median = statistics.median(ratios)
    print(
        f"{count} clips of {length} s, {options.at_once} at once: {median:.3f} of the plain command's time "
        f"({min(ratios):.3f}–{max(ratios):.3f}; the goal is {GOALS[length]}), and {statistics.median(totals):.1f} s for the "
        "start and the plan", flush=True,
    )
    return median <= GOALS[length]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steno")
    parser.add_argument("--model")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=4, help="recordings that a process of the job decodes at once (4)")
    parser.add_argument("--short", type=int, default=200, help="clips of five seconds (200)")
    parser.add_argument("--long", type=int, default=24, help="clips of a minute (24)")
    options = parser.parse_args()
    steno = os.path.abspath(options.steno)
    with tempfile.TemporaryDirectory() as folder, Cluster(folder) as cluster:
        met = [measure(cluster, steno, length, count, options) for length, count in [(60, options.long), (5, options.short)]]
    sys.exit(0 if all(met) else "the overhead is above the goal")


if __name__ == "__main__":
    main()
