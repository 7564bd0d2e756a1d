"""Tensors in the format of safetensors, with numpy alone."""
import json

KINDS = {"<f4": "F32", "<f2": "F16"}


def serialized(tensors):
    """The bytes of a file with these float32 or float16 arrays, in their order."""
    header, end = {}, 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": KINDS[tensor.dtype.str], "shape": list(tensor.shape), "data_offsets": [end, end + tensor.nbytes]}
        end += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(tensor.tobytes() for tensor in tensors.values())])
