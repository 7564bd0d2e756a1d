"""CTranslate2 model directories: reading `model.bin`, and writing random models in version 6 of the format.

The layout is CTranslate2's `model_spec.py`; the converter writes the same bytes for the same weights (checked by
`goldens/run.py engine --converter`). The Swift twin is Tests/StenoTestSupport/CTranslate2Writer.swift.
"""
import hashlib
import json
import struct

import numpy as np

from support.paths import FIXTURES

KINDS = {0: np.dtype("<f4"), 1: np.dtype("i1"), 2: np.dtype("<i2"), 3: np.dtype("<i4"), 4: np.dtype("<f2"),
         5: np.dtype("<u2")}  # bfloat16, as bits
SCALARS = {"activation": ("b", 3), "alibi": ("b", 0), "alibi_use_positive_positions": ("b", 0),
           "alignment_heads": ("h", 1), "alignment_layer": ("h", -1), "pre_norm": ("b", 1), "scale_alibi": ("b", 0),
           "scale_embeddings": ("b", 0), "start_from_zero_embedding": ("b", 0)}


def read(path):
    """The variables of a model.bin (version 4 or later) by name; aliases are resolved."""
    data, position = path.read_bytes(), 0

    def take(kind):
        nonlocal position
        value = struct.unpack_from("<" + kind, data, position)[0]
        position += struct.calcsize("<" + kind)
        return value

    def text():
        nonlocal position
        length = take("H")
        value = data[position:position + length - 1].decode()
        position += length
        return value

    assert 4 <= take("I") <= 6
    text(), take("I")
    variables = {}
    for _ in range(take("I")):
        name = text()
        dimensions = [take("I") for _ in range(take("B"))]
        kind, size = KINDS[take("B")], take("I")
        variables[name] = np.frombuffer(data, kind, size // kind.itemsize, position).reshape(dimensions)
        position += size
    for _ in range(take("I")):
        alias, target = text(), text()
        variables[alias] = variables[target]
    assert position == len(data)
    return variables


def openai_state(path):
    """The float32 weights of a CTranslate2 Whisper under OpenAI's names; int8 rows are divided by their scale."""
    variables = read(path)

    def real(name):
        value = np.asarray(variables[name], np.float32)
        scale = variables.get(name + "_scale")
        return value if scale is None else value / scale.reshape((-1,) + (1,) * (value.ndim - 1))

    state = {"encoder.positional_embedding": real("encoder/position_encodings/encodings"),
             "decoder.positional_embedding": real("decoder/position_encodings/encodings"),
             "decoder.token_embedding.weight": real("decoder/embeddings/weight")}
    for openai, parts in names(layers(variables, "encoder"), layers(variables, "decoder")).items():
        for kind in ("weight", "bias"):
            source = f"{openai}/{'gamma' if kind == 'weight' else 'beta'}"
            if source in variables:
                state[f"{parts[0]}.{kind}"] = real(source)
            elif f"{openai}/{kind}" in variables:
                for part, block in zip(parts, np.split(real(f"{openai}/{kind}"), len(parts))):
                    if not part.endswith(".key") or kind == "weight":
                        state[f"{part}.{kind}"] = np.ascontiguousarray(block)
                    else:
                        assert not block.any()
    return state, int(variables["encoder/num_heads"])


def layers(variables, side):
    return 1 + max(int(n.split("/")[1][6:]) for n in variables if n.startswith(side + "/layer_") and n[14:15].isdigit())


def names(encoder_layers, decoder_layers):
    """Scope in CTranslate2 -> the OpenAI modules whose tensors it holds, stacked by rows."""
    scopes = {"encoder/conv1": ["encoder.conv1"], "encoder/conv2": ["encoder.conv2"],
              "encoder/layer_norm": ["encoder.ln_post"], "decoder/layer_norm": ["decoder.ln"]}
    for side, count in (("encoder", encoder_layers), ("decoder", decoder_layers)):
        for i in range(count):
            ct2, openai = f"{side}/layer_{i}/", f"{side}.blocks.{i}."
            scopes |= {
                ct2 + "self_attention/layer_norm": [openai + "attn_ln"],
                ct2 + "self_attention/linear_0": [openai + "attn." + p for p in ("query", "key", "value")],
                ct2 + "self_attention/linear_1": [openai + "attn.out"],
                ct2 + "ffn/layer_norm": [openai + "mlp_ln"],
                ct2 + "ffn/linear_0": [openai + "mlp.0"], ct2 + "ffn/linear_1": [openai + "mlp.2"]}
            if side == "decoder":
                scopes |= {
                    ct2 + "attention/layer_norm": [openai + "cross_attn_ln"],
                    ct2 + "attention/linear_0": [openai + "cross_attn.query"],
                    ct2 + "attention/linear_1": [openai + "cross_attn.key", openai + "cross_attn.value"],
                    ct2 + "attention/linear_2": [openai + "cross_attn.out"]}
    return scopes


def variables(model):
    """Name -> (dimensions, function that returns the float32 values) of a random model's tensors."""
    dimensions = model.dimensions()
    made = {"encoder/position_encodings/encodings": "encoder.positional_embedding",
            "decoder/position_encodings/encodings": "decoder.positional_embedding",
            "decoder/embeddings/weight": "decoder.token_embedding.weight"}
    all = {ct2: (dimensions[n], lambda n=n: model.tensor(n)) for ct2, n in made.items()}
    for scope, parts in names(model.shape.encoder_layers, model.shape.decoder_layers).items():
        for kind in ("weight", "bias"):
            first = dimensions[f"{parts[0]}.{kind}" if kind == "weight" or len(parts) == 1 else f"{parts[0]}.weight"]
            rows = first[0] * len(parts)
            shape = (rows,) + tuple(first[1:]) if kind == "weight" else (rows,)
            norm = scope.endswith("layer_norm")
            name = {"weight": "gamma", "bias": "beta"}[kind] if norm else kind
            all[f"{scope}/{name}"] = (shape, lambda parts=parts, kind=kind: np.concatenate([piece(model, p, kind) for p in parts]))
    return all


def piece(model, part, kind):
    name = f"{part}.{kind}"
    return model.tensor(name) if name in model.dimensions() else np.zeros(model.shape.width, np.float32)


def quantized(values):
    """Int8 rows (or output channels) and their scales, as the converter makes them."""
    rows = values.reshape(values.shape[0], -1)
    largest = np.abs(rows).max(axis=1)
    largest[largest == 0] = 127
    scale = (np.float32(127) / largest).astype(np.float32)
    return np.rint(rows * scale[:, None]).astype(np.int8).reshape(values.shape), scale


def bfloat16(values):
    """The upper halves of float32, rounded to nearest even."""
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def write(model, precision, folder):
    """Writes the model's directory; returns the SHA-256 of model.bin."""
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with open(folder / "model.bin", "wb") as file:
        def put(data):
            file.write(data)
            digest.update(data)
        for data in serialized(model, precision):
            put(data)
    write_texts(model.shape, folder)
    return digest.hexdigest()


def serialized(model, precision):
    entries = {f"decoder/{n}": scalar for n, scalar in SCALARS.items()}
    entries |= {f"{side}/num_heads": ("h", model.shape.heads) for side in ("encoder", "decoder")}
    entries |= variables(model)
    quantizable = precision == "int8"
    count = sum(1 + (quantizable and n.endswith("/weight")) for n in entries)
    yield struct.pack("<I", 6) + text("WhisperSpec") + struct.pack("<II", 3, count)
    for name in sorted(entries):
        first, second = entries[name]
        if isinstance(first, str):
            yield header(name, (), {"b": 1, "h": 2}[first], struct.calcsize(first)) + struct.pack("<" + first, second)
            continue
        values = second()
        if quantizable and name.endswith("/weight"):
            values, scale = quantized(values)
            yield header(name, first, 1, values.nbytes) + values.tobytes()
            yield header(name + "_scale", scale.shape, 0, scale.nbytes) + scale.tobytes()
        else:
            kind, stored = {"float16": (4, lambda: values.astype("<f2")), "bfloat16": (5, lambda: bfloat16(values))}.get(
                precision, (0, lambda: values))
            stored = stored()
            yield header(name, first, kind, stored.nbytes) + stored.tobytes()
    yield struct.pack("<I", 1) + text("decoder/projection/weight") + text("decoder/embeddings/weight")


def text(string):
    return struct.pack("<H", len(string.encode()) + 1) + string.encode() + b"\0"


def header(name, dimensions, kind, size):
    return text(name) + struct.pack(f"<B{len(dimensions)}IBI", len(dimensions), *dimensions, kind, size)


def write_texts(shape, folder):
    """config.json, preprocessor_config.json, and the vocabulary and tokenizer of the nano fixture (with Cantonese for large-v3)."""
    nano = FIXTURES / "nano"
    vocabulary = json.loads((nano / "vocabulary.json").read_text(encoding="utf-8"))
    tokenizer = json.loads((nano / "tokenizer.json").read_text(encoding="utf-8"))
    translate = vocabulary.index("<|translate|>")
    if shape.vocabulary == len(vocabulary) + 1:
        vocabulary.insert(translate, "<|yue|>")
        added = tokenizer["added_tokens"]
        language = next(t for t in added if t["id"] == translate - 1)
        for token in added:
            token["id"] += token["id"] >= translate
        added.append(dict(language, id=translate, content="<|yue|>"))
        added.sort(key=lambda t: t["id"])
        translate += 1
    assert len(vocabulary) == shape.vocabulary
    languages = list(range(vocabulary.index("<|startoftranscript|>") + 1, translate))
    config = json.loads((nano / "config.json").read_text(encoding="utf-8"))
    config["lang_ids"] = languages
    config["alignment_heads"] = [[layer, head] for layer in range(shape.decoder_layers // 2, shape.decoder_layers)
                                 for head in range(shape.heads)]
    features = json.loads((nano / "preprocessor_config.json").read_text(encoding="utf-8"))
    features["feature_size"] = shape.mels
    for name, value in (("vocabulary", vocabulary), ("tokenizer", tokenizer), ("config", config), ("preprocessor_config", features)):
        (folder / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
