"""The options of faster-whisper and their defaults, which Documentation/Reference/Options.md must list.

usage: python Tools/goldens/list_reference_options.py > Tests/Fixtures/options/faster-whisper.json
"""
import dataclasses
import importlib.metadata
import inspect
import json

from faster_whisper import BatchedInferencePipeline, WhisperModel
from faster_whisper.vad import VadOptions


def options(function):
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return {p.name: None if p.default is p.empty else str_of(p.default) for p in parameters if p.kind != p.VAR_KEYWORD}


def str_of(value):
    """As Python writes it, but strings without quotation marks."""
    return value if isinstance(value, str) else repr(value)


tables = {
    "WhisperModel.transcribe": options(WhisperModel.transcribe),
    "BatchedInferencePipeline.transcribe": options(BatchedInferencePipeline.transcribe),
    "VadOptions": {f.name: str_of(f.default) for f in dataclasses.fields(VadOptions)},
    "WhisperModel.detect_language": options(WhisperModel.detect_language),
    "WhisperModel": options(WhisperModel.__init__),
}
print(json.dumps({"faster-whisper": importlib.metadata.version("faster-whisper"), "tables": tables}, indent=1, ensure_ascii=False))
