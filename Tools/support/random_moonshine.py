"""Moonshine models with random weights from SplitMix64: the same numbers in Python and in Swift.

The Swift twin is Tests/StenoTestSupport/RandomMoonshine.swift; change both or neither. A tensor's stream of numbers is
that of support/random_model.py, under its name in transformers; `role` below says around which number they are, and how
far from it. The samples are the tensor `samples`, uniform in 0 +- 1.

Needs numpy, torch and transformers.
"""
import math

import numpy as np
import torch

from support.random_model import SEED, uniform


def role(name, dimensions):
    """Centre and span of a tensor's values."""
    if name.endswith(".log_k"):
        return -0.3, 0.1
    if name.endswith(".gamma"):
        return 0.0, 0.2
    if name.endswith(".bias"):
        return 0.0, 0.1
    if len(dimensions) == 1:
        return 1.0, 0.2
    if name.endswith("embed_tokens.weight"):
        return 0.0, 0.1
    if name.endswith("pos_emb.weight"):
        return 0.0, 1.0
    gain = 2.0 if ".q_proj." in name else 1.0
    return 0.0, math.sqrt(3.0 / math.prod(dimensions[1:])) * gain


def tensor(name, dimensions):
    return uniform(name, SEED, dimensions, *role(name, dimensions))


def samples(count):
    return uniform("samples", SEED, (count,), 0.0, 1.0)


def fill(model):
    """Gives a model of transformers its random weights; returns their names and dimensions, tied tensors once."""
    model.tie_weights()
    names, seen = [], set()
    with torch.no_grad():
        for name, value in model.named_parameters():
            if value.data_ptr() in seen:
                continue
            seen.add(value.data_ptr())
            shape = list(value.shape)
            value.copy_(torch.from_numpy(np.asarray(tensor(name, shape), np.float32).reshape(shape)))
            names.append([name, shape])
    return names
