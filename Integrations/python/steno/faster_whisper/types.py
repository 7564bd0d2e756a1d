"""The values that transcriptions return."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Callable, Iterable, List, Optional, Tuple, Union
from warnings import warn

from .vad import VadOptions


def _deprecated(name: str) -> None:
    warn(f"{name}._asdict() is deprecated, use dataclasses.asdict() instead", DeprecationWarning, 3)


@dataclass
class Word:
    start: float
    end: float
    word: str
    probability: float

    def _asdict(self) -> dict:
        _deprecated("Word")
        return asdict(self)


@dataclass
class Segment:
    id: int
    seek: int
    start: float
    end: float
    text: str
    tokens: List[int]
    avg_logprob: float
    compression_ratio: float
    no_speech_prob: float
    words: Optional[List[Word]]
    temperature: Optional[float]

    def _asdict(self) -> dict:
        _deprecated("Segment")
        return asdict(self)


@dataclass
class TranscriptionOptions:
    beam_size: int
    best_of: int
    patience: float
    length_penalty: float
    repetition_penalty: float
    no_repeat_ngram_size: int
    log_prob_threshold: Optional[float]
    no_speech_threshold: Optional[float]
    compression_ratio_threshold: Optional[float]
    condition_on_previous_text: bool
    prompt_reset_on_temperature: float
    temperatures: List[float]
    initial_prompt: Optional[Union[str, Iterable[int]]]
    prefix: Optional[str]
    suppress_blank: bool
    suppress_tokens: Optional[List[int]]
    without_timestamps: bool
    max_initial_timestamp: float
    word_timestamps: bool
    prepend_punctuations: str
    append_punctuations: str
    multilingual: bool
    max_new_tokens: Optional[int]
    clip_timestamps: Union[str, List[float]]
    hallucination_silence_threshold: Optional[float]
    hotwords: Optional[str]


@dataclass
class TranscriptionInfo:
    language: str
    language_probability: float
    duration: float
    duration_after_vad: float
    all_language_probs: Optional[List[Tuple[str, float]]]
    transcription_options: TranscriptionOptions
    vad_options: VadOptions


class LazyTranscriptionInfo(TranscriptionInfo):
    """Finds ``duration_after_vad`` when it is asked for, because nothing else needs a pass over the audio."""

    def __init__(self, find_speech_duration: Callable[[], float], **values: Any) -> None:
        self._find = find_speech_duration
        super().__init__(duration_after_vad=None, **values)

    def __reduce__(self) -> Any:
        # In another process there is no audio to look at.
        return TranscriptionInfo, tuple(getattr(self, name) for name in TranscriptionInfo.__dataclass_fields__)

    @property
    def duration_after_vad(self) -> float:  # type: ignore[override]
        if self._known is None:
            self._known = self._find()
        return self._known

    @duration_after_vad.setter
    def duration_after_vad(self, value: Optional[float]) -> None:
        self._known = value
