"""Samples for the reference engines: exactly the samples that Steno's tests feed to Steno.

A 16 kHz mono file gives its own samples (16-bit values over 32768; floats as they are). Anything else
is decoded by ffmpeg to 16 kHz mono signed 16 bit and divided by 32768. `fingerprint` lets the other side check that it
has the same samples: the first 16 hexadecimal digits of the SHA-256 of the samples as little-endian float32.
"""
import hashlib
import subprocess

import numpy as np
import soundfile


def read_samples(path):
    """Returns (float32 samples at 16 kHz, how they were made: "file" or "ffmpeg")."""
    info = soundfile.info(str(path))
    if info.samplerate == 16000 and info.channels == 1 and info.format in ("WAV", "FLAC"):
        return soundfile.read(str(path), dtype="float32")[0], "file"
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "s16le", "-ac", "1", "-ar", "16000", "-"]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(raw, "<i2").astype(np.float32) / 32768, "ffmpeg"


def fingerprint(samples):
    return hashlib.sha256(np.ascontiguousarray(samples, "<f4").tobytes()).hexdigest()[:16]
