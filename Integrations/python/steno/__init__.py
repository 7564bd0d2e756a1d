"""Speech to text on this machine.

    import steno

    model = steno.Model()
    for segment in model.transcribe("talk.wav"):
        print(f"{segment.start:.2f} {segment.text}")

The package ``steno.faster_whisper`` has the names of faster-whisper instead.
"""

from ._audio import decode_audio, find_speech
from ._errors import (
    AudioError,
    Cancelled,
    DecoderMissing,
    InvalidOption,
    ModelNotFound,
    StenoError,
)
from ._library import version as _version
from ._live import Live
from ._model import LanguageDetection, Model, models
from ._transcription import Segment, Transcription, Word

__all__ = [
    "AudioError",
    "Cancelled",
    "DecoderMissing",
    "InvalidOption",
    "LanguageDetection",
    "Live",
    "Model",
    "ModelNotFound",
    "Segment",
    "StenoError",
    "Transcription",
    "Word",
    "decode_audio",
    "find_speech",
    "models",
]


def __getattr__(name: str) -> str:
    # Asked for only when needed, because it loads the library.
    if name == "__version__":
        return _version()
    raise AttributeError(f"module 'steno' has no attribute {name!r}")
