"""Tokens, times and encoder frames of real speech by transformers in float32, for the FastConformer models of the goldens.

usage: python Tools/goldens/make_fastconformer_recordings.py

Writes Tests/Fixtures/fastconformer/recordings.{json,bin}: twenty pieces of the recordings of Tests/Fixtures, each heard
by the random models of index.json (support/random_model.py), which make_fastconformer_goldens.py made. Run that first.

  tokens   id, frame and duration of each; CTC's durations are runs of the same class
  blank    what is added to the bias of a transducer's blank, which was calibrated for noise
  frames   the number of encoder frames, and every eleventh number of their values, so that all channels occur

Needs torch, transformers (5.24.0), soundfile.
"""
import importlib
import json
import pathlib
import sys

import numpy as np
import soundfile
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.paths import FIXTURES
from support.random_model import uniform
from make_fastconformer_goldens import OUT, Store, extracted, extractor

STEP = 11
SAMPLES = FIXTURES.parents[1] / "Sources/StenoBundledModel/Resources/samples"
# The recording, and the start and number of samples of each piece.
PIECES = ([("inaugural-1961.wav", 17000 * i, 33000 + 2711 * i) for i in range(8)]
          + [("es_test_clip.wav", 9001 * i, 40000 + 1777 * i) for i in range(8)]
          + [("ja_test_clip.wav", 3000 * i, 24001 + 1500 * i) for i in range(4)])
CLASSES = {"ctc": "parakeet.ParakeetForCTC", "rnnt": "parakeet.ParakeetForRNNT", "tdt": "parakeet.ParakeetForTDT",
           "nemotron": "nemotron_asr_streaming.NemotronAsrStreamingForRNNT"}


class Golden:
    """A model of index.json."""

    def __init__(self, name, entry):
        module, kind = CLASSES[name.split("-")[0]].split(".")
        kind = getattr(importlib.import_module(f"transformers.models.{module}"), kind)
        self.name, self.config = name, kind.config_class(**json.loads(entry["config"]))
        self.model = kind(self.config).eval()
        self.model.set_attn_implementation("sdpa" if name == "nemotron" else "eager")
        state = {}
        for tensor, values in entry["tensors"].items():
            value = np.array(values["values"], np.float32) if "values" in values else uniform(
                tensor, entry["seed"], values["shape"], values["centre"], values["span"])
            state[tensor] = torch.from_numpy(value)
        self.model.load_state_dict(state, strict=False)
        if not name.startswith("ctc"):
            blank, generation = self.config.blank_token_id, self.model.generation_config
            generation.decoder_start_token_id = blank
            if name.startswith("tdt"):
                generation.suppress_tokens = list(range(blank + 1, blank + 6))
        self.blank = 0
        self.options = {"num_lookahead_tokens": 6} if name == "nemotron" else {}

    def calibrate(self, probes):
        """Makes blank likelier until there is a token in at most every third frame."""
        bias = self.model.joint.head.bias.detach().clone()
        for self.blank in range(0, 400, 16 if self.name == "nemotron" else 2):
            with torch.no_grad():
                self.model.joint.head.bias[self.config.blank_token_id] = bias[self.config.blank_token_id] + self.blank
            heard = [self.hear(samples) for samples in probes]
            if sum(len(tokens) for _, tokens in heard) * 3 <= sum(len(frames) for frames, _ in heard):
                return

    def hear(self, samples):
        features = torch.from_numpy(extracted(extractor(self), samples))[None]
        mask = torch.ones(1, features.shape[1], dtype=torch.long)
        with torch.no_grad():
            frames = self.model.encoder(features, attention_mask=mask, **self.options).last_hidden_state[0].numpy()
            if self.name.startswith("ctc"):
                return frames, self.collapsed(self.model(features, attention_mask=mask).logits[0].argmax(-1).tolist())
            out = self.model.generate(input_features=features, attention_mask=mask, **self.options)
        found, frame = [], 0
        for index, (token, step) in enumerate(zip(out.sequences[0].tolist(), out.durations[0].tolist())):
            if index > 0 and token != self.config.blank_token_id:
                found.append([token, frame, step if self.name.startswith("tdt") else 1])
            frame += step
        return frames, found

    def collapsed(self, classes):
        found, previous = [], self.config.pad_token_id
        for frame, best in enumerate(classes):
            if best != self.config.pad_token_id:
                if best == previous:
                    found[-1][2] += 1
                else:
                    found.append([best, frame, 1])
            previous = best
        return found


def main():
    torch.set_num_threads(1)
    store, models = Store(), {}
    audio = {}
    for file, _, _ in PIECES:
        folder = SAMPLES if file.startswith("inaugural") else FIXTURES / "real-speech"
        audio[file] = soundfile.read(folder / file, dtype="float32")[0]
    for name, entry in json.loads((OUT / "index.json").read_text())["models"].items():
        if name == "nemotron-prompts":
            continue
        golden, results = Golden(name, entry), []
        if not name.startswith("ctc"):
            golden.calibrate([audio[file][start:start + count] for file, start, count in PIECES[::7]])
        for file, start, count in PIECES:
            frames, tokens = golden.hear(audio[file][start:start + count])
            results.append({"tokens": tokens, "frames": len(frames), "values": store.add(frames.ravel()[::STEP])})
        counts = [len(r["tokens"]) for r in results]
        models[name] = {"blank": golden.blank, "results": results}
        print(name, sum(counts), "tokens,", min(counts), "to", max(counts), "blank", golden.blank, flush=True)
    pieces = [{"file": file, "start": start, "count": count} for file, start, count in PIECES]
    (OUT / "recordings.json").write_text(
        json.dumps({"step": STEP, "pieces": pieces, "models": models}, separators=(",", ":")) + "\n")
    (OUT / "recordings.bin").write_bytes(np.concatenate(store.values).astype("<f4").tobytes())


if __name__ == "__main__":
    main()
