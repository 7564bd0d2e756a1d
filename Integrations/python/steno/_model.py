"""Models: loading them, and what they do."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_int32, c_size_t, c_void_p
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _library as c
from ._audio import SAMPLE_RATE, file_bytes, samples
from ._errors import InvalidOption, StenoError
from ._live import Live
from ._transcription import Progress, Transcription


@dataclass
class LanguageDetection:
    """The most probable language, and the probability of every language."""

    language: str
    probability: float
    probabilities: Dict[str, float]


def models() -> Dict[str, List[Dict[str, Any]]]:
    """The models on this machine (``installed``), and those that can be downloaded (``known``)."""
    text = c_void_p()
    c.check(c.library().steno_models(ctypes.byref(text)))
    return c.parsed(text)


class Model(c.Handle):
    """A loaded model; any number of threads may use it at once.

    name       a path, the name of a model on this machine such as ``base``, or ``bundled``; None for the default
    precision  ``automatic`` (int8), ``int8`` or ``float32``
    threads    the threads of a transcription; None for one per core
    """

    def __init__(
        self, name: Union[str, os.PathLike, None] = None, *, precision: str = "automatic",
        threads: Optional[int] = None, concurrent_calls: Optional[int] = None,
    ) -> None:
        self._handle: Optional[c_void_p] = None
        self._information: Optional[Dict[str, Any]] = None
        options = {"precision": precision, "threads": threads, "maximumConcurrentCalls": concurrent_calls}
        handle = c_void_p()
        c.check(
            c.library().steno_model_load(
                None if name is None else c.path_bytes(name),
                c.encoded({key: value for key, value in options.items() if value is not None}), ctypes.byref(handle),
            )
        )
        self._handle = handle

    # ---- Properties

    @property
    def information(self) -> Dict[str, Any]:
        """The family, path, precision, languages and other properties of the model."""
        if self._information is None:
            text = c_void_p()
            c.check(c.library().steno_model_information(self._pointer, ctypes.byref(text)))
            self._information = c.parsed(text)
        return self._information

    @property
    def languages(self) -> List[str]:
        """The codes of the languages that the model knows."""
        return list(self.information["languages"])

    # ---- Transcribing

    def transcribe(
        self, audio: Any, *, sample_rate: int = SAMPLE_RATE, language: Optional[str] = None, task: str = "transcribe",
        word_timestamps: bool = False, vocabulary: Sequence[str] = (), prompt: Optional[str] = None,
        clips: Iterable[Tuple[float, Optional[float]]] = (), batch_size: int = 1,
        speakers: Union[bool, int] = False, whisper: Optional[Dict[str, Any]] = None,
        progress: Union[bool, Progress, None] = None,
    ) -> Transcription:
        """Starts transcribing and returns an iterator over the segments.

        audio            a path; the bytes of a file or an open binary file; or samples from −1 to 1 as a NumPy array,
                         an ``array.array`` or a list: one dimension is mono, two are frames by channels
        sample_rate      of samples; files know theirs
        language         a code or a name; None detects it
        task             ``transcribe``, or ``translate`` into English
        word_timestamps  whether words get times
        vocabulary       names and rare words to expect
        prompt           text presented to the model as if it preceded the recording
        clips            the only parts to transcribe, as (start, end) in seconds; an end of None is the audio's
        batch_size       the windows decoded at once, from 1 to 64
        speakers         True labels the speakers, a number says how many there are
        whisper          Whisper's own options, with their Swift names: ``{"beamSize": 1}``
        progress         True shows a progress bar; a function gets the seconds done and the duration
        """
        if isinstance(vocabulary, str):
            raise InvalidOption(f"The vocabulary is a list of words. Use vocabulary=[{vocabulary!r}].")
        options: Dict[str, Any] = {
            "language": language, "task": task, "wordTimestamps": word_timestamps, "vocabulary": list(vocabulary),
            "prompt": prompt, "batchSize": batch_size,
            "clips": [{"start": start} if end is None else {"start": start, "end": end} for start, end in clips],
        }
        if speakers:
            options["speakers"] = {} if speakers is True else {"count": speakers}
        if whisper:
            options["whisper"] = whisper
        return self._start(audio, sample_rate, options, progress)

    def _start(
        self, audio: Any, sample_rate: int, options: Dict[str, Any], progress: Union[bool, Progress, None] = None
    ) -> Transcription:
        job = c_void_p()
        text = c.encoded({key: value for key, value in options.items() if value is not None})
        found = samples(audio)
        if found is not None:
            rate = c.int32(sample_rate, "sample_rate")
            status = c.library().steno_transcribe_samples(
                self._pointer, found.address, found.frames, rate, found.channels, text, ctypes.byref(job))
        elif isinstance(audio, (str, os.PathLike)):
            status = c.library().steno_transcribe_file(self._pointer, c.path_bytes(audio), text, ctypes.byref(job))
        else:
            data = file_bytes(audio)
            status = c.library().steno_transcribe_data(self._pointer, data, len(data), text, ctypes.byref(job))
        c.check(status)
        return Transcription(job, self, progress)

    def detect_language(self, audio: Any, *, whisper: Optional[Dict[str, Any]] = None) -> LanguageDetection:
        """Detects the language of mono samples at 16 kHz."""
        found = samples(audio)
        if found is None or found.channels != 1:
            raise InvalidOption("Give mono samples at 16 kHz; decode_audio() reads them from a file.")
        job = c_void_p()
        options = c.encoded({"whisper": whisper} if whisper else None)
        c.check(
            c.library().steno_detect_language(
                self._pointer, found.address, found.frames, options, ctypes.byref(job)))
        with Transcription(job, self, None) as detection:
            return LanguageDetection(
                detection.language or "und", detection.language_probability or 0,
                detection.language_probabilities or {})

    def live(self, *, sample_rate: int = SAMPLE_RATE, channels: int = 1, **options: Any) -> Live:
        """Starts a live session for audio that is pushed.

        The options are those of Swift's ``LiveOptions``: ``language="en"``, ``balance="soonest"``.
        """
        session = c_void_p()
        rate, channels = c.int32(sample_rate, "sample_rate"), c.int32(channels, "channels")
        c.check(
            c.library().steno_live_start(self._pointer, rate, channels, c.encoded(options), ctypes.byref(session)))
        return Live(session, self, channels)

    # ---- Tokens

    def encode(self, text: str) -> List[int]:
        """The tokens of a text, for Whisper models."""
        pointer, count = c_void_p(), c_size_t()
        data = c.text_bytes(text)
        c.check(c.library().steno_model_encode(self._pointer, data, ctypes.byref(pointer), ctypes.byref(count)))
        try:
            return list((c_int32 * count.value).from_address(pointer.value or 0))
        finally:
            c.library().steno_free(pointer)

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of tokens without special ones, for Whisper models."""
        ids = [c.int32(token, "A token") for token in tokens]
        text = c_void_p()
        c.check(
            c.library().steno_model_decode(self._pointer, (c_int32 * len(ids))(*ids), len(ids), ctypes.byref(text)))
        return c.take_text(text)

    # ---- Ending

    @property
    def _pointer(self) -> c_void_p:
        if self._handle is None:
            raise StenoError("The model was closed. Load it again.", -17)
        return self._handle

    def close(self) -> None:
        """Frees the model as soon as nothing uses it any more."""
        handle, self._handle = self._handle, None
        if handle is not None:
            c.library().steno_model_free(handle)

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        # A constructor that failed has made nothing yet, and at the end of the program modules may be gone.
        if getattr(self, "_handle", None) is not None and c is not None:
            self.close()
