"""Why a transcription differs from its golden: the logits of the first two tokens that differ, by transformers in float32.

usage: python Tools/comparisons/explain_difference.py GOLDEN FOLDER MODEL [--only SUBSTRING]

GOLDEN and FOLDER as for compare_transcriptions.py; MODEL is the CTranslate2 folder both used (int8 rows are divided by
their scales). For every recording whose tokens differ, the first window that differs is scored twice under the reference
model, with our tokens and with the golden's: the logits of both tokens at the first difference, the five largest there,
and the log probability of the whole window (raw, without the rules of decoding).

A gap between the two logits below TIE is called a tie. TIE is measured, not chosen: CTranslate2 and transformers, both
float32, differ in the gaps among the five largest logits by at most 4.8e-5 (nano, 3 recordings) and 4.6e-5 (Whisper base,
4 recordings; measure_logit_noise.py). TIE is twice that. A larger gap needs another explanation; with beam search,
the two sums may be close instead, which this script leaves to the reader.
"""
import argparse
import json
import pathlib
import sys

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from comparisons.compare_transcriptions import first_difference
from support.paths import ROOT
from support.reference_model import encode, from_ct2, logits
from support.samples import read_samples

TIE = 1e-4


def window_tokens(transcript, seek):
    return [t for s in transcript["segments"] if s["seek"] == seek for t in s["tokens"]]


def differing_window(ours, theirs):
    """The seek of the first window whose tokens differ, or None."""
    seeks = sorted({s["seek"] for t in (ours, theirs) for s in t["segments"]})
    return next((k for k in seeks if window_tokens(ours, k) != window_tokens(theirs, k)), None)


def complete(theirs, tokens):
    """Whether the segments kept all tokens of the window: an unfinished or empty segment at its end is dropped."""
    return any(w["tokens"] == len(tokens) for w in theirs["windows"])


def prompt(theirs, seek, task, tokenizer):
    before = [t for s in theirs["segments"] if s["seek"] < seek for t in s["tokens"]][-223:]
    special = [tokenizer.token_to_id(f"<|{t}|>") for t in ("startoftranscript", theirs["language"], task)]
    return ([tokenizer.token_to_id("<|startofprev|>")] + before if before else []) + special


def shown(token, tokenizer):
    """A token as text; not every tokenizer.json contains the timestamps."""
    start = tokenizer.token_to_id("<|notimestamps|>") + 1
    return tokenizer.id_to_token(token) if token < start else f"<|{(token - start) * 0.02:.2f}|>"


def explain(name, ours, theirs, task, model, tokenizer, extractor):
    seek = differing_window(ours, theirs)
    if seek is None:
        return
    features = extractor(read_samples(ROOT / name)[0])[:, :-1][:, seek:seek + 3000]
    mel = np.zeros((3000, features.shape[0]), np.float32)
    mel[:features.shape[1]] = features.T
    encoded, start = encode(model, mel, 1500), prompt(theirs, seek, task, tokenizer)
    a, b = window_tokens(ours, seek), window_tokens(theirs, seek)
    at = first_difference(a, b)
    end = [tokenizer.token_to_id("<|endoftext|>")] if complete(theirs, b) else []
    a, b = a + end, b + end
    scored = {side: logits(model, encoded, start + tokens)[len(start) - 1:-1] for side, tokens in (("ours", a), ("golden", b))}
    row = scored["golden"][min(at, len(b) - 1)]
    print(f"{name}: window at {seek / 100:.2f} s, token {at}")
    for side, tokens in (("ours", a), ("golden", b)):
        if at >= len(tokens):
            print(f"  {side:6} has no more tokens here")
            continue
        token = tokens[at]
        sums = torch.log_softmax(torch.from_numpy(scored[side]), -1)[range(len(tokens)), tokens].sum()
        print(f"  {side:6} {token} {shown(token, tokenizer)!r} logit {row[token]:.6f}; the window's log probability {sums:.6f}, {len(tokens)} tokens")
    if at < min(len(a), len(b)):
        gap = abs(float(row[a[at]] - row[b[at]]))
        print(f"  gap of the two logits {gap:.6f}: {'a tie' if gap < TIE else 'NOT a tie'}")
    print("  largest " + ", ".join(f"{t} {row[t]:.6f}" for t in np.argsort(-row, kind="stable")[:5]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("golden")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    import tokenizers
    from faster_whisper.feature_extractor import FeatureExtractor
    golden = json.loads(pathlib.Path(arguments.golden).read_text(encoding="utf-8"))
    model = from_ct2(arguments.model)
    tokenizer = tokenizers.Tokenizer.from_file(str(arguments.model / "tokenizer.json"))
    extractor = FeatureExtractor(feature_size=model.config.num_mel_bins)
    for name, theirs in golden["files"].items():
        path = arguments.folder / (pathlib.Path(name).stem + ".json")
        if arguments.only in name and path.exists():
            ours = json.loads(path.read_text(encoding="utf-8"))
            explain(name, ours, theirs, golden["task"], model, tokenizer, extractor)


if __name__ == "__main__":
    main()
