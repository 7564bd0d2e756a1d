"""Samples for the reference engines: the very samples that Steno's tests feed to its own engine.

A file of 16 kHz and one channel gives its own samples (16-bit values over 32768; floats as they are). Anything else
is decoded by ffmpeg to 16 kHz mono signed 16 bit and divided by 32768. `fingerprint` lets the other side check that it
hears the same sound: the first 16 hexadecimal digits of the SHA-256 of the samples as little-endian float32.
"""
import hashlib
import pathlib
import subprocess

import numpy as np
import soundfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "Tests" / "Fixtures"
SAMPLES = ROOT / "Sources" / "StenoBundledModel" / "Resources" / "samples"
BUNDLED_MODEL = ROOT / "Sources" / "StenoBundledModel" / "Resources" / "whisper-base"
GOLDENS = FIXTURES / "goldens"


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
