"""Encoder outputs, logits and texts of Hugging Face transformers for tiny random Moonshine models: Tests/Fixtures/moonshine.

usage: python Tools/goldens/run.py moonshine [--tiny FOLDER]

Writes one file per model: its config.json, the names and dimensions of its tensors (their values come from a random
number generator, support/random_moonshine.py), and for inputs of several lengths

  encoder   the encoder's output, [frames, width]
  tokens    the greedy text, without the start (1) and the end (2), up to 12 tokens
  logits    those of every step, the end's included
  weights   the mean of all heads' cross-attention weights at the second step, over the frames

Streaming models are computed with attention windows as transformers counts them, and as they were counted when the
published weights were trained (`inclusive` in the file).

as float32 in base64. With --tiny, which names the folder of Moonshine tiny's published weights in float32, only tiny.json:
the tokens of four recordings of the repository.

Needs torch and transformers 5.24.0.
"""
import base64
import json
import math
import os

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import torch
import transformers
from transformers.models.moonshine_streaming import modeling_moonshine_streaming as streaming
from transformers.models.moonshine.modeling_moonshine import MoonshineEncoderModelOutput

from support import golden, random_moonshine
from support.paths import FIXTURES, ROOT, SAMPLES
from support.samples import read_samples

LIMIT = 12
VOCABULARY = 97
VERSIONS = {"transformers": transformers.__version__, "torch": torch.__version__}


def encoded(values):
    return base64.b64encode(np.ascontiguousarray(values, "<f4").tobytes()).decode()


def greedy(model, encoding, limit=LIMIT):
    """The tokens, the logits of every step, and the mean cross-attention weights of the second step."""
    cache, last, tokens, logits, weights = None, 1, [], [], None
    while len(tokens) < limit:
        out = model(encoder_outputs=encoding, decoder_input_ids=torch.tensor([[last]]), past_key_values=cache, use_cache=True,
                    output_attentions=True)
        cache = out.past_key_values
        logits.append(out.logits[0, -1].numpy())
        if len(logits) == 2:
            weights = np.mean([w[0, :, 0].numpy() for w in out.cross_attentions], axis=(0, 1))
        last = int(logits[-1].argmax())
        if last == 2:
            break
        tokens.append(last)
    return tokens, np.stack(logits), weights


def clip(model, count):
    x = torch.from_numpy(random_moonshine.samples(count))[None]
    frames = model.model.encoder(x).last_hidden_state
    return results(frames, *greedy(model, MoonshineEncoderModelOutput(last_hidden_state=frames)), samples=count)


def results(frames, tokens, logits, weights, **of):
    print(of, frames.shape[1], tokens, "margin", np.diff(np.sort(logits, 1)[:, -2:]).min(), "frames", frames.std().item(),
          "logits", np.abs(logits).max())
    return {**of, "frames": frames.shape[1], "encoder": encoded(frames[0].numpy()), "tokens": tokens,
            "logits": encoded(logits), "weights": encoded(weights) if weights is not None else None}


def inclusive_mask(window):
    """A mask whose windows have that many positions before and after a position."""
    return lambda batch, head, query, key: (query - key <= window[0]) & (key - query <= window[1])


def streaming_clip(model, count, inclusive):
    exclusive_mask = streaming.sliding_window_mask_function
    if inclusive:
        streaming.sliding_window_mask_function = inclusive_mask
    x = torch.from_numpy(random_moonshine.samples(count))[None]
    x = torch.nn.functional.pad(x, (0, -count % 80))
    # Without a mask, transformers does not limit attention to windows.
    frames = model.model.encoder(x, attention_mask=torch.ones_like(x, dtype=torch.long)).last_hidden_state
    streaming.sliding_window_mask_function = exclusive_mask
    # The decoder adds positions to its input in place.
    found = greedy(model, streaming.MoonshineStreamingEncoderModelOutput(last_hidden_state=frames.clone()))
    return results(frames, *found, samples=count, inclusive=inclusive)


def write(name, model, config, clips):
    tensors = random_moonshine.fill(model.eval())
    content = {"versions": VERSIONS, "config": config,
               "tensors": tensors, "clips": [clip(model, *arguments) for clip, arguments in clips]}
    golden.write(f"moonshine/{name}.json", golden.compact(content, indent=0) + "\n")


def whole(name, width, factor, **changes):
    """A model for whole utterances."""
    config = dict(
        model_type="moonshine", architectures=["MoonshineForConditionalGeneration"], hidden_size=width,
        intermediate_size=2 * width, encoder_num_hidden_layers=2, decoder_num_hidden_layers=2,
        encoder_num_attention_heads=2, decoder_num_attention_heads=2, vocab_size=VOCABULARY,
        max_position_embeddings=64, partial_rotary_factor=factor, rope_theta=10000.0, tie_word_embeddings=True,
        decoder_start_token_id=1, bos_token_id=1, eos_token_id=2, pad_head_dim_to_multiple_of=8) | changes
    model = transformers.MoonshineForConditionalGeneration(
        transformers.MoonshineConfig(**config, attn_implementation="eager"))
    write(name, model, config, [(clip, (count,)) for count in (895, 8000, 16001)])


def streamed(name, encoder, **changes):
    """A streaming model."""
    config = dict(
        model_type="moonshine_streaming", architectures=["MoonshineStreamingForConditionalGeneration"],
        encoder_config=encoder, hidden_size=40, intermediate_size=80, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, vocab_size=VOCABULARY, max_position_embeddings=256, decoder_start_token_id=1,
        bos_token_id=1, eos_token_id=2, pad_token_id=0, tie_word_embeddings=False,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.8}) | changes
    model = transformers.MoonshineStreamingForConditionalGeneration(
        transformers.MoonshineStreamingConfig(**config, attn_implementation="eager"))
    write(name, model, config, [(streaming_clip, arguments) for arguments in
                                ((19200, False), (19200, True), (4801, False), (300, True))])


def tiny(folder):
    """The published model's results for recordings of the repository."""
    from tokenizers import Tokenizer
    model = transformers.MoonshineForConditionalGeneration.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    clips = []
    for path in [SAMPLES / "inaugural-1961.wav", SAMPLES / "en-quick_brown_fox.wav", FIXTURES / "sounds/norway.wav"]:
        samples, _ = read_samples(path)
        frames = model.eval().model.encoder(torch.from_numpy(samples)[None]).last_hidden_state
        limit = math.ceil(len(samples) / 16000 * 6.5)
        tokens, logits, _ = greedy(model, MoonshineEncoderModelOutput(last_hidden_state=frames), limit)
        print(path.name, tokenizer.decode(tokens), "margin", np.diff(np.sort(logits, 1)[:, -2:]).min())
        clips.append({"file": str(path.relative_to(ROOT)), "frames": frames.shape[1], "limit": limit, "tokens": tokens,
                      "text": tokenizer.decode(tokens)})
    golden.write("moonshine/tiny.json", json.dumps({"versions": VERSIONS, "clips": clips}, ensure_ascii=False, indent=0) + "\n")


def options(parser):
    parser.add_argument("--tiny", metavar="FOLDER")


def make(arguments):
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    if arguments.tiny:
        return tiny(arguments.tiny)
    whole("whole-36", 72, 0.9)
    whole("whole-52", 104, 0.62)
    # As newer versions of transformers write it, with another base, and a head of its own.
    whole("whole-24", 48, None, tie_word_embeddings=False, decoder_num_hidden_layers=1, partial_rotary_factor=None,
          rope_theta=None, rope_parameters={"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 0.5})
    # The encoder's heads have fewer channels than the encoder.
    windows = [[16, 4], [16, 4], [16, 0], [16, 0], [16, 4], [16, 4]]
    streamed("streaming-16", dict(hidden_size=48, intermediate_size=64, num_hidden_layers=6, num_attention_heads=2,
                                  num_key_value_heads=2, head_dim=16, sliding_windows=windows))
    # No projection between encoder and decoder, and windows as later configurations have them. 15 of 20 channels of a head are
    # rotated: an odd number, as with heads of 64 channels and the usual factor.
    streamed("streaming-20", dict(hidden_size=40, intermediate_size=80, num_hidden_layers=3, num_attention_heads=2,
                                  num_key_value_heads=2, sliding_windows=[[6, 3], [9, 1], [6, 2]]), tie_word_embeddings=True,
             rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.78})
