"""Tests on a cluster of a master and two workers: every recording once, whatever is killed."""

import collections
import csv
import json
import os
import pathlib
import signal
import subprocess

import pyarrow.parquet
import pytest

from cluster import wait
from conftest import FIXTURES

MODEL = FIXTURES / "nano"
STENO_OPTIONS = ["--", "--language", "en"]


def read(out):
    """The rows of the output by id; fails if a recording occurs twice."""
    rows = collections.defaultdict(list)
    for file in pathlib.Path(out).rglob("*.parquet"):
        inside = file.relative_to(out).parts
        if not any(part.startswith(("_", ".")) for part in inside):
            for row in pyarrow.parquet.ParquetFile(file).read().to_pylist():
                values = dict(part.split("=", 1) for part in inside[:-1])
                rows[row["id"]].append(row | values)
    assert [name for name, found in rows.items() if len(found) > 1] == []
    return {name: found[0] for name, found in rows.items()}


@pytest.fixture(scope="session")
def plain(steno, recordings, tmp_path_factory):
    """The transcripts of the plain command, by the name of the recording."""
    folder = tmp_path_factory.mktemp("plain")
    files = sorted(str(file) for file in recordings.iterdir())
    command = [steno, "transcribe", *files, "--model", str(MODEL), "--output-dir", str(folder), "-f", "json", "--quiet"]
    subprocess.run(command + ["--language", "en"], check=True)
    return {file.stem: json.loads(file.read_text()) for file in folder.iterdir()}


def broken(folder):
    """Invalid recordings, with the codes of their errors."""
    (folder / "empty.wav").write_bytes(b"")
    (folder / "words.wav").write_bytes(b"Not a recording. " * 100)
    (folder / "noise.flac").write_bytes(b"fLaC" + bytes(range(256)) * 40)
    os.mkfifo(folder / "pipe.wav")
    return {
        "missing": ({"path": str(folder / "missing.wav")}, {"audioNotFound"}),
        "empty": ({"path": str(folder / "empty.wav")}, {"notAudio"}),
        "words": ({"path": str(folder / "words.wav")}, {"notAudio", "audioDamaged"}),
        "noise": ({"path": str(folder / "noise.flac")}, {"notAudio", "audioDamaged"}),
        "pipe": ({"path": str(folder / "pipe.wav")}, {"audioUnreadable"}),
        "folder": ({"path": str(folder)}, {"audioNotFound"}),
        "address": ({"url": "https://example.com/talk.mp3"}, {"audioNotFound"}),
        "nowhere": ({"note": "neither path nor url"}, {"invalidLine"}),
    }


def write(manifest, lines):
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return manifest


def copies(recordings, count):
    """A number of recordings of a sentence each."""
    files = sorted(recordings.glob("en-*.flac"))
    return [{"id": f"{number:04d}-{files[number % len(files)].stem}", "path": str(files[number % len(files)])}
            for number in range(count)]


def check(rows, lines, plain):
    """Checks that every recording of a manifest is there, with the text of the plain command."""
    assert rows.keys() == {line["id"] for line in lines}
    for line in lines:
        expected, row = plain[pathlib.Path(line["path"]).stem], rows[line["id"]]
        assert row["error_code"] is None, row
        assert (row["text"], row["duration"]) == (expected["text"], expected["duration"])
        assert [(s["start"], s["end"], s["text"]) for s in row["segments"]] == [
            (s["start"], s["end"], s["text"]) for s in expected["segments"]
        ]


def options(steno, *more):
    return ["--steno", steno, "--model", MODEL, "--threads", "1", "--progress-seconds", "0.2", *more]


def test_three_hundred_recordings_are_there_once(cluster, steno, recordings, plain, tmp_path):
    bad = broken(tmp_path)
    long = [{"id": f"ten-minutes-{n}", "path": str(recordings / f"long-{n}.wav"), "collection": "b"} for n in range(2)]
    good = [line | {"collection": "a"} for line in copies(recordings, 300 - len(bad) - len(long) - 2)] + long
    # Word times change segment times, so this one is not compared with the others.
    wordy = {"id": "words-too", "path": good[0]["path"], "options": {"word_timestamps": True}, "collection": "a"}
    lines = good + [wordy] + [{"id": name, **line, "collection": "c"} for name, (line, _) in bad.items()]
    manifest, out = write(tmp_path / "manifest.jsonl", lines), tmp_path / "out"
    with open(manifest, "a") as file:
        # A line that is cut off, and a duplicate.
        file.write('{"id": "cut off", "path": "/\n' + json.dumps(good[0]) + "\n")
    more = ["--task-minutes", "5", "--wave-recordings", "120", "--partition-by", "collection"]
    code, said = cluster.submit(manifest, out, *options(steno, *more), *STENO_OPTIONS).wait()
    assert code == 0, said
    rows = read(out)
    cut_off = [name for name in rows if name.startswith("line-")]
    assert len(rows) == 300 and len(cut_off) == 1 and rows[cut_off[0]]["error_code"] == "invalidLine"
    for name, (_, codes) in bad.items():
        assert rows[name]["error_code"] in codes and rows[name]["text"] is None and rows[name]["error_message"]
    transcripts = {line["id"]: rows[line["id"]] for line in good}
    check(transcripts, good, plain)
    assert all(row["collection"] == ("b" if row["id"].startswith("ten") else "a") for row in transcripts.values())
    words = [word for segment in rows["words-too"]["segments"] for word in segment["words"]]
    assert "".join(word["word"] for word in words).strip() == rows["words-too"]["text"].strip()
    assert all(0 <= word["start"] <= word["end"] and 0 <= word["probability"] <= 1 for word in words)
    assert all(segment["words"] is None for row in transcripts.values() for segment in row["segments"])
    assert all(row["compute_seconds"] > 0 and row["attempt"] == 1 and row["host"] for row in transcripts.values())
    assert sum(line.startswith("steno:   ") for line in said) >= 4
    assert not [child for child in (out / "_steno").iterdir() if child.is_dir()]
    # A second run has nothing to do.
    before = {name: row["finished_at"] for name, row in rows.items()}
    code, said = cluster.submit(manifest, out, *options(steno, *more), *STENO_OPTIONS).wait()
    assert code == 0 and any("0 recordings to do" in line for line in said), said
    assert {name: row["finished_at"] for name, row in read(out).items()} == before


def start(cluster, steno, recordings, tmp_path, count=160):
    """A job of several waves, some of whose tasks have finished."""
    lines = copies(recordings, count)
    manifest, out = write(tmp_path / "manifest.jsonl", lines), tmp_path / "out"
    arguments = [manifest, out, *options(steno, "--task-minutes", "4", "--wave-recordings", str(count // 4)), *STENO_OPTIONS]
    job = cluster.submit(*arguments)
    job.wait_for("the first tasks", lambda: 0 < job.finished() < count)
    return lines, out, arguments, job


def test_a_killed_process_loses_nothing(cluster, steno, recordings, plain, tmp_path):
    lines, out, _, job = start(cluster, steno, recordings, tmp_path)
    for _ in range(3):
        os.kill(job.wait_for("a process that decodes", job.busy_worker), signal.SIGKILL)
    code, said = job.wait()
    assert code == 0, said
    rows = read(out)
    check(rows, lines, plain)
    assert any(row["attempt"] > 1 for row in rows.values())


def test_a_killed_executor_loses_nothing(cluster, steno, recordings, plain, tmp_path):
    lines, out, _, job = start(cluster, steno, recordings, tmp_path)
    os.kill(job.executors()[0], signal.SIGKILL)
    code, said = job.wait()
    assert code == 0, said
    check(read(out), lines, plain)


def test_a_killed_spark_worker_loses_nothing(cluster, steno, recordings, plain, tmp_path):
    lines, out, _, job = start(cluster, steno, recordings, tmp_path)
    cluster.kill_worker("worker-1")
    code, said = job.wait()
    cluster.start_worker("worker-1")
    assert code == 0, said
    check(read(out), lines, plain)


def test_a_killed_driver_continues_where_it_was(cluster, steno, recordings, plain, tmp_path):
    lines, out, arguments, job = start(cluster, steno, recordings, tmp_path)
    job.wait_for("a published wave", lambda: list(out.glob("*.parquet")))
    job.kill()
    done = read(out)
    assert 0 < len(done) < len(lines)
    # The driver left its unfinished waves.
    assert [run for run in (out / "_steno").iterdir() if run.is_dir()]
    code, said = cluster.submit(*arguments).wait()
    assert code == 0, said
    rows = read(out)
    check(rows, lines, plain)
    # Fewer if a wave was finished but not published yet.
    to_do = next(int(line.split()[1]) for line in said if "recordings to do" in line)
    assert 0 < to_do <= len(lines) - len(done)
    assert {name: rows[name]["finished_at"] for name in done} == {name: row["finished_at"] for name, row in done.items()}
    # The processes of the driver that was killed ended with it.
    wait("the end of all processes", lambda: not job.workers())


def test_a_wave_that_was_cut_off_while_it_was_published_is_published(cluster, steno, recordings, plain, tmp_path):
    lines = copies(recordings, 12)
    manifest, out = write(tmp_path / "manifest.jsonl", lines), tmp_path / "out"
    arguments = [manifest, out, *options(steno, "--task-minutes", "1"), *STENO_OPTIONS]
    assert cluster.submit(*arguments).wait()[0] == 0
    before = {name: row["finished_at"] for name, row in read(out).items()}
    files = sorted(out.glob("*.parquet"))
    assert len(files) > 1
    # The state left by a driver that was killed after the first rename; and an unfinished wave.
    whole, part = out / "_steno" / "run-old" / "wave-000000", out / "_steno" / "run-old" / "wave-000001"
    for folder in (whole, part):
        folder.mkdir(parents=True)
    (whole / "_SUCCESS").touch()
    (part / files[0].name).write_bytes(files[0].read_bytes())
    for file in files[1:]:
        file.rename(whole / file.name)
    code, said = cluster.submit(*arguments).wait()
    assert code == 0 and any("1 of its waves are published now, 1 are done again" in line for line in said), said
    rows = read(out)
    check(rows, lines, plain)
    assert {name: row["finished_at"] for name, row in rows.items()} == before
    # A driver believed dead finishes a wave after another run has done it; a third run must not publish it.
    whole.mkdir(parents=True)
    (whole / "_SUCCESS").touch()
    (whole / "part-late.parquet").write_bytes(files[0].read_bytes())
    assert cluster.submit(*arguments).wait()[0] == 0
    assert {name: row["finished_at"] for name, row in read(out).items()} == before
    assert not whole.exists()


@pytest.mark.parametrize("kind", ["folder", "csv"])
def test_other_manifests(cluster, steno, recordings, plain, tmp_path, kind):
    files = sorted(recordings.glob("en-*.flac"))[:3]
    folder = tmp_path / "a folder"
    (folder / "inside").mkdir(parents=True)
    (folder / "notes.txt").write_text("no recording")
    for file in files:
        (folder / "inside" / file.name).write_bytes(file.read_bytes())
    lines = [{"id": f"inside/{file.name}", "path": str(folder / "inside" / file.name)} for file in files]
    manifest, out = folder, tmp_path / "out"
    if kind == "csv":
        manifest = tmp_path / "manifest.csv"
        quoted = tmp_path / 'said "so", twice.flac'
        quoted.write_bytes(files[0].read_bytes())
        with open(manifest, "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["path", "id", "duration", "options"])
            rows.writerows([line["path"], line["id"], "nonsense", ""] for line in lines)
            rows.writerow([quoted, "two\nlines", 4, json.dumps({"language": "en", "word_timestamps": True})])
            rows.writerow([files[0], "wrong", 4, "{language: en}"])
    code, said = cluster.submit(manifest, out, *options(steno, "--partition-by", "language"), *STENO_OPTIONS).wait()
    assert code == 0, said
    rows = read(out)
    if kind == "csv":
        assert rows["two\nlines"]["path"] == str(quoted)
        assert all(segment["words"] for segment in rows.pop("two\nlines")["segments"])
        assert rows.pop("wrong")["error_code"] == "invalidLine"
    check(rows, lines, plain)


@pytest.mark.parametrize("lines", [
    [{"id": "same", "path": "/a.wav"}, {"id": "same", "path": "/b.wav"}],
    # Two parts of one recording, only one of which would be transcribed.
    [{"path": "/a.wav", "options": {"clip_timestamps": [0, 5]}}, {"path": "/a.wav", "options": {"clip_timestamps": [5, 9]}}],
])
def test_a_manifest_that_cannot_be_used_is_refused(cluster, steno, tmp_path, lines):
    manifest, out = write(tmp_path / "manifest.jsonl", lines), tmp_path / "out"
    code, said = cluster.submit(manifest, out, *options(steno)).wait()
    assert code == 64 and any("ids must be unique" in line for line in said), said
    assert read(out) == {}
