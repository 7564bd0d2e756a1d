"""A running transcription."""

from __future__ import annotations

import ctypes
import sys
import threading
from ctypes import c_void_p
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Union

from . import _library as c
from ._errors import Cancelled

#: Receives the seconds that are done and the duration, which is None while it is not known.
Progress = Callable[[float, Optional[float]], None]

# The longest wait inside the library, so that Ctrl-C is noticed; an event ends it at once.
_WAIT = 0.1


@dataclass
class Word:
    """A word and its times in seconds."""

    text: str
    start: float
    end: float
    probability: float
    speaker: Optional[str] = None


@dataclass
class Segment:
    """A segment of speech; times are in seconds."""

    id: int
    start: float
    end: float
    text: str
    language: Optional[str] = None
    speaker: Optional[str] = None
    words: Optional[List[Word]] = None
    #: Of Whisper models: seek, tokens, temperature, avg_logprob, compression_ratio, no_speech_prob.
    whisper: Optional[Dict[str, Any]] = None


class Transcription(c.Handle, Iterator[Segment]):
    """An iterator over segments while they are decoded.

    Leaving it unfinished cancels the work: with ``close()``, at the end of a ``with`` block, or when the last reference
    is gone. Ctrl-C stops it within a token.
    """

    def __init__(self, job: c_void_p, owner: Any, progress: Union[bool, Progress, None]) -> None:
        self._job: Optional[c_void_p] = job
        # The samples were copied; the model is kept so that its handle stays valid.
        self._owner = owner
        # Another thread may cancel while this one frees the job.
        self._lock = threading.Lock()
        self._progress = _reporter(progress)
        self._pending: List[Segment] = []
        self._language: Optional[str] = None
        self._probability: Optional[float] = None
        self._languages: Optional[Dict[str, float]] = None
        self._finished = False
        #: The duration of the audio in seconds; None while it is not known.
        self.duration: Optional[float] = None
        #: The seconds of detected speech, at the end; None without voice activity detection.
        self.speech_duration: Optional[float] = None

    # ---- Reading

    def __iter__(self) -> Transcription:
        return self

    def __next__(self) -> Segment:
        while not self._pending:
            if not self._read():
                raise StopIteration
        return self._pending.pop(0)

    @property
    def language(self) -> Optional[str]:
        """The given or detected language; waits until it is known."""
        self._wait_for_language()
        return self._language

    @property
    def language_probability(self) -> Optional[float]:
        """The probability of the language, 1 if it was given."""
        self._wait_for_language()
        return self._probability

    @property
    def language_probabilities(self) -> Optional[Dict[str, float]]:
        """The probability of every language, the most probable first; None if the language was given."""
        self._wait_for_language()
        return self._languages

    def text(self, format: str = "txt") -> str:
        """The whole transcript as txt, srt, vtt, lrc, json, tsv or rttm; waits for the end of the work."""
        while self._read():
            pass
        if self._job is None:
            raise Cancelled("The transcription was closed before its end.", -2)
        text = c_void_p()
        c.check(c.library().steno_job_text(self._job, c.text_bytes(format), ctypes.byref(text)))
        return c.take_text(text)

    # ---- Ending

    def cancel(self) -> None:
        """Stops the work; another thread that reads it gets ``Cancelled``."""
        with self._lock:
            if self._job is not None:
                c.library().steno_job_cancel(self._job)

    def close(self) -> None:
        """Stops the work if it is not done, and frees it."""
        with self._lock:
            job, self._job = self._job, None
            if job is not None:
                c.library().steno_job_free(job)
        if job is not None:
            self._progress(None, None)

    def __enter__(self) -> Transcription:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        # A constructor that failed has made nothing yet, and at the end of the program modules may be gone.
        if getattr(self, "_job", None) is not None and c is not None:
            self.close()

    # ---- Events

    def _wait_for_language(self) -> None:
        while self._language is None and self._read():
            pass

    def _read(self) -> bool:
        """Reads one event; False at the end."""
        if self._finished or self._job is None:
            return False
        event = ctypes.POINTER(c.CEvent)()
        try:
            status = c.TIMED_OUT
            while status == c.TIMED_OUT:
                status = c.library().steno_job_next(self._job, _WAIT, ctypes.byref(event))
            c.check(status)
        except BaseException:
            self.close()
            raise
        if status == c.END:
            self._finished = True
            self._progress(None, None)
            return False
        self._take(event.contents)
        return True

    def _take(self, event: c.CEvent) -> None:
        if event.kind in (c.LANGUAGE, c.FINISHED) and self._language is None:
            self._language = event.language.decode()
            self._probability = event.probability
        if event.kind == c.LANGUAGE and event.languages:
            self._languages = {
                item.language.decode(): item.probability for item in event.languages[: event.language_count]
            }
        if event.kind in (c.DURATION, c.PROGRESS, c.FINISHED) and event.duration >= 0:
            self.duration = event.duration
        if event.kind == c.FINISHED and event.speech_duration >= 0:
            self.speech_duration = event.speech_duration
        if event.kind == c.PROGRESS:
            self._progress(event.processed, self.duration)
        if event.kind == c.SEGMENT:
            self._pending.append(_segment(event.segment.contents))


def _segment(source: c.CSegment) -> Segment:
    words = None
    if source.words:
        words = [
            Word(word.text.decode(), word.start, word.end, word.probability, c.optional_text(word.speaker))
            for word in source.words[: source.word_count]
        ]
    whisper = None
    if source.whisper:
        details = source.whisper.contents
        whisper = {
            "seek": details.seek,
            "tokens": details.tokens[: details.token_count],
            "temperature": details.temperature,
            "avg_logprob": details.average_log_probability,
            "compression_ratio": details.compression_ratio,
            "no_speech_prob": details.no_speech_probability,
        }
    return Segment(
        source.id, source.start, source.end, source.text.decode(), c.optional_text(source.language),
        c.optional_text(source.speaker), words, whisper,
    )


def _reporter(progress: Union[bool, Progress, None]) -> Callable[[Optional[float], Optional[float]], None]:
    """A function for progress; called without values at the end."""
    if progress is None or progress is False:
        return lambda done, duration: None
    if progress is True:
        return _Bar()

    def report(done: Optional[float], duration: Optional[float]) -> None:
        if done is not None:
            progress(done, duration)

    return report


class _Bar:
    """A progress bar: tqdm's if it is installed, else a line on standard error."""

    def __init__(self) -> None:
        self._tqdm: Any = None
        self._last = -1

    def __call__(self, done: Optional[float], duration: Optional[float]) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return self._print(done, duration)
        if done is None:
            if self._tqdm is not None:
                self._tqdm.close()
            return None
        if self._tqdm is None:
            self._tqdm = tqdm(total=duration and round(duration, 2), unit="seconds")
        self._tqdm.update(round(done - self._tqdm.n, 2))
        return None

    def _print(self, done: Optional[float], duration: Optional[float]) -> None:
        if done is None:
            if self._last >= 0:
                print(file=sys.stderr)
            self._last = -1
        elif duration:
            percent = int(100 * done / duration)
            if percent != self._last:
                print(f"\r{percent:3d} %", end="", file=sys.stderr, flush=True)
            self._last = percent
