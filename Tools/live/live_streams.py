"""What the measurements of live text share: running steno, and streams of sentences with known end times of the words."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile

from support.alignment import words
from support.paths import FIXTURES, SAMPLES

RATE = 16000


class Stream:
    """A recording, its words with their end times, and the files it was joined from."""

    def __init__(self, name, language):
        self.name, self.language = name, language
        self.samples, self.words, self.ends, self.files, self.texts = [], [], [], [], []
        self.seconds = 0.0

    def add(self, file, row, pause):
        """Appends a recording and a pause; `ends` gets (end of speech, the number of its last word, pause)."""
        samples, rate = soundfile.read(file, dtype="float32")
        if samples.ndim > 1:
            samples = samples.mean(axis=1)
        assert rate == RATE, file
        for segment in row["segments"]:
            for word in segment["words"]:
                end = word.get("end")
                for part in words(word["word"]):
                    self.words.append((part, None if end is None else self.seconds + end))
        last = row["segments"][-1]["words"][-1].get("end")
        if last is not None:
            self.ends.append((self.seconds + last, len(self.words) - 1, pause + len(samples) / RATE - last))
        self.samples += [samples, np.zeros(int(pause * RATE), np.float32)]
        self.seconds += (len(samples) + int(pause * RATE)) / RATE
        self.files.append(str(file))
        self.texts.append(row["text"])

    def write(self, path):
        soundfile.write(path, np.concatenate(self.samples), RATE, subtype="PCM_16")


def arguments(parser):
    """The arguments before `--`, and those after it for `steno live`."""
    parser.add_argument("--steno", required=True)
    parser.add_argument("--model")
    parser.add_argument("--json", help="a file to which the figures are appended as a line")
    own = sys.argv[1:] + ["--"]
    at = own.index("--")
    return parser.parse_args(own[:at]), own[at + 1:-1]


def steno(a, *command):
    return subprocess.run([a.steno, *map(str, command), *(["--model", a.model] if a.model else [])], capture_output=True, text=True)


def run_live(a, audio, language, extra):
    """The events of `steno live`, the number of decodings and their seconds."""
    result = steno(a, "live", "--input", audio, "--format", "jsonl", "--pace", a.pace, "--verbose", "--language", language, *extra)
    if result.returncode:
        sys.exit(result.stderr)
    counted = re.search(r"(\d+) decodings, ([\d.]+) s", result.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()], int(counted.group(1)), float(counted.group(2))


def file_texts(a, files, language, folder):
    """The text of each recording, transcribed as a separate file."""
    steno(a, "transcribe", *files, "--output-format", "json", "--output-dir", folder, "--language", language).check_returncode()
    return [json.loads((folder / (Path(file).stem + ".json")).read_text())["text"] for file in files]


def vanished(before, after):
    """How many words of the text on the screen are not in the next one."""
    return len(before) - next((i for i, (x, y) in enumerate(zip(before, after)) if x != y), min(len(before), len(after)))


def append(path, figures):
    if path:
        with open(path, "a") as file:
            file.write(json.dumps(figures) + "\n")


def manifest(folder):
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    return [(folder / row["file"], row) for row in rows if all("words" in s for s in row.get("segments", [{}]))]


def sample(name, text):
    return SAMPLES / name, {"language": "en", "text": text, "segments": [{"words": [{"word": word} for word in text.split()]}]}


SAMPLE_ROWS = [
    sample("inaugural-1961.wav", "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country."),
    sample("en-quick_brown_fox.wav", "The quick brown fox jumps over the lazy dog."),
]


def arranged(rows, repeat, draw):
    """The rows `repeat` times, each round in a different order; none occurs twice in succession."""
    result = list(rows)
    for _ in range(repeat - 1):
        more = list(rows)
        draw.shuffle(more)
        if len(more) > 1 and more[0] == result[-1]:
            more.append(more.pop(0))
        result += more
    return result


def streams(which, seed=5, limit=None, pauses=(0.3, 3.0), folder=None, repeat=1):
    """Makes the streams of a set: `speech`, `short`, `talk`, or `nano` (one for each language).

    `short` has the twenty shortest sentences, and the samples that come with the package, one of which is a real recording.

    `folder` has other recordings for the set `speech` or `talk`; for `nano` it adds recordings. Each recording occurs
    `repeat` times, never twice in succession.
    """
    draw = random.Random(seed)
    if which == "nano":
        rows = [x for source in (FIXTURES / "nano-eval", folder) if source for x in manifest(source)]
        rows = [x for x in rows if x[1].get("kind") == "single" and soundfile.info(x[0]).samplerate == RATE]
    else:
        kind = "talk" if which == "talk" else "single"
        rows = [x for x in manifest(folder or FIXTURES / "speech") if x[1]["kind"] == kind]
    if which == "short":
        rows = sorted(rows, key=lambda x: x[1]["seconds"])[:20] + SAMPLE_ROWS
    made = []
    for language in sorted({row["language"] for _, row in rows}):
        own = [x for x in rows if x[1]["language"] == language]
        draw.shuffle(own)
        stream = Stream(f"{which}-{language}", language)
        for file, row in arranged(own[:limit], repeat, draw):
            stream.add(file, row, draw.uniform(*pauses))
        made.append(stream)
    return made
