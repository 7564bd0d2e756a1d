"""A `steno transcribe --from-list -` process, and the outcome of the recordings that it is given.

A Python worker keeps its process from one task to the next, so the model is loaded once. The process ends by itself when
the Python worker is killed, because its pipes close.
"""

import atexit
import collections
import datetime
import json
import os
import shutil
import socket
import subprocess
import typing

# After this many crashes of the process with a recording, the crash becomes the recording's result.
ATTEMPTS = 3
# Exit codes that another attempt would not change: wrong arguments, a model that is not on the node.
FATAL = {64: "its arguments are wrong", 66: "there is no usable model on this node"}


class Settings(typing.NamedTuple):
    """How processes are started; a process is reused only with the same settings."""

    steno: str = "steno"
    model: str | None = None
    threads: int = 2
    at_once: int = 4
    arguments: tuple = ()


class WorkerFailed(RuntimeError):
    """The worker cannot transcribe anything, whatever the recording."""


class WorkerDied(Exception):
    """The process ended before it responded."""


def find(name, folders):
    """The file of that name in one of the folders that Spark shipped, else on the search path, else the name unchanged."""
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    return shutil.which(name) or name


class StenoProcess:
    """A worker process; its messages go to the log of the process that started it."""

    def __init__(self, settings, folders=()):
        self.settings = settings
        program = find(settings.steno, folders)
        if os.path.isfile(program) and not os.access(program, os.X_OK):
            # `spark-submit --files` does not preserve the permission.
            os.chmod(program, 0o755)
        command = [program, "transcribe", "--from-list", "-", "--quiet"]
        command += ["--threads", str(settings.threads), "--at-once", str(settings.at_once)]
        if settings.model:
            command += ["--model", find(settings.model, folders)]
        try:
            self.process = subprocess.Popen(
                command + list(settings.arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise WorkerFailed(
                f"The program {program} cannot be started: {error}. Ship it with --archives, or install it on every node "
                "and name it with --steno."
            ) from error
        # The number of lines written to it, in all tasks.
        self.lines = 0

    def ask(self, recording):
        """Sends a recording; its answer carries the value of `lines` after this call."""
        self.lines += 1
        line = {"path": recording["path"], "options": _options(recording.get("options"))}
        if line["path"] is None:
            del line["path"]
        try:
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise WorkerDied(str(error)) from error

    def answer(self):
        """The next answer."""
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise WorkerDied("its output ended")
        return json.loads(line)

    @property
    def is_running(self):
        return self.process.poll() is None

    def end(self, is_dying=False):
        """Kills the process, or waits for it if it has closed its output; returns its exit code."""
        if is_dying:
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                pass
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                pass
        return self.process.wait()


def _options(text):
    """A recording's options; invalid JSON is passed on unchanged, so that the worker refuses only this recording."""
    try:
        options = json.loads(text) if text else {}
        # Python reads and writes Infinity and NaN, which are not JSON; it reads 1e999 as infinity.
        json.dumps(options, allow_nan=False)
        return options
    except (ValueError, RecursionError):
        return text


_kept = None


def _process(settings, folders):
    global _kept
    if _kept and (_kept.settings != settings or not _kept.is_running):
        _discard()
    if not _kept:
        _kept = StenoProcess(settings, folders)
    return _kept


def _discard(is_dying=False):
    """Ends the kept process; returns its exit code."""
    global _kept
    process, _kept = _kept, None
    return process.end(is_dying) if process else None


atexit.register(_discard)


class _Flight(typing.NamedTuple):
    recording: dict
    tries: int


def transcribe(recordings, settings, folders=(), earlier_attempts=0):
    """Yields a row for each recording, in the order in which they finish.

    If the process dies, its recordings are given to a new one, one at a time, so that a recording that kills the process
    does not affect others; after ATTEMPTS the recording gets an error.

    - recordings: dictionaries with `id`, `path` and `options` (JSON, or nothing).
    - earlier_attempts: how often others tried this task before.
    """
    waiting, again, flying = iter(recordings), collections.deque(), {}
    next_recording = next(waiting, None)
    try:
        while next_recording is not None or again or flying:
            if not flying:
                # Recordings sent to a process that died are still answered by it, or not at all.
                process = _process(settings, folders)
            try:
                # A few more than are decoded at once, so that a free lane need not wait.
                while not again and next_recording is not None and len(flying) < settings.at_once + 2:
                    flight, next_recording = _Flight(next_recording, 1), next(waiting, None)
                    _send(process, flying, flight)
                if again and not flying:
                    _send(process, flying, again.popleft())
                answer = process.answer()
            except WorkerDied:
                yield from _bury(flying, again, earlier_attempts)
                continue
            # By line instead of id: the answer to an unreadable line has no id.
            flight = flying.pop(answer["line"])
            yield _row(flight.recording, answer, earlier_attempts + flight.tries)
    finally:
        if flying:
            _discard()


def _send(process, flying, flight):
    # Recorded before sending, because this recording may kill the process.
    flying[process.lines + 1] = flight
    process.ask(flight.recording)


def _bury(flying, again, earlier_attempts):
    """Keeps the recordings of a dead process for another attempt; yields those without attempts left."""
    code = _discard(is_dying=True)
    if code in FATAL:
        raise WorkerFailed(f"steno ended with code {code}: {FATAL[code]}. Its message is in the log of the executor.")
    for flight in flying.values():
        if flight.tries < ATTEMPTS:
            again.append(_Flight(flight.recording, flight.tries + 1))
            continue
        error = {"code": "workerDied", "message": f"The worker ended with code {code} each time it had this recording."}
        yield _row(flight.recording, {"error": error}, earlier_attempts + flight.tries)
    flying.clear()


def _row(recording, answer, attempt):
    error = answer.get("error") or {}
    row = {name: answer.get(name) for name in ANSWERED}
    row.update(
        {name: value for name, value in recording.items() if name not in ("options", "seconds")},
        segments=None if error else [_segment(segment) for segment in answer["segments"]],
        warnings=None if error else [warning["code"] for warning in answer.get("warnings", [])],
        error_code=error.get("code"),
        error_message=error.get("message"),
        attempt=attempt,
        host=socket.gethostname(),
        finished_at=datetime.datetime.now(datetime.timezone.utc),
    )
    return row


ANSWERED = [
    "text", "language", "language_probability", "duration", "compute_seconds", "model", "model_version", "precision",
    "steno_version",
]
SEGMENT = ["start", "end", "text", "speaker", "temperature", "avg_logprob", "compression_ratio", "no_speech_prob"]


def _segment(segment):
    return {name: segment.get(name) for name in SEGMENT} | {"words": segment.get("words")}
