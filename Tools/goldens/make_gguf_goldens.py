#!/usr/bin/env python3
"""Write Tests/Fixtures/gguf: models of Tests/Fixtures/nemo in the GGUF files of transcribe.cpp, and blocks of ggml.

usage: make_gguf_goldens.py TRANSCRIBE_CPP [BUILD]

TRANSCRIBE_CPP is the source of handy-computer/transcribe.cpp, BUILD a build of it with its tools (default
TRANSCRIBE_CPP/build). The files are written by its own convert-parakeet.py, which reads the archives without NeMo if NeMo
cannot, as here; only the sizes of the vocabularies that it expects are replaced. `hybrid.gguf` and `prompted.gguf` are
hybrid.nemo, without its CTC head, which transcribe.cpp leaves out, and prompted.nemo. `ctc.gguf` has hybrid.nemo's encoder
and CTC head under the names of a model with only that, stored by transcribe-quantize in float16, and `hybrid-q8_0.gguf`
is hybrid.gguf in its Q8_0. `blocks.json` has random blocks in formats of
256 numbers, and what gguf's Python package decodes them to. Needs torch 2.13.0, gguf 0.19.0, omegaconf 2.4.0, sentencepiece
0.2.3 and PyYAML 6.0.4.
"""
import base64, importlib.util, io, json, subprocess, sys, tarfile, tempfile, types
from pathlib import Path

import gguf, numpy, torch, yaml

source = Path(sys.argv[1])
build = Path(sys.argv[2]) if len(sys.argv) > 2 else source / "build"
fixtures = Path(__file__).resolve().parents[2] / "Tests/Fixtures"
target = fixtures / "gguf"


class ASRModel:
    @staticmethod
    def restore_from(*arguments, **options):
        raise ImportError("NeMo is not installed")


def converter():
    """The module convert-parakeet.py, for which NeMo is there and cannot read the models."""
    for name in ("nemo", "nemo.collections", "nemo.collections.asr", "nemo.collections.asr.models"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["nemo.collections.asr.models"].ASRModel = ASRModel
    spec = importlib.util.spec_from_file_location("convert_parakeet", source / "scripts/convert-parakeet.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def archive(name):
    """The configuration, the weights and the other files of a model."""
    with tarfile.open(fixtures / "nemo" / name) as file:
        files = {entry.name: file.extractfile(entry).read() for entry in file.getmembers() if entry.isfile()}
    configuration = yaml.safe_load(files.pop("./model_config.yaml"))
    return configuration, torch.load(io.BytesIO(files.pop("./model_weights.ckpt"))), files


def write(path, configuration, weights, files):
    values = io.BytesIO()
    torch.save(weights, values)
    files = {"./model_config.yaml": yaml.safe_dump(configuration).encode(), "./model_weights.ckpt": values.getvalue()} | files
    with tarfile.open(path, "w") as file:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            file.addfile(entry, io.BytesIO(content))


def convert(module, path, slug, name, preset=None):
    """Converts an archive as the model with that name in transcribe.cpp."""
    configuration = archive(path)[0]
    module.VARIANT_PROFILES[slug]["expected_vocab_size"] = len(configuration["labels"])
    with tempfile.TemporaryDirectory() as folder:
        # The name of the folder says which model it is.
        place = Path(folder) / slug / name
        place.parent.mkdir()
        module.convert(str(fixtures / "nemo" / path), place)
        if preset:
            quantized = place.with_name("quantized.gguf")
            subprocess.run([build / "bin/transcribe-quantize", place, quantized, "--quant", preset], check=True)
            place = quantized
        (target / name).write_bytes(place.read_bytes())
    print(f"{name}: {(target / name).stat().st_size} bytes")


def blocks(type, halves):
    """Random blocks, whose scales, at those places, are small numbers in float16."""
    size = gguf.GGML_QUANT_SIZES[type][1]
    generator = numpy.random.default_rng(int(type))
    data = generator.integers(0, 256, (8, size), dtype=numpy.uint8)
    for place in halves:
        data[:, place:place + 2] = generator.normal(0, 0.02, (8, 1)).astype("<f2").view(numpy.uint8)
    values = gguf.quants.dequantize(data, type).astype("<f4")
    return {"blocks": base64.b64encode(data.tobytes()).decode(), "values": base64.b64encode(values.tobytes()).decode()}


target.mkdir(exist_ok=True)
module = converter()
convert(module, "hybrid.nemo", "parakeet-tdt_ctc-110m", "hybrid.gguf")
convert(module, "hybrid.nemo", "parakeet-tdt_ctc-110m", "hybrid-q8_0.gguf", "Q8_0")
with tempfile.TemporaryDirectory() as folder:
    configuration, weights, files = archive("hybrid.nemo")
    configuration["decoder"] = {"num_classes": len(configuration["labels"])}
    write(Path(folder) / "ctc.nemo", configuration, {
        name.replace("ctc_decoder.", "decoder."): value for name, value in weights.items()
        if name.startswith(("encoder.", "ctc_decoder."))}, files)
    convert(module, Path(folder) / "ctc.nemo", "parakeet-ctc-0.6b", "ctc.gguf", "F16")
    configuration, weights, files = archive("prompted.nemo")
    # An empty list, where NVIDIA's models have none.
    del configuration["decoding"]["durations"]
    write(Path(folder) / "prompted.nemo", configuration, weights, files)
    convert(module, Path(folder) / "prompted.nemo", "nemotron-3.5-asr-streaming-0.6b", "prompted.gguf")
types = {type.name: blocks(type, halves) for type, halves in (
    (gguf.GGMLQuantizationType.Q4_K, (0, 2)), (gguf.GGMLQuantizationType.Q5_K, (0, 2)),
    (gguf.GGMLQuantizationType.Q6_K, (208,)))}
(target / "blocks.json").write_text(json.dumps({name.replace("Q", "q"): value for name, value in types.items()}, indent=1) + "\n")
