"""Word errors of faster-whisper in float32 and in int8, file by file: what Steno's int8 is measured beside.

usage: make_int8_errors.py base|nano [--base-original DIR]

base: Whisper base on Tests/Fixtures/speech (80 sentences and the talk): `float32` and `int8` compute the int8 weights
      of StenoBundledModel, `original-float32` (with --base-original) the published float16 weights.
nano: the nano model on Tests/Fixtures/nano-eval-big, its float16 weights computed in float32 and quantised to int8 at load.

Beam 5, temperature 0 only, all else faster-whisper's defaults, language detected. Writes
Tests/Fixtures/goldens/int8/<model>.json: for every file the words of its text and the errors of every run, in the form
that paired_bootstrap.py reads, and the texts themselves where the runs differ.
"""
import argparse
import importlib.metadata
import json

from faster_whisper import WhisperModel

from fixture_texts import reference
from golden_audio import BUNDLED_MODEL, FIXTURES, GOLDENS, ROOT, read_samples
from text_errors import NORMALISER, errors


def hear(model, path):
    segments, _ = model.transcribe(read_samples(path)[0], beam_size=5, temperature=0.0)
    return "".join(s.text for s in segments).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["base", "nano"])
    parser.add_argument("--base-original")
    arguments = parser.parse_args()
    if arguments.model == "nano":
        paths = sorted((FIXTURES / "nano-eval-big").glob("*.flac"))
        runs = {"float32": (FIXTURES / "nano", "float32"), "int8": (FIXTURES / "nano", "int8")}
    else:
        paths = sorted((FIXTURES / "speech").glob("*.flac"))
        runs = {"float32": (BUNDLED_MODEL, "float32"), "int8": (BUNDLED_MODEL, "int8")}
        if arguments.base_original:
            runs["original-float32"] = (arguments.base_original, "float32")
    heard = {run: {} for run in runs}
    for run, (folder, compute) in runs.items():
        model = WhisperModel(str(folder), device="cpu", compute_type=compute, cpu_threads=1)
        for path in paths:
            heard[run][path] = hear(model, path)
            print(run, path.name, heard[run][path][:80], flush=True)
    header = {"model": arguments.model, "beam_size": 5, "normaliser": NORMALISER,
              "versions": {p: importlib.metadata.version(p) for p in ("faster-whisper", "ctranslate2", "transformers")}}
    files = {}
    for path in paths:
        name = str(path.relative_to(ROOT))
        said, language = reference(name)
        counts = {run: errors(said, heard[run][path], language) for run in runs}
        files[name] = {"words": counts["int8"][1], "errors": {run: wrong for run, (wrong, _) in counts.items()}}
        if len({heard[run][path] for run in runs}) > 1:
            files[name]["texts"] = {run: heard[run][path] for run in runs}
    lines = ",\n".join(f"{json.dumps(k)}:{json.dumps(v, ensure_ascii=False, separators=(',', ':'))}" for k, v in files.items())
    folder = GOLDENS / "int8"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{arguments.model}.json").write_text(json.dumps(header)[:-1] + ', "files":{\n' + lines + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
