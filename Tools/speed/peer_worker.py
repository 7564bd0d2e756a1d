#!/usr/bin/env python3
"""One of Steno's peers in its own process, started by compare_peers.py.

It reads requests from standard input, one JSON object per line, and answers each with one. The first argument is
also a JSON object: {"engine": "ctranslate2" | "faster-whisper" | "whisper.cpp", "model": PATH, "type": NAME, "threads": N}
and, for whisper.cpp, {"library": PATH of libwhisper}. With {"cold": true} the model is loaded at the first request.
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

import numpy as np

RATE, WINDOW, END_OF_TEXT = 16000, 30, 50257
PROMPT = [50258, 50259, 50359, 50363]  # start of transcript, English, transcribe, no timestamps


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def status(name):
    """A line of /proc/self/status in MB of a million bytes."""
    for line in open("/proc/self/status"):
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024 / 1e6
    raise KeyError(name)


def noise():
    return (np.random.default_rng(0).standard_normal(WINDOW * RATE) * 0.05).astype(np.float32)


class CTranslate2:
    """The engine of faster-whisper."""

    def __init__(self, a):
        import ctranslate2
        from faster_whisper.feature_extractor import FeatureExtractor
        self.a, self.library, self.extractor = a, ctranslate2, FeatureExtractor
        self.noise = noise()

    def load(self):
        self.model = self.library.models.Whisper(
            self.a["model"], device="cpu", compute_type=self.a["type"], intra_threads=self.a["threads"], inter_threads=1)

    def features(self):
        mel = self.extractor(feature_size=self.model.n_mels)(self.noise)[:, : 100 * WINDOW]
        self.mel = self.library.StorageView.from_array(np.ascontiguousarray(mel[None], dtype=np.float32))

    def encode(self):
        self.encoded = self.model.encode(self.mel, to_cpu=True)

    def decode(self, count, beams):
        # CTranslate2 gives min(max_length / 2, max_length - prompt + 1) new tokens.
        result = self.model.generate(
            self.encoded, [PROMPT], beam_size=beams, max_length=max(2 * count, count + len(PROMPT) - 1),
            suppress_blank=False, suppress_tokens=[END_OF_TEXT])
        assert len(result[0].sequences_ids[0]) == count, "the model stopped early: the time for each token would be wrong"

    def window(self, tokens):
        def each(beams):
            first = milliseconds(lambda: self.decode(1, beams))
            return (milliseconds(lambda: self.decode(1 + tokens, beams)) - first) / tokens
        return {"log_mel_ms": milliseconds(self.features), "encode_ms": milliseconds(self.encode),
                "greedy_token_ms": each(1), "beam5_step_ms": each(5)}

    def first_token(self):
        self.load()
        self.features()
        self.encode()
        self.decode(1, 5)

    def rest(self, tokens):
        self.decode(1 + tokens, 5)


class WhisperCpp:
    """libwhisper through its C functions; its beam search cannot be stepped by a caller."""

    def __init__(self, a):
        self.a, self.noise = a, noise()
        self.library = ctypes.CDLL(a["library"])
        self.log = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
        self.library.whisper_log_set(self.log, None)
        self.library.whisper_init_from_file.restype = ctypes.c_void_p
        self.library.whisper_init_from_file.argtypes = [ctypes.c_char_p]

    def call(self, name, *arguments):
        assert getattr(self.library, name)(ctypes.c_void_p(self.context), *arguments) == 0, name

    def load(self):
        self.context = self.library.whisper_init_from_file(self.a["model"].encode())
        assert self.context, "whisper.cpp could not load " + self.a["model"]

    def features(self):
        samples = self.noise.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        self.call("whisper_pcm_to_mel", samples, len(self.noise), self.a["threads"])

    def encode(self):
        self.call("whisper_encode", 0, self.a["threads"])

    def decode(self, tokens, position):
        values = (ctypes.c_int32 * len(tokens))(*tokens)
        self.call("whisper_decode", values, len(tokens), position, self.a["threads"])

    def step(self, tokens):
        for i in range(tokens):
            self.decode([1000 + i], len(PROMPT) + i)

    def window(self, tokens):
        return {"log_mel_ms": milliseconds(self.features), "encode_cross_ms": milliseconds(self.encode),
                "prefill_ms": milliseconds(lambda: self.decode(PROMPT, 0)),
                "greedy_token_ms": milliseconds(lambda: self.step(tokens)) / tokens}

    def fixed(self, path, beams, tokens):
        fixed = ctypes.CDLL(self.compiled("whisper_cpp_fixed.c")).steno_fixed
        with wave.open(path) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(np.float32) / 32768
        start = time.perf_counter()
        written = fixed(ctypes.c_void_p(self.context), samples.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), len(samples),
                        self.a["threads"], beams, tokens)
        assert written > 0, "whisper.cpp failed"
        return {"seconds": time.perf_counter() - start, "tokens": written}

    def compiled(self, name):
        """Compiles a C file of this folder to a library that calls whisper.cpp's."""
        library = Path(self.a["library"])
        checkout = next(p for p in library.parents if (p / "include" / "whisper.h").exists())
        self.folder = tempfile.TemporaryDirectory()
        result = Path(self.folder.name) / "compiled.so"
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", f"-I{checkout / 'include'}", f"-I{checkout / 'ggml' / 'include'}",
             Path(__file__).parent / name, "-o", result, library, f"-Wl,-rpath,{library.parent}"], check=True)
        return str(result)

    def first_token(self):
        self.load()
        self.features()
        self.encode()
        self.decode(PROMPT, 0)

    def rest(self, tokens):
        self.step(tokens)


class FasterWhisper:
    def __init__(self, a):
        from faster_whisper import BatchedInferencePipeline, WhisperModel
        self.a, self.model_type, self.batched_type = a, WhisperModel, BatchedInferencePipeline

    def load(self):
        self.model = self.model_type(
            self.a["model"], device="cpu", compute_type=self.a["type"], cpu_threads=self.a["threads"])

    def file(self, path, options, batch=0):
        model = self.batched_type(self.model) if batch else self.model
        extra = {"batch_size": batch} if batch else {}
        start = time.perf_counter()
        segments, _ = model.transcribe(path, **options, **extra)
        segments = list(segments)
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "text": "".join(s.text for s in segments), "tokens": sum(len(s.tokens) for s in segments)}


def main():
    a = json.loads(sys.argv[1])
    peer = {"ctranslate2": CTranslate2, "whisper.cpp": WhisperCpp, "faster-whisper": FasterWhisper}[a["engine"]](a)
    # Libraries must not print among the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if not a.get("cold"):
        peer.load()
    for line in sys.stdin:
        question = json.loads(line)
        if question["do"] == "window":
            answer = peer.window(question["tokens"])
        elif question["do"] == "cold":
            # Resets the peak memory, which includes the imports.
            open("/proc/self/clear_refs", "w").write("5")
            before = status("VmRSS")
            answer = {"cold_start_ms": milliseconds(peer.first_token)}
            peer.rest(question["tokens"])
            answer["peak_rss_mb"] = status("VmHWM") - before
        elif question["do"] == "fixed":
            answer = peer.fixed(question["path"], question["beams"], question["tokens"])
        else:
            answer = peer.file(question["path"], question["options"], question.get("batch", 0))
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
