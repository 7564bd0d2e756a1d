"""Voice activity by faster-whisper 1.2.1 and Silero: the goldens of Tests/Fixtures/voice-activity.

usage: python Tools/goldens/run.py vad probabilities --original silero_vad_16k_op15.onnx
       python Tools/goldens/run.py vad chunks|spans|transcripts

  probabilities  faster-whisper's ONNX graph on the weights of Silero 6.2.0 (float16 where the GGML file has float16), for
                 every window of the recordings below. --original is Silero's own file in float32 (package
                 silero-vad 6.2.0, silero_vad/data): the distances to it, and to Silero 6.0.0, which
                 faster-whisper carries, are recorded too. Checks that Silero's file, run by itself, gives what the graph gives.
  chunks         get_speech_timestamps on these probabilities and on random ones, and collect_chunks, for a grid of options;
                 SpeechTimestampsMap for times on and between the cuts
  spans          get_speech_timestamps as it is, with the network that faster-whisper carries, in the settings below
  transcripts    transcribe(vad_filter=True) as it is, at temperature 0 in float32 with nano and the bundled Whisper base

Needs faster-whisper, onnx, onnxruntime, soundfile, ffmpeg.
"""
import hashlib
import itertools
import json

import faster_whisper.transcribe
import faster_whisper.vad
import numpy as np
from faster_whisper.vad import SpeechTimestampsMap, VadOptions, collect_chunks, get_speech_timestamps

from support import golden, silero_onnx
from support.golden import compact, versions
from support.paths import BUNDLED_MODEL, FIXTURES, ROOT, SAMPLES, SILERO
from support.random_model import in_16_bits, noise
from support.samples import fingerprint, read_samples

OUT = FIXTURES / "voice-activity"
CARRIED = SILERO / "ggml-silero-v6.2.0.bin"
FILES = ["speech/talk.flac", *sorted(f"real-speech/{p.name}" for p in (FIXTURES / "real-speech").iterdir() if p.suffix != ".md"),
         *(f"nano-eval/{n}.flac" for n in ("en-long-1", "de-long-2", "es-several-1", "tr-several-1", "nospeech-hum",
                                           "nospeech-noise", "nospeech-silence")),
         *sorted(f"speech/languages/{p.name}" for p in (FIXTURES / "speech/languages").glob("*.wav"))]


def chords():
    """40 s of three notes at a time, struck four times a second and fading: a kind of music."""
    t = np.arange(4000) / 16000
    notes = [220, 247, 262, 294, 330, 349, 392, 440]
    parts = []
    for beat in range(160):
        root = notes[beat * 5 % 8]
        parts.append(0.2 * (1 - 4 * t) * sum(np.sin(2 * np.pi * (f * t)) for f in (root, 2 * root, 3 * root)))
    return in_16_bits(np.concatenate(parts))


def gaps():
    """Sentences with 3 to 12 s of silence or of noise between them; long before the first and after the last."""
    parts = [np.zeros(80_000, np.float32)]
    for i in range(6):
        parts.append(read_samples(FIXTURES / f"speech/en-00{i}.flac")[0])
        length = 48_000 + 24_000 * i
        hiss = in_16_bits(0.01 * noise(20 + i, length)) if i % 2 else np.zeros(length, np.float32)
        parts.append(hiss)
    return np.concatenate(parts)


def recordings():
    """(name, samples, how they were made) of every recording."""
    for name in FILES:
        yield (f"Tests/Fixtures/{name}", *read_samples(FIXTURES / name))
    name = "inaugural-1961.wav"
    inaugural = read_samples(SAMPLES / name)[0]
    yield str((SAMPLES / name).relative_to(ROOT)), inaugural, "file"
    # In the last window faster-whisper silences 64 samples whether there are any or not: cut within speech.
    for count in (0, 1, 511, 512, 513, 60_000 // 512 * 512 + 500):
        yield f"inaugural-first-{count}", inaugural[:count], "computed"
    yield "noise", (0.125 * noise(1, 480_000)).astype(np.float32), "computed"
    yield "chords", chords(), "computed"
    yield "gaps", gaps(), "computed"


READERS = sorted((FIXTURES / "readers").glob("*.flac"))


def readers():
    """Twenty sentences of fifteen people, one after the other."""
    return np.concatenate([read_samples(path)[0] for path in READERS])


def write(name, header, key, entries):
    golden.write(f"voice-activity/{name}", compact(header)[:-1] + f',"{key}":{golden.lines(entries, compact)}}}\n')


def make_probabilities(original):
    carried = silero_onnx.detector(silero_onnx.read_ggml(CARRIED))
    exact = silero_onnx.detector(silero_onnx.read_original(original))
    older = faster_whisper.vad.get_vad_model()
    values, entries, total = [], [], 0
    for name, samples, how in recordings():
        padded = silero_onnx.pad(samples)
        p, p32, p60 = (model(padded.copy()).ravel() for model in (carried, exact, older))
        itself = silero_onnx.by_silero_itself(original, samples)
        assert np.abs(itself - p32).max() < 2e-6, (name, np.abs(itself - p32).max())
        entries.append({"audio": name, "samples": how, "count": len(samples), "sha256": fingerprint(samples),
                        "windows": len(p), "offset": sum(map(len, values)), "speech": round(float((p >= 0.5).mean()), 4),
                        "to_float32": float(f"{np.abs(p - p32).max():.3g}"),
                        "to_6.0.0": float(f"{np.abs(p - p60).max():.3g}")})
        values.append(p.astype("<f4"))
        total += len(samples)
        print(entries[-1], flush=True)
    whole = np.concatenate(values)
    header = {"weights": CARRIED.name, "seconds": round(total / 16000, 1),
              "versions": versions("faster-whisper", "onnxruntime", "numpy")}
    write("probabilities.json", header, "recordings", entries)
    golden.write("voice-activity/probabilities.bin", whole.tobytes())
    print(header, len(whole), "windows; to float32 at most", max(e["to_float32"] for e in entries))


def random_probabilities(seed):
    """Probabilities that rise and fall: every few windows a new level, with noise around it. Exact in float32."""
    count = 300 + 7 * seed
    jitter, choice, p, level = noise(1000 + seed, count), noise(2000 + seed, count), [], 0.2
    for i in range(count):
        if choice[i] > (0.9, 0.6, 0.2)[seed % 3]:
            level = (choice[i] * 8388608 % 1024) / 1024
        p.append(min(1.0, max(0.0, level + 0.25 * jitter[i])))
    return np.array(p, np.float32), count * 512 - 512 + (seed * 37) % 512


GRID = [dict(zip(("threshold", "neg_threshold", "min_speech_duration_ms", "max_speech_duration_s",
                  "min_silence_duration_ms", "speech_pad_ms"), values))
        for values in itertools.product((0.3, 0.5, 0.8), (None, 0.2), (0, 250), (float("inf"), 30, 4.7, 1.0),
                                        (0, 100, 160, 2000), (0, 33, 400))]


class KnownProbabilities:
    """Stands in for the network: returns given probabilities."""

    def __init__(self, probabilities):
        self.probabilities = probabilities

    def __call__(self, padded):
        assert len(padded) == 512 * len(self.probabilities)
        return self.probabilities


def chunks_of(probabilities, count, options):
    faster_whisper.vad.get_vad_model = lambda: KnownProbabilities(probabilities)
    found = get_speech_timestamps(np.zeros(count, np.float32), VadOptions(**options))
    return [(c["start"], c["end"]) for c in found]


def groups_of(chunks, count, seconds):
    """collect_chunks' groups as (offset, samples); those without samples left out, as they only occur at the front."""
    _, groups = collect_chunks(np.zeros(count, np.float32), [{"start": a, "end": b} for a, b in chunks],
                               max_duration=seconds)
    return [(round(g["offset"] * 16000), round(g["duration"] * 16000)) for g in groups if g["duration"] > 0]


def make_chunks():
    index = json.loads((OUT / "probabilities.json").read_text())
    whole = np.fromfile(OUT / "probabilities.bin", "<f4")
    sequences = [(e["audio"], whole[e["offset"]:e["offset"] + e["windows"]], e["count"]) for e in index["recordings"]]
    sequences += [(f"random-{seed}", *random_probabilities(seed)) for seed in range(30)]
    entries = []
    for name, probabilities, count in sequences:
        digest, found = hashlib.sha256(), 0
        for options in GRID:
            chunks = chunks_of(probabilities, count, options)
            groups = groups_of(chunks, count, 30) + groups_of(chunks, count, 7.5)
            found += len(chunks)
            digest.update((";".join(f"{a}-{b}" for a, b in chunks) + "|" +
                           ";".join(f"{a}-{b}" for a, b in groups) + "\n").encode())
        entries.append({"probabilities": name, "count": count, "chunks": found, "sha256": digest.hexdigest(),
                        "defaults": chunks_of(probabilities, count, {})})
        print(name, found, len(entries[-1]["defaults"]), flush=True)
    header = {"versions": versions("faster-whisper", "numpy"), "grid": len(GRID), "maps": maps()}
    write("chunks.json", header, "sequences", entries)


def maps():
    """Times of the joined chunks and where SpeechTimestampsMap puts them: on the cuts, next to them, anywhere."""
    found = []
    for seed, count in ((1, 1), (2, 3), (3, 12), (4, 40)):
        steps = np.floor(np.abs(noise(seed, 2 * count)) * 400).astype(int) * 80 + 80
        edges = np.cumsum(steps).tolist()
        chunks = [{"start": a, "end": b} for a, b in zip(edges[::2], edges[1::2])]
        there = SpeechTimestampsMap(chunks, 16000)
        ends = [e / 16000 for e in there.chunk_end_sample]
        times = [0.0] + [e + d for e in ends for d in (-0.01, 0.0, 0.01)] + [round(e, 2) for e in ends]
        times += [round(abs(x) * ends[-1] * 1.1, 2) for x in noise(100 + seed, 40).tolist()]
        rows = [[t, there.get_chunk_index(t), there.get_chunk_index(t, True), there.get_original_time(t),
                 there.get_original_time(t, is_end=True)] for t in times]
        found.append({"chunks": [[c["start"], c["end"]] for c in chunks], "times": rows})
    return found


#: Where a clear pause ends speech and little of it is kept, the versions of Silero differ most.
TIGHT = {"threshold": 0.6, "min_silence_duration_ms": 300, "speech_pad_ms": 100}
LOOSE = {"threshold": 0.4, "min_silence_duration_ms": 300, "speech_pad_ms": 100}
SETTINGS = [{}, TIGHT, LOOSE, {"max_speech_duration_s": 6, "min_silence_duration_ms": 160},
            {"min_speech_duration_ms": 250, "min_silence_duration_ms": 100, "speech_pad_ms": 30}]


def make_spans():
    entries = []
    for name, samples, how in [*recordings(), *((str(p.relative_to(ROOT)), *read_samples(p)) for p in READERS)]:
        # What ffmpeg decodes depends on its version.
        if how == "ffmpeg":
            continue
        spans = [[(c["start"], c["end"]) for c in get_speech_timestamps(samples, VadOptions(**options))]
                 for options in SETTINGS]
        entries.append({"audio": name, "sha256": fingerprint(samples), "count": len(samples), "spans": spans})
        print(name, [len(s) for s in spans], flush=True)
    write("spans.json", {"versions": versions("faster-whisper", "onnxruntime", "numpy"), "settings": SETTINGS},
          "recordings", entries)


#: Names of faster-whisper's options; every run is at temperature 0 in float32.
VARIANTS = [{}, {"word_timestamps": True}, {"vad_parameters": LOOSE}, {"vad_parameters": TIGHT},
            {"vad_parameters": {"max_speech_duration_s": 6, "min_silence_duration_ms": 160}, "word_timestamps": True}]


def make_transcripts():
    from support.recorder import Recorder

    class KeepingInfo(Recorder):
        def transcribe(self, *arguments, **options):
            segments, self.info = super().transcribe(*arguments, **options)
            return segments, self.info

    long = FIXTURES / "speech/talk.flac"
    several = FIXTURES / "nano-eval/en-several-1.flac"
    jobs = [("nano", FIXTURES / "nano", {"gaps": gaps(), str(several.relative_to(ROOT)): read_samples(several)[0]}),
            ("base-bundled", BUNDLED_MODEL,
             {"gaps": gaps(), "readers": readers(), str(long.relative_to(ROOT)): read_samples(long)[0]})]
    entries = []
    for label, folder, inputs in jobs:
        model = KeepingInfo(folder)
        for (name, samples), beam, variant in itertools.product(inputs.items(), (1, 5), VARIANTS):
            if beam == 5 and "vad_parameters" in variant:
                continue
            entry = model.transcribe_to_golden(samples, beam_size=beam, vad_filter=True, language="en",
                                               **json.loads(json.dumps(variant)))
            for key in ("windows", "language_probs", "language", "language_probability"):
                del entry[key]
            entry["segments"] = [{k: s[k] for k in ("seek", "start", "end", "text", "tokens", "words") if k in s}
                                 for s in entry["segments"]]
            entries.append(dict(model=label, sound=name, sha256=fingerprint(samples), beam_size=beam, options=variant,
                                duration_after_vad=model.info.duration_after_vad, **entry))
            print(label, name, beam, variant, entry["fallback"], len(entry["segments"]), flush=True)
        model.encoded.clear()
    header = {"precision": "float32", "temperature": 0, "versions": versions("faster-whisper", "ctranslate2", "numpy")}
    write("transcripts.json", header, "transcripts", entries)


JOBS = {"probabilities": make_probabilities, "chunks": make_chunks, "spans": make_spans, "transcripts": make_transcripts}


def options(parser):
    parser.add_argument("job", choices=JOBS)
    parser.add_argument("--original", help="for probabilities: Silero's silero_vad_16k_op15.onnx, version 6.2.0")


def make(arguments):
    if arguments.job != "probabilities":
        return JOBS[arguments.job]()
    if not arguments.original:
        raise SystemExit("probabilities needs --original FILE")
    make_probabilities(arguments.original)
