#!/usr/bin/env python3
"""The processor time of Moonshine's sizes, with random weights of their shapes; they say nothing about texts.

usage: python Tools/speed/moonshine_sizes.py --steno PATH [--folder DIR] [--rounds 3] [--size base …] [--json FILE]

Models are made with transformers in DIR and kept there; the vocabulary is that of the included Moonshine tiny, which is
measured too, with its own weights. The shapes of streaming small and medium are those of their published sizes.

`steno bench --only start` starts a process that loads the model and computes half a minute of audio: voice activity detection,
the encoder, and 3.5 tokens a second, as many as speech has. It is run once and four times, and the loading alone is measured by
`steno models info`, so that differences are the time of the audio alone: int8, one thread, in seconds for ten minutes of speech.

Needs torch, transformers; Linux.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = ROOT / "Sources/StenoBundledMoonshine/Resources/moonshine-tiny"
AUDIO_SECONDS, TEN_MINUTES = 30, 600
# Encoder and decoder: channels, hidden layer, layers, heads, channels of a head.
STREAMING = {
    "streaming-tiny": ((320, 1280, 6, 8, 40), (320, 1280, 6, 8, 40)),
    "streaming-small": ((620, 2480, 10, 8, 64), (512, 2048, 10, 8, 64)),
    "streaming-medium": ((768, 3072, 14, 10, 64), (640, 2560, 14, 10, 64)),
}


def base():
    from transformers import MoonshineConfig, MoonshineForConditionalGeneration
    return MoonshineForConditionalGeneration(MoonshineConfig(
        hidden_size=416, intermediate_size=1664, encoder_num_hidden_layers=8, decoder_num_hidden_layers=8,
        encoder_num_attention_heads=8, decoder_num_attention_heads=8, partial_rotary_factor=0.62,
        max_position_embeddings=194))


def streaming(encoder, decoder):
    from transformers import MoonshineStreamingConfig, MoonshineStreamingForConditionalGeneration
    (width, hidden, layers, heads, head), (decoder_width, decoder_hidden, decoder_layers, decoder_heads, decoder_head) = encoder, decoder
    windows = tuple((16, 4) if min(i, layers - 1 - i) < 2 else (16, 0) for i in range(layers))
    return MoonshineStreamingForConditionalGeneration(MoonshineStreamingConfig(
        encoder_config={
            "hidden_size": width, "intermediate_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads,
            "num_key_value_heads": heads, "head_dim": head, "sliding_windows": windows},
        hidden_size=decoder_width, intermediate_size=decoder_hidden, num_hidden_layers=decoder_layers,
        num_attention_heads=decoder_heads, num_key_value_heads=decoder_heads, head_dim=decoder_head,
        decoder_start_token_id=1))


def make(size, folder):
    """The folder of a model with random weights."""
    if size == "tiny":
        return TINY
    model = folder / size
    if not model.exists():
        import torch
        torch.manual_seed(1)
        (base() if size == "base" else streaming(*STREAMING[size])).save_pretrained(model)
        shutil.copy(TINY / "tokenizer.json", model)
    return model


def processor_seconds(*command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, code, usage = os.wait4(process.pid, 0)
    assert code == 0, command
    return usage.ru_utime + usage.ru_stime


def measure(steno, model):
    def bench(runs):
        return processor_seconds(
            steno, "bench", "--model", str(model), "--only", "start", "--threads", "1", "--runs", str(runs))
    each = (bench(4) - bench(1)) / 3
    loading = processor_seconds(steno, "models", "info", str(model))
    return (each - loading) / AUDIO_SECONDS * TEN_MINUTES


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--steno", required=True)
    p.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "moonshine-sizes")
    p.add_argument("--rounds", default=3, type=int)
    p.add_argument("--size", action="append", choices=["tiny", "base", *STREAMING])
    p.add_argument("--json")
    a = p.parse_args()
    models = {size: make(size, a.folder) for size in a.size or ["tiny", "base", *STREAMING]}
    times = {size: [] for size in models}
    for _ in range(a.rounds):
        for size, model in models.items():
            times[size].append(measure(a.steno, model))
            print(f"{size}: {times[size][-1]:.1f} s", flush=True)
    print("\n| size | processor seconds for ten minutes, least |\n|---|---|")
    for size, row in times.items():
        print(f"| {size} | {min(row):.1f} |")
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(times, indent=1) + "\n")


if __name__ == "__main__":
    main()
