"""Transcriptions of the fixtures by faster-whisper 1.2.1, at temperature 0 in float32: the goldens of token parity.

usage: python Tools/goldens/run.py transcription JOB [--base-original DIR] [--files SUBSTRING]
  JOB: nano | bundled | original | words-nano | words-bundled | options

Each JOB writes its files below Tests/Fixtures/goldens/transcription (the format: Tests/Fixtures/goldens/README.md):

  bundled   Whisper base, the int8 weights of StenoBundledModel computed in float32   speech, real-speech, samples
  original  Whisper base, the published float16 weights computed in float32           the same files
  nano      the nano model's float16 weights computed in float32                      nano-eval
  words-*   the same with word_timestamps=True, beam 5                                sentences, talk, nano-eval
  options   one option changed at a time, on a few files

Every run has temperature=0.0 only. `fallback` lists the windows for which the default list of temperatures would have
fallen back to sampling; where it is empty, the default list gives exactly this output.

The encoder's output is computed once for each window and shared by all runs of a file: faster-whisper would compute
the same numbers again.
"""
import functools
import time

import numpy as np
from support import golden
from support.paths import BUNDLED_MODEL, FIXTURES, ROOT, SAMPLES
from support.recorder import Recorder
from support.samples import fingerprint, read_samples

compact = functools.partial(golden.compact, ensure_ascii=False)


class Golden:
    """One golden file: a header and an entry for each recording (and option)."""

    def __init__(self, name, **header):
        self.path, self.entries = f"goldens/transcription/{name}.json", {}
        self.header = dict(header, versions=golden.versions("faster-whisper", "ctranslate2", "numpy"))

    def add(self, key, entry):
        self.entries[key] = entry
        lines = [f"{compact(k)}:{compact(v)}" for k, v in self.entries.items()]
        text = compact(self.header)[:-1] + ',"files":{\n' + ",\n".join(lines) + "\n}}\n"
        golden.write(self.path, text)


def relative(path):
    return str(path.relative_to(ROOT))


def recordings(*patterns):
    kinds = (".flac", ".wav", ".mp3")
    return [p for folder, pattern in patterns for p in sorted(folder.glob(pattern)) if p.suffix in kinds]


SENTENCES = (FIXTURES, "speech/en-*")
BASE_RECORDINGS = [(SAMPLES, "inaugural*"), SENTENCES, (FIXTURES, "speech/languages/*"), (FIXTURES, "real-speech/*"),
               (FIXTURES, "speech/talk.flac")]
NANO_RECORDINGS = [(FIXTURES, "nano-eval/*")]


def foreign(path):
    """Whether a file is (also) in another language than English."""
    return not path.name.startswith(("en-", "inaugural", "talk", "jfk", "hotwords", "stereo", "nospeech"))


def transcribe_all(model, label, weights, paths):
    goldens = {(beam, task): Golden(f"{label}-{'greedy' if beam == 1 else 'beam5'}-{task}", model=label,
                                    weights=weights, precision="float32", beam_size=beam, task=task, temperature=0)
               for beam in (5, 1) for task in ("transcribe", "translate")}
    for path in paths:
        samples, how = read_samples(path)
        for (beam, task), file_golden in goldens.items():
            if task == "transcribe" or foreign(path):
                entry = model.transcribe_to_golden(samples, beam_size=beam, task=task)
                file_golden.add(relative(path), dict(samples=how, sha256=fingerprint(samples), **entry))
                note(path, f"{task} {beam}", entry)
        model.encoded.clear()


def transcribe_words(model, label, weights, paths):
    file_golden = Golden(f"{label}-beam5-words", model=label, weights=weights, precision="float32", beam_size=5,
                         task="transcribe", temperature=0, word_timestamps=True)
    for path in paths:
        samples, how = read_samples(path)
        entry = model.transcribe_to_golden(samples, beam_size=5, word_timestamps=True)
        file_golden.add(relative(path), dict(samples=how, sha256=fingerprint(samples), **entry))
        model.encoded.clear()
        note(path, "words", entry)


#: One option changed at a time; names and values are faster-whisper's.
VARIANTS = [
    {"initial_prompt": "Glossary: Kennedy, fellow Americans, Lisbon, euros."}, {"without_timestamps": True},
    {"suppress_tokens": []}, {"suppress_blank": False}, {"patience": 2.0}, {"length_penalty": 0.5},
    {"max_new_tokens": 8}, {"repetition_penalty": 1.2}, {"no_repeat_ngram_size": 3}, {"max_initial_timestamp": 0.5},
    {"max_initial_timestamp": 0.0}, {"compression_ratio_threshold": None}, {"no_speech_threshold": None},
    {"log_prob_threshold": None}, {"log_prob_threshold": -0.2}, {"no_speech_threshold": 0.01, "log_prob_threshold": -0.1},
    {"condition_on_previous_text": False}, {"prefix": "And so"}, {"hotwords": "Americans country bakery"},
    {"beam_size": 2}, {"beam_size": 3, "patience": 1.5}, {"language": "en"}, {"language": "fr"},
    {"repetition_penalty": 1.2, "beam_size": 5}, {"no_repeat_ngram_size": 2, "beam_size": 5},
    {"language_detection_segments": 2}, {"without_timestamps": True, "task": "translate"},
    {"suppress_tokens": [-1, 11, 13]}, {"clip_timestamps": "1.0,5.0"}, {"clip_timestamps": "2.345,7.004,1.5"},
    {"chunk_length": 5}, {"chunk_length": 3, "clip_timestamps": "4,6,0.5,3.25"}, {"multilingual": True},
    {"initial_prompt": [2425, 11, 1002]}, {"beam_size": 5, "patience": 0.4}, {"length_penalty": 0.0},
    {"word_timestamps": True}, {"word_timestamps": True, "clip_timestamps": "1.0,5.0"},
]

#: For a file of several windows: the effect of the first window's options and of the text so far on the next.
LONG_VARIANTS = [
    {"initial_prompt": "Lisbon, euros, bakery."}, {"condition_on_previous_text": False}, {"without_timestamps": True},
    {"hotwords": "Lisbon bakery"}, {"max_initial_timestamp": 0.2}, {"clip_timestamps": "10.0,40.0,60.0"},
    {"language_detection_threshold": 1.0, "language_detection_segments": 3},
    {"language_detection_threshold": 1.0, "language_detection_segments": 9, "clip_timestamps": "31.006,55"},
    {"clip_timestamps": "70,80,5,15,12,20,200,210"}, {"chunk_length": 12}, {"chunk_length": 20, "word_timestamps": True},
    {"chunk_length": 10, "language_detection_threshold": 1.0, "language_detection_segments": 4},
    {"hallucination_silence_threshold": 0.5, "word_timestamps": True, "clip_timestamps": "0,33.3,40,80"},
    {"prompt_reset_on_temperature": -1.0},
]

#: For a recording in several languages, one after the other.
MIXED_VARIANTS = [
    {"multilingual": True}, {"multilingual": True, "chunk_length": 10}, {"multilingual": True, "language": "en", "chunk_length": 7},
    {"multilingual": True, "chunk_length": 8, "task": "translate"},
    {"multilingual": True, "chunk_length": 9, "word_timestamps": True, "condition_on_previous_text": False},
    {"language_detection_threshold": 1.0, "language_detection_segments": 5, "chunk_length": 10},
    {"language_detection_threshold": 1.0, "language_detection_segments": 3, "chunk_length": 5, "clip_timestamps": "14"},
    {"language_detection_threshold": 0.97, "language_detection_segments": 9, "chunk_length": 4},
]


def transcribe_options(file_golden, model, paths, variants):
    for path in paths:
        transcribe_variants(file_golden, model, relative(path), path.name, *read_samples(path), variants)


def transcribe_mixed(file_golden, model, paths, variants):
    """Several files one after the other as one recording; its name has a + between theirs."""
    samples = np.concatenate([read_samples(path)[0] for path in paths])
    name = "+".join(map(relative, paths))
    transcribe_variants(file_golden, model, name, name, samples, "file", variants)


def transcribe_variants(file_golden, model, file, name, samples, how, variants):
    for variant in variants:
        for beam in ([variant["beam_size"]] if "beam_size" in variant else [1, 5]):
            options = dict(variant, beam_size=beam)
            entry = model.transcribe_to_golden(samples, **options)
            key = f"{file}#{compact(options)}"
            file_golden.add(key, dict(file=file, options=options, samples=how, sha256=fingerprint(samples), **entry))
            note(name, compact(options), entry)
    model.encoded.clear()


start = time.time()


def note(path, what, entry):
    text = "".join(s["text"] for s in entry["segments"])
    flag = f" FALLBACK {entry['fallback']}" if entry["fallback"] else ""
    print(f"{time.time() - start:7.1f} {getattr(path, 'name', path)} {what}: {entry['language']}{flag} {text[:100]!r}", flush=True)


def options(parser):
    parser.add_argument("job", choices=["nano", "bundled", "original", "words-nano", "words-bundled", "options"])
    parser.add_argument("--base-original", metavar="DIR", help="folder of the published float16 CTranslate2 weights of Whisper base")
    parser.add_argument("--files", default="", help="only files whose path contains this")


def make(arguments):
    if arguments.job == "original" and not arguments.base_original:
        raise SystemExit("original needs --base-original DIR")

    def chosen(patterns):
        return [p for p in recordings(*patterns) if arguments.files in str(p)]

    nano = ("nano", "float16", FIXTURES / "nano")
    bundled = ("base-bundled", "int8", BUNDLED_MODEL)
    original = ("base-original", "float16", arguments.base_original)
    label, weights, folder = {"nano": nano, "words-nano": nano, "original": original}.get(arguments.job, bundled)
    model = Recorder(folder)
    if arguments.job in ("bundled", "original"):
        transcribe_all(model, label, weights, chosen(BASE_RECORDINGS))
    elif arguments.job == "nano":
        transcribe_all(model, label, weights, chosen(NANO_RECORDINGS))
    elif arguments.job == "words-nano":
        transcribe_words(model, label, weights, chosen(NANO_RECORDINGS))
    elif arguments.job == "words-bundled":
        transcribe_words(model, label, weights, chosen([(SAMPLES, "inaugural*"), SENTENCES, (FIXTURES, "speech/talk.flac")]))
    else:
        options_goldens(model, bundled, nano)


def options_goldens(base_model, base, nano):
    def golden(label, weights, _):
        return Golden(f"{label}-options", model=label, weights=weights, precision="float32", temperature=0)

    transcribe_options(golden(*base), base_model, [SAMPLES / "inaugural-1961.wav", FIXTURES / "speech/languages/es-pangrama.wav"], VARIANTS)
    short, nano_model = golden(*nano), Recorder(nano[2])
    transcribe_options(short, nano_model, [FIXTURES / "nano-eval/en-several-1.flac", FIXTURES / "nano-eval/de-several-1.flac"], VARIANTS)
    transcribe_options(short, nano_model, [FIXTURES / "nano-eval/en-long-1.flac"], LONG_VARIANTS)
    mixed = [FIXTURES / f"nano-eval/{language}-several-1.flac" for language in ("en", "de", "fr", "es")]
    transcribe_mixed(short, nano_model, mixed, MIXED_VARIANTS)
