#!/usr/bin/env python3
"""Write Tests/Fixtures/nemo: two small models with random weights, in the files that NVIDIA's NeMo writes.

usage: make_nemo_goldens.py

`hybrid.nemo` has a CTC and a TDT head, as parakeet-tdt_ctc-110m; `prompted.nemo` is causal and has a prompt, as
nemotron-3.5-asr; `compressed.nemo` is the first one compressed, as some of NVIDIA's are, and `zeros.gz` is a megabyte of
zeros. NeMo itself is not needed: the archive is Python's tarfile, the weights are torch.save of a state_dict
under NeMo's names, the tokenizer is trained by sentencepiece, and the configuration is written by PyYAML, all as NeMo
does (save_restore_connector.py, and OmegaConf.save). `expected.json` lists each tensor's shape, first and last value and
sum, the pieces of the tokenizers, and the tokens of three seconds of noise: those of the encoders of transformers, with
its names for the weights, and of greedy search, written here. Needs torch 2.13.0, transformers 5.24.0, sentencepiece
0.2.3 and PyYAML 6.0.4.
"""
import collections, gzip, io, json, math, re, sys, tarfile, tempfile
from pathlib import Path

import numpy, sentencepiece, torch, transformers, yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.random_model import splitmix64

target = Path(__file__).resolve().parents[2] / "Tests/Fixtures/nemo"
WIDTH, LAYERS, HEADS, CHANNELS, KERNEL = 32, 1, 2, 8, 9
PREDICTOR, JOINT = 16, 16
TEXT = """the quick brown fox jumps over the lazy dog. and then? it ran away! schön war das, sagte der fuchs.
so it goes: one, two, three and more. was it a cat that i saw? yes. the end of the story is near."""


def tokenizer(folder, size, **symbols):
    text = folder / "text.txt"
    text.write_text("\n".join(TEXT.replace("\n", " ").split(". ")), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(folder / "tokenizer"), vocab_size=size, model_type="bpe", bos_id=-1, eos_id=-1,
        character_coverage=1.0, normalization_rule_name="identity", minloglevel=2, **symbols)
    return sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))


class Weights(collections.OrderedDict):
    """A state_dict with random values, whose size does not depend on the depth of the network."""

    def __init__(self, seed):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape, scale=1.0):
        return torch.randn(*shape, generator=self.generator) * scale

    def module(self, name, outputs, *inputs, bias=True):
        self[f"{name}.weight"] = self.normal(outputs, *inputs, scale=1 / math.sqrt(math.prod(inputs)))
        if bias:
            self[f"{name}.bias"] = self.normal(outputs, scale=0.1)

    def norm(self, name, width):
        self[f"{name}.weight"] = 1 + self.normal(width, scale=0.1)
        self[f"{name}.bias"] = self.normal(width, scale=0.1)

    def encoder(self, mels, bias, is_causal):
        self.module("encoder.pre_encode.out", WIDTH, CHANNELS * mels)
        for place, inputs in {0: (1, 3, 3), 2: (1, 3, 3), 3: (CHANNELS, 1, 1), 5: (1, 3, 3), 6: (CHANNELS, 1, 1)}.items():
            self.module(f"encoder.pre_encode.conv.{place}", CHANNELS, *inputs)
        for layer in range(LAYERS):
            name = f"encoder.layers.{layer}"
            for number in (1, 2):
                self.norm(f"{name}.norm_feed_forward{number}", WIDTH)
                self.module(f"{name}.feed_forward{number}.linear1", 4 * WIDTH, WIDTH, bias=bias)
                self.module(f"{name}.feed_forward{number}.linear2", WIDTH, 4 * WIDTH, bias=bias)
            self.norm(f"{name}.norm_conv", WIDTH)
            self.module(f"{name}.conv.pointwise_conv1", 2 * WIDTH, WIDTH, 1, bias=bias)
            self.module(f"{name}.conv.depthwise_conv", WIDTH, 1, KERNEL, bias=bias)
            self.norm(f"{name}.conv.batch_norm", WIDTH)
            if not is_causal:
                self[f"{name}.conv.batch_norm.running_mean"] = self.normal(WIDTH, scale=0.3)
                self[f"{name}.conv.batch_norm.running_var"] = 0.5 + torch.rand(WIDTH, generator=self.generator)
                self[f"{name}.conv.batch_norm.num_batches_tracked"] = torch.tensor(12345)
            self.module(f"{name}.conv.pointwise_conv2", WIDTH, WIDTH, 1, bias=bias)
            self.norm(f"{name}.norm_self_att", WIDTH)
            for part in ("linear_q", "linear_k", "linear_v", "linear_out"):
                self.module(f"{name}.self_attn.{part}", WIDTH, WIDTH, bias=bias)
            self.module(f"{name}.self_attn.linear_pos", WIDTH, WIDTH, bias=False)
            for part in ("pos_bias_u", "pos_bias_v"):
                self[f"{name}.self_attn.{part}"] = self.normal(HEADS, WIDTH // HEADS, scale=0.5)
            self.norm(f"{name}.norm_out", WIDTH)

    def transducer(self, vocabulary, durations, blank):
        embedding = self.normal(vocabulary + 1, PREDICTOR)
        embedding[vocabulary] = 0
        self["decoder.prediction.embed.weight"] = embedding
        for part in ("ih", "hh"):
            self[f"decoder.prediction.dec_rnn.lstm.weight_{part}_l0"] = self.normal(4 * PREDICTOR, PREDICTOR, scale=0.25)
            self[f"decoder.prediction.dec_rnn.lstm.bias_{part}_l0"] = self.normal(4 * PREDICTOR, scale=0.1)
        self.module("joint.pred", JOINT, PREDICTOR)
        self.module("joint.enc", JOINT, WIDTH)
        self.module("joint.joint_net.2", vocabulary + 1 + durations, JOINT)
        # So that the audio matters more than the last token, and not every frame has one.
        self["joint.enc.weight"] *= 3
        self["joint.joint_net.2.weight"] *= 2
        self["joint.joint_net.2.bias"][vocabulary] += blank


def configuration(encoder, durations, **more):
    features = encoder["feat_in"]
    return {
        "sample_rate": 16000, "log_prediction": True,
        "model_defaults": {"enc_hidden": WIDTH, "pred_hidden": PREDICTOR, "joint_hidden": JOINT} | more.pop("defaults", {}),
        "train_ds": {"manifest_filepath": "a manifest whose name is so long that the writer folds it into a second line, "
                     "as it does with names of folders that have spaces in them", "shuffle": True, "num_workers": 8},
        "tokenizer": {"dir": None, "type": "bpe", "model_path": "nemo:0123456789abcdef_tokenizer.model",
                      "vocab_path": "nemo:fedcba9876543210_vocab.txt"},
        "preprocessor": {
            "_target_": "nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor", "sample_rate": 16000,
            "normalize": "NA" if encoder["causal_downsampling"] else "per_feature", "window_size": 0.025, "window_stride": 0.01,
            "window": "hann", "features": features, "n_fft": 512, "frame_splicing": 1, "dither": 1.0e-05, "pad_to": 0},
        "spec_augment": {"_target_": "nemo.collections.asr.modules.SpectrogramAugmentation", "freq_masks": 2},
        "encoder": {"_target_": "nemo.collections.asr.modules.ConformerEncoder"} | encoder,
        "decoder": {"_target_": "nemo.collections.asr.modules.RNNTDecoder", "normalization_mode": None, "blank_as_pad": True,
                    "prednet": {"pred_hidden": PREDICTOR, "pred_rnn_layers": 1, "t_max": None, "dropout": 0.2},
                    "vocab_size": len(more["labels"])},
        "joint": {"_target_": "nemo.collections.asr.modules.RNNTJoint", "num_extra_outputs": len(durations),
                  "jointnet": {"joint_hidden": JOINT, "activation": "relu", "dropout": 0.2},
                  "num_classes": len(more["labels"]), "vocabulary": list(more["labels"])},
        "decoding": {"strategy": "greedy_batch", "model_type": "tdt" if durations else "rnnt", "durations": durations,
                     "greedy": {"max_symbols": 10}, "beam": {"beam_size": 2, "return_best_hypothesis": False}},
    } | more


def encoder(mels, bias, is_causal):
    return {
        "feat_in": mels, "feat_out": -1, "n_layers": LAYERS, "d_model": WIDTH, "use_bias": bias, "subsampling": "dw_striding",
        "subsampling_factor": 8, "subsampling_conv_channels": CHANNELS, "causal_downsampling": is_causal, "reduction": None,
        "ff_expansion_factor": 4, "self_attention_model": "rel_pos", "n_heads": HEADS,
        "att_context_size": [[14, 3], [14, 0], [14, 1]] if is_causal else [-1, -1],
        "att_context_style": "chunked_limited" if is_causal else "regular", "xscaling": False, "untie_biases": True,
        "pos_emb_max_len": 5000, "conv_kernel_size": KERNEL, "conv_norm_type": "layer_norm" if is_causal else "batch_norm",
        "conv_context_size": "causal" if is_causal else None, "dropout": 0.1}


def write(name, weights, config, folder):
    values = io.BytesIO()
    torch.save(collections.OrderedDict(weights), values)
    files = {
        "model_config.yaml": yaml.dump(config, default_flow_style=False, allow_unicode=True, sort_keys=False).encode(),
        "fedcba9876543210_vocab.txt": (folder / "tokenizer.vocab").read_bytes(),
        "0123456789abcdef_tokenizer.model": (folder / "tokenizer.model").read_bytes(),
        "model_weights.ckpt": values.getvalue(),
    }
    with tarfile.open(target / name, "w:") as archive:
        root = tarfile.TarInfo("./")
        root.type, root.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(root)
        for path, content in files.items():
            entry = tarfile.TarInfo("./" + path)
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    print(f"{name}: {(target / name).stat().st_size} bytes")


def expected(weights, processor):
    def numbers(tensor):
        flat = tensor.double().flatten()
        return [list(tensor.shape), float(flat[0]), float(flat[-1]), float(flat.sum())]
    return {"tensors": {name: numbers(tensor) for name, tensor in weights.items() if tensor.is_floating_point()},
            "pieces": [processor.id_to_piece(i) for i in range(processor.vocab_size())],
            "control": [i for i in range(processor.vocab_size()) if processor.is_control(i) or processor.is_unknown(i)],
            "text": [[processor.encode(text), text] for text in ("the quick fox.", "schön and away!")]}


# MARK: Tokens

# NeMo's names and those of transformers (its convert_nemo_to_hf.py, Apache-2.0).
NAMES = {
    r"^encoder\.pre_encode\.out\.": "subsampling.linear.", r"^encoder\.": "", r"conv\.batch_norm\.": "conv.norm.",
    r"linear_([qkv])": r"\1_proj", r"linear_out": "o_proj", r"pos_bias_([uv])": r"bias_\1", r"linear_pos": "relative_k_proj"}
CONVOLUTIONS = {"0": "conv_in", "2": "layers.0.depthwise_conv", "3": "layers.0.pointwise_conv", "5": "layers.1.depthwise_conv",
                "6": "layers.1.pointwise_conv"}


def frames(weights, model, extractor, is_causal, **more):
    """The encoder's frames of the noise."""
    state = {}
    for name, value in weights.items():
        if not name.startswith("encoder."):
            continue
        name = re.sub(r"^encoder\.pre_encode\.conv\.(\d)", lambda match: "subsampling." + (
            CONVOLUTIONS[match[1]] if is_causal else "layers." + match[1]), name)
        for pattern, new in NAMES.items():
            name = re.sub(pattern, new, name)
        state[name] = value
    model.load_state_dict(state, strict=True)
    # 24 bits each, from -0.3 to 0.3.
    noise = ((splitmix64(1, 0, 48_000) >> numpy.uint64(40)).astype(numpy.int64) - (1 << 23)).astype(numpy.float32)
    noise *= numpy.float32(0.3 / (1 << 23))
    features = extractor(noise, sampling_rate=16_000, return_tensors="pt")
    count = int(features["attention_mask"].sum())
    with torch.no_grad():
        return model.eval()(input_features=features["input_features"][:, :count], **more).last_hidden_state[0]


def linear(weights, name, x):
    return x @ weights[f"{name}.weight"].flatten(1).T + weights[f"{name}.bias"]


def ctc(weights, frames):
    best = linear(weights, "ctc_decoder.decoder_layers.0", frames).argmax(-1).tolist()
    blank = weights["ctc_decoder.decoder_layers.0.bias"].numel() - 1
    return [[token, frame] for frame, token in enumerate(best) if token != blank and best[max(frame - 1, 0)] != token or
            frame == 0 and token != blank]


def transducer(weights, frames, durations):
    """Greedy search, with at most ten tokens in a frame."""
    embedding = weights["decoder.prediction.embed.weight"]
    blank = embedding.shape[0] - 1
    cell = torch.nn.LSTMCell(PREDICTOR, PREDICTOR)
    cell.load_state_dict({name: weights[f"decoder.prediction.dec_rnn.lstm.{name}_l0"] for name in
                          ("weight_ih", "weight_hh", "bias_ih", "bias_hh")})
    encoded = linear(weights, "joint.enc", frames)
    with torch.no_grad():
        state = cell(embedding[blank][None])
        frame, here, tokens = 0, 0, []
        while frame < len(frames):
            logits = linear(weights, "joint.joint_net.2", torch.relu(encoded[frame] + linear(weights, "joint.pred", state[0])[0]))
            token = int(logits[:blank + 1].argmax())
            duration = durations[int(logits[blank + 1:].argmax())] if durations else int(token == blank)
            if token != blank:
                tokens.append([token, frame, duration if durations else 1])
                state, here = cell(embedding[token][None], state), here + 1
            step = max(duration, 1) if token == blank or here >= 10 else duration
            frame, here = frame + step, 0 if step else here
    return tokens


def prompted(weights, frames, prompt):
    one = torch.nn.functional.one_hot(torch.tensor(prompt), 8).float().expand(len(frames), 8)
    hidden = torch.relu(linear(weights, "prompt_kernel.0", torch.cat([frames, one], 1)))
    return linear(weights, "prompt_kernel.2", hidden)


SIZES = {"hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": 4 * WIDTH,
         "conv_kernel_size": KERNEL, "subsampling_conv_channels": CHANNELS, "scale_input": False}

target.mkdir(exist_ok=True)
results = {}
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    processor = tokenizer(folder, 60, control_symbols=["<|nospeech|>"], user_defined_symbols=["<|pnc|>"])
    labels = [processor.id_to_piece(i) for i in range(processor.vocab_size())]
    weights = Weights(1)
    weights.encoder(10, True, False)
    weights.transducer(len(labels), 5, 4)
    weights.module("ctc_decoder.decoder_layers.0", len(labels) + 1, WIDTH, 1)
    weights["ctc_decoder.decoder_layers.0.bias"][len(labels)] += 1
    write("hybrid.nemo", weights, configuration(
        encoder(80, True, False), list(range(5)), labels=list(labels),
        aux_ctc={"ctc_loss_weight": 0.3, "decoder": {"feat_in": None, "num_classes": len(labels), "vocabulary": list(labels)}},
        defaults={"tdt_durations": list(range(5)), "num_tdt_durations": 5},
        target="nemo.collections.asr.models.hybrid_rnnt_ctc_bpe_models.EncDecHybridRNNTCTCBPEModel", nemo_version="2.1.0"),
        folder)
    encoded = frames(
        weights, transformers.ParakeetEncoder(transformers.ParakeetEncoderConfig(**SIZES, num_mel_bins=80)),
        transformers.ParakeetFeatureExtractor(), False)
    results["hybrid"] = expected(weights, processor) | {
        "ctc": ctc(weights, encoded), "transducer": transducer(weights, encoded, list(range(5)))}

    processor = tokenizer(folder, 62, user_defined_symbols=["<en-US>", "<de-DE>"])
    labels = [processor.id_to_piece(i) for i in range(processor.vocab_size())]
    weights = Weights(2)
    weights.encoder(17, False, True)
    weights.transducer(len(labels), 0, 1)
    weights.module("prompt_kernel.0", 2 * WIDTH, WIDTH + 8)
    weights.module("prompt_kernel.2", WIDTH, 2 * WIDTH)
    write("prompted.nemo", weights, configuration(
        encoder(128, False, True), [], labels=list(labels),
        defaults={"num_prompts": 8, "prompt_dictionary": {"en-US": 0, "en": 0, "en-GB": 1, "de-DE": 2, "de": 2, "no": 3, "auto": 5}},
        target="nemo.collections.asr.models.rnnt_bpe_models_prompt.EncDecRNNTBPEModelWithPrompt", nemo_version="2.7.0"), folder)
    encoded = frames(
        weights, transformers.AutoModel.from_config(transformers.NemotronAsrStreamingEncoderConfig(
            **SIZES, num_mel_bins=128, attention_bias=False, convolution_bias=False, sliding_window=15)),
        transformers.NemotronAsrStreamingFeatureExtractor(feature_size=128), True, num_lookahead_tokens=3)
    results["prompted"] = expected(weights, processor) | {
        "german": transducer(weights, prompted(weights, encoded, 2), []),
        "automatic": transducer(weights, prompted(weights, encoded, 5), [])}
(target / "compressed.nemo").write_bytes(gzip.compress((target / "hybrid.nemo").read_bytes(), 9, mtime=0))
(target / "zeros.gz").write_bytes(gzip.compress(bytes(1 << 20), 9, mtime=0))
(target / "expected.json").write_text(json.dumps(results, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
