"""Tokens, times and encoder frames of real speech by transformers in float32, for the FastConformer models of the goldens.

usage: python Tools/goldens/run.py fastconformer_recordings

Writes Tests/Fixtures/fastconformer/recordings.{json,bin}: twenty pieces of the recordings of Tests/Fixtures, each heard
by the random models of index.json, which make_fastconformer_goldens.py made. Run that first.

  tokens   id, frame and duration of each; CTC's durations are runs of the same class
  blank    what is added to the bias of a transducer's blank, which was calibrated for noise
  frames   the number of encoder frames, and every eleventh number of their values, so that all channels occur

Needs torch, transformers (5.24.0), soundfile.
"""
import json

import soundfile
import torch
from make_fastconformer_goldens import extracted, extractor, models
from support import golden
from support.paths import FIXTURES, SAMPLES

STEP = 11
# The recording, and the start and number of samples of each piece.
PIECES = ([("inaugural-1961.wav", 17000 * i, 33000 + 2711 * i) for i in range(8)]
          + [("es_test_clip.wav", 9001 * i, 40000 + 1777 * i) for i in range(8)]
          + [("ja_test_clip.wav", 3000 * i, 24001 + 1500 * i) for i in range(4)])


def calibrate(model, probes):
    """Makes blank likelier until there is a token in at most every third frame; returns what was added to its bias."""
    place = model.config.blank_token_id
    bias = model.model.joint.head.bias.detach().clone()
    for blank in range(0, 400, 16 if model.name == "nemotron" else 2):
        with torch.no_grad():
            model.model.joint.head.bias[place] = bias[place] + blank
        heard = [hear(model, samples) for samples in probes]
        if sum(len(tokens) for _, tokens in heard) * 3 <= sum(len(frames) for frames, _ in heard):
            break
    return blank


def hear(model, samples):
    options = {"num_lookahead_tokens": 6} if model.name == "nemotron" else {}
    rows = extracted(extractor(model), samples)
    features = torch.from_numpy(rows)[None]
    mask = torch.ones(1, features.shape[1], dtype=torch.long)
    with torch.no_grad():
        frames = model.model.encoder(features, attention_mask=mask, **options).last_hidden_state[0].numpy()
        if model.name.startswith("ctc"):
            classes = model.model(features, attention_mask=mask).logits[0].argmax(-1).tolist()
            return frames, collapsed(classes, model.config.pad_token_id)
    return frames, model.tokens(rows, **options)


def collapsed(classes, pad):
    found, previous = [], pad
    for frame, best in enumerate(classes):
        if best != pad:
            if best == previous:
                found[-1][2] += 1
            else:
                found.append([best, frame, 1])
        previous = best
    return found


def make(_):
    torch.set_num_threads(1)
    store, entries = golden.Store(), {}
    audio = {}
    for file, _, _ in PIECES:
        folder = SAMPLES if file.startswith("inaugural") else FIXTURES / "real-speech"
        audio[file] = soundfile.read(folder / file, dtype="float32")[0]
    index = json.loads((FIXTURES / "fastconformer/index.json").read_text())["models"]
    for model in models():
        if model.name == "nemotron-prompts":
            continue
        model.tensors, blank, results = index[model.name]["tensors"], 0, []
        model.load()
        if not model.name.startswith("ctc"):
            model.prepare()
            blank = calibrate(model, [audio[file][start:start + count] for file, start, count in PIECES[::7]])
        for file, start, count in PIECES:
            frames, tokens = hear(model, audio[file][start:start + count])
            results.append({"tokens": tokens, "frames": len(frames), "values": store.add(frames.ravel()[::STEP])})
        counts = [len(r["tokens"]) for r in results]
        entries[model.name] = {"blank": blank, "results": results}
        print(model.name, sum(counts), "tokens,", min(counts), "to", max(counts), "blank", blank, flush=True)
    pieces = [{"file": file, "start": start, "count": count} for file, start, count in PIECES]
    golden.write("fastconformer/recordings.json", golden.compact({"step": STEP, "pieces": pieces, "models": entries}) + "\n")
    golden.write("fastconformer/recordings.bin", store.bytes())
