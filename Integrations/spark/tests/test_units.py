"""Tests of the parts that need no Spark: durations, tasks, and the worker process."""

import json
import os
import struct
import subprocess
import sys
import textwrap
import threading
import types
import wave

import pytest

import steno_output
import steno_plan
import steno_probe
import steno_spark
import steno_worker
from conftest import FIXTURES


@pytest.fixture(autouse=True)
def no_process_is_kept():
    yield
    steno_worker._discard()


# Durations


def test_the_duration_of_a_wav_file_is_that_of_its_header(tmp_path):
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, 44_100, 0, "NONE", ""))
        file.writeframes(bytes(4 * 22_050))
    assert steno_probe.seconds(path) == 0.5
    data = path.read_bytes()
    # An interrupted recording, whose header promises more than there is; then one with another chunk first.
    path.write_bytes(data[:40] + struct.pack("<I", 1 << 30) + data[44:])
    assert steno_probe.seconds(path) == 0.5
    path.write_bytes(data[:12] + b"LIST" + struct.pack("<I", 3) + b"abc\0" + data[12:])
    assert steno_probe.seconds(path) == 0.5


def test_the_duration_of_a_flac_file_is_that_of_its_header():
    path = FIXTURES / "speech" / "talk.flac"
    assert 230 < steno_probe.seconds(path) < 260


def test_what_is_no_recording_has_an_estimate(tmp_path):
    path = tmp_path / "a.mp3"
    path.write_bytes(bytes(80_000))
    assert steno_probe.seconds(path) == 10
    path.write_bytes(b"")
    assert steno_probe.seconds(path) == steno_probe.seconds(tmp_path / "none") == steno_probe.seconds(None) == 0
    os.mkfifo(tmp_path / "pipe")
    assert steno_probe.seconds(tmp_path / "pipe") == steno_probe.seconds(tmp_path) == 0
    path.write_bytes(b"fLaC" + bytes(range(256)) * 4)
    assert steno_probe.seconds(path) < 60
    for broken in (b"RIFF\0\0\0\0WAVE", b"RIFF\0\0\0\0WAVEfmt ", b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0", b"fLaC" + bytes(30)):
        path.write_bytes(broken)
        assert steno_probe.seconds(path) < 1


# Tasks


def test_a_long_recording_is_a_task_of_its_own_and_begins_first():
    recordings = [{"id": str(n), "seconds": 36_000.0 if n == 17 else 60.0} for n in range(200)]
    chunks = steno_plan.chunks(recordings, 1800, 4)
    assert [one["id"] for one in chunks[0]] == ["17"]
    loads = [sum(steno_plan.cost(one["seconds"]) for one in chunk) for chunk in chunks[1:]]
    assert max(loads) <= min(loads) + 60
    assert sorted(one["id"] for chunk in chunks for one in chunk) == sorted(one["id"] for one in recordings)


def test_few_recordings_use_all_cores():
    assert len(steno_plan.chunks([{"seconds": 5.0}] * 10, 7200, 4)) == 4
    assert len(steno_plan.chunks([{"seconds": 0.0}], 7200, 4)) == 1


# Waves


def test_a_run_that_another_one_took_over_begins_no_further_wave():
    job, begun, cancelled = steno_spark.Job.__new__(steno_spark.Job), [], threading.Event()

    def run_wave(plan, wave):
        begun.append(wave)
        if wave > 0:
            # As a wave ends if its Spark job is cancelled.
            assert cancelled.wait(60)
        raise steno_output.TakenOver("another run")

    job.options = types.SimpleNamespace(waves_at_once=1, progress_seconds=60)
    job.output = types.SimpleNamespace(take_over=lambda: None, recover=lambda: (0, 0))
    job.totals = types.SimpleNamespace(value=(0, 0.0, 0.0))
    job.spark = types.SimpleNamespace(sparkContext=types.SimpleNamespace(cancelAllJobs=cancelled.set))
    job.plan, job.run_wave = lambda: (None, [(wave, 1, 1.0) for wave in range(20)]), run_wave
    assert job.run() == 1
    assert begun in ([0], [0, 1])


# The process

FAKE = """
    import json, os, signal, sys
    arguments, folder = sys.argv, os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "started"), "a") as file:
        file.write(json.dumps(arguments[1:]) + "\\n")
    if "--fail" in arguments:
        sys.exit(66)
    def refuse(text):
        raise ValueError(text)

    def read(line):
        # As strict as steno: no NaN, no half of a character, no line of more than 1 MiB.
        recording = json.loads(line, parse_constant=refuse)
        json.dumps(recording, ensure_ascii=False).encode()
        if len(line) > 1 << 20:
            raise ValueError("too long")
        return recording

    for number, line in enumerate(sys.stdin, 1):
        try:
            recording = read(line)
        except ValueError:
            error = {"code": "invalidLine", "message": "The line is not JSON."}
            print(json.dumps({"id": None, "line": number, "error": error}), flush=True)
            continue
        if recording["path"] == "poison":
            os.kill(os.getpid(), signal.SIGKILL)
        if recording["path"] == "once" and not os.path.exists(os.path.join(folder, "died")):
            open(os.path.join(folder, "died"), "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        answer = {"line": number, "text": recording["path"], "segments": [], "duration": 1.0}
        if recording["path"] == "echo":
            answer["text"] = json.dumps(recording["options"])
        if recording["path"] == "bad":
            answer = {"line": number, "error": {"code": "notAudio", "message": "No."}}
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def fake(tmp_path):
    """A program that answers with the path, or is killed by it."""
    program = tmp_path / "steno"
    program.write_text(f"#!{sys.executable}\n" + textwrap.dedent(FAKE))
    program.chmod(0o755)
    return program


def starts(fake):
    return len((fake.parent / "started").read_text().splitlines())


def run(paths, settings, **more):
    recordings = [{"id": path, "path": path, "options": None} for path in paths]
    rows = list(steno_worker.transcribe(recordings, settings, **more))
    assert sorted(row["id"] for row in rows) == sorted(paths)
    return {row["id"]: row for row in rows}


def test_a_process_is_kept_for_the_next_task(fake):
    settings = steno_worker.Settings(str(fake), "base", 3, 2, ("--language", "en"))
    rows = run([f"{n}" for n in range(20)] + ["bad"], settings)
    assert rows["7"]["text"] == "7" and rows["7"]["attempt"] == 1 and rows["7"]["error_code"] is None
    assert rows["bad"]["error_code"] == "notAudio" and rows["bad"]["segments"] is None
    assert run(["again"], settings, earlier_attempts=2)["again"]["attempt"] == 3
    assert starts(fake) == 1
    arguments = json.loads((fake.parent / "started").read_text())
    assert arguments == [
        "transcribe", "--from-list", "-", "--quiet", "--threads", "3", "--at-once", "2", "--model", "base", "--language", "en",
    ]


def test_a_process_that_dies_once_costs_one_more_attempt(fake):
    rows = run(["once", *map(str, range(12))], steno_worker.Settings(str(fake)))
    assert all(row["error_code"] is None for row in rows.values())
    assert {row["attempt"] for row in rows.values()} == {1, 2} and starts(fake) == 2


def test_a_recording_that_kills_its_process_takes_no_other_with_it(fake):
    rows = run([*map(str, range(5)), "poison", *map(str, range(5, 12)), "bad"], steno_worker.Settings(str(fake)))
    assert rows["poison"]["error_code"] == "workerDied" and rows["poison"]["attempt"] == steno_worker.ATTEMPTS
    assert [name for name, row in rows.items() if row["error_code"]] == ["bad", "poison"] or {
        name for name, row in rows.items() if row["error_code"]
    } == {"bad", "poison"}


def test_options_that_are_no_json_reach_the_worker_as_they_are(fake):
    rows = list(steno_worker.transcribe(
        [{"id": text, "path": "echo", "options": text} for text in ("{language: en}", '{"language": "en"}', "")],
        steno_worker.Settings(str(fake)),
    ))
    assert {row["id"]: row["text"] for row in rows} == {
        "{language: en}": '"{language: en}"', '{"language": "en"}': '{"language": "en"}', "": "{}",
    }


@pytest.mark.parametrize("prompt", ["\\ud800", "a" * (1 << 20)], ids=["half a character", "long"])
def test_a_line_that_the_worker_cannot_read_is_an_error_of_its_recording(fake, prompt):
    options = f'{{"initial_prompt": "{prompt}"}}'
    recordings = [{"id": str(n), "path": str(n), "options": options if n == 3 else None} for n in range(9)]
    rows = {row["id"]: row for row in steno_worker.transcribe(recordings, steno_worker.Settings(str(fake)))}
    codes = {name: row["error_code"] for name, row in rows.items()}
    assert codes.pop("3") == "invalidLine"
    assert set(codes.values()) == {None} and len(rows) == 9 and starts(fake) == 1


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have_reach_the_worker_as_text(fake, number):
    options = f'{{"clip_timestamps": [0, {number}]}}'
    recording = {"id": "a", "path": "echo", "options": options}
    row, = steno_worker.transcribe([recording], steno_worker.Settings(str(fake)))
    assert json.loads(row["text"]) == options


def test_an_answer_that_nobody_waited_for_is_passed_over(fake):
    settings = steno_worker.Settings(str(fake))
    abandoned = steno_worker.transcribe([{"id": str(n), "path": str(n), "options": None} for n in range(9)], settings)
    next(abandoned)
    abandoned.close()
    assert run(["x"], settings)["x"]["text"] == "x"


@pytest.mark.parametrize("settings", [
    lambda fake: steno_worker.Settings(str(fake) + "-none"),
    lambda fake: steno_worker.Settings(str(fake), arguments=("--fail",)),
])
def test_what_no_attempt_would_change_fails_the_task(fake, settings):
    with pytest.raises(steno_worker.WorkerFailed):
        run(["a"], settings(fake))


def test_what_was_shipped_is_found_first(fake, tmp_path):
    assert steno_worker.find("steno", [str(tmp_path)]) == str(fake)
    assert steno_worker.find("sh", [str(tmp_path)]).endswith("/sh")
    assert steno_worker.find("no/such/thing", [str(tmp_path)]) == "no/such/thing"


def test_a_killed_parent_ends_the_process(steno):
    """With the real program, which has begun to decode: its pipes close."""
    code = (
        "import subprocess, os, sys, time\n"
        f"p = subprocess.Popen([{steno!r}, 'transcribe', '--from-list', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(p.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    output = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False).stdout
    pid = int(output)
    from cluster import wait

    wait("the end of the process", lambda: not os.path.exists(f"/proc/{pid}"))
