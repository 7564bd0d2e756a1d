"""The options of faster-whisper and their defaults, which Documentation/Reference/Options.md must list.

usage: python Tools/goldens/run.py list_reference_options
"""
import dataclasses
import inspect
import json

from faster_whisper import BatchedInferencePipeline, WhisperModel
from faster_whisper.vad import VadOptions
from support import golden


def parameters(function):
    found = list(inspect.signature(function).parameters.values())[1:]
    return {p.name: None if p.default is p.empty else str_of(p.default) for p in found if p.kind != p.VAR_KEYWORD}


def str_of(value):
    """As Python writes it, but strings without quotation marks."""
    return value if isinstance(value, str) else repr(value)


def make(_):
    tables = {
        "WhisperModel.transcribe": parameters(WhisperModel.transcribe),
        "BatchedInferencePipeline.transcribe": parameters(BatchedInferencePipeline.transcribe),
        "VadOptions": {f.name: str_of(f.default) for f in dataclasses.fields(VadOptions)},
        "WhisperModel.detect_language": parameters(WhisperModel.detect_language),
        "WhisperModel": parameters(WhisperModel.__init__),
    }
    content = golden.versions("faster-whisper") | {"tables": tables}
    golden.write("options/faster-whisper.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n")
