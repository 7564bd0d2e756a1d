#!/usr/bin/env python3
"""Transcribes an archive with Steno on Spark 3.5 or 4.

    spark-submit --archives steno.tar.gz#steno steno_spark.py MANIFEST OUT --steno steno/steno --model base

MANIFEST is JSON lines, CSV or Parquet with `path` (or a file `url`) and optionally `id`, `options` and `duration`, or a
folder of recordings. OUT gets Parquet with one row for each recording, including failed ones. Started again, it continues.
Arguments after `--` are options of `steno transcribe`, such as `-- --language de --word-timestamps`.

Documentation/Guides/Archives.md describes the columns, what survives which failure, and the settings for a cluster.
"""

import argparse
import concurrent.futures
import functools
import os
import sys
import threading
import time
import traceback
import uuid

from pyspark import AccumulatorParam, SparkFiles, TaskContext
from pyspark.sql import SparkSession

import steno_output
import steno_plan
import steno_worker

MODULES = ["steno_spark", "steno_worker", "steno_probe", "steno_plan", "steno_output"]
# Rows are passed to Spark in batches of this size, or after this many seconds.
BATCH_ROWS, BATCH_SECONDS = 64, 10.0


def parse(arguments):
    own, steno = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        own, steno = arguments[:at], arguments[at + 1:]
    parser = argparse.ArgumentParser(
        description="Transcribe an archive with Steno on Spark. Arguments after -- are options of steno transcribe."
    )
    parser.add_argument("manifest", help="JSON lines, CSV, Parquet, or a folder of recordings")
    parser.add_argument("out", help="folder for the Parquet, on any file system that Spark supports")
    parser.add_argument("--model", help="model name, or path on the nodes or in a shipped archive")
    parser.add_argument("--steno", default="steno", help="the program, on the nodes or in a shipped archive")
    parser.add_argument("--threads", type=int, default=2, help="cores of a task, and threads of its process (2)")
    parser.add_argument("--at-once", type=int, default=4, help="recordings that a process decodes at once (4)")
    parser.add_argument("--partition-by", default="", help="columns of the output or the manifest: language,collection")
    parser.add_argument("--manifest-format", default="auto", choices=["auto", "jsonl", "csv", "parquet", "folder"])
    parser.add_argument("--task-minutes", type=float, default=120, help="audio of a task, in minutes (120)")
    parser.add_argument("--wave-hours", type=float, default=1000, help="audio that is published together, in hours (1000)")
    parser.add_argument("--wave-recordings", type=int, default=20_000, help="the most recordings of a wave (20000)")
    parser.add_argument("--waves-at-once", type=int, default=3, help="waves under way at the same time (3)")
    parser.add_argument("--progress-seconds", type=float, default=30, help="seconds between lines of progress (30)")
    options = parser.parse_args(own)
    options.arguments = tuple(steno)
    options.partition_by = [name for name in options.partition_by.split(",") if name]
    return options


# Runs on the executors


def transcribe_batches(batches, settings, schema, totals):
    """A task: recordings in, rows out, as Arrow batches."""
    import pyarrow as pa

    context = TaskContext.get()
    folders = [SparkFiles.getRootDirectory(), os.getcwd()]
    recordings = (row for batch in batches for row in batch.to_pylist())
    rows, start = [], time.monotonic()
    for row in steno_worker.transcribe(recordings, settings, folders, context.attemptNumber()):
        totals += (1, row["duration"] or 0.0, row["compute_seconds"] or 0.0)
        rows.append(row)
        if len(rows) >= BATCH_ROWS or time.monotonic() - start > BATCH_SECONDS:
            yield pa.RecordBatch.from_pylist(rows, schema)
            rows, start = [], time.monotonic()
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema)


class Sums(AccumulatorParam):
    """Recordings, seconds of audio and seconds of compute of finished tasks."""

    def zero(self, value):
        return (0, 0.0, 0.0)

    def addInPlace(self, one, other):
        return tuple(a + b for a, b in zip(one, other))


# Runs on the driver


class Job:
    """A run: plans, runs the waves, publishes them, and reports."""

    def __init__(self, spark, options):
        self.spark, self.options = spark, options
        self.output = steno_output.Output(spark, options.out, f"run-{time.strftime('%Y%m%d-%H%M%S')}-{uuid.uuid4().hex[:8]}")
        self.extra = [name for name in options.partition_by if name not in steno_output.COLUMNS]
        self.schema = steno_output.schema(self.extra)
        self.totals = spark.sparkContext.accumulator((0, 0.0, 0.0), Sums())
        self.settings = steno_worker.Settings(
            options.steno, options.model, options.threads, options.at_once, options.arguments
        )

    @property
    def slots(self):
        """The number of parallel tasks; executors register while the run begins, so it is counted when needed."""
        return max(1, self.spark.sparkContext.defaultParallelism // self.options.threads)

    def plan(self):
        """Writes the remaining recordings with their waves; returns them, and the amount of work per wave."""
        recordings = steno_plan.manifest(
            self.spark, self.options.manifest, self.options.manifest_format, self.extra
        )
        done = self.output.done()
        todo = recordings.join(done, "id", "left_anti") if done is not None else recordings
        columns = ["id string", "path string", "options string", "seconds double"] + [f"`{name}` string" for name in self.extra]
        probed = todo.repartition(self.slots * 4).mapInArrow(steno_plan.probe, ", ".join(columns))
        # Written to disk, so that no recording is opened twice for its duration.
        probed.write.parquet(self.output.staging + "/probed")
        probed = self.spark.read.parquet(self.output.staging + "/probed")
        waves = steno_plan.with_waves(probed, self.options.wave_hours * 3600, self.options.wave_recordings)
        waves.write.partitionBy("wave").parquet(self.output.staging + "/plan")
        if not probed.head(1):
            return None, []
        plan = self.spark.read.parquet(self.output.staging + "/plan")
        counts = plan.groupBy("wave").agg({"*": "count", "seconds": "sum"}).orderBy("wave").collect()
        return plan, [(row["wave"], row["count(1)"], row["sum(seconds)"]) for row in counts]

    def run_wave(self, plan, wave):
        """Transcribes a wave and publishes it."""
        # If another run has taken over while this wave waited, computing it would be wasted.
        self.output.check_owner()
        rows = [row.asDict() for row in plan.where(plan["wave"] == wave).drop("wave").collect()]
        chunks = steno_plan.chunks(rows, self.options.task_minutes * 60, self.slots)
        context = self.spark.sparkContext
        names = ["id", "path", "options", *self.extra]
        tuples = [[tuple(row[name] for name in names) for row in chunk] for chunk in chunks]
        flat = context.parallelize(tuples, len(tuples)).flatMap(_itself)
        frame = self.spark.createDataFrame(flat, ", ".join(f"`{name}` string" for name in names), verifySchema=False)
        schema = steno_output.arrow_schema(self.extra)
        task = functools.partial(transcribe_batches, settings=self.settings, schema=schema, totals=self.totals)
        context.setJobDescription(f"wave {wave}: {len(rows)} recordings in {len(chunks)} tasks")
        folder = f"{self.output.staging}/wave-{wave:06d}"
        frame.mapInArrow(task, self.schema).write.partitionBy(*self.options.partition_by).parquet(folder)
        self.output.publish(folder)

    def run(self):
        self.output.take_over()
        published, removed = self.output.recover()
        if published or removed:
            say(f"an earlier run was cut off: {published} of its waves are published now, {removed} are done again")
        plan, waves = self.plan()
        count, seconds = sum(wave[1] for wave in waves), sum(wave[2] for wave in waves)
        say(f"{count} recordings to do, about {seconds / 3600:.2f} h, in {len(waves)} waves")
        start, failed = time.monotonic(), []
        with Progress(self.totals, count, seconds, self.options.progress_seconds):
            with concurrent.futures.ThreadPoolExecutor(self.options.waves_at_once) as pool:
                running = {pool.submit(self.run_wave, plan, wave): wave for wave, _, _ in waves}
                for future in concurrent.futures.as_completed(running):
                    if error := future.exception():
                        failed.append(running[future])
                        say(f"wave {running[future]} failed and is done again by the next run: {_text(error)}")
                        if isinstance(error, steno_output.TakenOver):
                            # This run can no longer publish anything, so it must not begin another wave.
                            pool.shutdown(wait=False, cancel_futures=True)
                            self.spark.sparkContext.cancelAllJobs()
                            return 1
        self.report(time.monotonic() - start, failed)
        return 1 if failed else 0

    def report(self, elapsed, failed):
        count, audio, compute = self.totals.value
        summary = self.output.summary()
        summary["this_run"] = {
            "recordings": count, "audio_hours": audio / 3600, "elapsed_seconds": round(elapsed, 1),
            "speed": audio / elapsed if elapsed else None, "failed_waves": len(failed),
        }
        self.output.write_summary(summary)
        if not failed:
            self.output.clean()
        say(f"{summary['recordings']} recordings, {summary['audio_hours']:.2f} h of audio in {self.output.location}")
        speed = f", {audio / elapsed:.0f} times as fast as speech" if audio and elapsed else ""
        say(f"this run: {audio / 3600:.2f} h of audio in {elapsed:.0f} s{speed}")
        for code, number in sorted(summary["errors"].items(), key=lambda error: -error[1]):
            say(f"  {number} × {code}")


class Progress:
    """Regularly reports how much is done, and how long the rest will take at that speed."""

    def __init__(self, totals, count, seconds, interval):
        self.totals, self.count, self.seconds, self.interval = totals, count, seconds, interval
        self.ended = threading.Event()

    def __enter__(self):
        self.start = time.monotonic()
        self.thread = threading.Thread(target=self.report, daemon=True)
        self.thread.start()

    def __exit__(self, *error):
        self.ended.set()
        self.thread.join()

    def report(self):
        while not self.ended.wait(self.interval):
            count, audio, _ = self.totals.value
            say(self.line(count, audio, time.monotonic() - self.start))

    def line(self, count, audio, elapsed):
        line = f"{count} of {self.count} recordings, {audio / 3600:.2f} of {self.seconds / 3600:.2f} h"
        if not audio:
            return line
        left = max(0.0, self.seconds - audio) / audio * elapsed
        return f"{line}, {audio / elapsed:.0f} times as fast as speech, about {left / 3600:.2f} h left"


def _itself(rows):
    return rows


def _text(error):
    return "".join(traceback.format_exception(error)).strip()[-4000:]


def say(text):
    print(f"steno: {text}", file=sys.stderr, flush=True)


def main(arguments):
    options = parse(arguments)
    # Spark serves jobs in the order in which they begin by default, so a wave finishes before the next one, which uses the
    # cores that the first one's last tasks leave free.
    spark = SparkSession.builder.appName("steno").config("spark.task.cpus", options.threads).getOrCreate()
    context = spark.sparkContext
    folder = os.path.dirname(os.path.abspath(__file__))
    for module in MODULES:
        context.addPyFile(os.path.join(folder, module + ".py"))
    try:
        return Job(spark, options).run()
    except steno_plan.InvalidManifest as error:
        say(str(error))
        return 64
    except steno_output.TakenOver as error:
        say(str(error))
        return 1
    finally:
        spark.stop()


if __name__ == "__main__":
    # Imported as a module, as executors do: definitions of the main file are copied for every task, and the kept processes
    # would be lost with each copy.
    import steno_spark

    sys.exit(steno_spark.main(sys.argv[1:]))
