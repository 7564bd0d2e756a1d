"""Reading audio."""

from __future__ import annotations

import os
import tempfile
from typing import Any, BinaryIO, Tuple, Union

import numpy as np

from .._audio import SAMPLE_RATE, _decoded, file_bytes


def decode_audio(
    input_file: Union[str, BinaryIO],
    sampling_rate: int = 16000,
    split_stereo: bool = False,
) -> Union[np.ndarray, Tuple[np.ndarray, np.ndarray]]:
    """Reads a file as float32 samples from −1 to 1.

    With ``split_stereo`` the result is a pair: the left and the right channel. Of files with one channel they are equal.
    Only the sampling rate of the models, 16000, is possible.
    """
    if sampling_rate != SAMPLE_RATE:
        raise ValueError(
            f"Steno reads audio at {SAMPLE_RATE} Hz, which its models need, and not at {sampling_rate} Hz. Leave "
            "sampling_rate out, or resample the result."
        )
    if not split_stereo:
        return _decoded(input_file, None)[0]
    if isinstance(input_file, (str, os.PathLike)):
        return _channels(input_file)
    with tempfile.NamedTemporaryFile() as file:
        file.write(file_bytes(input_file))
        file.flush()
        return _channels(file.name)


def _channels(path: Any) -> Tuple[np.ndarray, np.ndarray]:
    left, count = _decoded(path, 0)
    return (left, left) if count < 2 else (left, _decoded(path, 1)[0])


def pad_or_trim(array: np.ndarray, length: int = 3000, *, axis: int = -1) -> np.ndarray:
    """Cuts an axis to a length, or fills it with zeros."""
    missing = length - array.shape[axis]
    if missing <= 0:
        return np.take(array, np.arange(length), axis=axis)
    widths = [(0, 0)] * array.ndim
    widths[axis] = (0, missing)
    return np.pad(array, widths)
