"""Measures the effect of guards: sentences with long silence or noise between them, transcribed in several modes.

    swift build -c release --product steno
    python Tools/comparisons/measure_guards.py .build/release/steno --json guards.json --markdown guards.md

Every recording is eight sentences of Tests/Fixtures/speech with 8 to 31 s between them: digital silence, or one of five
noises at three levels (root mean square 0.003, 0.03, 0.1). A word counts as hallucinated when it is more than half a second
away from every sentence, or does not occur in the sentence at its time; as deleted when a sentence lacks it. The Markdown
has the sums and, for each recording, the text outside the sentences without guards, and the part of it that remains with guards
and with voice activity detection.
"""
import argparse
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import soundfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.paths import FIXTURES
from support.samples import read_samples

RATE = 16000
SENTENCES = range(0, 56, 7)
GAPS = [12, 25, 8, 31, 15, 20, 10, 28]
LEVELS = [0.003, 0.03, 0.1]
MODES = {
    "nothing": ["--word-timestamps"],
    "guards": ["--guards"],
    "voice activity": ["--word-timestamps", "--vad-filter"],
    "both": ["--guards", "--vad-filter"],
}


def coloured(count, exponent, random):
    """Noise whose amplitude falls with the frequency to this power; 0 is white, 0.5 pink, 1 brown."""
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20)
    return np.fft.irfft(np.fft.rfft(random.standard_normal(count)) / frequency**exponent, count)


def hum(count, random):
    time = np.arange(count) / RATE
    return sum(np.sin(2 * np.pi * hertz * time) / (number + 1) for number, hertz in enumerate([50, 100, 150, 200, 300]))


def chords(count, random):
    """A major chord every two seconds, struck and fading."""
    time = np.arange(count) / RATE
    beat, rest = np.divmod(time, 2)
    root = 220 * 2 ** ((beat * 5 % 12) / 12)
    return sum(np.sin(2 * np.pi * root * ratio * rest) for ratio in (1, 1.26, 1.5)) * np.exp(-1.2 * rest)


NOISES = {
    "white": lambda count, random: coloured(count, 0, random),
    "pink": lambda count, random: coloured(count, 0.5, random),
    "brown": lambda count, random: coloured(count, 1, random),
    "hum": hum,
    "chords": chords,
}


def sentences():
    texts = (FIXTURES / "speech" / "texts.txt").read_text(encoding="utf-8").splitlines()
    return [(read_samples(FIXTURES / "speech" / f"en-{number:03d}.flac")[0], texts[number]) for number in SENTENCES]


def recording(noise, level, spoken):
    """The samples, and the span of each sentence."""
    random = np.random.default_rng(1)
    parts, spans, time = [], [], 0.0
    for (samples, text), gap in zip(spoken, GAPS):
        between = np.zeros(gap * RATE)
        if noise:
            between = NOISES[noise](gap * RATE, random)
            between *= level / np.sqrt(np.mean(between**2))
        parts += [samples, between]
        spans.append((time, time + len(samples) / RATE, text))
        time += len(samples) / RATE + gap
    return np.concatenate(parts), spans


def words(text):
    return re.sub(r"[^a-z0-9' ]", "", text.lower().replace("-", " ")).split()


def place(start, end, spans):
    """The number of the sentence at a word's time; None if there is none."""
    middle = (start + end) / 2
    return next((i for i, (first, last, _) in enumerate(spans) if first - 0.5 <= middle <= last + 0.5), None)


def compare(transcript, spans):
    inside, strays = [[] for _ in spans], []
    for segment in transcript["segments"]:
        for word in segment.get("words", []):
            number = place(word["start"], word["end"], spans)
            if number is not None:
                inside[number] += words(word["word"])
            elif strays and strays[-1]["segment"] == segment["id"]:
                strays[-1]["text"] += word["word"]
            else:
                strays.append({"segment": segment["id"], "start": word["start"], "text": word["word"]})
    lost = added = 0
    for (_, _, text), transcribed in zip(spans, inside):
        for kind, a, b, c, d in difflib.SequenceMatcher(None, words(text), transcribed, autojunk=False).get_opcodes():
            lost += b - a if kind in ("delete", "replace") else 0
            added += d - c if kind in ("insert", "replace") else 0
    return {
        "outside": sum(len(words(stray["text"])) for stray in strays),
        "added": added,
        "lost": lost,
        "removed": len(transcript.get("guards", [])),
        "strays": strays,
        "guards": transcript.get("guards", []),
    }


SUMS = ("outside", "added", "lost", "removed")


def sums(recordings):
    return {name: sum(found[name] for found in recordings.values()) for name in SUMS}


def markdown(results, total):
    count = len(results["nothing"])
    lines = [f"{count} recordings of {total} words.", ""]
    lines += ["| | words outside of speech | substituted or inserted inside | deleted | removals |", "|---|---|---|---|---|"]
    lines += [f"| {mode} | {' | '.join(str(n) for n in sums(recordings).values())} |" for mode, recordings in results.items()]
    lines += ["", "| recording | outside of speech without guards | left by guards | left by voice activity |", "|---|---|---|---|"]
    for name in results["nothing"]:
        cells = [
            " · ".join(f"{stray['start']:.0f} s *{stray['text'].strip()}*" for stray in results[mode][name]["strays"])
            for mode in ("nothing", "guards", "voice activity")
        ]
        lines.append(f"| {name} | " + " | ".join(cell.replace("|", "") or "–" for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steno")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("options", nargs="*", help="more options for every run, after --")
    arguments = parser.parse_args()
    spoken = sentences()
    total = sum(len(words(text)) for _, text in spoken)
    results, folder = {}, tempfile.TemporaryDirectory()
    for noise, level in [(None, 0)] + [(noise, level) for noise in NOISES for level in LEVELS]:
        samples, spans = recording(noise, level, spoken)
        file = pathlib.Path(folder.name) / "recording.wav"
        soundfile.write(file, samples, RATE, subtype="PCM_16")
        for mode, options in MODES.items():
            command = [arguments.steno, "transcribe", str(file), "--language", "en", "--output-format", "json", *options]
            output = subprocess.run(command + arguments.options, check=True, capture_output=True, text=True).stdout
            found = compare(json.loads(output), spans)
            results.setdefault(mode, {})[f"{noise or 'silence'} {level}"] = found
            print(f"{noise or 'silence':8} {level:5} {mode:15}", {key: found[key] for key in SUMS}, flush=True)
    print(f"\n{len(results['nothing'])} recordings of {total} words")
    for mode, recordings in results.items():
        print(f"{mode:15} {sums(recordings)}")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    if arguments.markdown:
        arguments.markdown.write_text(markdown(results, total))


if __name__ == "__main__":
    main()
