"""Makes Tests/Fixtures/features: log-mel features as the reference packages compute them.

    OPENAI_WHISPER=/path/to/openai-whisper python Tools/goldens/run.py mel

Needs numpy, torch, faster-whisper, and the source tree of openai-whisper (OPENAI_WHISPER, or installed). The committed
files were made with the versions named in goldens.json. The hour takes about 3 GB of memory.

Rows are subsampled; every value is a little-endian float32 in goldens.bin at the offset goldens.json gives. The signals
are computed here and in the tests (Tests/StenoTestSupport/Recordings.swift) by the same formulas, in double precision and rounded to
16 bits where they contain a sine, so that both are bit-identical.
"""
import importlib.util
import os
import sys
import types

import faster_whisper
import numpy as np
import torch
from faster_whisper.feature_extractor import FeatureExtractor

if "OPENAI_WHISPER" in os.environ:
    sys.path.insert(0, os.environ["OPENAI_WHISPER"])

# Only the package's audio.py is wanted: its __init__ would import numba and tiktoken as well.
package = types.ModuleType("whisper")
package.__path__ = importlib.util.find_spec("whisper").submodule_search_locations
sys.modules["whisper"] = package

import whisper.audio  # noqa: E402
from whisper.version import __version__ as openai_whisper_version  # noqa: E402

from support import golden  # noqa: E402
from support.paths import SAMPLES  # noqa: E402
from support.random_model import in_16_bits, noise  # noqa: E402
from support.samples import read_samples  # noqa: E402

RATE = 16000
EDGES = [0, 1, 40, 41, 100, 159, 160, 199, 200, 201, 399, 400, 480000, 480001]


def tones():
    """3 s of a chirp from 100 to 7000 Hz, 1 s of silence, 1 s of a quiet 440 Hz."""
    t = np.arange(3 * RATE) / RATE
    chirp = 0.5 * np.sin(2 * np.pi * (100 * t + 1150 * t * t))
    t = np.arange(RATE) / RATE
    quiet = 0.001 * np.sin(2 * np.pi * (440 * t))
    return in_16_bits(np.concatenate([chirp, np.zeros(RATE), quiet]))


def hour():
    """Noise that swells and fades every 10 minutes, a tone 3 s out of 7, and one loud second at 50 minutes."""
    sine = np.sin(2 * np.pi * (np.arange(RATE) / RATE))
    parts = []
    for second in range(3600):
        i = np.arange(second * RATE, (second + 1) * RATE)
        swell = abs((second % 600) - 300) / 300
        gain = 1.0 if second == 3000 else 0.0001 + 0.1 * swell * swell
        tone = 0.05 * sine[(440 * i) % RATE] * swell if second % 7 < 3 else 0.0
        parts.append(in_16_bits(gain * noise(3, RATE, second * RATE) * 0.9 + tone))
    return np.concatenate(parts)


def openai(audio, mels):
    """As openai-whisper's transcribe() does, with 30 s of silence appended; the content frames only."""
    features = whisper.audio.log_mel_spectrogram(torch.from_numpy(audio), mels, padding=whisper.audio.N_SAMPLES)
    return features.numpy().T[: len(audio) // 160]


def faster(audio, mels):
    """All frames, with the one after the content, which is the last."""
    return FeatureExtractor(feature_size=mels)(audio).T


class Goldens(golden.Store):
    def __init__(self):
        super().__init__()
        self.entries = []

    def rows(self, sound, reference, mels, features, frames):
        frames = [f for f in frames if f < len(features)]
        offset = self.add(features[frames])["offset"]
        self.entries.append(
            dict(audio=sound, reference=reference, mels=mels, total=len(features), frames=frames, offset=offset)
        )

    def filters(self):
        found = []
        for mels in (80, 128):
            references = {
                "openai-whisper": whisper.audio.mel_filters("cpu", mels).numpy(),
                "faster-whisper": FeatureExtractor(feature_size=mels).mel_filters,
            }
            for reference, weights in references.items():
                index = np.flatnonzero(weights)
                offset = self.add(weights.reshape(-1)[index])["offset"]
                found.append(
                    dict(
                        reference=reference, mels=mels, bins=weights.shape[1], indices=index.tolist(), offset=offset
                    )
                )
        return found


def make(_):
    goldens = Goldens()
    filters = goldens.filters()
    signals = {"noise": (0.125 * noise(1, 5 * RATE)).astype(np.float32), "tones": tones(),
               "speech": read_samples(SAMPLES / "inaugural-1961.wav")[0]}
    for name, audio in signals.items():
        for mels in (80, 128):
            goldens.rows(name, "openai-whisper", mels, openai(audio, mels), range(0, 10**6, 7))
            goldens.rows(name, "faster-whisper", mels, faster(audio, mels), range(0, 10**6, 21))
    for count in EDGES:
        audio = (0.5 * noise(2, count)).astype(np.float32)
        frames = [0, 1, 2, 3, 1500, 2998, 2999, 3000]
        goldens.rows(f"edge-{count}", "faster-whisper", 80, faster(audio, 80), frames)
    goldens.rows("hour", "openai-whisper", 80, openai(hour(), 80), range(0, 10**6, 3607))

    versions = {
        "openai-whisper": openai_whisper_version,
        "faster-whisper": faster_whisper.__version__,
        "numpy": np.__version__,
        "torch": torch.__version__,
    }
    golden.write("features/goldens.bin", goldens.bytes())
    golden.write("features/goldens.json", golden.compact(dict(versions=versions, filters=filters, features=goldens.entries)) + "\n")
