"""The functions of libsteno, declared for ctypes as ``steno.h`` has them.

The library is loaded at the first call, so that importing the package takes no time. ctypes releases the GIL during
every call, and every handle is freed by one of the classes that own it.
"""

from __future__ import annotations

import ctypes
import json
import os
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_void_p
from typing import Any, Optional

from ._errors import error

OK, END, TIMED_OUT, DROPPED = 0, 1, 2, 3
LANGUAGE, DURATION, PROGRESS, SEGMENT, FINISHED = 1, 2, 3, 4, 5


class CWord(ctypes.Structure):
    _fields_ = [
        ("text", c_char_p),
        ("start", c_double),
        ("end", c_double),
        ("probability", c_double),
        ("speaker", c_char_p),
    ]


class CProbability(ctypes.Structure):
    _fields_ = [("language", c_char_p), ("probability", c_double)]


class CWhisper(ctypes.Structure):
    _fields_ = [
        ("seek", c_int64),
        ("tokens", POINTER(c_int32)),
        ("token_count", c_size_t),
        ("temperature", c_double),
        ("average_log_probability", c_double),
        ("compression_ratio", c_double),
        ("no_speech_probability", c_double),
    ]


class CSegment(ctypes.Structure):
    _fields_ = [
        ("id", c_int64),
        ("start", c_double),
        ("end", c_double),
        ("text", c_char_p),
        ("language", c_char_p),
        ("speaker", c_char_p),
        ("words", POINTER(CWord)),
        ("word_count", c_size_t),
        ("whisper", POINTER(CWhisper)),
    ]


class CEvent(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32),
        ("language", c_char_p),
        ("probability", c_double),
        ("languages", POINTER(CProbability)),
        ("language_count", c_size_t),
        ("duration", c_double),
        ("speech_duration", c_double),
        ("processed", c_double),
        ("time_left", c_double),
        ("segment", POINTER(CSegment)),
    ]


class CSpan(ctypes.Structure):
    _fields_ = [("start", c_int64), ("end", c_int64)]


# The results and arguments of every function; `c_void_p` instead of `c_char_p` where the caller frees a string.
_DECLARATIONS = {
    "steno_version": (c_char_p, []),
    "steno_last_error": (c_char_p, []),
    "steno_free": (None, [c_void_p]),
    "steno_model_load": (c_int32, [c_char_p, c_char_p, POINTER(c_void_p)]),
    "steno_model_free": (None, [c_void_p]),
    "steno_model_information": (c_int32, [c_void_p, POINTER(c_void_p)]),
    "steno_model_encode": (c_int32, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "steno_model_decode": (c_int32, [c_void_p, POINTER(c_int32), c_size_t, POINTER(c_void_p)]),
    "steno_models": (c_int32, [POINTER(c_void_p)]),
    "steno_transcribe_file": (c_int32, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    "steno_transcribe_data": (c_int32, [c_void_p, c_char_p, c_size_t, c_char_p, POINTER(c_void_p)]),
    "steno_transcribe_samples": (
        c_int32,
        [c_void_p, c_void_p, c_size_t, c_int32, c_int32, c_char_p, POINTER(c_void_p)],
    ),
    "steno_detect_language": (c_int32, [c_void_p, c_void_p, c_size_t, c_char_p, POINTER(c_void_p)]),
    "steno_job_next": (c_int32, [c_void_p, c_double, POINTER(POINTER(CEvent))]),
    "steno_job_run": (c_int32, [c_void_p, ctypes.CFUNCTYPE(c_bool, POINTER(CEvent), c_void_p), c_void_p]),
    "steno_job_cancel": (None, [c_void_p]),
    "steno_job_text": (c_int32, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "steno_job_free": (None, [c_void_p]),
    "steno_live_start": (c_int32, [c_void_p, c_int32, c_int32, c_char_p, POINTER(c_void_p)]),
    "steno_live_push": (c_int32, [c_void_p, c_void_p, c_size_t]),
    "steno_live_wait": (c_int32, [c_void_p, c_size_t]),
    "steno_live_next": (c_int32, [c_void_p, c_double, POINTER(c_char_p)]),
    "steno_live_finish": (None, [c_void_p]),
    "steno_live_cancel": (None, [c_void_p]),
    "steno_live_free": (None, [c_void_p]),
    "steno_decode_file": (
        c_int32,
        [c_char_p, c_int32, POINTER(c_void_p), POINTER(c_size_t), POINTER(c_int32)],
    ),
    "steno_decode_data": (c_int32, [c_char_p, c_size_t, POINTER(c_void_p), POINTER(c_size_t)]),
    "steno_find_speech": (c_int32, [c_void_p, c_size_t, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
}

_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """The library, loaded once: the one in this package, or the one that ``$STENO_LIBRARY`` names."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _load()
    return _loaded


def _load() -> ctypes.CDLL:
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.environ.get("STENO_LIBRARY") or os.path.join(here, "lib", "libsteno.so.0")
    try:
        loaded = ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(
            f"Steno's library cannot be loaded ({problem}). Install the wheel for this system, or build the library "
            "with `make libsteno` and name it in $STENO_LIBRARY."
        ) from problem
    for name, (result, arguments) in _DECLARATIONS.items():
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = arguments
    return loaded


def check(status: int) -> int:
    """Raises the exception for an error; returns other results."""
    if status < 0:
        raise error(status, (library().steno_last_error() or b"").decode())
    return status


def version() -> str:
    return library().steno_version().decode()


def take_text(pointer: c_void_p) -> str:
    """The string that the library gave, which is freed."""
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        library().steno_free(pointer)


def encoded(options: Optional[dict]) -> Optional[bytes]:
    """Options as the library reads them."""
    return None if not options else json.dumps(options).encode()


def optional_text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode()


def parsed(pointer: c_void_p) -> Any:
    return json.loads(take_text(pointer))
