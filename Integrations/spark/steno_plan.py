"""Determines which recordings to transcribe, how long each takes, and how they are divided among tasks.

Spark does all work that grows with the archive. The driver holds only the recordings of the running waves.
"""

import heapq
import math
import os

from pyspark.sql import Window
from pyspark.sql import functions as F

import steno_probe

AUDIO = (
    "wav flac mp3 m4a aac ogg oga opus aif aiff caf wma amr mp4 m4v mov mkv webm avi mpg 3gp ac3 mka"
).split()
# A Whisper window, which costs the same however little audio it contains.
WINDOW = 30.0


class InvalidManifest(Exception):
    """The manifest cannot be used as it is."""


def format_of(path, kind):
    """jsonl, csv, parquet or folder: as given, or from the path's name and content."""
    if kind != "auto":
        return kind
    name = path.lower().rstrip("/")
    for suffix, kind in [
        (".jsonl", "jsonl"), (".ndjson", "jsonl"), (".json", "jsonl"), (".csv", "csv"), (".parquet", "parquet"),
    ]:
        if name.endswith(suffix) or name.endswith(suffix + ".gz"):
            return kind
    local = path.removeprefix("file://")
    if os.path.isdir(local):
        return "parquet" if any(name.endswith(".parquet") for name in os.listdir(local)) else "folder"
    raise InvalidManifest(f"{path} is neither a folder nor a file of a known kind: add --manifest-format.")


def manifest(spark, path, kind, columns):
    """The recordings: `id`, `path`, `options` (JSON), `known` (seconds, if the manifest has `duration`), and columns."""
    kind = format_of(path, kind)
    if kind == "folder":
        frame = _folder(spark, path)
    elif kind == "jsonl":
        frame = _json_lines(spark, path, columns)
    else:
        frame = _csv(spark, path) if kind == "csv" else spark.read.parquet(path)
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise InvalidManifest(f"--partition-by: the manifest has no column {missing[0]}; it has {', '.join(frame.columns)}.")
    if "path" not in frame.columns and "url" not in frame.columns:
        raise InvalidManifest(f"The manifest has neither path nor url; its columns are {', '.join(frame.columns)}.")
    frame = frame.select(
        _text(frame, "id"), _location(frame).alias("path"), _text(frame, "options"), _duration(frame).alias("known"),
        *[F.col(name).cast("string").alias(name) for name in columns],
    )
    # A row that names no recording needs an id too, so that it is answered once and not done again.
    nameless = F.concat(F.lit("line-"), F.sha1(F.coalesce("options", F.lit(""))))
    frame = frame.withColumn("id", F.coalesce("id", "path", nameless))
    _refuse_ambiguous(frame)
    return frame.dropDuplicates(["id"])


def _json_lines(spark, path, columns):
    """JSON objects; any other line becomes a recording without a path, so that it is answered and not lost."""
    names = ["id", "path", "url", "options", "duration", *columns]
    schema = ", ".join(f"`{name}` string" for name in dict.fromkeys(names)) + ", _broken string"
    frame = spark.read.schema(schema).option("columnNameOfCorruptRecord", "_broken").json(path)
    broken = F.concat(F.lit("line-"), F.sha1("_broken"))
    return frame.withColumn("id", F.when(F.col("_broken").isNotNull(), broken).otherwise(F.col("id"))).drop("_broken")


def _csv(spark, path):
    """Rows with a header; fields may contain line breaks and doubled quotes (RFC 4180), as embedded JSON does."""
    return spark.read.options(header=True, quote='"', escape='"', multiLine=True).csv(path)


def _folder(spark, path):
    """The audio files below a folder; `id` is the relative path."""
    files = (
        spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(path)
        # Without the content, so that it is not read.
        .select(F.regexp_replace("path", "^file:(//)?", "").alias("path"))
        .where(F.lower("path").rlike(r"\.(" + "|".join(AUDIO) + ")$"))
    )
    root = os.path.abspath(path.removeprefix("file://")).rstrip("/") + "/"
    inside = F.when(F.col("path").startswith(root), F.expr(f"substring(path, {len(root) + 1})"))
    return files.withColumn("id", F.coalesce(inside, F.col("path")))


def _text(frame, name):
    if name not in frame.columns:
        return F.lit(None).cast("string").alias(name)
    kind = frame.schema[name].dataType.typeName()
    return (F.to_json(name) if kind in ("struct", "map") else F.col(name).cast("string")).alias(name)


def _location(frame):
    """The path, or the path in a file `url`; any other address is passed on, and the worker refuses it."""
    columns = []
    if "path" in frame.columns:
        columns.append(F.col("path").cast("string"))
    if "url" in frame.columns:
        url = F.col("url").cast("string")
        local = F.expr("url_decode(replace(regexp_replace(url, '^file://(localhost)?', ''), '+', '%2B'))")
        columns.append(F.when(url.startswith("file:///") | url.startswith("file://localhost/"), local).otherwise(url))
    return F.coalesce(*columns)


def _duration(frame):
    return F.expr("try_cast(duration as double)") if "duration" in frame.columns else F.lit(None).cast("double")


def _refuse_ambiguous(frame):
    meant = F.struct(F.coalesce("path", F.lit("")).alias("path"), F.coalesce("options", F.lit("")).alias("options"))
    double = (
        frame.groupBy("id").agg(F.min(meant).alias("one"), F.max(meant).alias("other"))
        .where("one <> other").limit(1).collect()
    )
    if not double:
        return
    name, one, other = double[0]
    if one["path"] != other["path"]:
        raise InvalidManifest(f"The id {name} belongs to both {one['path']} and {other['path']}: ids must be unique.")
    raise InvalidManifest(
        f"{name} is in the manifest with the options {one['options'] or '{}'} and {other['options'] or '{}'}: give each an id "
        "of its own, since ids must be unique."
    )


def probe(batches):
    """Adds `seconds` to recordings; runs on the executors, where the recordings are mounted."""
    import pyarrow as pa

    for batch in batches:
        columns = batch.to_pydict()
        found = [
            known if known is not None and known >= 0 and math.isfinite(known) else steno_probe.seconds(path)
            for known, path in zip(columns["known"], columns["path"])
        ]
        index = batch.schema.names.index("known")
        arrays = [pa.array(found, pa.float64()) if i == index else array for i, array in enumerate(batch.columns)]
        names = ["seconds" if i == index else name for i, name in enumerate(batch.schema.names)]
        yield pa.RecordBatch.from_arrays(arrays, names)


def cost(seconds):
    """The cost of a recording in seconds of audio: half of Whisper's time depends on the number of windows, full or not."""
    windows = max(1, -(-seconds // WINDOW))
    return (windows * WINDOW + seconds) / 2


def with_waves(todo, wave_cost, wave_count):
    """Adds `wave`: recordings sorted by cost, highest first, in waves of about equal cost."""
    whole = F.greatest(F.lit(1.0), F.ceil(F.col("seconds") / WINDOW))
    order = Window.orderBy(F.desc("seconds"), "id")
    before = order.rowsBetween(Window.unboundedPreceding, -1)
    return (
        todo.withColumn("cost", (whole * WINDOW + F.col("seconds")) / 2)
        .withColumn("earlier", F.coalesce(F.sum("cost").over(before), F.lit(0.0)))
        .withColumn("number", F.row_number().over(order) - 1)
        .withColumn("wave", F.greatest(F.col("earlier") / wave_cost, F.col("number") / wave_count).cast("int"))
        .drop("earlier", "number", "cost")
    )


def chunks(recordings, task_seconds, slots):
    """Divides the recordings of a wave among tasks of about equal cost, the most expensive first.

    The longest go first, each to the task with the least work (Graham 1969, longest processing time). A recording longer
    than a task should be becomes a separate task.
    """
    total = sum(cost(recording["seconds"]) for recording in recordings)
    count = max(1, min(len(recordings), max(slots, round(total / task_seconds))))
    tasks = [(0.0, number, []) for number in range(count)]
    for recording in sorted(recordings, key=lambda one: -one["seconds"]):
        load, number, chunk = heapq.heappop(tasks)
        chunk.append(recording)
        heapq.heappush(tasks, (load + cost(recording["seconds"]), number, chunk))
    return [chunk for _, _, chunk in sorted(tasks, key=lambda task: (-task[0], task[1])) if chunk]
