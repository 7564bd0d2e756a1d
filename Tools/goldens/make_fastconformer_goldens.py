"""FastConformer on random weights by Hugging Face transformers in float32: the goldens of StenoFastConformerTests.

usage: python Tools/goldens/run.py fastconformer

Writes Tests/Fixtures/fastconformer/{index.json,values.bin} for small models of every kind: Parakeet with CTC, RNNT and
TDT heads, Nemotron's streaming model and its multilingual one with prompts. Biases and input scale are on and off, mel
bands 80 and 128, head widths 16 and 128.

  weights   SplitMix64 (support/random_model.py); index.json has each tensor's shape, centre and span, or its values. Random
            transducers emit nothing or everything, so the spans and biases of their heads are calibrated on the inputs:
            encoder projection to mean 0 and deviation 2, larger predictor and joint weights, a blank that is likelier.
  inputs    mel rows and audio from SplitMix64, by name
  outputs   log-mel rows, encoder frames after the convolutions and after each layer, CTC logits, and tokens with their
            frames and durations; for Nemotron with several look-aheads, offline. Its own streaming is compared here.

values.bin has float32 numbers; index.json their offsets, and shapes. Needs torch and transformers (5.24.0).
"""
import math

import numpy as np
import torch
import transformers
from transformers import (
    NemotronAsrStreamingConfig, NemotronAsrStreamingEncoderConfig, NemotronAsrStreamingFeatureExtractor,
    NemotronAsrStreamingForRNNT, ParakeetCTCConfig, ParakeetEncoderConfig, ParakeetFeatureExtractor, ParakeetForCTC,
    ParakeetForRNNT, ParakeetForTDT, ParakeetRNNTConfig, ParakeetTDTConfig)
from transformers.models.nemotron3_5_asr import Nemotron3_5AsrConfig, Nemotron3_5AsrForRNNT

from support import golden
from support.random_model import uniform

ROOT3 = math.sqrt(3)


def audio(seed, count):
    """Noise that pauses, and whose loudness changes by powers of two."""
    samples = uniform("audio", seed, [count], 0, 0.25)
    samples[count // 4:count // 3] = 0
    samples[count // 2:count * 5 // 8] *= np.float32(1 / 128)
    return samples


def mel(seed, frames, bands):
    return uniform(f"mel {frames}", seed, [frames, bands], 0, ROOT3)


def rule(name, shape):
    """Centre and span of a tensor's values."""
    if name.endswith("running_var"):
        return 1, 0.5
    if name.endswith("running_mean"):
        return 0, 0.5
    if "bias_u" in name or "bias_v" in name:
        return 0, 0.5 * ROOT3
    if "norm" in name and name.endswith("weight"):
        return 1, 0.1 * ROOT3
    if ".bias" in name:
        return 0, 0.1 * ROOT3
    if "embedding" in name:
        return 0, ROOT3
    return 0, math.sqrt(3 / math.prod(shape[1:]))


class Model:
    def __init__(self, name, seed, config, kind):
        self.name, self.seed, self.config, self.kind = name, seed, config, kind
        self.model = kind(config).eval()
        # Eager attention is tighter, but gives NaNs with Nemotron's masks.
        self.model.set_attn_implementation("sdpa" if name.startswith("nemotron") else "eager")
        self.tensors = {}
        for tensor, value in self.model.state_dict().items():
            if "num_batches" in tensor:
                continue
            centre, span = rule(tensor, list(value.shape))
            self.tensors[tensor] = {"shape": list(value.shape), "centre": centre, "span": span}
        self.load()

    def load(self):
        state = {}
        for name, entry in self.tensors.items():
            if "values" in entry:
                state[name] = torch.tensor(entry["values"], dtype=torch.float32)
            else:
                value = uniform(name, self.seed, entry["shape"], entry["centre"], entry["span"])
                state[name] = torch.from_numpy(value)
        self.model.load_state_dict(state, strict=False)

    def prepare(self):
        """What a transducer's generation needs besides weights; TDT's durations must not become tokens."""
        blank, generation = self.config.blank_token_id, self.model.generation_config
        generation.decoder_start_token_id = blank
        count = self.tensors["joint.head.bias"]["shape"][0]
        if count > blank + 1:
            generation.suppress_tokens = list(range(blank + 1, count))

    def calibrate(self, probes):
        """Makes the transducer emit some tokens on all probes (features and inputs), as different as possible."""
        blank, width = self.config.blank_token_id, self.config.decoder_hidden_size
        self.tensors["encoder_projector.bias"] = {"shape": [width], "values": [0.0] * width}
        self.load()
        with torch.no_grad():
            out = torch.cat([self.model.get_audio_features(torch.from_numpy(features)[None], **inputs).pooler_output[0]
                             for features, inputs in probes])
        factor = float(2 / (out - out.mean(0)).std())
        self.tensors["encoder_projector.weight"]["span"] *= factor
        self.tensors["encoder_projector.bias"]["values"] = [float(np.float32(v)) for v in -out.mean(0) * factor]
        entry = self.tensors["joint.head.bias"]
        values = uniform("joint.head.bias", self.seed, entry["shape"], 0, entry["span"])
        self.prepare()
        if len(values) > blank + 1:
            values[blank + 1] -= 4
        projector = self.tensors["decoder.decoder_projector.weight"]
        head = self.tensors["joint.head.weight"]
        spans, best = (projector["span"], head["span"]), None
        for predictor in (4, 8, 16):
            projector["span"], head["span"] = spans[0] * predictor, spans[1] * 2
            for bias in range(0, 40, 2):
                biased = values.copy()
                biased[blank] += bias
                self.tensors["joint.head.bias"] = {"shape": entry["shape"], "values": [float(v) for v in biased]}
                self.load()
                tokens = [self.tokens(features, **inputs) for features, inputs in probes]
                if max(map(len, tokens)) <= 64:
                    quality = min(len({token[0] for token in each}) for each in tokens), -max(map(len, tokens))
                    best = max(best or (quality, predictor, biased), (quality, predictor, biased), key=lambda e: e[0])
        projector["span"] = spans[0] * best[1]
        self.tensors["joint.head.bias"]["values"] = [float(v) for v in best[2]]
        self.load()

    def entry(self):
        return {"seed": self.seed, "config": self.config.to_json_string(), "tensors": self.tensors}

    # Outputs

    def layers(self, features, masked=True, **inputs):
        """The encoder's input to its layers and the output of each of them, for valid frames only."""
        frames = features.shape[0]
        x = torch.from_numpy(features)[None]
        mask = torch.ones(1, frames, dtype=torch.long)
        if masked:
            x = torch.cat([x, torch.zeros(1, 1, x.shape[2])], dim=1)
            mask = torch.cat([mask, torch.zeros(1, 1, dtype=torch.long)], dim=1)
        outputs, hooks = [], []
        hooks.append(self.model.encoder.layers[0].register_forward_pre_hook(
            lambda m, a, k: outputs.append((a[0] if a else k["hidden_states"]).clone()), with_kwargs=True))
        for layer in self.model.encoder.layers:
            hooks.append(layer.register_forward_hook(lambda m, a, o: outputs.append(o.clone())))
        with torch.no_grad():
            out = self.model.encoder(x, attention_mask=mask, **inputs)
        for hook in hooks:
            hook.remove()
        valid = int(out.attention_mask.sum())
        return [o[0, :valid].numpy() for o in outputs]

    def tokens(self, features, **inputs):
        """Tokens of transformers' greedy generation: [id, frame, frames]."""
        x = torch.from_numpy(features)[None]
        with torch.no_grad():
            out = self.model.generate(input_features=x, attention_mask=torch.ones(1, x.shape[1], dtype=torch.long),
                                      **inputs)
        return self.emitted(out)

    def emitted(self, out):
        ids, steps = out.sequences[0].tolist(), out.durations[0].tolist()
        found, frame = [], 0
        for index, (token, step) in enumerate(zip(ids, steps)):
            if index > 0 and token != self.config.blank_token_id:
                found.append([token, frame, step if isinstance(self.config, ParakeetTDTConfig) else 1])
            frame += step
        return found

    def check_streaming(self, features, look_ahead):
        """Compares the frames of transformers' own streaming, for an utterance that ends with a chunk."""
        x = torch.from_numpy(features)[None]
        outputs, memory = [], {}
        start, size = 0, 1 + 8 * look_ahead
        with torch.no_grad():
            while start + size <= x.shape[1]:
                out = self.model.encoder(
                    x[:, start:start + size], num_lookahead_tokens=look_ahead, use_cache=True, **memory)
                memory = {"cache": out.cache, "padding_cache": out.padding_cache}
                outputs.append(out.last_hidden_state)
                start, size = start + size, 8 * (look_ahead + 1)
            mask = torch.ones(1, start, dtype=torch.long)
            whole = self.model.encoder(x[:, :start], attention_mask=mask, num_lookahead_tokens=look_ahead)
        difference = (torch.cat(outputs, 1) - whole.last_hidden_state).abs().max().item()
        print(f"{self.name} {look_ahead}: streamed frames differ by {difference}")
        assert difference < 1e-5


def encoder(**changes):
    sizes = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=160,
                 subsampling_conv_channels=16)
    return sizes | changes


BARE = dict(attention_bias=False, convolution_bias=False, scale_input=False, num_mel_bins=128)
HEAD = dict(decoder_hidden_size=32, vocab_size=33, blank_token_id=32)


def models():
    yield Model("ctc", 1, ParakeetCTCConfig(encoder_config=ParakeetEncoderConfig(**encoder()), vocab_size=33, pad_token_id=32),
                ParakeetForCTC)
    yield Model("ctc-wide", 2, ParakeetCTCConfig(
        encoder_config=ParakeetEncoderConfig(**encoder(hidden_size=256, num_attention_heads=2, num_hidden_layers=1) | BARE),
        vocab_size=17, pad_token_id=16), ParakeetForCTC)
    yield Model("rnnt", 36, ParakeetRNNTConfig(encoder_config=ParakeetEncoderConfig(**encoder()), **HEAD), ParakeetForRNNT)
    yield Model("tdt", 4, ParakeetTDTConfig(encoder_config=ParakeetEncoderConfig(**encoder() | BARE), **HEAD), ParakeetForTDT)
    yield Model("tdt-biased", 5, ParakeetTDTConfig(
        encoder_config=ParakeetEncoderConfig(**encoder()), num_decoder_layers=1, **HEAD), ParakeetForTDT)
    streaming = encoder(num_hidden_layers=3, sliding_window=15, default_num_lookahead_tokens=6) | BARE
    yield Model("nemotron", 6, NemotronAsrStreamingConfig(
        encoder_config=NemotronAsrStreamingEncoderConfig(**streaming), **HEAD), NemotronAsrStreamingForRNNT)
    yield Model("nemotron-prompts", 7, Nemotron3_5AsrConfig(
        encoder_config=NemotronAsrStreamingEncoderConfig(**streaming | dict(scale_input=True)), **HEAD, num_prompts=8,
        prompt_intermediate_size=48, default_prompt_id=5), Nemotron3_5AsrForRNNT)


def extractor(model):
    bands = model.config.encoder_config.num_mel_bins
    kind = NemotronAsrStreamingFeatureExtractor if model.name.startswith("nemotron") else ParakeetFeatureExtractor
    return kind(feature_size=bands)


def extracted(extractor, samples):
    out = extractor(samples, sampling_rate=16000, return_tensors="pt")
    return out["input_features"][0][:int(out["attention_mask"].sum())].numpy()


def encoder_goldens(store, model, lengths, **inputs):
    entries = []
    for frames in lengths:
        outputs = model.layers(mel(model.seed, frames, model.config.encoder_config.num_mel_bins), **inputs)
        entries.append({"frames": frames, "outputs": [store.add(o) for o in outputs]} | {
            key: value for key, value in inputs.items()})
    return entries


def show(name, tokens):
    print(name, len(tokens), "tokens,", len({t[0] for t in tokens}), "distinct, durations", sorted({t[2] for t in tokens}),
          flush=True)


def feature_goldens(store):
    entries = []
    for kind, bands in ((ParakeetFeatureExtractor, 80), (ParakeetFeatureExtractor, 128),
                        (NemotronAsrStreamingFeatureExtractor, 128)):
        for count in (32123, 16000, 1600, 400):
            rows = extracted(kind(feature_size=bands), audio(11, count))
            normalized = kind is ParakeetFeatureExtractor
            entries.append({"bands": bands, "samples": count, "frames": len(rows), "normalized": normalized,
                            "step": 9, "mean": float(rows.mean()), "rows": store.add(rows[::9, ::3])})
    return entries


def make(_):
    torch.set_num_threads(1)
    store, index = golden.Store(), {"transformers": transformers.__version__, "torch": torch.__version__, "models": {}}
    index["features"] = {"seed": 11, "band_step": 3, "goldens": feature_goldens(store)}
    for model in models():
        bands, entry = model.config.encoder_config.num_mel_bins, None
        if model.name.startswith("ctc"):
            entry = model.entry()
            entry["encoder"] = encoder_goldens(store, model, (97, 104, 89, 1) if model.name == "ctc" else (201,))
            features = mel(model.seed, 320, bands)
            with torch.no_grad():
                logits = model.model(torch.from_numpy(features)[None]).logits[0].numpy()
            entry["logits"] = {"frames": 320, "logits": store.add(logits)}
        elif not model.name.startswith("nemotron"):
            features = mel(model.seed, 320, bands)
            spoken = extracted(extractor(model), audio(model.seed, 48123))
            model.calibrate([(features, {}), (spoken, {})])
            entry = model.entry()
            entry["encoder"] = encoder_goldens(store, model, (104,))
            tokens = model.tokens(features)
            show(model.name, tokens)
            heard = model.tokens(spoken)
            show(model.name + " audio", heard)
            entry["tokens"] = {"frames": 320, "tokens": tokens}
            entry["audio"] = [{"samples": 48123, "tokens": heard}]
        else:
            # 64 frames: nine chunks of seven, and one frame.
            samples = audio(model.seed, 504 * 160 + 77)
            features = extracted(extractor(model), samples)
            prompts = [None] if model.name == "nemotron" else [5, 2]
            model.calibrate([(features, {"num_lookahead_tokens": 6} | (
                {} if prompt is None else {"prompt_ids": torch.tensor([prompt])})) for prompt in prompts])
            entry = model.entry()
            entry["encoder"], entry["audio"] = [], []
            for look_ahead in (0, 1, 6):
                entry["encoder"] += encoder_goldens(store, model, (104,), num_lookahead_tokens=look_ahead)
                model.check_streaming(features, look_ahead)
                for prompt in prompts:
                    inputs = {} if prompt is None else {"prompt_ids": torch.tensor([prompt])}
                    heard = model.tokens(features, num_lookahead_tokens=look_ahead, **inputs)
                    show(f"{model.name} {look_ahead} {prompt}", heard)
                    entry["audio"].append({"samples": len(samples), "look_ahead": look_ahead, "prompt": prompt,
                                           "tokens": heard})
        index["models"][model.name] = entry
    golden.write("fastconformer/index.json", golden.compact(index) + "\n")
    golden.write("fastconformer/values.bin", store.bytes())
