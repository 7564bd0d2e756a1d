"""Word errors of faster-whisper in float32 and in int8, file by file: the reference for the WER of Steno's int8.

usage: python Tools/comparisons/count_int8_errors.py base OUTPUT [--files FOLDER]
       python Tools/comparisons/count_int8_errors.py nano OUTPUT [--files FOLDER]

base: Whisper base: `float32` and `int8` both compute with the int8 weights of StenoBundledModel. On the default folder,
      Tests/Fixtures/speech (80 sentences and the talk), the float32 texts are taken from the goldens, and so is
      `original-float32`, the published float16 weights.
nano: the nano fixture: its float16 weights computed in float32, and quantised to int8 at load. Default folder:
      Tests/Fixtures/nano-eval.

FOLDER holds recordings and a manifest.jsonl with their reference texts. Beam 5, temperature 0 only, otherwise
faster-whisper's defaults, language detected. OUTPUT is a JSON file: for every recording the number of words of its
reference and the errors of every run, which paired_bootstrap.py reads, and the texts where the runs differ.
"""
import argparse
import importlib.metadata
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.paths import BUNDLED_MODEL, FIXTURES, GOLDENS, ROOT
from support.recorder import Recorder
from support.references import reference
from support.samples import read_samples
from support.word_errors import NORMALISER, errors


def name_of(path):
    """The path relative to the repository; unchanged if outside."""
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


def transcribe(folder, compute, paths):
    """The text of every file."""
    model, texts = Recorder(folder, compute), {}
    for path in paths:
        texts[path] = text(model.transcribe_to_golden(read_samples(path)[0], beam_size=5))
        model.encoded.clear()
        print(compute, path.name, texts[path][:80], flush=True)
    return texts


def from_goldens(label, paths):
    """The texts of a golden file."""
    golden = json.loads((GOLDENS / "transcription" / f"{label}-beam5-transcribe.json").read_text(encoding="utf-8"))
    return {path: text(golden["files"][name_of(path)]) for path in paths}


def text(transcript):
    return "".join(segment["text"] for segment in transcript["segments"]).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["base", "nano"])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--files", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    folder = (arguments.files or FIXTURES / {"base": "speech", "nano": "nano-eval"}[arguments.model]).resolve()
    paths = [p for p in sorted(folder.glob("*.flac")) + sorted(folder.glob("*.wav")) if reference(name_of(p))[0]]
    if not paths:
        parser.error(f"{folder} has no recordings with a reference text in its manifest.jsonl")
    if arguments.model == "nano":
        texts = {compute: transcribe(FIXTURES / "nano", compute, paths) for compute in ("float32", "int8")}
    elif arguments.files:
        texts = {compute: transcribe(BUNDLED_MODEL, compute, paths) for compute in ("float32", "int8")}
    else:
        texts = {"float32": from_goldens("base-bundled", paths), "int8": transcribe(BUNDLED_MODEL, "int8", paths),
                 "original-float32": from_goldens("base-original", paths)}
    header = {"model": arguments.model, "beam_size": 5, "normaliser": NORMALISER,
              "versions": {p: importlib.metadata.version(p) for p in ("faster-whisper", "ctranslate2", "transformers")}}
    files = {}
    for path in paths:
        words, language = reference(name_of(path))
        counts = {run: errors(words, texts[run][path], language) for run in texts}
        entry = files[name_of(path)] = {
            "words": counts["int8"][1], "errors": {run: wrong for run, (wrong, _) in counts.items()}}
        if len({texts[run][path] for run in texts}) > 1:
            entry["texts"] = {run: texts[run][path] for run in texts}
    lines = ",\n".join(f"{json.dumps(k)}:{json.dumps(v, ensure_ascii=False, separators=(',', ':'))}" for k, v in files.items())
    arguments.output.write_text(json.dumps(header)[:-1] + ', "files":{\n' + lines + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
