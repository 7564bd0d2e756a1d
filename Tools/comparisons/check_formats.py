#!/usr/bin/env python3
"""Compare Steno's readers and converter of model files with whisper.cpp, CTranslate2's converter and faster-whisper.

usage: check_formats.py PART [--steno PROGRAM] …

  tokens    MODEL…           transcribes recordings in float32 with every model; all must give the same tokens
  convert   HF GGML          converts to every precision and compares the files with ct2-transformers-converter's
  faster    SOURCE…          converts each to float32 and int8 and compares faster-whisper's tokens with Steno's
  blocks    FILE.bin…        compares the values of quantised GGML files with those of whisper.cpp's ggml
  load      MODEL…           time and peak memory of loading, in turns
  errors    MODEL [GGML]     word error rates of a model and of whisper.cpp, and their difference with an interval

Other engines run on --threads threads, 1 by default: OpenMP's threads spin while they wait for each other, so on a busy machine
a recording takes minutes instead of seconds.

Needs faster-whisper, ctranslate2 with transformers (the package of that name and its converter on PATH), numpy; for
`blocks` and `errors` a build of whisper.cpp (--whisper-cpp FOLDER).
"""
import argparse, ctypes, json, os, statistics, struct, subprocess, sys, tempfile, time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tools"))
from support.ct2_model import read as read_variables  # noqa: E402
from support.references import reference  # noqa: E402
from support.word_errors import errors as word_errors  # noqa: E402


def recordings(folder, limit):
    return sorted(p for p in Path(folder).iterdir() if p.suffix in (".flac", ".wav"))[:limit]


def transcripts(steno, model, files, *options):
    """The transcripts of files by name, in the order of the files."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([steno, "transcribe", *map(str, files), "--model", model, "--language", "en", "--temperature",
                        "0", "--format", "json", "--output-dir", out, *options], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return {f.stem: json.load(open(Path(out) / (f.stem + ".json"))) for f in files}


def tokens(transcript):
    return [t for segment in transcript["segments"] for t in segment["tokens"]]


def part_tokens(args):
    files = recordings(args.audio, args.limit)
    results = [transcripts(args.steno, m, files, "--precision", "float32") for m in args.names]
    for name, result in zip(args.names[1:], results[1:]):
        same = sum(tokens(result[f.stem]) == tokens(results[0][f.stem]) for f in files)
        print(f"{name}: {same} of {len(files)} recordings have the tokens of {args.names[0]}")
    print(f"{sum(len(tokens(r)) for r in results[0].values())} tokens")


def part_convert(args):
    for precision in ("float32", "float16", "bfloat16", "int8"):
        for source in args.names:
            with tempfile.TemporaryDirectory() as out:
                ours, theirs = Path(out) / "ours", Path(out) / "theirs"
                subprocess.run([args.steno, "models", "convert", source, ours, "--quantization", precision],
                               check=True, stdout=subprocess.DEVNULL)
                subprocess.run(["ct2-transformers-converter", "--model", args.names[0], "--output_dir", theirs,
                                "--quantization", precision], check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
                same = [name for name in ("model.bin", "config.json", "vocabulary.json")
                        if (ours / name).read_bytes() == (theirs / name).read_bytes()]
                a, b = read_variables(ours / "model.bin"), read_variables(theirs / "model.bin")
                weights = sum(a[k].tobytes() == b[k].tobytes() for k in b if k in a)
                config, other = (json.loads((f / "config.json").read_text()) for f in (ours, theirs))
                different = [f"{k} ({len(config.get(k, []))} entries, theirs {len(other.get(k, []))})"
                             for k in sorted({*config, *other}) if config.get(k) != other.get(k)]
                print(f"{precision} {source}: {weights} of {len(b)} variables have the same bytes; same files: "
                      f"{', '.join(same) or 'none'}; different in config.json: {', '.join(different) or 'nothing'}")


def part_faster(args):
    from faster_whisper import WhisperModel
    files = recordings(args.audio, args.limit)
    for source in args.names:
        # The last one also computes in int8, where engines round differently.
        for stored, precision in (("float32", "float32"), ("int8", "float32"), ("int8", "int8")):
            with tempfile.TemporaryDirectory() as out:
                folder = Path(out) / "model"
                subprocess.run([args.steno, "models", "convert", source, folder, "--quantization", stored], check=True,
                               stdout=subprocess.DEVNULL)
                ours = transcripts(args.steno, folder, files, "--precision", precision, "--decode-silence")
                model = WhisperModel(str(folder), device="cpu", compute_type=precision, cpu_threads=args.threads,
                                     local_files_only=True)
                same = count = 0
                for file in files:
                    segments, _ = model.transcribe(str(file), language="en", temperature=0.0)
                    theirs = [t for s in segments for t in s.tokens]
                    same, count = same + (theirs == tokens(ours[file.stem])), count + len(theirs)
                print(f"{source} as {stored}, computed in {precision}: faster-whisper gives Steno's tokens for {same} of "
                      f"{len(files)} recordings, {count} tokens", flush=True)


def part_blocks(args):
    ggml = ctypes.CDLL(str(args.whisper_cpp / "build/bin/libggml-base.so"))
    names = {2: "dequantize_row_q4_0", 3: "dequantize_row_q4_1", 6: "dequantize_row_q5_0", 7: "dequantize_row_q5_1",
             8: "dequantize_row_q8_0"}
    sizes = {0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34)}
    for path in args.names:
        data = Path(path).read_bytes()
        position = 4 + 11 * 4
        bands, bins = struct.unpack_from("<ii", data, position)
        position += 8 + 4 * bands * bins
        (count,) = struct.unpack_from("<i", data, position)
        position += 4
        for _ in range(count):
            position += 4 + struct.unpack_from("<i", data, position)[0]
        with tempfile.TemporaryDirectory() as out:
            folder = Path(out) / "model"
            subprocess.run([args.steno, "models", "convert", path, folder, "--quantization", "float32"], check=True,
                           stdout=subprocess.DEVNULL)
            ours = {value.tobytes() for value in parts(read_variables(folder / "model.bin"))}
        compared = values = 0
        while position < len(data):
            rank, length, kind = struct.unpack_from("<iii", data, position)
            shape = struct.unpack_from(f"<{rank}i", data, position + 12)
            position += 12 + 4 * rank + length
            number, size = sizes[kind]
            total = int(np.prod(shape))
            raw = data[position:position + total // number * size]
            position += len(raw)
            if kind in names:
                decoded = np.empty(total, np.float32)
                getattr(ggml, names[kind])(raw, decoded.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(total))
                assert decoded.tobytes() in ours, f"a tensor of {path} differs"
                compared, values = compared + 1, values + total
        print(f"{path}: {compared} tensors, {values} values, all with the bytes of whisper.cpp's dequantiser")


def parts(variables):
    """The tensors as in GGML: projections that CTranslate2 stacks are split."""
    for name, value in variables.items():
        if name.endswith("self_attention/linear_0/weight"):
            yield from np.split(value, 3)
        elif name.endswith("/attention/linear_1/weight"):
            yield from np.split(value, 2)
        else:
            yield value


def part_load(args):
    times, peaks = {m: [] for m in args.names}, {m: [] for m in args.names}
    for _ in range(args.rounds):
        for model in args.names:
            # For the whole process; `models info` loads in int8, the other tool in float32.
            command = [args.fuzz_tool, "load"] if args.precision == "float32" else [args.steno, "models", "info"]
            start = time.perf_counter()
            process = subprocess.Popen([*command, model], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            assert status == 0, model
            times[model].append(time.perf_counter() - start)
            peaks[model].append(usage.ru_maxrss * 1024 / 1e6)
    first = statistics.median(times[args.names[0]])
    for model in args.names:
        median = statistics.median(times[model])
        print(f"{model} in {args.precision}: {median:.3f} s ({median / first:.2f}), peak {max(peaks[model]):.0f} MB")


def part_errors(args):
    files = recordings(args.audio, args.limit)
    ours = transcripts(args.steno, args.names[0], files, "--beam-size", "1", "--precision", args.precision,
                       "--decode-silence")
    pairs = []
    for file in files:
        cli = args.whisper_cpp / "build/bin/whisper-cli"
        theirs = subprocess.run([cli, "-m", args.names[-1], "-f", file, "-l", "en", "-bs", "1", "-bo", "1", "-nf", "-nt",
                                 "-np", "-t", str(args.threads)], check=True, capture_output=True, text=True).stdout
        mine = "".join(s["text"] for s in ours[file.stem]["segments"])
        text, language = reference(str(file.resolve().relative_to(ROOT)))
        pairs.append([word_errors(text, hypothesis, language) for hypothesis in (mine, theirs)])
        if args.show and pairs[-1][0][0] != pairs[-1][1][0]:
            print(f"{file.stem}: {pairs[-1][0][0]} errors of Steno: {mine.strip()}\n"
                  f"{' ' * len(file.stem)}  {pairs[-1][1][0]} of whisper.cpp: {theirs.strip()}", flush=True)
    errors = np.array([[a[0], b[0]] for a, b in pairs], float)
    words = np.array([a[1] for a, _ in pairs], float)
    random = np.random.default_rng(1)
    picks = random.integers(0, len(files), (10_000, len(files)))
    differences = (errors[picks, 0] - errors[picks, 1]).sum(1) / words[picks].sum(1) * 100
    low, high = np.percentile(differences, [2.5, 97.5])
    rates = errors.sum(0) / words.sum() * 100
    print(f"{args.names[-1]}: Steno {rates[0]:.2f} %, whisper.cpp {rates[1]:.2f} %, difference {rates[0] - rates[1]:+.2f} "
          f"[{low:+.2f}, {high:+.2f}], {len(files)} recordings, {int(words.sum())} words")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("part", choices=[name[5:] for name in globals() if name.startswith("part_")])
parser.add_argument("names", nargs="+")
parser.add_argument("--steno", default=str(ROOT / ".build/release/steno"))
parser.add_argument("--fuzz-tool", default=str(ROOT / ".build/release/StenoFuzzTool"))
parser.add_argument("--audio", default=str(ROOT / "Tests/Fixtures/speech"))
parser.add_argument("--precision", default="float32")
parser.add_argument("--limit", type=int, default=1000)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--show", action="store_true", help="print what differs in its errors")
parser.add_argument("--whisper-cpp", type=Path)
args = parser.parse_args()
os.environ["OMP_NUM_THREADS"] = str(args.threads)
globals()["part_" + args.part](args)
