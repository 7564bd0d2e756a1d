"""A `steno transcribe --from-list -` process, and what becomes of the recordings that it is given.

A process is kept from one task to the next of the same Python worker, so the model is loaded once for each. It ends by
itself when that Python worker is killed, because its pipes close.
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

# The process lost a recording so many times before that is its result.
ATTEMPTS = 3
# Exit codes that a further attempt would not change: wrong arguments, a model that is not on the node.
FATAL = {64: "its arguments are wrong", 66: "there is no usable model on this node"}


class Settings(typing.NamedTuple):
    """How the processes are started; a process is kept for the same settings."""

    steno: str = "steno"
    model: str | None = None
    threads: int = 2
    at_once: int = 4
    arguments: tuple = ()


class WorkerFailed(RuntimeError):
    """The worker cannot transcribe anything, whatever the recording."""


class WorkerDied(Exception):
    """The process ended before it answered."""


def find(name, folders):
    """The file of that name in one of the folders (what Spark shipped), else on the search path, else as it is."""
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    return shutil.which(name) or name


class StenoProcess:
    """A worker process; its messages go to the log of whoever started it."""

    def __init__(self, settings, folders=()):
        self.settings = settings
        program = find(settings.steno, folders)
        if os.path.isfile(program) and not os.access(program, os.X_OK):
            # `spark-submit --files` does not keep it.
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
        # The lines that were written to it, of all tasks.
        self.lines = 0

    def ask(self, recording):
        """Names a recording; the answer carries the number that ``lines`` has then."""
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
        """Kills the process, or lets one end that has closed its output; returns its exit code."""
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
    """A recording's options; what is no JSON is passed on as it is, so that the worker refuses it and nothing else."""
    try:
        options = json.loads(text) if text else {}
        # Python reads and writes Infinity and NaN, which are no JSON; 1e999 is read as an infinity.
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
    """Ends the process that is kept; returns its exit code."""
    global _kept
    process, _kept = _kept, None
    return process.end(is_dying) if process else None


atexit.register(_discard)


class _Flight(typing.NamedTuple):
    recording: dict
    tries: int


def transcribe(recordings, settings, folders=(), earlier_attempts=0):
    """Yields a row for each recording, in the order in which they are done.

    When the process dies, the recordings that it had are given to a new one, one at a time, so that one that kills it
    takes no other with it; after ATTEMPTS that is an error of that recording.

    - recordings: dictionaries with `id`, `path` and `options` (JSON, or nothing).
    - earlier_attempts: how often others tried this task before.
    """
    waiting, again, flying = iter(recordings), collections.deque(), {}
    next_recording = next(waiting, None)
    try:
        while next_recording is not None or again or flying:
            if not flying:
                # What a process has that died is answered, or not, by that one.
                process = _process(settings, folders)
            try:
                # A few more than are decoded at once, so that a lane that is free need not wait.
                while not again and next_recording is not None and len(flying) < settings.at_once + 2:
                    flight, next_recording = _Flight(next_recording, 1), next(waiting, None)
                    _send(process, flying, flight)
                if again and not flying:
                    _send(process, flying, again.popleft())
                answer = process.answer()
            except WorkerDied:
                yield from _bury(flying, again, earlier_attempts)
                continue
            # By the line and not by an id: the answer to a line that could not be read has none.
            flight = flying.pop(answer["line"])
            yield _row(flight.recording, answer, earlier_attempts + flight.tries)
    finally:
        if flying:
            _discard()


def _send(process, flying, flight):
    # Before it is sent: what the process dies of may be this.
    flying[process.lines + 1] = flight
    process.ask(flight.recording)


def _bury(flying, again, earlier_attempts):
    """Keeps the recordings of a process that died for another attempt; yields those that have had enough."""
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
