#!/usr/bin/env python3
"""How many words get the wrong speaker: transcripts of Steno against who really spoke then.

usage: measure_words.py FOLDER --steno PROGRAM [--only PREFIX] [--out FOLDER] [-- OPTIONS of `steno transcribe`]

FOLDER has 16 kHz mono WAV files with RTTM files next to them (make_real_conversations.py makes such a folder). Each is
transcribed with `--speakers auto`. The speakers of a transcript are assigned to the reference's so that most words are
right, one to one. A word is wrong if the speaker assigned to its label does not speak in the middle of the word; words in
the middle of which nobody speaks are not counted. The text of the words is not looked at.

Needs numpy and scipy.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np
from scipy.optimize import linear_sum_assignment


def arguments(parser):
    """The arguments before `--`, and those after it as `options`."""
    own = sys.argv[1:] + ["--"]
    at = own.index("--")
    found = parser.parse_args(own[:at])
    found.options = own[at + 1:-1]
    return found


def turns(path):
    fields = [line.split() for line in path.read_text().splitlines()]
    return [(float(f[3]), float(f[3]) + float(f[4]), f[7]) for f in fields if f and f[0] == "SPEAKER"]


def count(words, reference):
    """The words that count, and those that are wrong, in all and where more than one person speaks."""
    heard = []
    for word in words:
        middle = (word["start"] + word["end"]) / 2
        present = {who for start, end, who in reference if start <= middle < end}
        if present:
            heard.append((word.get("speaker"), present))
    labels = sorted({label for label, _ in heard if label})
    people = sorted({who for _, _, who in reference})
    shared = np.zeros((len(labels), len(people)))
    for label, present in heard:
        for who in present if label else ():
            shared[labels.index(label), people.index(who)] += 1
    assigned = {labels[i]: people[j] for i, j in zip(*linear_sum_assignment(-shared))}
    wrong = [assigned.get(label) not in present for label, present in heard]
    return len(heard), sum(wrong), sum(len(present) > 1 for _, present in heard)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steno", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=pathlib.Path, help="keeps the transcripts, which are not made again")
    a = arguments(parser)
    if a.out:
        a.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for path in sorted(a.folder.glob(a.only + "*.wav")):
        kept = a.out / (path.stem + ".json") if a.out else None
        if kept and kept.exists():
            text = kept.read_text()
        else:
            text = subprocess.run(
                [a.steno, "transcribe", str(path), "--speakers", "auto", "-f", "json", "--quiet", *a.options],
                check=True, stdout=subprocess.PIPE, text=True).stdout
            if kept:
                kept.write_text(text)
        words = [word for segment in json.loads(text)["segments"] for word in segment.get("words") or []]
        rows.append(count(words, turns(path.with_suffix(".rttm"))))
        print(f"{path.stem}: {rows[-1][1]} of {rows[-1][0]} words have the wrong speaker")
    heard, wrong, crossed = map(sum, zip(*rows))
    print(f"all: {wrong} of {heard}, {100 * wrong / max(heard, 1):.1f} %; {crossed} words while two or more speak")


if __name__ == "__main__":
    main()
