"""The functions of libsteno, declared for ctypes as ``steno.h`` has them.

The library is loaded at the first call, so that importing the package takes no time. ctypes releases the GIL during
every call, and every handle is freed by one of the classes that own it.
"""

from __future__ import annotations

import ctypes
import json
import math
import operator
import os
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_void_p
from typing import Any, Iterator, Optional, Tuple, Union

from ._errors import InvalidOption, error

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


class Handle:
    """The owner of a handle, which a copy would free a second time."""

    def __reduce__(self) -> Any:
        raise TypeError(
            f"A {type(self).__name__} cannot be copied or pickled: it owns memory of this process. Share the object, "
            "or make another one."
        )


def path_bytes(path: Union[str, os.PathLike]) -> bytes:
    """A path for the library, which would end it at a zero."""
    return _without_zero(os.fsencode(path), "A path")


def text_bytes(text: str) -> bytes:
    """A text for the library."""
    return _without_zero(text.encode(), "A text")


def _without_zero(data: bytes, what: str) -> bytes:
    if b"\0" in data:
        raise InvalidOption(f"{what} for the library cannot contain a zero: {data!r}. Remove it.")
    return data


def int32(value: Any, name: str) -> int:
    """A number for the library; ctypes would cut off its upper bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidOption(f"{name} is {value!r}. Use a whole number.") from None
    if not -(2**31) <= number < 2**31:
        raise InvalidOption(f"{name} is {number}, which does not fit 32 bits. Use a smaller number.")
    return number


def encoded(options: Optional[dict]) -> Optional[bytes]:
    """Options as the library reads them; numbers and arrays of NumPy count as Python's."""
    if not options:
        return None
    try:
        return json.dumps(options, default=_plain, allow_nan=False).encode()
    except ValueError as problem:
        for path, number in _infinite(options, ""):
            raise InvalidOption(f"The option {path} is {number}. Use a finite number, or leave it out.") from problem
        raise


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise InvalidOption(
        f"An option cannot be of the type {type(value).__name__}. Use numbers, texts, lists and dictionaries.")


def _infinite(value: Any, path: str) -> Iterator[Tuple[str, float]]:
    """The numbers that JSON does not have, with their places."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, float) and not math.isfinite(value):
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for key, item in items:
        yield from _infinite(item, f"{path}.{key}" if path else str(key))


def optional_text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode()


def parsed(pointer: c_void_p) -> Any:
    return json.loads(take_text(pointer))
