"""The output: Parquet files with every recording exactly once, whatever is killed and when.

A wave of recordings is a separate Spark job that writes to its own folder below `_steno/RUN/`, which readers of the output
ignore. Spark's FileOutputCommitter lets one attempt of each task into that folder, and writes `_SUCCESS` when all have
ended: at that moment the wave is done. Its files are then moved into the output, one rename each. A driver that dies in
between leaves either a wave without `_SUCCESS`, which is discarded and done again, or one with it, whose remaining files
the next run moves. So a file is either in the output or not, and recordings in the output are not done again.

The output itself is never the target of a Spark job: the committer would find files there that tasks of a dead driver had
committed, and publish them with its own.
"""

import json

from pyspark.sql import functions as F

PRIVATE = "_steno"

WORD = "struct<word:string,start:double,end:double,probability:double,speaker:string>"
SEGMENT = (
    "struct<start:double,end:double,text:string,speaker:string,temperature:double,avg_logprob:double,compression_ratio:double,"
    f"no_speech_prob:double,words:array<{WORD}>>"
)
COLUMNS = {
    "id": "string",
    "path": "string",
    "text": "string",
    "language": "string",
    "language_probability": "double",
    "duration": "double",
    "segments": f"array<{SEGMENT}>",
    "warnings": "array<string>",
    "error_code": "string",
    "error_message": "string",
    "compute_seconds": "double",
    "model": "string",
    "model_version": "string",
    "precision": "string",
    "steno_version": "string",
    "host": "string",
    "attempt": "int",
    "finished_at": "timestamp",
}


def schema(extra):
    """The columns of the output as Spark DDL; `extra` are the manifest's columns that partition it."""
    columns = COLUMNS | {name: "string" for name in extra}
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def arrow_schema(extra):
    """The same columns as an Arrow schema."""
    import pyarrow as pa

    times = [(name, pa.float64()) for name in ("start", "end", "probability")]
    word = pa.struct([("word", pa.string()), *times, ("speaker", pa.string())])
    numbers = ["temperature", "avg_logprob", "compression_ratio", "no_speech_prob"]
    segment = pa.struct(
        [("start", pa.float64()), ("end", pa.float64()), ("text", pa.string()), ("speaker", pa.string())]
        + [(name, pa.float64()) for name in numbers] + [("words", pa.list_(word))]
    )
    kinds = {
        "string": pa.string(), "double": pa.float64(), "int": pa.int32(), "timestamp": pa.timestamp("us", tz="UTC"),
        "array<string>": pa.list_(pa.string()), f"array<{SEGMENT}>": pa.list_(segment),
    }
    columns = COLUMNS | {name: "string" for name in extra}
    return pa.schema([(name, kinds[kind]) for name, kind in columns.items()])


class TakenOver(Exception):
    """Another run is writing the same output."""


class Output:
    """The output of a run, on any file system that Hadoop supports."""

    def __init__(self, spark, location, run):
        self.spark, self.location, self.run = spark, location.rstrip("/"), run
        self._jvm = spark._jvm
        self._files = self._path(self.location).getFileSystem(spark._jsc.hadoopConfiguration())
        self.location = self._files.makeQualified(self._path(self.location)).toString()
        self.staging = f"{self.location}/{PRIVATE}/{run}"

    def _path(self, name):
        return self._jvm.org.apache.hadoop.fs.Path(name)

    def _exists(self, name):
        return self._files.exists(self._path(name))

    def _children(self, name):
        path = self._path(name)
        return list(self._files.listStatus(path)) if self._files.exists(path) else []

    # One driver at a time

    def take_over(self):
        """Makes this run the only one that may publish; an earlier driver that is still alive finds out before it publishes."""
        self._write(f"{self.location}/{PRIVATE}/owner", self.run)

    def check_owner(self):
        """Raises TakenOver if a later run has taken over the output."""
        owner = self._read(f"{self.location}/{PRIVATE}/owner")
        if owner != self.run:
            raise TakenOver(f"The run {owner} writes {self.location} now. This run ends, and has published nothing twice.")

    # Waves

    def recover(self):
        """Publishes the waves that earlier runs finished and removes the others; returns the two numbers."""
        published = removed = 0
        for old in self._children(f"{self.location}/{PRIVATE}"):
            name = old.getPath().getName()
            if not old.isDirectory() or name == self.run:
                continue
            if self._exists(self._superseded(name)):
                # A driver believed dead wrote this later; its recordings have been done again.
                self._files.delete(old.getPath(), True)
                continue
            for wave in self._children(old.getPath().toString()):
                folder = wave.getPath().toString()
                if not wave.getPath().getName().startswith("wave-"):
                    continue
                if self._exists(folder + "/_SUCCESS"):
                    self.publish(folder)
                    published += 1
                else:
                    removed += 1
            self._write(self._superseded(name), self.run)
            self._files.delete(old.getPath(), True)
        return published, removed

    def _superseded(self, run):
        """The file that marks a run whose unfinished waves another run is redoing."""
        return f"{self.location}/{PRIVATE}/{run}.superseded"

    def publish(self, folder):
        """Moves the files of a finished wave into the output; files that were already moved are gone from its folder."""
        self.check_owner()
        for source in self._parts(folder):
            target = self.location + source[len(folder):]
            path = self._path(target)
            self._files.mkdirs(path.getParent())
            if self._files.exists(path):
                # On file systems that rename by copying, the copy was interrupted: the source is complete.
                self._files.delete(path, False)
            if not self._files.rename(self._path(source), path):
                raise OSError(f"{source} could not be renamed to {target}.")
        self._files.delete(self._path(folder), True)

    def _parts(self, folder):
        for child in self._children(folder):
            name = child.getPath().getName()
            if name.startswith(("_", ".")) and "=" not in name:
                continue
            path = f"{folder}/{name}"
            if child.isDirectory():
                yield from self._parts(path)
            else:
                yield path

    def clean(self):
        """Removes what this run no longer needs."""
        self._files.delete(self._path(self.staging), True)

    # Reading the output

    def done(self):
        """The ids of all recordings in the output; None if there is no output yet."""
        if not any(not child.getPath().getName().startswith("_") for child in self._children(self.location)):
            return None
        return self.spark.read.schema("id string").parquet(self.location).select("id")

    def summary(self):
        """A summary of the output, from its own files."""
        if self.done() is None:
            return {"recordings": 0, "audio_hours": 0.0, "compute_hours": 0.0, "speed": None, "errors": {}, "hosts": {}}
        columns = ", ".join(f"`{name}` {COLUMNS[name]}" for name in SUMMED)
        groups = (
            self.spark.read.schema(columns).parquet(self.location).groupBy("error_code", "host")
            .agg(F.count("*").alias("n"), F.sum("duration").alias("audio"), F.sum("compute_seconds").alias("compute"))
            .collect()
        )
        errors, hosts = {}, {}
        for group in groups:
            hosts[group["host"]] = hosts.get(group["host"], 0) + group["n"]
            if group["error_code"]:
                errors[group["error_code"]] = errors.get(group["error_code"], 0) + group["n"]
        audio = sum(group["audio"] or 0 for group in groups)
        compute = sum(group["compute"] or 0 for group in groups)
        return {
            "recordings": sum(group["n"] for group in groups),
            "audio_hours": audio / 3600,
            "compute_hours": compute / 3600,
            "speed": audio / compute if compute else None,
            "errors": errors,
            "hosts": hosts,
        }

    def write_summary(self, summary):
        self._write(f"{self.location}/{PRIVATE}/summary.json", json.dumps(summary, indent=2) + "\n")

    def _write(self, name, text):
        stream = self._files.create(self._path(name), True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def _read(self, name):
        stream = self._files.open(self._path(name))
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream)).decode()
        finally:
            stream.close()


SUMMED = ["error_code", "host", "duration", "compute_seconds"]
