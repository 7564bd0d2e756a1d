"""Steno's transcriptions compared with a golden file of faster-whisper: token for token, and by WER.

usage: python Tools/comparisons/compare_transcriptions.py GOLDEN FOLDER [--only SUBSTRING] [--exclude SUBSTRING] [--language-tolerance 0.001]

FOLDER holds one `<stem>.json` for each recording, in openai-whisper's field names (as `steno transcribe --output-format
json --output-dir FOLDER` writes it). Recordings without a JSON file are counted as missing. For a golden of options (keys with `#`) use --only to choose one option.

Recordings in stereo or with a sample rate other than 16 kHz (`"samples": "ffmpeg"`) are shown but do not count, because the
two sides do not get the same samples. For each recording whose tokens differ, it prints the first difference, the tokens
around it on both sides, and whether the golden window would have fallen back to sampling.

Exit code: 0 all tokens equal and all language probabilities within the tolerance, 1 not, 2 nothing to compare.
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.references import reference
from support.word_errors import NORMALISER, errors


def tokens(transcript):
    return [token for segment in transcript["segments"] for token in segment["tokens"]]


def text(transcript):
    return "".join(segment["text"] for segment in transcript["segments"])


def first_difference(ours, theirs):
    shared = min(len(ours), len(theirs))
    return next((i for i in range(shared) if ours[i] != theirs[i]), shared)


def place(transcript, index):
    """The segment at a position in all tokens, its times, and the tokens around the position."""
    for number, segment in enumerate(transcript["segments"]):
        if index < len(segment["tokens"]):
            around = segment["tokens"][max(0, index - 3):index + 4]
            return f"segment {number} ({segment['start']:.2f}-{segment['end']:.2f} s) token {index}: {around}"
        index -= len(segment["tokens"])
    return "the end"


def numbers_differ(ours, theirs):
    """The largest differences of a segment's times and scores, over segments with the same tokens."""
    largest = {}
    for a, b in zip(ours["segments"], theirs["segments"]):
        for name in ("start", "end", "avg_logprob", "compression_ratio", "no_speech_prob"):
            if name in a:
                largest[name] = max(largest.get(name, 0), abs(a[name] - b[name]))
    return largest


class Comparison:
    def __init__(self, arguments):
        self.arguments, self.golden = arguments, json.loads(pathlib.Path(arguments.golden).read_text(encoding="utf-8"))
        self.equal = self.different = self.missing = self.elsewhere = self.language_off = 0
        self.worst_language, self.largest = 0.0, {}
        self.words = {"ours": [0, 0], "theirs": [0, 0]}

    def run(self):
        task = self.golden.get("task", "transcribe")
        for key, theirs in self.golden["files"].items():
            if self.arguments.only not in key or (self.arguments.exclude and self.arguments.exclude in key):
                continue
            name = theirs.get("file", key)
            path = pathlib.Path(self.arguments.folder) / (pathlib.Path(name).stem + ".json")
            if not path.exists():
                self.missing += 1
                continue
            ours = json.loads(path.read_text(encoding="utf-8"))
            self.count_words(name, task, ours, theirs)
            self.compare(name, ours, theirs)
        return self.report()

    def count_words(self, name, task, ours, theirs):
        said, language = reference(name, task)
        if said:
            for side, transcript in (("ours", ours), ("theirs", theirs)):
                wrong, total = errors(said, text(transcript), language)
                self.words[side][0] += wrong
                self.words[side][1] += total

    def compare(self, name, ours, theirs):
        counts = theirs.get("samples") == "file"
        self.elsewhere += not counts
        same = [s["tokens"] for s in ours["segments"]] == [s["tokens"] for s in theirs["segments"]]
        if same:
            for field, value in numbers_differ(ours, theirs).items():
                self.largest[field] = max(self.largest.get(field, 0), value) if counts else self.largest.get(field, 0)
        self.equal += same and counts
        self.different += not same and counts
        if not same:
            self.show(name, ours, theirs, counts)
        self.compare_language(name, ours, theirs, counts)

    def compare_language(self, name, ours, theirs, counts):
        if "language_probability" not in ours:
            return
        off = abs(ours["language_probability"] - theirs["language_probability"])
        if ours["language"] != theirs["language"] or off > self.arguments.language_tolerance:
            print(f"LANGUAGE {name}: {ours['language']} {ours['language_probability']:.6f}, golden "
                  f"{theirs['language']} {theirs['language_probability']:.6f}{'' if counts else ' (does not count)'}")
            self.language_off += counts
        if counts:
            self.worst_language = max(self.worst_language, off)

    def show(self, name, ours, theirs, counts):
        at = first_difference(tokens(ours), tokens(theirs))
        note = "" if counts else " (other samples: does not count)"
        fallback = f" (golden windows that would fall back: {theirs['fallback']})" if theirs.get("fallback") else ""
        print(f"DIFFERENT {name}{note}{fallback}: {len(tokens(ours))} tokens, golden {len(tokens(theirs))}, first difference at {at}")
        print(f"  ours   {place(ours, at)}\n  golden {place(theirs, at)}\n  ours   {text(ours)[:200]!r}\n  golden {text(theirs)[:200]!r}")

    def report(self):
        rates = {side: f"{100 * wrong / total:.2f} % ({wrong}/{total})" if total else "no texts" for side, (wrong, total) in self.words.items()}
        print(f"{self.golden['model']} beam {self.golden.get('beam_size', '-')} {self.golden.get('task', 'options')}: "
              f"token-identical {self.equal} of {self.equal + self.different}; other samples {self.elsewhere}, without JSON {self.missing}")
        print(f"WER ({NORMALISER}): ours {rates['ours']}, golden {rates['theirs']}")
        print(f"largest language probability difference {self.worst_language:.6f}, beyond the tolerance {self.language_off}")
        print("largest differences where tokens are equal: " + ", ".join(f"{k} {v:.6f}" for k, v in self.largest.items()))
        if not self.equal + self.different + self.elsewhere:
            return 2
        return 1 if self.different or self.language_off else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("golden")
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--exclude", default="")
    parser.add_argument("--language-tolerance", type=float, default=0.001)
    return Comparison(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
