#!/usr/bin/env python3
"""What leakage between the channels of a call costs: words that appear twice, are lost, or move to the other side.

usage: measure_calls.py FOLDER --steno PROGRAM [--out FOLDER] [-- OPTIONS of `steno transcribe`]

FOLDER is made by `make_real_conversations.py --calls`. Each call is transcribed with `--channels separate`, and so is the same
call without leakage, whose text of each channel is the reference: the changes are what the leakage did, not the model's
errors. Added words whose reader said the same within a second on the other side are counted as doubled.

Needs numpy and scipy.
"""
import argparse
import json
import pathlib
import re
import subprocess

import numpy as np

from measure_words import arguments

NEAR = 1.0


def words(steno, path, kept, options):
    if kept and kept.exists():
        text = kept.read_text()
    else:
        command = [steno, "transcribe", str(path), "--channels", "separate", "--word-timestamps", "-f", "json", "--quiet"]
        text = subprocess.run(command + options, check=True, stdout=subprocess.PIPE, text=True).stdout
        if kept:
            kept.write_text(text)
    channels = {"Channel 1": [], "Channel 2": []}
    for segment in json.loads(text)["segments"]:
        for word in segment.get("words") or []:
            plain = re.sub(r"[^a-z0-9']", "", word["word"].lower())
            if plain:
                channels[segment["speaker"]].append((plain, (word["start"] + word["end"]) / 2))
    return list(channels.values())


def compare(reference, found):
    """The numbers of replaced and lost words, and the added words."""
    n, m = len(reference), len(found)
    cost = np.zeros((n + 1, m + 1), int)
    cost[:, 0], cost[0] = np.arange(n + 1), np.arange(m + 1)
    for i in range(n):
        for j in range(m):
            same = cost[i, j] + (reference[i][0] != found[j][0])
            cost[i + 1, j + 1] = min(same, cost[i, j + 1] + 1, cost[i + 1, j] + 1)
    replaced = lost = 0
    added, i, j = [], n, m
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + (reference[i - 1][0] != found[j - 1][0]):
            replaced += reference[i - 1][0] != found[j - 1][0]
            i, j = i - 1, j - 1
        elif j and cost[i, j] == cost[i, j - 1] + 1:
            j -= 1
            added.append(found[j])
        else:
            i -= 1
            lost += 1
    return replaced, lost, added


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steno", required=True)
    parser.add_argument("--out", type=pathlib.Path, help="keeps the transcripts, which are not made again")
    a = arguments(parser)
    if a.out:
        a.out.mkdir(parents=True, exist_ok=True)
    totals = np.zeros(5, int)
    for path in sorted(a.folder.glob("call-???.wav")):
        both = [words(a.steno, p, a.out and a.out / (p.stem + ".json"), a.options)
                for p in (path.with_suffix(".alone.wav"), path)]
        row = np.zeros(5, int)
        for channel in (0, 1):
            reference, found, other = both[0][channel], both[1][channel], both[0][1 - channel]
            replaced, lost, added = compare(reference, found)
            doubled = sum(any(word == own and abs(at - then) < NEAR for own, then in other) for word, at in added)
            row += [len(reference), replaced, lost, len(added) - doubled, doubled]
        totals += row
        show(path.stem, row)
    show("all", totals)


def show(name, row):
    count, replaced, lost, added, doubled = row
    print(f"{name}: of {count} words {replaced} replaced, {lost} lost; {doubled} doubled from the other side, "
          f"{added} others added", flush=True)


if __name__ == "__main__":
    main()
