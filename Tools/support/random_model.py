"""Whisper models with random weights from SplitMix64: the same numbers in Python and in Swift.

The Swift twin is Tests/StenoTestSupport/RandomModel.swift; change both or neither. The rule:

1. A tensor has its name in OpenAI's state dict (`decoder.blocks.0.cross_attn.query.weight`) and its own stream of
   random numbers: SplitMix64 (Steele, Lea, Flood 2014) seeded with FNV-1a-64(name in UTF-8) xor the model's seed. So
   the order in which tensors are made does not matter.
2. The i-th value in row-major order comes from the i-th output x of the stream: k = (x >> 40) - 2^23, an integer of
   24 bits with its sign; value = centre + float32(k) * step in float32, step = float32(span / 2^23), so values are
   uniform in centre +- span. Every operation is exact or rounds the same way everywhere.
3. span and centre by the tensor's role (`role` below): linear layers and convolutions sqrt(3 / fan-in), which keeps the
   variance; queries twice that, so that attention is not flat; token embedding 0.08, decoder positions 0.05, encoder
   positions 0.5, layer-norm weights 1 +- 0.2, every bias 0.1. Keys have no bias, as in Whisper.
4. The log-mel-like input is the tensor `mel` [frames, mels], uniform in 0.25 +- 1.25.

Needs only numpy; `Tools/goldens/run.py write_random_model` writes such a model to a folder.
"""
import dataclasses
import math

import numpy as np

GAMMA = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1


def fnv1a64(text):
    """FNV-1a, 64 bits, of the text's UTF-8 bytes."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def splitmix64(seed, start, count):
    """Outputs number `start` to `start + count` of the stream with this seed."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(start + 1, start + count + 1, dtype=np.uint64) * np.uint64(GAMMA)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def noise(seed, count, start=0):
    """Outputs number start + 1 ... as float64 from -1 to 1, 24 bits each."""
    return (splitmix64(seed, start, count) >> np.uint64(40)).astype(np.float64) / 2**23 - 1


def in_16_bits(x):
    return (np.floor(x * 32768 + 0.5) / 32768).astype(np.float32)


def uniform(name, seed, dimensions, centre, span):
    """A float32 tensor, uniform in centre +- span."""
    count, stream, step = math.prod(dimensions), fnv1a64(name) ^ seed, np.float32(span / 2**23)
    values = np.empty(count, np.float32)
    for start in range(0, count, 1 << 22):
        n = min(1 << 22, count - start)
        k = (splitmix64(stream, start, n) >> np.uint64(40)).astype(np.int32) - (1 << 23)
        values[start:start + n] = k.astype(np.float32) * step + np.float32(centre)
    return values.reshape(dimensions)


@dataclasses.dataclass(frozen=True)
class Shape:
    name: str
    mels: int
    width: int
    heads: int
    encoder_layers: int
    decoder_layers: int
    vocabulary: int
    audio_context: int = 1500
    text_context: int = 448


SHAPES = {s.name: s for s in (
    Shape("sliver", 80, 64, 1, 1, 1, 500, 100, 50),
    Shape("micro", 80, 64, 1, 1, 1, 51865),
    Shape("tiny", 80, 384, 6, 4, 4, 51865),
    Shape("large-v3", 128, 1280, 20, 2, 2, 51866),
)}
SEED = 20260704


class RandomModel:
    def __init__(self, shape, seed=SEED):
        self.shape, self.seed = shape, seed

    def dimensions(self):
        """Every tensor's name and dimensions."""
        s, d = self.shape, self.shape.width
        all = {"encoder.conv1.weight": (d, s.mels, 3), "encoder.conv1.bias": (d,), "encoder.conv2.weight": (d, d, 3),
               "encoder.conv2.bias": (d,), "encoder.positional_embedding": (s.audio_context, d),
               "encoder.ln_post.weight": (d,), "encoder.ln_post.bias": (d,),
               "decoder.token_embedding.weight": (s.vocabulary, d), "decoder.positional_embedding": (s.text_context, d),
               "decoder.ln.weight": (d,), "decoder.ln.bias": (d,)}
        for side, layers in (("encoder", s.encoder_layers), ("decoder", s.decoder_layers)):
            for i in range(layers):
                block = f"{side}.blocks.{i}."
                for attention in ["attn"] + ["cross_attn"] * (side == "decoder"):
                    all |= {f"{block}{attention}_ln.{p}": (d,) for p in ("weight", "bias")}
                    for part in ("query", "key", "value", "out"):
                        all[f"{block}{attention}.{part}.weight"] = (d, d)
                        if part != "key":
                            all[f"{block}{attention}.{part}.bias"] = (d,)
                all |= {f"{block}mlp_ln.{p}": (d,) for p in ("weight", "bias")}
                all |= {f"{block}mlp.0.weight": (4 * d, d), f"{block}mlp.0.bias": (4 * d,),
                        f"{block}mlp.2.weight": (d, 4 * d), f"{block}mlp.2.bias": (d,)}
        return all

    @staticmethod
    def role(name, dimensions):
        """Centre and span of a tensor's values."""
        fixed = {"decoder.token_embedding.weight": 0.08, "decoder.positional_embedding": 0.05,
                 "encoder.positional_embedding": 0.5}
        if name in fixed:
            return 0.0, fixed[name]
        if name.endswith(".bias"):
            return 0.0, 0.1
        if len(dimensions) == 1:
            return 1.0, 0.2
        gain = 2.0 if name.endswith(".query.weight") else 1.0
        return 0.0, math.sqrt(3.0 / math.prod(dimensions[1:])) * gain

    def tensor(self, name):
        dimensions = self.dimensions()[name]
        return uniform(name, self.seed, dimensions, *self.role(name, dimensions))

    def mel(self, frames=3000):
        """The log-mel-like input, [frames, mels]."""
        return uniform("mel", self.seed, (frames, self.shape.mels), 0.25, 1.25)

    def hugging_face(self):
        """transformers' model with these weights, in float32."""
        return hugging_face({name: self.tensor(name) for name in self.dimensions()}, self.shape.heads)


HUGGING_FACE_NAMES = [
    ("encoder.positional_embedding", "encoder.embed_positions.weight"), ("token_embedding", "embed_tokens"),
    ("decoder.positional_embedding", "decoder.embed_positions.weight"), ("blocks.", "layers."),
    ("cross_attn_ln", "encoder_attn_layer_norm"), ("cross_attn.", "encoder_attn."), ("mlp_ln", "final_layer_norm"),
    (".attn_ln", ".self_attn_layer_norm"), (".attn.", ".self_attn."), ("mlp.0", "fc1"), ("mlp.2", "fc2"),
    ("query", "q_proj"), ("key", "k_proj"), (".value", ".v_proj"), (".out.", ".out_proj."), ("ln_post", "layer_norm"),
    ("decoder.ln.", "decoder.layer_norm."),
]


def hugging_face_name(name):
    for openai, hugging_face in HUGGING_FACE_NAMES:
        name = name.replace(openai, hugging_face)
    return "model." + name


def hugging_face(state, heads):
    """transformers' WhisperForConditionalGeneration with the tensors of OpenAI's state dict."""
    import torch
    from transformers import WhisperConfig, WhisperForConditionalGeneration
    vocabulary, width = state["decoder.token_embedding.weight"].shape
    layers = {side: 1 + max(int(n.split(".")[2]) for n in state if n.startswith(side + ".blocks")) for side in ("encoder", "decoder")}
    model = WhisperForConditionalGeneration(WhisperConfig(
        vocab_size=vocabulary, num_mel_bins=state["encoder.conv1.weight"].shape[1], d_model=width,
        encoder_layers=layers["encoder"], decoder_layers=layers["decoder"], encoder_attention_heads=heads,
        decoder_attention_heads=heads, encoder_ffn_dim=4 * width, decoder_ffn_dim=4 * width)).eval()
    named = {hugging_face_name(n): torch.from_numpy(np.array(v)) for n, v in state.items()}
    # The projection is the token embedding, and keys have no bias.
    named["proj_out.weight"] = named["model.decoder.embed_tokens.weight"]
    answer = model.load_state_dict(named, strict=False)
    assert not answer.unexpected_keys and not answer.missing_keys, answer
    return model
