"""Encoder outputs and logits of Hugging Face transformers in float32: the goldens of the engine's numerics.

usage: python Tools/goldens/run.py engine [--base-original DIR] [--converter FOLDER]

Writes Tests/Fixtures/goldens/engine/{index.json,values.bin} (the format: Tests/Fixtures/goldens/README.md) for

  random-tiny, random-large-v3   SplitMix64 weights (support/random_model.py), log-mel-like input from the same generator
  base-bundled                   Whisper base, the int8 weights of StenoBundledModel divided by their scales
  base-original                  Whisper base, the published float16 weights (a folder given by --base-original)
  nano                           the nano fixture

The three real models get inaugural-1961.wav through faster-whisper's features, whose values are kept too.

`--converter FOLDER` instead writes the random models there in the CTranslate2 format, compares the bytes with those of
CTranslate2's own converter, and CTranslate2's encoder with transformers'.
"""
import hashlib
import json
import pathlib

import numpy as np
import torch

from support import ct2_model, golden
from support.paths import BUNDLED_MODEL, FIXTURES, SAMPLES
from support.random_model import SEED, SHAPES, RandomModel
from support.reference_model import encode, from_ct2, logits
from support.samples import fingerprint, read_samples

POSITION_STEP, CHANNEL_STEP, TOKEN_STEP, FRAME_STEP = 37, 7, 211, 23
CONTEXTS = (1500, 500)
TEXT = " And so my fellow Americans ask not what your country can do"


def prompt(vocabulary):
    """sot, English, transcribe, notimestamps."""
    shift = vocabulary - 51865
    return [50258, 50259, 50359 + shift, 50363 + shift]


def random_tokens(vocabulary):
    return prompt(vocabulary) + [(4001 * i + 17) % 50257 for i in range(12)]


def spoken_tokens(folder):
    import tokenizers
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    return prompt(51865) + tokenizer.encode(TEXT, add_special_tokens=False).ids[:12]


def part(store, whole, rows, columns):
    """Every so many rows and columns of a matrix."""
    return store.add(whole[::rows, ::columns]) | {
        "row_step": rows, "column_step": columns, "whole_shape": list(whole.shape), "min": float(whole.min()), "max": float(whole.max())}


def results(store, model, mel, tokens, **facts):
    entry = dict(facts, tokens=tokens, contexts=[])
    for positions in CONTEXTS:
        encoded = encode(model, mel, positions)
        out = logits(model, encoded, tokens)
        entry["contexts"].append({
            "positions": positions, "frames": 2 * positions, "encoder": part(store, encoded[0].numpy(), POSITION_STEP, CHANNEL_STEP),
            "logits": part(store, out, 1, TOKEN_STEP), "argmax": out.argmax(axis=1).tolist(), "largest": [float(v) for v in out.max(axis=1)]})
        print(facts, positions, "encoder", encoded.min().item(), encoded.max().item(), encoded.std().item(), "logits", out.min(), out.max(), out.std(), flush=True)
    return entry


def write(base_original):
    torch.set_num_threads(1)
    from faster_whisper.feature_extractor import FeatureExtractor
    store, models = golden.Store(), {}
    for name in ("tiny", "large-v3"):
        model = RandomModel(SHAPES[name])
        models[f"random-{name}"] = results(store, model.hugging_face(), model.mel(), random_tokens(model.shape.vocabulary),
                                           shape=name, seed=SEED, input="mel of the generator")
    samples, _ = read_samples(SAMPLES / "inaugural-1961.wav")
    features = FeatureExtractor()(samples)[:, :-1]
    mel = np.zeros((3000, 80), np.float32)
    mel[:features.shape[1]] = features.T
    folders = {"base-bundled": BUNDLED_MODEL, "base-original": base_original, "nano": FIXTURES / "nano"}
    for name, folder in folders.items():
        if folder:
            models[name] = results(store, from_ct2(folder), mel, spoken_tokens(pathlib.Path(folder)), input="inaugural-1961.wav")
    audio = {"samples": len(samples), "sha256": fingerprint(samples), "frames": features.shape[1],
             "values": part(store, features.T, FRAME_STEP, 1)}
    header = {"versions": golden.versions("torch", "transformers", "faster-whisper", "numpy"),
              "ct2_sha256": ct2_hashes(), "features": {"inaugural-1961.wav": audio}}
    golden.write("goldens/engine/values.bin", store.bytes())
    lines = ",\n".join(f"{json.dumps(k)}:{golden.compact(v)}" for k, v in models.items())
    golden.write("goldens/engine/index.json", json.dumps(header, indent=1)[:-2] + ',\n "models": {\n' + lines + "\n}}\n")


def ct2_hashes():
    """SHA-256 of model.bin as ct2_model.write writes it; "sliver" is micro cut short, for a quick test in a debug build."""
    def digest(shape, precision):
        hash = hashlib.sha256()
        for data in ct2_model.serialized(RandomModel(SHAPES[shape]), precision):
            hash.update(data)
        return hash.hexdigest()
    precisions = ("float32", "float16", "bfloat16", "int8")
    wanted = [(s, p) for s in ("sliver", "micro") for p in precisions] + [("tiny", "float32"), ("tiny", "int8"), ("large-v3", "float32")]
    return {f"{s}-{p}": digest(s, p) for s, p in wanted}


def check(folder):
    import ctranslate2
    for name, precisions in (("micro", ("float32", "float16", "bfloat16", "int8")), ("tiny", ("float32", "int8")), ("large-v3", ("float32",))):
        model = RandomModel(SHAPES[name])
        hugging_face = model.hugging_face()
        for precision in precisions:
            mine = folder / f"{name}-{precision}"
            ct2_model.write(model, precision, mine)
            same = converted(hugging_face, precision, folder / "converter") == (mine / "model.bin").read_bytes()
            mel = model.mel()
            encoder = ctranslate2.models.Whisper(str(mine), compute_type="float32", intra_threads=1)
            worst = []
            for positions in CONTEXTS:
                features = ctranslate2.StorageView.from_array(np.ascontiguousarray(mel[:2 * positions].T)[None])
                got, want = np.array(encoder.encode(features)), encode(hugging_face, mel, positions).numpy()
                worst.append(float(np.abs(got - want).max() / (want.max() - want.min())))
            print(name, precision, "bytes equal to the converter's:", same, "encoder differs by parts of the range:", worst, flush=True)


def converted(model, precision, folder):
    """model.bin as CTranslate2's converter writes it."""
    import copy
    from ctranslate2.converters import transformers as converters
    spec = converters.WhisperLoader().get_model_spec(copy.deepcopy(model))
    spec.register_vocabulary([str(i) for i in range(model.config.vocab_size)])
    spec.validate()
    spec.optimize(quantization=precision)
    folder.mkdir(exist_ok=True)
    spec._serialize(str(folder / "model.bin"))
    return (folder / "model.bin").read_bytes()


def options(parser):
    parser.add_argument("--base-original")
    parser.add_argument("--converter", type=pathlib.Path, metavar="FOLDER")


def make(arguments):
    if arguments.converter:
        check(arguments.converter)
    else:
        write(arguments.base_original)
