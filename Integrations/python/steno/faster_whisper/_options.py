"""The translation of faster-whisper's options to those of the engine."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union

from . import vad
from .types import TranscriptionOptions
from .vad import VadOptions

Clip = Tuple[float, Optional[float]]

# The options whose values mean the same.
_NAMES = {
    "multilingual": "multilingual",
    "language_detection_segments": "languageDetectionSegments",
    "beam_size": "beamSize",
    "best_of": "bestOf",
    "patience": "patience",
    "length_penalty": "lengthPenalty",
    "repetition_penalty": "repetitionPenalty",
    "no_repeat_ngram_size": "noRepeatNGramSize",
    "compression_ratio_threshold": "compressionRatioThreshold",
    "log_prob_threshold": "logProbabilityThreshold",
    "no_speech_threshold": "noSpeechThreshold",
    "condition_on_previous_text": "conditionOnPreviousText",
    "prompt_reset_on_temperature": "promptResetOnTemperature",
    "prefix": "prefix",
    "suppress_blank": "suppressBlank",
    "without_timestamps": "withoutTimestamps",
    "max_initial_timestamp": "maxInitialTimestamp",
    "prepend_punctuations": "prependedPunctuation",
    "append_punctuations": "appendedPunctuation",
    "max_new_tokens": "maxNewTokens",
    "chunk_length": "chunkLength",
}


def engine_options(arguments: Dict[str, Any], clips: List[Clip]) -> Dict[str, Any]:
    """The options of a transcription, from the arguments of ``transcribe``."""
    whisper = {engine: arguments[name] for name, engine in _NAMES.items()}
    # Steno's own check for silence would drop text that faster-whisper keeps.
    whisper["skipsSilence"] = False
    whisper["temperatures"] = temperatures(arguments["temperature"])
    whisper["suppressTokens"] = list(arguments["suppress_tokens"] or [])
    whisper["languageDetectionThreshold"] = threshold(arguments["language_detection_threshold"])
    # Without word times faster-whisper ignores it.
    if arguments["word_timestamps"]:
        whisper["hallucinationSilenceThreshold"] = arguments["hallucination_silence_threshold"]
    prompt = arguments["initial_prompt"]
    if prompt is not None and not isinstance(prompt, str):
        whisper["initialPromptTokens"] = list(prompt)
        prompt = None
    return {
        "language": arguments["language"],
        "task": arguments["task"],
        "wordTimestamps": arguments["word_timestamps"],
        "vocabulary": [arguments["hotwords"]] if arguments["hotwords"] else [],
        "prompt": prompt,
        "clips": [{"start": start} if end is None else {"start": start, "end": end} for start, end in clips],
        "whisper": whisper,
    }


def reported(arguments: Dict[str, Any], suppress_tokens: Any) -> TranscriptionOptions:
    """The options as ``TranscriptionInfo`` has them."""
    renamed = {"temperatures": temperatures(arguments["temperature"]), "suppress_tokens": suppress_tokens}
    names = TranscriptionOptions.__dataclass_fields__
    return TranscriptionOptions(**{name: renamed.get(name, arguments.get(name)) for name in names})


def temperatures(temperature: Any) -> List[float]:
    return list(temperature) if isinstance(temperature, (list, tuple)) else [temperature]


def threshold(value: Optional[float]) -> float:
    """A language is accepted at once above it; without one, any is."""
    return 0.0 if value is None else value


def clips(timestamps: Union[str, List[float]]) -> List[Clip]:
    """Clips from their times: start, end, start …; the last end may be missing."""
    values = timestamps.split(",") if isinstance(timestamps, str) else timestamps
    times = [float(value) for value in values if str(value).strip()]
    if times in ([], [0.0]):
        return []
    ends: List[Optional[float]] = [*times[1::2]]
    return list(zip(times[::2], ends + [None] * (len(times) % 2)))


def vad_options(parameters: Union[dict, VadOptions, None]) -> VadOptions:
    if isinstance(parameters, dict):
        return VadOptions(**parameters)
    return VadOptions() if parameters is None else parameters


def batched_vad_options(parameters: Union[dict, VadOptions, None], seconds: float) -> VadOptions:
    """The options for batches, in which speech is never longer than a window."""
    if parameters is None:
        return VadOptions(max_speech_duration_s=seconds, min_silence_duration_ms=160)
    if isinstance(parameters, dict):
        return VadOptions(**{**parameters, "max_speech_duration_s": seconds})
    return parameters


def check_device(device: str) -> None:
    if device not in ("cpu", "auto"):
        raise ValueError(f"Steno computes on the CPU and has no device '{device}'. Use device=\"cpu\".")


def precision(compute_type: str) -> str:
    """The precision of a compute type; the 16-bit floating-point types are computed in float32, as on other CPUs."""
    if compute_type in ("default", "auto", "int16") or compute_type.startswith("int8"):
        return "automatic"
    if compute_type in ("float32", "float16", "bfloat16"):
        return "float32"
    raise ValueError(
        f"There is no compute type '{compute_type}'. Use int8 (the default) or float32.")
