"""The difference between CTranslate2's and transformers' float32 logits, which defines a tie.

usage: python Tools/comparisons/measure_logit_noise.py

Each recording is decoded greedily by CTranslate2 (timestamps, nothing suppressed), then transformers computes the logits of
the same tokens. It prints for each the largest difference of any logit that CTranslate2 did not suppress, and the largest error
of a gap among the five largest of them. TIE in explain_difference.py is derived from the second.
"""
import pathlib
import sys

import ctranslate2
import numpy as np
import torch
from faster_whisper.feature_extractor import FeatureExtractor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.paths import BUNDLED_MODEL, FIXTURES, SAMPLES
from support.reference_model import encode, from_ct2, logits
from support.samples import read_samples

RECORDINGS = {
    "nano": (FIXTURES / "nano", [FIXTURES / f"nano-eval/{n}.flac" for n in ("en-09", "de-several-1", "pt-04")]),
    "base-bundled": (BUNDLED_MODEL, [SAMPLES / "inaugural-1961.wav", FIXTURES / "speech/en-003.flac"]
                     + [FIXTURES / f"speech/languages/zh-{n}.wav" for n in ("nihao_shijie", "pangrama")]),
}
START = [50258, 50259, 50359]


def noise(model, engine, mel):
    """(largest difference, largest error of a gap among the top five, tokens)."""
    encoded = engine.encode(ctranslate2.StorageView.from_array(np.ascontiguousarray(mel.T)[None]))
    result = engine.generate(encoded, [START], beam_size=1, max_length=448, return_logits_vocab=True,
                             return_scores=True, suppress_tokens=[], suppress_blank=False)[0]
    tokens = result.sequences_ids[0]
    wanted = logits(model, encode(model, mel, 1500), START + tokens)[len(START) - 1:]
    whole, gap = 0.0, 0.0
    for theirs, ours in zip(result.logits[0], wanted):
        theirs = np.array(theirs).ravel()
        allowed = np.abs(theirs) < 1e4
        error = theirs[allowed] - ours[allowed]
        whole = max(whole, float(np.abs(error).max()))
        gap = max(gap, float(np.ptp(error[np.argsort(-ours[allowed])[:5]])))
    return whole, gap, len(tokens)


def main():
    torch.set_num_threads(1)
    extractor = FeatureExtractor()
    for label, (folder, paths) in RECORDINGS.items():
        model = from_ct2(folder)
        engine = ctranslate2.models.Whisper(str(folder), compute_type="float32", intra_threads=1)
        for path in paths:
            features = extractor(read_samples(path)[0])[:, :-1][:, :3000]
            mel = np.zeros((3000, features.shape[0]), np.float32)
            mel[:features.shape[1]] = features.T
            whole, gap, tokens = noise(model, engine, mel)
            print(f"{label} {path.name}: {tokens} tokens, logits {whole:.2e}, gaps among five {gap:.2e}", flush=True)


if __name__ == "__main__":
    main()
