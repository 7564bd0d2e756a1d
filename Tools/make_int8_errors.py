"""Word errors of faster-whisper in float32 and in int8, file by file: what Steno's int8 is measured beside.

usage: make_int8_errors.py base|nano

base: Whisper base on Tests/Fixtures/speech (80 sentences and the talk): `float32` and `int8` compute the int8 weights
      of StenoBundledModel, `original-float32` the published float16 weights. The two in float32 are taken from the
      goldens of make_transcription_goldens.py, which must be there.
nano: the nano model on Tests/Fixtures/nano-eval-big, its float16 weights computed in float32 and quantised to int8 at load.

Beam 5, temperature 0 only, all else faster-whisper's defaults, language detected. Writes
Tests/Fixtures/goldens/int8/<model>.json: for every file the words of its text and the errors of every run, in the form
that paired_bootstrap.py reads, and the texts themselves where the runs differ.
"""
import argparse
import importlib.metadata
import json

from fixture_texts import reference
from golden_audio import BUNDLED_MODEL, FIXTURES, GOLDENS, ROOT, read_samples
from make_transcription_goldens import Recorder
from text_errors import NORMALISER, errors


def hear(folder, compute, paths):
    """The text of every file."""
    model, texts = Recorder(folder, compute), {}
    for path in paths:
        texts[path] = text(model.hear(read_samples(path)[0], beam_size=5))
        model.encoded.clear()
        print(compute, path.name, texts[path][:80], flush=True)
    return texts


def recall(label, paths):
    """The texts of a golden file."""
    golden = json.loads((GOLDENS / "transcription" / f"{label}-beam5-transcribe.json").read_text(encoding="utf-8"))
    return {path: text(golden["files"][str(path.relative_to(ROOT))]) for path in paths}


def text(transcript):
    return "".join(segment["text"] for segment in transcript["segments"]).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["base", "nano"])
    arguments = parser.parse_args()
    if arguments.model == "nano":
        paths = sorted((FIXTURES / "nano-eval-big").glob("*.flac"))
        heard = {compute: hear(FIXTURES / "nano", compute, paths) for compute in ("float32", "int8")}
    else:
        paths = sorted((FIXTURES / "speech").glob("*.flac"))
        heard = {"float32": recall("base-bundled", paths), "int8": hear(BUNDLED_MODEL, "int8", paths),
                 "original-float32": recall("base-original", paths)}
    header = {"model": arguments.model, "beam_size": 5, "normaliser": NORMALISER,
              "versions": {p: importlib.metadata.version(p) for p in ("faster-whisper", "ctranslate2", "transformers")}}
    files = {}
    for path in paths:
        name = str(path.relative_to(ROOT))
        said, language = reference(name)
        counts = {run: errors(said, heard[run][path], language) for run in heard}
        files[name] = {"words": counts["int8"][1], "errors": {run: wrong for run, (wrong, _) in counts.items()}}
        if len({heard[run][path] for run in heard}) > 1:
            files[name]["texts"] = {run: heard[run][path] for run in heard}
    lines = ",\n".join(f"{json.dumps(k)}:{json.dumps(v, ensure_ascii=False, separators=(',', ':'))}" for k, v in files.items())
    folder = GOLDENS / "int8"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{arguments.model}.json").write_text(json.dumps(header)[:-1] + ', "files":{\n' + lines + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
