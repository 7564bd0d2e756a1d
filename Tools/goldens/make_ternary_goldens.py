"""A Parakeet TDT with ternary linear layers on random weights: the fixture of TernaryFolderTests.

usage: python Tools/goldens/make_ternary_goldens.py

Writes Tests/Fixtures/ternary: a folder in the form of Moondream's Parakeet Redux (`thrush-ternary-v2`: model.safetensors
with packed weights, scales and other tensors in float16, config.json, tokenizer.json, ternary.json), and expected.json,
which transformers computed in float32 with the dequantised weights: tokens with their frames and durations, and a part of
the encoder's frames. The random weights of make_fastconformer_goldens.py are made ternary: a group's scale is the mean of
its magnitudes in float16, its codes are rounded.

Needs torch, transformers (5.24.0) and safetensors.
"""
import json
import sys
import pathlib

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file
from transformers import ParakeetEncoderConfig, ParakeetForTDT, ParakeetTDTConfig

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from goldens.make_fastconformer_goldens import BARE, HEAD, Model, audio, encoder, extracted, extractor, mel, show
from support.paths import FIXTURES

OUT = FIXTURES / "ternary"
GROUP = 128
TERNARY = ("linear1", "linear2", "q_proj", "k_proj", "v_proj", "o_proj", "relative_k_proj", "pointwise_conv1",
           "pointwise_conv2")
STEP = 5


def ternary(weight):
    """Codes 0 to 2 of a matrix, and the scales of its groups in float16."""
    groups = weight.reshape(len(weight), -1, GROUP)
    scales = np.abs(groups).mean(2).astype(np.float16)
    codes = np.clip(np.rint(groups / scales.astype(np.float32)[:, :, None]), -1, 1) + 1
    return codes.reshape(len(weight), -1).astype(np.uint8), scales


def packed(codes):
    """Five codes in a byte, the first in the least significant digit."""
    padded = np.pad(codes, ((0, 0), (0, -codes.shape[1] % 5)))
    return (padded.reshape(len(codes), -1, 5) * np.array([1, 3, 9, 27, 81], np.uint8)).sum(2).astype(np.uint8)


class TernaryModel(Model):
    def load(self):
        super().load()
        self.modules, state = {}, self.model.state_dict()
        for name, value in state.items():
            module = name.removesuffix(".weight")
            if name.startswith("encoder.layers.") and module != name and module.split(".")[-1] in TERNARY:
                codes, scales = ternary(value.numpy().reshape(len(value), -1))
                self.modules[module] = codes, scales, value.dim() == 3
                weight = (codes.astype(np.float32) - 1) * np.repeat(scales.astype(np.float32), GROUP, 1)
                state[name] = torch.from_numpy(weight.reshape(value.shape))
            elif value.is_floating_point():
                state[name] = value.half().float()
        self.model.load_state_dict(state)

    def write(self, folder):
        tensors, listed = {}, []
        for name, value in self.model.state_dict().items():
            if name.removesuffix(".weight") not in self.modules or name.endswith(".bias"):
                tensors[name] = value.half().numpy() if value.is_floating_point() else value.numpy()
        for module, (codes, scales, is_convolution) in self.modules.items():
            tensors[module + ".qweight"], tensors[module + ".scales"] = packed(codes), scales
            listed.append({
                "name": module, "out_features": codes.shape[0], "in_features": codes.shape[1], "group_size": GROUP,
                "as_conv1d": is_convolution, "has_bias": False, "zero_fraction": float((codes == 1).mean())})
        # The original's voice activity detector, which is not read.
        tensors["vad_head.proj.weight"] = np.ones((4, 128), np.float16)
        save_file(tensors, folder / "model.safetensors")
        (folder / "model.safetensors").chmod(0o644)
        manifest = {"format": "thrush-ternary-v2", "names": "hf", "quant": {"mode": "ternary", "group_size": GROUP},
                    "packing": {"base": 3, "elements_per_byte": 5, "code_offset": 1}, "quantized_modules": listed}
        (folder / "ternary.json").write_text(json.dumps(manifest, indent=1) + "\n")
        (folder / "config.json").write_text(self.config.to_json_string())
        vocabulary = {f"\u2581{number}": number for number in range(33)}
        (folder / "tokenizer.json").write_text(json.dumps({"model": {"type": "BPE", "vocab": vocabulary}}) + "\n")


def main():
    torch.set_num_threads(1)
    sizes = encoder(hidden_size=128, intermediate_size=384) | BARE
    model = TernaryModel("ternary", 12, ParakeetTDTConfig(encoder_config=ParakeetEncoderConfig(**sizes), **HEAD), ParakeetForTDT)
    features, spoken = mel(12, 320, 128), extracted(extractor(model), audio(12, 48123))
    model.calibrate([(features, {}), (spoken, {})])
    tokens, heard = model.tokens(features), model.tokens(spoken)
    show("mel rows", tokens)
    show("audio", heard)
    frames = model.layers(mel(12, 104, 128))[-1]
    OUT.mkdir(parents=True, exist_ok=True)
    model.write(OUT)
    expected = {"transformers": transformers.__version__, "torch": torch.__version__, "seed": 12,
                "tokens": {"frames": 320, "tokens": tokens}, "audio": {"samples": 48123, "tokens": heard},
                "encoder": {"frames": 104, "step": STEP, "values": [float(v) for v in frames.ravel()[::STEP]]}}
    (OUT / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
