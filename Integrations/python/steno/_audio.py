"""Audio as the library takes it and gives it."""

from __future__ import annotations

import array
import ctypes
import os
import sys
import weakref
from ctypes import c_int32, c_size_t, c_void_p
from typing import Any, List, NamedTuple, Optional, Tuple, Union

from ._errors import InvalidOption
from ._library import CSpan, check, encoded, int32, library, path_bytes

SAMPLE_RATE = 16_000

# What the sample types of buffers are divided by.
_SCALES = {"f": None, "d": None, "h": 32768.0, "i": 2147483648.0}


class Samples(NamedTuple):
    """Interleaved float samples in memory that `owner` keeps alive."""

    address: int
    frames: int
    channels: int
    owner: Any


def samples(audio: Any) -> Optional[Samples]:
    """The samples of a NumPy array, an ``array.array`` or a list of numbers; None for anything else.

    One dimension is mono, two are frames by channels. Integers of 16 and 32 bits are scaled to −1 to 1.
    """
    if isinstance(audio, (bytes, bytearray, str, os.PathLike)):
        return None
    if isinstance(audio, (list, tuple)):
        audio = array.array("f", audio)
    try:
        view = memoryview(audio)
    except TypeError:
        return None
    kind = view.format.lstrip("@=<") if view.format else "B"
    if kind == "l" and view.itemsize == 4:
        kind = "i"
    if kind == "B" and (isinstance(audio, memoryview) or hasattr(audio, "read")):
        return None
    if kind not in _SCALES:
        raise InvalidOption(
            f"Samples of the type {getattr(audio, 'dtype', kind)} cannot be used. Use float32 or int16; the bytes of a "
            "file must be bytes."
        )
    if view.ndim not in (1, 2):
        raise InvalidOption(f"Audio has one dimension (samples) or two (frames, channels), not {view.ndim}.")
    channels = view.shape[1] if view.ndim == 2 else 1
    owner = _floats(audio, view, kind)
    address, length = _address(owner)
    return Samples(address, length // channels if channels else 0, channels, owner)


def _floats(audio: Any, view: memoryview, kind: str) -> Any:
    """The samples as contiguous float32."""
    numpy = sys.modules.get("numpy")
    scale = _SCALES[kind]
    if numpy is not None:
        values = numpy.asarray(audio, dtype=numpy.float32, order="C")
        return values if scale is None else values / numpy.float32(scale)
    if kind == "f" and view.c_contiguous and isinstance(audio, array.array):
        return audio
    values = [value for row in view.tolist() for value in (row if isinstance(row, list) else [row])]
    return array.array("f", values if scale is None else [value / scale for value in values])


def _address(owner: Any) -> Tuple[int, int]:
    if isinstance(owner, array.array):
        return owner.buffer_info()
    return owner.ctypes.data, owner.size


class _Memory:
    """Memory that the library allocated; freed with the last array that uses it."""

    def __init__(self, pointer: c_void_p, count: int) -> None:
        self.values = (ctypes.c_float * count).from_address(pointer.value or 0)
        # Not at the end of the program, when threads and functions of atexit may still use the array.
        weakref.finalize(self.values, library().steno_free, pointer.value).atexit = False


def _received(pointer: c_void_p, count: int) -> Any:
    """Samples from the library: a NumPy array if NumPy is installed, else an ``array.array``."""
    memory = _Memory(pointer, count)
    try:
        import numpy
    except ImportError:
        result = array.array("f")
        result.frombytes(memoryview(memory.values).cast("B"))
        return result
    # The array keeps the buffer, and the buffer its memory.
    return numpy.frombuffer(memory.values, dtype=numpy.float32)


def decode_audio(source: Union[str, os.PathLike, bytes, bytearray, Any], channel: Optional[int] = None) -> Any:
    """Reads a recording as mono samples at 16 kHz from −1 to 1.

    source   a path, the bytes of a file, or an object with ``read()``
    channel  the only channel to read, counted from 0; None averages all. Only for paths.

    Returns a NumPy array of float32, or an ``array.array`` if NumPy is not installed.
    """
    return _decoded(source, channel)[0]


def _decoded(source: Any, channel: Optional[int]) -> Tuple[Any, int]:
    pointer, count, channels = c_void_p(), c_size_t(), c_int32()
    number = -1 if channel is None else int32(channel, "channel")
    if channel is not None and number < 0:
        raise InvalidOption(f"channel is {number}. Channels are counted from 0; None averages all.")
    if isinstance(source, (str, os.PathLike)):
        check(
            library().steno_decode_file(
                path_bytes(source), number, ctypes.byref(pointer), ctypes.byref(count), ctypes.byref(channels))
        )
    else:
        if channel is not None:
            raise InvalidOption("A single channel can be read from a path only. Save the audio to a file.")
        data = file_bytes(source)
        check(library().steno_decode_data(data, len(data), ctypes.byref(pointer), ctypes.byref(count)))
    return _received(pointer, count.value), channels.value


def file_bytes(source: Any) -> bytes:
    """The bytes of a file in memory or of an open one."""
    data = source.read() if hasattr(source, "read") else source
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InvalidOption(
            f"Audio cannot be a {type(source).__name__}. Give a path, the bytes of a file, an open binary file, or an "
            "array of samples."
        )
    return bytes(data)


def find_speech(audio: Any, **options: Any) -> List[Tuple[int, int]]:
    """Finds speech in mono samples at 16 kHz; returns the first and the end sample of every stretch.

    The options are ``threshold``, ``minSilenceSeconds`` and the others of Swift's ``VoiceActivityOptions``.
    """
    found = samples(audio)
    if found is None or found.channels != 1:
        raise InvalidOption("Give mono samples at 16 kHz; decode_audio() reads them from a file.")
    pointer, count = c_void_p(), c_size_t()
    check(
        library().steno_find_speech(
            found.address, found.frames, encoded(options), ctypes.byref(pointer), ctypes.byref(count)
        )
    )
    try:
        spans = (CSpan * count.value).from_address(pointer.value or 0)
        return [(span.start, span.end) for span in spans]
    finally:
        library().steno_free(pointer)
