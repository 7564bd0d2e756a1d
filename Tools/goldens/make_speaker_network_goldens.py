"""Outputs of the speaker networks: the goldens of Tests/Fixtures/speaker-networks.

usage: python Tools/goldens/make_speaker_network_goldens.py FOLDER

FOLDER has the published weights, segmentation.safetensors and campplus.safetensors, which are not committed; the tests
that need them run with STENO_SPEAKER_NETWORKS=FOLDER. All other tests use small networks with random weights, whose
tensors are listed in goldens.json and whose numbers the tests compute as `Tools/support/random_model.py` does.

Needs numpy, torch, safetensors, soundfile.
"""
import importlib.metadata
import json
import pathlib
import sys

import numpy as np
import torch
from safetensors.numpy import load_file

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.paths import FIXTURES, SAMPLES
from support.random_model import uniform
from support.samples import fingerprint, read_samples
from support.speaker_networks import (
    CAMPlus, Segmentation, filter_bank, random_weights, small_cam_plus, small_segmentation)

OUT = FIXTURES / "speaker-networks"
SEED = 20261126
RECORDINGS = ["inaugural-1961.wav", "en-quick_brown_fox.wav", "es-pangrama.wav"]
# Every second stretch of seven rows.
PICKED = lambda count: np.arange(count) // 7 % 2 == 0

outputs, values = [], []


def add(name, value, **more):
    value = np.ascontiguousarray(value, "<f4")
    outputs.append({"name": name, "shape": list(value.shape), "offset": sum(v.size for v in values), **more})
    values.append(value)


def add_small():
    network = Segmentation(random_weights(small_segmentation(), SEED))
    for windows, length in ((1, 1261), (3, 16000), (2, 40001)):
        samples = uniform(f"samples-{length}", SEED, (windows, length), 0.0, 0.5)
        add(f"small/segmentation/{length}", network(samples))
    network = CAMPlus(random_weights(small_cam_plus(), SEED))
    for frames in (1, 3, 50, 333, 451):
        rows = uniform(f"rows-{frames}", SEED, (frames, 16), -4.0, 3.0)
        add(f"small/camplus/{frames}", network(rows))
        add(f"small/camplus/{frames}/picked", network(rows[PICKED(frames)]))


def add_filter_bank():
    samples = uniform("samples", SEED, (2000,), 0.01, 0.3)
    samples[1200:] *= np.float32(1e-4)
    add("filterbank", filter_bank(samples))


def add_published(folder):
    segmentation = Segmentation(load_file(folder / "segmentation.safetensors"))
    encoder = CAMPlus(load_file(folder / "campplus.safetensors"))
    for name in RECORDINGS:
        samples, _ = read_samples(SAMPLES / name)
        sha = fingerprint(samples)
        window = samples[:160000] if len(samples) >= 160000 else samples[:40000]
        add(f"published/segmentation/{name}", segmentation(window[None]), sha256=sha)
        rows = filter_bank(samples)[:998]
        add(f"published/camplus/{name}", encoder(rows), sha256=sha)
        add(f"published/camplus/{name}/picked", encoder(rows[PICKED(len(rows))]), sha256=sha)


if __name__ == "__main__":
    torch.set_num_threads(1)
    add_small()
    add_filter_bank()
    add_published(pathlib.Path(sys.argv[1]))
    OUT.mkdir(parents=True, exist_ok=True)
    index = {
        "versions": {name: importlib.metadata.version(name) for name in ("torch", "numpy")}, "seed": SEED,
        "tensors": {"segmentation": small_segmentation(), "camplus": small_cam_plus()}, "outputs": outputs,
    }
    (OUT / "goldens.json").write_text(json.dumps(index, separators=(",", ":")) + "\n")
    (OUT / "values.bin").write_bytes(b"".join(value.tobytes() for value in values))
    print(f"{len(outputs)} outputs, {sum(value.size for value in values)} values")
