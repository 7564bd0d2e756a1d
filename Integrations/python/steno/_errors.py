"""The errors of the library as exceptions."""

from __future__ import annotations


class StenoError(Exception):
    """An error with a sentence that says what is wrong and what to do.

    ``code`` is the code in ``steno.h``, such as -5 for a model that was not found.
    """

    def __init__(self, message: str, code: int = -1) -> None:
        super().__init__(message)
        self.code = code


class Cancelled(StenoError):
    """The work was cancelled."""


class InvalidOption(StenoError, ValueError):
    """An option or an argument is out of range, or the model does not have it."""


class ModelNotFound(StenoError, FileNotFoundError):
    """There is no model of that name on this machine."""

    def __init__(self, message: str, code: int = -5) -> None:
        super().__init__(message, code)

    # OSError would show its own fields instead.
    __str__ = Exception.__str__


class AudioError(StenoError):
    """The audio does not exist, is damaged, or is not audio."""


class DecoderMissing(AudioError):
    """The format needs a decoder that is not installed."""


class OutOfMemory(StenoError, MemoryError):
    """There is not enough memory for the model or the request."""


_CLASSES = {
    -2: Cancelled,
    -3: InvalidOption,
    -4: InvalidOption,
    -5: ModelNotFound,
    -8: OutOfMemory,
    -9: AudioError,
    -10: AudioError,
    -11: AudioError,
    -12: AudioError,
    -13: DecoderMissing,
    -14: AudioError,
}


def error(code: int, message: str) -> StenoError:
    """The exception for a status of the library."""
    return _CLASSES.get(code, StenoError)(message, code)
