"""Voice activity detection."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .._audio import SAMPLE_RATE, find_speech


@dataclass
class VadOptions:
    """What counts as speech, and where it is split.

    threshold                speech has at least this probability
    neg_threshold            speech ends below it; None is 0.15 less than the threshold
    min_speech_duration_ms   shorter speech is dropped
    max_speech_duration_s    longer speech is split at its last pause, or at this length
    min_silence_duration_ms  the silence that ends speech
    speech_pad_ms            the padding kept on both sides
    """

    threshold: float = 0.5
    neg_threshold: float = None
    min_speech_duration_ms: int = 0
    max_speech_duration_s: float = float("inf")
    min_silence_duration_ms: int = 2000
    speech_pad_ms: int = 400


def engine_options(options: VadOptions) -> Dict[str, Any]:
    """The options under the names of Steno's VoiceActivityOptions."""
    result = {
        "threshold": options.threshold,
        "negativeThreshold": options.neg_threshold,
        "minSpeechSeconds": options.min_speech_duration_ms / 1000,
        "maxSpeechSeconds": options.max_speech_duration_s,
        "minSilenceSeconds": options.min_silence_duration_ms / 1000,
        "speechPadSeconds": options.speech_pad_ms / 1000,
    }
    # JSON has no infinity, and it is the default.
    if math.isinf(options.max_speech_duration_s):
        del result["maxSpeechSeconds"]
    return result


def get_speech_timestamps(
    audio: np.ndarray,
    vad_options: Optional[VadOptions] = None,
    sampling_rate: int = 16000,
    **kwargs: Any,
) -> List[dict]:
    """The stretches of speech: a list of dictionaries with their ``start`` and ``end`` in samples."""
    if sampling_rate != SAMPLE_RATE:
        raise ValueError(f"Speech is found in audio at {SAMPLE_RATE} Hz. Resample the audio first.")
    options = VadOptions(**kwargs) if vad_options is None else vad_options
    return [{"start": start, "end": end} for start, end in find_speech(audio, **engine_options(options))]


def collect_chunks(
    audio: np.ndarray,
    chunks: List[dict],
    sampling_rate: int = 16000,
    max_duration: float = float("inf"),
) -> Tuple[List[np.ndarray], List[Dict[str, float]]]:
    """Joins neighbouring chunks up to a duration; returns the audio and, for each, offset, duration and segments.

    Unlike the original, every list of segments has all its chunks, and no group is empty.
    """
    groups: List[List[dict]] = []
    length = 0
    for chunk in chunks:
        size = chunk["end"] - chunk["start"]
        if groups and length + size <= max_duration * sampling_rate:
            groups[-1].append(chunk)
            length += size
        else:
            groups.append([chunk])
            length = size
    if not groups:
        return [np.zeros(0, dtype=np.float32)], [{"offset": 0, "duration": 0, "segments": []}]
    pieces, metadata, offset = [], [], 0
    for group in groups:
        piece = np.concatenate([audio[chunk["start"] : chunk["end"]] for chunk in group])
        pieces.append(piece)
        metadata.append(
            {"offset": offset / sampling_rate, "duration": len(piece) / sampling_rate, "segments": group})
        offset += len(piece)
    return pieces, metadata
