#!/usr/bin/env python3
"""Measures Steno, CTranslate2/faster-whisper and whisper.cpp in turn, on the same weights and the same machine.

    python Tools/speed/compare_peers.py RESULTS.json --steno PATH [--benchmarks PATH] [--whisper-cpp FOLDER] --model base=FOLDER [--model small=FOLDER …]
        [--only window,start,file,fixed,clip,together,idle] [--threads 1,2] [--runs 7] [--minutes 9]
    python Tools/speed/compare_peers.py RESULTS.json --render [--markdown FILE]

Measurements are added to RESULTS.json, so that a long section can be measured in several runs; --minutes starts no round
that would end later. In each round every engine is measured once, in turn, with a pause that lets its threads go to
sleep. The tables have the median, minimum and maximum, and Steno's median as a share of each peer's; a peer is listed
with its fastest type and its fastest number of threads up to Steno's. Run it on a machine that is otherwise idle.

A model's FOLDER holds ct2-int8, ct2-float32 and so on (CTranslate2) and ggml-*.bin (whisper.cpp) of the same weights; Steno
reads ct2-int8. The FOLDER of whisper.cpp is where its build has libwhisper.so and whisper-cli; `fixed` also needs a C
compiler and the headers of its checkout, in a parent folder. faster-whisper must be importable.

To limit all engines to AVX2: STENO_MAX_ISA=avx2; CT2_FORCE_CPU_ISA=AVX2 together with ONEDNN_MAX_CPU_ISA=AVX2 (on Intel
MKL_ENABLE_INSTRUCTIONS=AVX2), since the first does not reach CTranslate2's matrix products; and a build of whisper.cpp with
GGML_NATIVE=OFF and AVX2, FMA and F16C.

window    30 s of noise stage by stage: log-mel, encoder, a greedy token, a beam-5 step; 64 tokens
start     a new process to its first token (peers: after their imports), and its peak memory after one window (peers: growth
          over the state after the imports)
file      ten minutes of speech from the tests' recordings to text, beam 5, sequential and in batches of 8
fixed     ten minutes, 50 tokens per window and no end of text: independent of the weights, so random ones will do
clip      four seconds of speech, with the full window and with Steno's --audio-context auto
together  two transcriptions in parallel and one after the other (Steno)
idle      the processor time of a process that waits for audio (Steno)
"""

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from speed.peer_tables import render
from support.paths import FIXTURES
from support.word_errors import errors

SPEECH = FIXTURES / "speech"
# The names in `steno bench` for a recording: the section, its option, its figure.
AUDIO_SECTION, AUDIO_OPTION, AUDIO_FIGURE = "audio", "--audio", "audio_ms"
# With a limit of 96 new tokens both engines generate 50: half of the sum of the limit and the prompt's four tokens.
TOKENS, FIXED_TOKENS, FIXED_LIMIT, BEAMS, BATCH = 64, 50, 96, 5, 8
# An engine's threads spin for a while after their work, which must not overlap with another measurement.
PAUSE = 0.5
# A type that is this much slower than a peer's best in the first round is not measured again.
TOO_SLOW = 1.3
# In these sections the first round is a warm-up; the others are long enough not to need one.
WARMED = ("window", "start", "clip")


class Engine:
    """An engine with a model, a type and a number of threads; `read()` returns one measurement of each of its figures."""

    def __init__(self, name, type, threads, read, close=lambda: None):
        self.name, self.type, self.threads, self.read, self.close = name, type, threads, read, close


class EngineEnded(Exception):
    """A peer ended, for example on a type that this processor does not support."""


class Worker:
    """A peer's process, started at the first request."""

    def __init__(self, **arguments):
        self.arguments, self.process = arguments, None

    def ask(self, **question):
        if not self.process:
            self.process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("peer_worker.py"), json.dumps(self.arguments)], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise EngineEnded(f"{self.arguments} ended before it answered {question}")
        return json.loads(answer)

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None

    def ask_once(self, **question):
        answer = self.ask(**question)
        self.close()
        return answer


class Peers:
    """The engines to compare with."""

    def __init__(self, a, model, folder):
        self.a, self.model, self.folder = a, model, folder
        self.steno_model = str(folder / "ct2-int8")

    def floors(self, threads):
        """The shortest times of Steno's stages that this machine's roofline allows."""
        floors = json.loads(subprocess.run(
            [self.a.benchmarks, "floors", "--model", self.steno_model, "--threads", str(threads)], check=True,
            capture_output=True, text=True).stdout)
        return {**floors, "encode_cross_ms": floors["encode_ms"] + floors["cross_ms"]}

    def ct2_types(self):
        """The folder that CTranslate2 reads for each of its types."""
        wanted = [t for t in self.a.ct2_types if (self.folder / f"ct2-{t}").is_dir()]
        return [(t, str(self.folder / f"ct2-{t}")) for t in wanted]

    def ggml_types(self):
        if not self.a.whisper_cpp:
            return []
        files = {t: self.folder / f"ggml-{t}.bin" for t in self.a.ggml_types}
        return [(t, str(file)) for t, file in files.items() if file.exists()]

    def library(self):
        folder = Path(self.a.whisper_cpp)
        found = [p for p in [folder / "libwhisper.so", *folder.parent.rglob("libwhisper.so"), *folder.parent.rglob("libwhisper.dylib")]
                 if p.exists()]
        if not found:
            sys.exit(f"there is no libwhisper in {folder} or next to it")
        return str(found[0])

    def steno_bench(self, threads, *arguments):
        out = subprocess.run(
            [self.a.steno, "bench", "--model", self.steno_model, "--threads", str(threads), "--runs", "1", "--json", *arguments],
            check=True, capture_output=True, text=True).stdout
        return {k: v for k, v in json.loads(out).items() if not k.endswith(("_min", "_max"))}

    def engines(self, name, threads, ask, **extra):
        """A peer in each of its types; `ask` has its worker do one measurement."""
        is_ggml = name == "whisper.cpp"
        for type, path in self.ggml_types() if is_ggml else self.ct2_types():
            extra |= {"library": self.library()} if is_ggml else {}
            worker = Worker(engine=name.lower(), model=path, type=type, threads=threads, **extra)
            yield Engine(name, type, threads, lambda worker=worker: ask(worker), worker.close)


def window(p, threads):
    def steno():
        r = p.steno_bench(threads, "--only", "window", "--tokens", str(TOKENS))
        r["encode_cross_ms"] = r["encode_ms"] + r["cross_ms"]
        return {k: r[k] for k in ("log_mel_ms", "encode_ms", "encode_cross_ms", "prefill_ms", "greedy_token_ms", "beam5_step_ms")}
    yield Engine("Steno", "int8", threads, steno)
    if p.a.benchmarks:
        yield Engine("ceiling", "int8", threads, lambda: p.floors(threads))
    for name in ("CTranslate2", "whisper.cpp"):
        yield from p.engines(name, threads, lambda worker: worker.ask(do="window", tokens=TOKENS))


def start(p, threads):
    def steno():
        r = p.steno_bench(threads, "--only", "start", "--tokens", str(TOKENS))
        return {k: r[k] for k in ("cold_start_ms", "peak_rss_mb")}
    yield Engine("Steno", "int8", threads, steno)
    for name in ("CTranslate2", "whisper.cpp"):
        yield from p.engines(name, threads, lambda worker: worker.ask_once(do="cold", tokens=TOKENS), cold=True)


def steno_transcribe(p, audio, threads, *arguments):
    """The seconds from the loaded model to the text, and the text."""
    with tempfile.TemporaryDirectory() as out:
        messages = subprocess.run(
            [p.a.steno, "transcribe", audio, "--model", p.steno_model, "--threads", str(threads), "--language", "en",
             "--beam-size", str(BEAMS), "--verbose", "--output-format", "json", "--output-dir", out, *arguments],
            check=True, capture_output=True, text=True).stderr
        text = json.loads(next(Path(out).glob("*.json")).read_text())["text"]
    return float(re.search(r"s of (?:sound|audio) in ([\d.]+) s", messages).group(1)), text


def file(p, threads):
    audio, reference = (p.a.audio, Path(p.a.text).read_text()) if p.a.audio else p.a.recordings.ten_minutes()

    def timed(name, seconds, text):
        wrong, words = errors(reference, text, "en")
        return {name: seconds, name.replace("_s", "_wer"): 100 * wrong / words}

    def steno():
        return {**timed("file_s", *steno_transcribe(p, audio, threads)),
                **timed("file_batched_s", *steno_transcribe(p, audio, threads, "--batch-size", str(BATCH)))}

    def faster_whisper(w):
        options = {"beam_size": BEAMS, "language": "en"}
        one = w.ask(do="file", path=audio, options=options)
        many = w.ask(do="file", path=audio, options=options, batch=BATCH)
        return {**timed("file_s", one["seconds"], one["text"]), **timed("file_batched_s", many["seconds"], many["text"])}

    def whisper_cpp(path):
        begin = time.perf_counter()
        out = subprocess.run(
            [Path(p.a.whisper_cpp) / "whisper-cli", "-m", path, "-f", audio, "-t", str(threads), "-bs", str(BEAMS), "-l", "en", "-np"],
            check=True, capture_output=True, text=True).stdout
        seconds = time.perf_counter() - begin
        return timed("file_s", seconds, " ".join(re.sub(r"^\[.*?\]\s*", "", line) for line in out.splitlines()))

    yield Engine("Steno", "int8", threads, steno)
    yield from p.engines("faster-whisper", threads, faster_whisper)
    for type, path in p.ggml_types():
        yield Engine("whisper.cpp", type, threads, lambda path=path: whisper_cpp(path))


def fixed(p, threads):
    """No end of text and one temperature: the work does not depend on the weights."""
    audio = p.a.audio or p.a.recordings.ten_minutes()[0]
    end = 50257
    plain = {"language": "en", "beam_size": BEAMS, "temperature": 0, "without_timestamps": True, "suppress_tokens": [end],
             "condition_on_previous_text": False, "compression_ratio_threshold": None, "log_prob_threshold": None,
             "no_speech_threshold": None, "max_new_tokens": FIXED_LIMIT}
    arguments = ["--only", AUDIO_SECTION, AUDIO_OPTION, audio, "--language", "en", "--beam-size", str(BEAMS), "--temperature", "0",
                 "--without-timestamps", "--suppress-tokens", str(end), "--no-condition-on-previous-text",
                 "--compression-ratio-threshold", "none", "--log-probability-threshold", "none", "--no-speech-threshold", "none",
                 "--max-new-tokens", str(FIXED_LIMIT)]

    def steno():
        one = p.steno_bench(threads, *arguments)
        many = p.steno_bench(threads, *arguments, "--batch-size", str(BATCH))
        return {"fixed_s": one[AUDIO_FIGURE] / 1e3, "fixed_batched_s": many[AUDIO_FIGURE] / 1e3}

    def faster_whisper(w):
        one = w.ask(do="file", path=audio, options=plain)
        many = w.ask(do="file", path=audio, options=plain, batch=BATCH)
        return {"fixed_s": one["seconds"], "fixed_batched_s": many["seconds"], "fixed_tokens": one["tokens"]}

    def whisper_cpp(w):
        one = w.ask(do="fixed", path=audio, beams=BEAMS, tokens=FIXED_TOKENS)
        return {"fixed_s": one["seconds"], "fixed_tokens": one["tokens"]}

    yield Engine("Steno", "int8", threads, steno)
    yield from p.engines("faster-whisper", threads, faster_whisper)
    yield from p.engines("whisper.cpp", threads, whisper_cpp)


def clip(p, threads):
    audio = p.a.recordings.clip()
    arguments = ["--only", AUDIO_SECTION, AUDIO_OPTION, audio, "--language", "en", "--beam-size", str(BEAMS), "--temperature", "0"]

    def steno():
        full = p.steno_bench(threads, *arguments)[AUDIO_FIGURE]
        return {"clip_ms": full, "clip_auto_ms": p.steno_bench(threads, *arguments, "--audio-context", "auto")[AUDIO_FIGURE]}

    def faster_whisper(w):
        seconds = w.ask(do="file", path=audio, options={"beam_size": BEAMS, "language": "en", "temperature": 0})["seconds"]
        # It always uses the full window, and both of Steno's figures are compared with it.
        return {"clip_ms": 1e3 * seconds, "clip_auto_ms": 1e3 * seconds}

    yield Engine("Steno", "int8", threads, steno)
    yield from p.engines("faster-whisper", threads, faster_whisper)


def together(p, threads):
    audio = p.a.audio or p.a.recordings.talk()
    command = [p.a.steno, "transcribe", audio, "--model", p.steno_model, "--threads", str(threads), "--language", "en"]

    def seconds(at_once):
        begin = time.perf_counter()
        running = []
        for _ in range(2):
            running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
            if not at_once:
                running[-1].wait()
        for process in running:
            process.wait()
        return time.perf_counter() - begin

    yield Engine("Steno", "int8", threads, lambda: {"in_turn_s": seconds(False), "at_once_s": seconds(True)})


def idle(p, threads):
    """A live transcription that receives a sentence and then no more audio."""
    def read():
        process = subprocess.Popen(
            [p.a.steno, "live", "--input", "-", "--model", p.steno_model, "--threads", str(threads), "--language", "en",
             "--format", "jsonl"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            audio = bytearray(Path(p.a.recordings.clip()).read_bytes())
            # As recorders write it before the length is known.
            audio[4:8] = audio[40:44] = b"\xff\xff\xff\xff"
            process.stdin.write(audio)
            process.stdin.flush()
            time.sleep(10)
            before = processor_seconds(process.pid)
            time.sleep(5)
            after = processor_seconds(process.pid)
            if process.poll() is not None or before < 0.1:
                sys.exit("steno live did not transcribe the recording, so the measurement would mean nothing")
            return {"idle_percent": 100 * (after - before) / 5}
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
    yield Engine("Steno", "int8", threads, read)


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


SECTIONS = {f.__name__: f for f in (window, start, file, fixed, clip, together, idle)}


class Recordings:
    """The recordings of the tests as WAV files of 16 kHz, made on demand."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def make(self, name, *arguments):
        path = self.folder / name
        if not path.exists():
            subprocess.run(["ffmpeg", "-v", "error", *arguments, "-ar", "16000", "-ac", "1", "-bitexact", path], check=True)
        return str(path)

    def talk(self):
        return self.make("talk.wav", "-i", SPEECH / "talk.flac")

    def clip(self):
        return self.make("clip.wav", "-i", SPEECH / "talk.flac", "-t", "4")

    def ten_minutes(self):
        """The talk and the sentences one after the other, repeated to fill ten minutes."""
        rows = [json.loads(line) for line in (SPEECH / "manifest.jsonl").read_text().splitlines()]
        rows = [r for r in rows if r["language"] == "en" and r["kind"] in ("talk", "single")]
        rows.sort(key=lambda r: (r["kind"] != "talk", r["file"]))
        names, text, seconds = [], [], 0
        for row in rows + rows[1:]:
            if seconds >= 600:
                break
            names.append(SPEECH / row["file"])
            text.append(row["text"])
            seconds += float(subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", names[-1]], check=True,
                capture_output=True, text=True).stdout)
        inputs = [x for name in names for x in ("-i", name)]
        joined = "".join(f"[{i}:a]aresample=16000[a{i}];" for i in range(len(names)))
        joined += "".join(f"[a{i}]" for i in range(len(names))) + f"concat=n={len(names)}:v=0:a=1"
        return self.make("ten-minutes.wav", *inputs, "-filter_complex", joined), " ".join(text)


def machine():
    text = subprocess.run(["lscpu"], capture_output=True, text=True).stdout if sys.platform == "linux" else ""
    name = re.search(r"Model name:\s*(.*)", text)
    return {"processor": name.group(1) if name else platform.processor(), "cores": os.cpu_count()}


class Results:
    """The measurements so far, written after every round."""

    def __init__(self, path):
        self.path = Path(path)
        self.all = json.loads(self.path.read_text()) if self.path.exists() else {"machine": machine(), "measurements": []}

    def add(self, section, model, engine, figures):
        for figure, value in figures.items():
            key = {"section": section, "model": model, "threads": engine.threads, "engine": engine.name, "type": engine.type, "figure": figure}
            row = next((r for r in self.all["measurements"] if all(r[k] == v for k, v in key.items())), None)
            if not row:
                row = {**key, "values": []}
                self.all["measurements"].append(row)
            row["values"].append(round(value, 4))

    def write(self):
        self.path.write_text(json.dumps(self.all, indent=1) + "\n")


def still_hopeful(engines, first):
    """Drops a peer's types that are slower than another one in every figure of the first round."""
    kept = []
    for engine in engines:
        rivals = [first[o] for o in engines if o.name == engine.name and o.threads == engine.threads]
        own = first[engine]
        if any(value <= TOO_SLOW * min(r[figure] for r in rivals) for figure, value in own.items() if not figure.endswith(("wer", "tokens"))):
            kept.append(engine)
        else:
            engine.close()
    return kept


def measure(a, section, model, folder, results):
    peers = Peers(a, model, folder)
    engines = [e for t in a.threads for e in SECTIONS[section](peers, t) if e.name in a.engines]
    begin, longest, first = time.monotonic(), 0.0, -1 if section in WARMED else 0
    for run in range(first, a.runs):
        now = time.monotonic()
        if run > 0 and now - begin + longest > 60 * a.minutes:
            print(f"{section} {model}: stopped after {run} of {a.runs} rounds; run it again to add more", file=sys.stderr)
            break
        measurements = {}
        for engine in engines:
            try:
                measurements[engine] = engine.read()
            except EngineEnded as error:
                if run > first:
                    raise
                print(f"left out: {error}", file=sys.stderr)
                continue
            print(f"{section} {model} {engine.threads} {engine.name} {engine.type} "
                  + ("(warming up) " if run < 0 else "")
                  + " ".join(f"{k} {v:.4g}" for k, v in measurements[engine].items()), file=sys.stderr)
            time.sleep(PAUSE)
        if run == first:
            engines = still_hopeful([e for e in engines if e in measurements], measurements)
        if run < 0:
            continue
        longest = max(longest, time.monotonic() - now)
        for engine, figures in measurements.items():
            results.add(section, model, engine, figures)
        results.write()
    for engine in engines:
        engine.close()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("results")
    p.add_argument("--steno")
    p.add_argument("--benchmarks", metavar="PATH", help="steno-benchmarks: adds the roofline of this machine to the stages of `window`")
    p.add_argument("--whisper-cpp", metavar="FOLDER")
    p.add_argument("--model", action="append", default=[], metavar="NAME=FOLDER")
    p.add_argument("--only", default="window,start", type=lambda s: s.split(","))
    p.add_argument("--engines", default="Steno,ceiling,CTranslate2,faster-whisper,whisper.cpp", type=lambda s: s.split(","))
    p.add_argument("--threads", default="1,2", type=lambda s: [int(t) for t in s.split(",")])
    p.add_argument("--ct2-types", default="int8,float32,bfloat16", type=lambda s: s.split(","))
    p.add_argument("--ggml-types", default="q8_0,f16", type=lambda s: s.split(","))
    p.add_argument("--runs", default=7, type=int)
    p.add_argument("--minutes", default=9.0, type=float)
    p.add_argument("--audio", metavar="WAV", help="for file, fixed, together: another recording, with --text its reference text")
    p.add_argument("--text", metavar="FILE")
    p.add_argument("--render", action="store_true")
    p.add_argument("--markdown", metavar="FILE")
    a = p.parse_args()
    results = Results(a.results)
    if not a.render:
        if not a.steno or not a.model:
            p.error("--steno and --model are needed to measure")
        if bool(a.audio) != bool(a.text):
            p.error("--audio and --text are needed together")
        unknown = [s for s in a.only if s not in SECTIONS]
        if unknown:
            p.error(f"there is no section {unknown[0]}: choose from {', '.join(SECTIONS)}")
        with tempfile.TemporaryDirectory() as folder:
            a.recordings = Recordings(folder)
            for section in a.only:
                for name, path in (m.split("=", 1) for m in a.model):
                    measure(a, section, name, Path(path), results)
    render(results.all, a.markdown)


if __name__ == "__main__":
    main()
