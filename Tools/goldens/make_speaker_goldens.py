"""Voice embeddings by Resemblyzer 0.1.4: the goldens of Tests/Fixtures/speakers, and the weights that Steno carries.

usage: python Tools/goldens/run.py speaker weights      writes Sources/StenoSpeakers/Resources/speaker-encoder
       python Tools/goldens/run.py speaker embeddings

  weights     Resemblyzer's `pretrained.pt` without the optimiser's state, in float16 (safetensors); prints the lowest
              cosine between embeddings with these weights and with the originals
  embeddings  `VoiceEncoder.embed_utterance` with the original float32 weights on recordings raised to -30 dBFS: every
              partial embedding (windows of 160 frames) and the utterance's

Needs resemblyzer==0.1.4 (with torch), soundfile. Values are written as 16-bit integers over 32767.
"""
import base64
import json

import numpy as np
import resemblyzer
import torch
from support import golden
from support.paths import ROOT, SAMPLES
from support.safetensors import serialized
from support.samples import fingerprint, read_samples

WEIGHTS = ROOT / "Sources/StenoSpeakers/Resources/speaker-encoder/model.safetensors"
FILES = [SAMPLES / "inaugural-1961.wav", SAMPLES / "en-quick_brown_fox.wav", SAMPLES / "es-pangrama.wav",
         SAMPLES / "fr-pangrama.wav", SAMPLES / "ja-kazoeru.wav"]


def recordings():
    for path in FILES:
        samples, _ = read_samples(path)
        yield path, samples, resemblyzer.audio.normalize_volume(samples, -30, increase_only=True).astype(np.float32)


def half(state):
    return {name: value.to(torch.float16) for name, value in state.items()}


def embed(encoder, samples):
    whole, partials, slices = encoder.embed_utterance(samples, return_partials=True, rate=1.3)
    return whole, partials, slices


def write_weights():
    encoder = resemblyzer.VoiceEncoder("cpu", verbose=False)
    # The similarity of the training's loss is not part of the embedding.
    state = half({name: value for name, value in encoder.state_dict().items() if "similarity" not in name})
    golden.write(WEIGHTS, serialized({name: state[name].numpy() for name in sorted(state)}))
    original = [embed(encoder, samples) for _, _, samples in recordings()]
    encoder.load_state_dict({name: value.to(torch.float32) for name, value in state.items()}, strict=False)
    lowest = min(float((a * b).sum(-1).min()) for (_, a, _), (_, b, _) in
                 zip(original, [embed(encoder, samples) for _, _, samples in recordings()]))
    print(f"{WEIGHTS.stat().st_size} bytes; the lowest cosine with float16 weights is {lowest:.7f}")


def write_embeddings():
    encoder = resemblyzer.VoiceEncoder("cpu", verbose=False)
    goldens = []
    for path, samples, raised in recordings():
        whole, partials, slices = embed(encoder, raised)
        values = np.round(np.concatenate([whole[None], partials]) * 32767).astype("<i2")
        goldens.append({
            "audio": path.name, "count": len(samples), "sha256": fingerprint(samples),
            "starts": [int(s.start) for s in slices],
            "values": base64.b64encode(values.tobytes()).decode(),
        })
    content = {"versions": golden.versions("resemblyzer", "torch", "librosa", "numpy"), "recordings": goldens}
    golden.write("speakers/embeddings.json", json.dumps(content, indent=1) + "\n")
    print(f"{sum(len(one['starts']) for one in goldens)} windows")


JOBS = {"weights": write_weights, "embeddings": write_embeddings}


def options(parser):
    parser.add_argument("what", choices=JOBS)


def make(arguments):
    JOBS[arguments.what]()
