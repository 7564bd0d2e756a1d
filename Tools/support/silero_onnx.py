"""Silero VAD as faster-whisper runs it, with the weights of a GGML file or of Silero's own ONNX file in its graph.

faster-whisper 1.2.1 carries Silero 6.0.0. The graph of 6.2.0 is the same (`by_silero_itself` checks it), so its weights can be put
into that graph: the result is the ONNX original on exactly the weights that Steno uses.

Needs onnx, onnxruntime, faster-whisper.
"""
import pathlib
import struct

import faster_whisper
import numpy as np
import onnx
import onnxruntime
from faster_whisper.vad import SileroVADModel
from onnx import numpy_helper

CARRIED = pathlib.Path(faster_whisper.__file__).parent / "assets" / "silero_vad_v6.onnx"
RENAMED = {"_model.stft.forward_basis_buffer": "encoder.feature_extractor.forward_basis_buffer",
           "_model.decoder.decoder.2.weight": "decoder.conv1d.weight",
           "_model.decoder.decoder.2.bias": "decoder.conv1d.bias"}
for i in range(4):
    for kind in ("weight", "bias"):
        RENAMED[f"_model.encoder.{i}.reparam_conv.{kind}"] = f"encoder.conv_layers.{i}.{kind}"

#: The tensors of a GGML file, in its order.
NAMES = [f"_model.encoder.{i}.reparam_conv.{kind}" for i in range(4) for kind in ("weight", "bias")]
NAMES += [f"_model.decoder.rnn.{kind}_{gate}" for kind in ("weight", "bias") for gate in ("ih", "hh")]
NAMES += ["_model.decoder.decoder.2.weight", "_model.decoder.decoder.2.bias", "_model.stft.forward_basis_buffer"]


def read_ggml(path):
    """The tensors of a GGML Silero file in float32 (float16 is widened, which is exact)."""
    data, position, tensors = pathlib.Path(path).read_bytes(), 0, {}

    def take(count):
        nonlocal position
        values = struct.unpack_from(f"<{count}i", data, position)
        position += 4 * count
        return values

    assert take(1)[0] == 0x67676D6C
    length = take(1)[0]
    position += length
    *_, convolutions = take(3 + 2 + 1)
    take(3 * convolutions + 4)
    while position < len(data):
        rank, length, kind = take(3)
        shape = take(rank)[::-1]
        name = data[position:position + length].decode()
        position += length
        dtype, count = np.dtype("<f2" if kind else "<f4"), int(np.prod(shape, dtype=int))
        tensors[name] = np.frombuffer(data, dtype, count, position).reshape(shape).astype(np.float32)
        position += count * dtype.itemsize
    return tensors


def write_ggml(path, version, tensors):
    """Writes a GGML Silero file as whisper.cpp's converter does, but with all tensors in float32."""
    name = b"silero-16k"
    numbers = (*version, 512, 64, 4, 129, 128, 3, 128, 64, 3, 64, 64, 3, 64, 128, 3, 128, 128, 128, 1)
    parts = [struct.pack("<2i", 0x67676D6C, len(name)), name, struct.pack(f"<{len(numbers)}i", *numbers)]
    for key in NAMES:
        values = np.asarray(tensors[key], "<f4", order="C")  # ascontiguousarray would give a number a dimension
        parts += [struct.pack("<3i", values.ndim, len(key), 0), struct.pack(f"<{values.ndim}i", *values.shape[::-1]),
                  key.encode(), values.tobytes()]
    pathlib.Path(path).write_bytes(b"".join(parts))


def read_carried():
    """The tensors of the network that faster-whisper carries, under the GGML file's names."""
    values = {t.name: numpy_helper.to_array(t) for t in onnx.load(str(CARRIED)).graph.initializer}
    tensors = {ours: values[theirs] for ours, theirs in RENAMED.items()}
    tensors["_model.decoder.decoder.2.weight"] = tensors["_model.decoder.decoder.2.weight"].reshape(128)
    tensors["_model.decoder.decoder.2.bias"] = tensors["_model.decoder.decoder.2.bias"].reshape(())
    gates = lambda w: np.concatenate([np.split(w, 4)[g] for g in (0, 2, 3, 1)])  # ONNX i, o, f, c -> PyTorch i, f, g, o
    rnn = "_model.decoder.rnn."
    tensors[rnn + "weight_ih"] = gates(values["onnx::LSTM_209"][0])
    tensors[rnn + "weight_hh"] = gates(values["onnx::LSTM_210"][0])
    biases = np.split(values["onnx::LSTM_211"][0], 2)
    tensors[rnn + "bias_ih"], tensors[rnn + "bias_hh"] = gates(biases[0]), gates(biases[1])
    return tensors


def read_original(path):
    """The tensors of Silero's own `silero_vad_16k_op15.onnx`, under the GGML file's names."""
    return {f"_{t.name}": numpy_helper.to_array(t) for t in onnx.load(str(path)).graph.initializer}


def detector(tensors):
    """faster-whisper's detector with these weights."""
    model = onnx.load(str(CARRIED))
    gates = lambda w: np.concatenate([np.split(w, 4)[g] for g in (0, 3, 1, 2)])  # PyTorch i, f, g, o -> ONNX i, o, f, c
    values = {RENAMED[k]: v for k, v in tensors.items() if k in RENAMED}
    rnn = "_model.decoder.rnn."
    values["onnx::LSTM_209"] = gates(tensors[rnn + "weight_ih"])
    values["onnx::LSTM_210"] = gates(tensors[rnn + "weight_hh"])
    values["onnx::LSTM_211"] = np.concatenate([gates(tensors[rnn + "bias_ih"]), gates(tensors[rnn + "bias_hh"])])
    for tensor in model.graph.initializer:
        if tensor.name in values:
            dims = list(tensor.dims)
            tensor.CopyFrom(numpy_helper.from_array(values.pop(tensor.name).reshape(dims), tensor.name))
    assert not values, values.keys()
    silero = SileroVADModel.__new__(SileroVADModel)
    silero.session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return silero


def pad(samples):
    """The samples as faster-whisper pads them: always one more window, filled with zeros."""
    return np.pad(samples, (0, 512 - len(samples) % 512))


def by_silero_itself(path, samples):
    """Silero's own ONNX file, window by window as its package runs it: the check of the graph."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    windows = pad(samples).reshape(-1, 512).copy()
    windows[-1, -64:] = 0
    state, context, out = np.zeros((2, 1, 128), np.float32), np.zeros((1, 64), np.float32), []
    for window in windows:
        x = np.concatenate([context, window[None]], axis=1)
        p, state = session.run(None, {"input": x, "state": state, "sr": np.array(16000, dtype=np.int64)})
        context = x[:, -64:]
        out.append(p[0, 0])
    return np.array(out, np.float32)
