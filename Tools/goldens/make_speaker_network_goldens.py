"""Outputs of the speaker networks: the goldens of Tests/Fixtures/speaker-networks.

usage: python Tools/goldens/run.py speaker_network FOLDER

FOLDER has the published weights, segmentation.safetensors and campplus.safetensors, which are not committed; the tests
that need them run with STENO_SPEAKER_NETWORKS=FOLDER. All other tests use small networks with random weights, whose
tensors are listed in goldens.json and whose numbers the tests compute as `Tools/support/random_model.py` does.

Needs numpy, torch, safetensors, soundfile.
"""
import pathlib

import numpy as np
import torch
from safetensors.numpy import load_file

from support import golden
from support.paths import SAMPLES
from support.random_model import uniform
from support.samples import fingerprint, read_samples
from support.speaker_networks import (
    CAMPlus, Segmentation, filter_bank, random_weights, small_cam_plus, small_segmentation)

SEED = 20261126
RECORDINGS = ["inaugural-1961.wav", "en-quick_brown_fox.wav", "es-pangrama.wav"]
# Every second stretch of seven rows.
PICKED = lambda count: np.arange(count) // 7 % 2 == 0

store, outputs = golden.Store(), []


def add(name, value, **more):
    entry = store.add(value)
    outputs.append({"name": name, "shape": entry["shape"], "offset": entry["offset"], **more})


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


def options(parser):
    parser.add_argument("folder", type=pathlib.Path)


def make(arguments):
    torch.set_num_threads(1)
    add_small()
    add_filter_bank()
    add_published(arguments.folder)
    index = {
        "versions": golden.versions("torch", "numpy"), "seed": SEED,
        "tensors": {"segmentation": small_segmentation(), "camplus": small_cam_plus()}, "outputs": outputs,
    }
    golden.write("speaker-networks/goldens.json", golden.compact(index) + "\n")
    golden.write("speaker-networks/values.bin", store.bytes())
    print(f"{len(outputs)} outputs, {store.count} values")
