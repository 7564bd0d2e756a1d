"""Hugging Face transformers' Whisper with the weights of a CTranslate2 folder, in float32: the reference of the engine's numerics."""
import pathlib

import numpy as np
import torch

from support import ct2_model
from support.random_model import hugging_face


def from_ct2(folder):
    """The model of a CTranslate2 folder; int8 rows are divided by their scales."""
    return hugging_face(*ct2_model.openai_state(pathlib.Path(folder) / "model.bin"))


@torch.no_grad()
def encode(model, mel, positions):
    """The encoder on the first `positions` * 2 frames of mel [frames, mels]: transformers' own layers on fewer positions."""
    encoder = model.model.encoder
    x = torch.from_numpy(np.ascontiguousarray(mel[:2 * positions].T))[None]
    x = torch.nn.functional.gelu(encoder.conv1(x))
    x = torch.nn.functional.gelu(encoder.conv2(x)).transpose(1, 2) + encoder.embed_positions.weight[:positions]
    for layer in encoder.layers:
        answer = layer(x, None)
        x = answer[0] if isinstance(answer, tuple) else answer
    x = encoder.layer_norm(x)
    if positions == encoder.embed_positions.weight.shape[0]:
        whole = encoder(torch.from_numpy(np.ascontiguousarray(mel.T))[None]).last_hidden_state
        assert (x - whole).abs().max() < 1e-4, (x - whole).abs().max()
        return whole
    return x


@torch.no_grad()
def logits(model, encoded, tokens):
    hidden = model.model.decoder(input_ids=torch.tensor([tokens]), encoder_hidden_states=encoded).last_hidden_state
    return model.proj_out(hidden)[0].numpy()
