"""faster-whisper's interface on Steno's engine: names, defaults and types are those of faster-whisper 1.2.1.

    from steno.faster_whisper import WhisperModel

    model = WhisperModel("base")
    segments, info = model.transcribe("talk.mp3")

It needs NumPy. Documentation/Guides/Python.md lists the differences.
"""

from .audio import decode_audio
from .transcribe import BatchedInferencePipeline, WhisperModel
from .utils import available_models, download_model, format_timestamp
from .version import __version__

__all__ = [
    "available_models",
    "decode_audio",
    "WhisperModel",
    "BatchedInferencePipeline",
    "download_model",
    "format_timestamp",
    "__version__",
]
