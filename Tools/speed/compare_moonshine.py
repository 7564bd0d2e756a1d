#!/usr/bin/env python3
"""The speed and the memory of Moonshine tiny: Steno against onnxruntime and Moonshine's own library, on the same clip.

usage: python Tools/speed/compare_moonshine.py --steno PATH [--threads 1,2] [--rounds 7] [--audio WAV] [--json FILE] [--talk]

The package moonshine-voice 0.0.4 (PyPI) has the model in 8 bits (two .ort files) and libmoonshine. In each round the engines
take turns, in processes of their own, and each is run three times, of which the fastest counts; the mean processor time of
the three is measured too, because it hardly depends on what else the machine does:

  Steno          `steno bench --only audio` with the included model: from opening the file to the text, with voice activity
                 detection and word times; int8
  onnxruntime    encoder and greedy text of the samples, with the .ort files as they are
  libmoonshine   transcribe_without_streaming of the samples, with its own voice activity detection

`--threads` is also the number of processors that a process may use, because libmoonshine has no option for it. Memory: of
Steno all that a new process needs to transcribe the clip; of the peers only what model and transcription add to a Python
process in which they have been imported.

`--talk` measures something else: the processor time, with one thread, of the talk of four minutes in Tests/Fixtures/speech
with Moonshine tiny and with Whisper base, both included, in turns. It is also useful on a machine with other work.

Needs numpy, onnxruntime and moonshine-voice==0.0.4; for `--talk` only ffmpeg. Linux.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import time
import wave

HERE = pathlib.Path(__file__).resolve()
AUDIO = HERE.parents[2] / "Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav"
TALK = HERE.parents[2] / "Tests/Fixtures/speech/talk.flac"
RUNS, TOKENS_PER_SECOND, START, END = 3, 6.5, 1, 2


def read(path):
    import numpy as np
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16000, 1, 2), "16 kHz mono, 16 bits"
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768


class Onnxruntime:
    def __init__(self, samples, threads):
        import moonshine_voice
        import onnxruntime
        self.library, self.samples, self.threads = onnxruntime, samples, threads
        self.folder = pathlib.Path(moonshine_voice.__file__).parent / "assets/tiny-en"

    def load(self):
        options = self.library.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = self.threads, 1, 3
        self.encoder, self.decoder = (
            self.library.InferenceSession(str(self.folder / f"{name}.ort"), options, providers=["CPUExecutionProvider"])
            for name in ("encoder_model", "decoder_model_merged"))
        self.past = [i for i in self.decoder.get_inputs() if i.name.startswith("past")]
        self.outputs = [o.name for o in self.decoder.get_outputs()]

    def run(self):
        """The number of tokens."""
        import numpy as np
        mask = np.ones((1, len(self.samples)), np.int64)
        frames = self.encoder.run(None, {"input_values": self.samples[None], "attention_mask": mask})[0]
        feed = {i.name: np.zeros((1, i.shape[1], 1, i.shape[3]), np.float32) for i in self.past}
        feed |= {"encoder_hidden_states": frames, "encoder_attention_mask": mask}
        count, last = 0, START
        while count < math.ceil(len(self.samples) / 16000 * TOKENS_PER_SECOND):
            feed |= {"input_ids": np.array([[last]], np.int64), "use_cache_branch": np.array([count > 0])}
            out = dict(zip(self.outputs, self.decoder.run(None, feed)))
            for i in self.past:
                # The keys and values of the audio come with the first token.
                if count == 0 or ".decoder." in i.name:
                    feed[i.name] = out[i.name.replace("past_key_values", "present")]
            last = int(out["logits"][0, -1].argmax())
            if last == END:
                break
            count += 1
        return count


class Libmoonshine:
    def __init__(self, samples, threads):
        import moonshine_voice
        self.package, self.samples = moonshine_voice, samples

    def load(self):
        import ctypes
        self.transcriber = self.package.Transcriber(
            model_path=str(pathlib.Path(self.package.__file__).parent / "assets/tiny-en"),
            model_arch=self.package.ModelArch.TINY)
        # The package would copy a Python list at every call.
        self.library, self.handle = self.transcriber._lib, self.transcriber._handle
        self.array = (ctypes.c_float * len(self.samples)).from_buffer_copy(self.samples)

    def run(self):
        """The text."""
        import ctypes
        from moonshine_voice.moonshine_api import TranscriptC
        out = ctypes.POINTER(TranscriptC)()
        error = self.library.moonshine_transcribe_without_streaming(
            self.handle, self.array, len(self.samples), 16000, 0, ctypes.byref(out))
        assert error == 0, error
        lines = out.contents.lines[:out.contents.line_count]
        return " ".join(ctypes.string_at(line.text).decode() for line in lines)


PEERS = {"onnxruntime": Onnxruntime, "libmoonshine": Libmoonshine}


def status(name):
    """A line of /proc/self/status in millions of bytes."""
    return next(int(l.split()[1]) * 1024 / 1e6 for l in open("/proc/self/status") if l.startswith(name + ":"))


def work(name, path, threads):
    """A peer's process: loads, transcribes once, prints the memory, and then runs for each line of its input."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = PEERS[name](read(path), threads)
    open("/proc/self/clear_refs", "w").write("5")
    before = status("VmRSS")
    peer.load()
    result = peer.run()
    print(json.dumps({"result": result, "megabytes": status("VmHWM") - before}), file=answers, flush=True)
    for _ in sys.stdin:
        best, busy = math.inf, time.process_time()
        for _ in range(RUNS):
            start = time.perf_counter()
            peer.run()
            best = min(best, 1e3 * (time.perf_counter() - start))
        print(json.dumps([best, 1e3 * (time.process_time() - busy) / RUNS]), file=answers, flush=True)


class Peer:
    def __init__(self, name, path, threads):
        self.name = name
        self.process = subprocess.Popen(
            pinned(threads) + [sys.executable, str(HERE), "--peer", name, "--audio", str(path), "--threads", str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.first = json.loads(self.process.stdout.readline())

    def milliseconds(self):
        """The least time, and the mean processor time."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Steno:
    name = "Steno"

    def __init__(self, program, path, threads):
        self.command = pinned(threads) + [program]
        self.options = ["--model", "moonshine-tiny", "--threads", str(threads)]
        self.path = str(path)
        process = subprocess.Popen(
            self.command + ["transcribe", self.path, "--quiet"] + self.options, stdout=subprocess.PIPE, text=True)
        text = process.stdout.read().strip()
        _, code, usage = os.wait4(process.pid, 0)
        assert code == 0, "steno transcribe failed"
        self.first = {"result": text, "megabytes": usage.ru_maxrss * 1024 / 1e6}

    def milliseconds(self):
        # The difference of two processes is the time of some runs, without the start.
        once, again = self.bench(1), self.bench(1 + RUNS)
        return [again[0], 1e3 * (again[1] - once[1]) / RUNS]

    def bench(self, runs):
        """The least time in milliseconds, and the processor time of the process in seconds."""
        process = subprocess.Popen(
            self.command + ["bench", "--only", "audio", "--audio", self.path, "--runs", str(runs), "--json"] + self.options,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        out = process.stdout.read()
        _, code, usage = os.wait4(process.pid, 0)
        assert code == 0, "steno bench failed"
        return json.loads(out)["audio_ms_min"], usage.ru_utime + usage.ru_stime

    def close(self):
        pass


def pinned(threads):
    return ["taskset", "-c", ",".join(map(str, sorted(os.sched_getaffinity(0))[:threads]))]


def measure(a, threads):
    engines = [Steno(a.steno, a.audio, threads)] + [Peer(name, a.audio, threads) for name in PEERS]
    times = {engine.name: [] for engine in engines}
    for _ in range(a.rounds):
        for engine in engines:
            times[engine.name].append(engine.milliseconds())
            time.sleep(0.2)
    for engine in engines:
        engine.close()
    least = {name: [min(column) for column in zip(*row)] for name, row in times.items()}
    own = least["Steno"]
    print(f"\n{threads} thread{'s' if threads > 1 else ''}, least of {a.rounds} rounds in turns\n")
    print("| engine | ms | Steno's share | processor ms | Steno's share | MB |\n|---|---|---|---|---|---|")
    for engine in engines:
        wall, busy = least[engine.name]
        print(f"| {engine.name} | {wall:.1f} | {own[0] / wall:.2f} | {busy:.1f} | {own[1] / busy:.2f} | "
              f"{engine.first['megabytes']:.0f} |")
    return {engine.name: {**engine.first, "milliseconds": times[engine.name]} for engine in engines}


def talk(a):
    """Processor seconds of both models that come with Steno."""
    times = {"moonshine-tiny": [], "base": []}
    for _ in range(a.rounds):
        for model, row in times.items():
            process = subprocess.Popen(
                [a.steno, "transcribe", str(TALK), "--quiet", "--threads", "1", "--model", model, "--language", "en"],
                stdout=subprocess.DEVNULL)
            _, code, usage = os.wait4(process.pid, 0)
            assert code == 0, "steno transcribe failed"
            row.append(usage.ru_utime + usage.ru_stime)
            print(f"{model}: {row[-1]:.2f} s", flush=True)
    for model, row in times.items():
        print(f"{model}: least {min(row):.2f} s, {min(row) / min(times['base']):.2f} of base's")
    return times


def save(a, results):
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(results, indent=1) + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--steno")
    p.add_argument("--audio", default=AUDIO, type=pathlib.Path)
    p.add_argument("--threads", default="1,2")
    p.add_argument("--rounds", default=7, type=int)
    p.add_argument("--json")
    p.add_argument("--talk", action="store_true")
    p.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.peer:
        return work(a.peer, a.audio, int(a.threads))
    if not a.steno:
        p.error("--steno names the program to measure, built in release")
    if a.talk:
        return save(a, talk(a))
    results = {threads: measure(a, threads) for threads in map(int, a.threads.split(","))}
    for engine, result in results[min(results)].items():
        print(f"{engine}: {result['result']}")
    save(a, results)


if __name__ == "__main__":
    main()
