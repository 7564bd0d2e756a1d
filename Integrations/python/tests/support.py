"""What the tests share: the recordings of the repository, and a model that is loaded once."""

import pathlib

import steno

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "Sources" / "StenoBundledModel" / "Resources" / "samples"
TALK = SAMPLES / "inaugural-1961.wav"
FOX = SAMPLES / "en-quick_brown_fox.wav"

_models = []


def model() -> steno.Model:
    if not _models:
        _models.append(steno.Model("bundled"))
    return _models[0]
