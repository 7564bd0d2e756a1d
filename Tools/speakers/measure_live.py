#!/usr/bin/env python3
"""Speaker labels of live text: how many are wrong when a word becomes final and after corrections, and how late they come.

usage: measure_live.py FOLDER --steno PROGRAM [--only PREFIX] [--out FOLDER] [--no-files] [-- OPTIONS of `steno live`]

FOLDER is as for measure_words.py. Each recording is transcribed with `steno live --input FILE --speakers --pace fast`,
so that times are those of the audio and computing takes none. A label is late by the audio heard when it was given, minus
the end of its word; a corrected one by that of its last correction. Words are counted as in measure_words.py. The
diarization error rate is of the words: a speaker speaks from the start to the end of a word, and through pauses of up to half
a second between words. For comparison, the words of `steno transcribe --speakers auto` are measured in the same way (not with
`--no-files`). A label changes its person if another reader said most of its words in five minutes than in those before.

Needs numpy and scipy.
"""
import argparse
import json
import pathlib
import subprocess

import numpy as np
from scipy.optimize import linear_sum_assignment

from measure_words import arguments, count, turns

PAUSE = 0.5
PART = 300


def run(kept, command):
    if kept and kept.exists():
        return kept.read_text()
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    if kept:
        kept.write_text(text)
    return text


def live(lines):
    """The words with their labels at once (`first`), corrected (`speaker`), and when (`given`, `settled`)."""
    words = []
    for line in lines:
        event = json.loads(line)
        if event["type"] == "final":
            for word in event.get("words", []):
                words.append(dict(word, first=word.get("speaker"), given=event["position"], settled=event["position"]))
        for change in event.get("changes", []):
            for word in words:
                middle = (word["start"] + word["end"]) / 2
                end = change.get("end")
                if word.get("speaker") == change["was"] and change["start"] <= middle and (end is None or middle < end):
                    word["speaker"], word["settled"] = change["now"], event["position"]
    return words


def spoken(words, key="speaker"):
    """The turns of words, by speaker."""
    found = []
    for word in sorted(words, key=lambda word: word["start"]):
        last = next((turn for turn in reversed(found) if turn[2] == word[key]), None)
        if last and word["start"] - last[1] <= PAUSE:
            last[1] = max(last[1], word["end"])
        elif word[key]:
            found.append([word["start"], max(word["end"], word["start"] + 0.01), word[key]])
    return [tuple(turn) for turn in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steno", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=pathlib.Path, help="keeps the transcripts, which are not made again")
    parser.add_argument("--no-files", action="store_true", help="does not transcribe them as files too")
    a = arguments(parser)
    if a.out:
        a.out.mkdir(parents=True, exist_ok=True)
    sums, late, corrected, rows = {}, [], [], {}
    for path in sorted(a.folder.glob(a.only + "*.wav")):
        reference = turns(path.with_suffix(".rttm"))
        kept = (lambda end: a.out / (path.stem + end)) if a.out else lambda end: None
        words = live(run(kept(".jsonl"), [
            a.steno, "live", "--input", str(path), "--speakers", "--pace", "fast", "--format", "jsonl", *a.options]).splitlines())
        heard = {"at once": (words, "first"), "corrected": (words, "speaker")}
        if not a.no_files:
            text = run(kept(".json"), [
                a.steno, "transcribe", str(path), "--speakers", "auto", "-f", "json", "--quiet", *a.options])
            file = [word for segment in json.loads(text)["segments"] for word in segment.get("words") or []]
            heard["file"] = (file, "speaker")
        late += [word["given"] - word["end"] for word in words]
        corrected += [word["settled"] - word["end"] for word in words if word["speaker"] != word["first"]]
        line = []
        for name, (said, key) in heard.items():
            own = [dict(word, speaker=word.get(key)) for word in said]
            counts, der = count(own, reference), errors(reference, spoken(own))
            rows.setdefault(name, []).append(der)
            sums.setdefault(name, []).append(counts)
            line.append(f"{name} {counts[1]} of {counts[0]}, DER {100 * rate(der):.1f} % ({der['found']} of {der['speakers']})")
        print(f"{path.stem}: " + "; ".join(line) + f"; {changes(words, reference)} changes of a label's person", flush=True)
    for name in rows:
        total = {key: sum(row[key] for row in rows[name]) for key in rows[name][0]}
        right = sum(row["found"] == row["speakers"] for row in rows[name])
        heard, wrong, _ = map(sum, zip(*sums[name]))
        print(f"{name}: {100 * wrong / max(heard, 1):.1f} % of {heard} words wrong; DER {show(total)}; "
              f"number of speakers right in {right} of {len(rows[name])}")
    for name, values in (("label after the word", late), ("last correction after the word", corrected)):
        if values:
            middle, most, worst = np.percentile(values, [50, 95, 100])
            print(f"{name}: median {middle:.2f} s, 95th percentile {most:.2f} s, longest {worst:.2f} s ({len(values)} words)")


def changes(words, reference):
    """How often the person behind a label changes from one part with at least five of its words to the next."""
    parts = {}
    for word in words:
        middle = (word["start"] + word["end"]) / 2
        present = [who for start, end, who in reference if start <= middle < end]
        if len(present) == 1 and word.get("speaker"):
            parts.setdefault(word["speaker"], {}).setdefault(int(middle // PART), []).append(present[0])
    found = 0
    for own in parts.values():
        people = [max(sorted(set(said)), key=said.count) for _, said in sorted(own.items()) if len(said) >= 5]
        found += sum(one != other for one, other in zip(people, people[1:]))
    return found


def errors(reference, found):
    """Seconds of speech, missed, false, and confused; the speakers of both."""
    edges = np.unique([time for start, end, _ in reference + found for time in (start, end)])
    length, middle = np.diff(edges), (edges[1:] + edges[:-1]) / 2

    def activity(turns):
        names = sorted({who for _, _, who in turns})
        active = np.zeros((len(names), len(middle)), bool)
        for start, end, who in turns:
            active[names.index(who)] |= (middle > start) & (middle < end)
        return active

    said, heard = activity(reference), activity(found)
    pairs = zip(*linear_sum_assignment(-(said * length) @ heard.T.astype(float)))
    right = sum((said[one] & heard[other] for one, other in pairs), np.zeros(len(middle)))
    people, voices = said.sum(0), heard.sum(0)
    return dict(
        speech=float(people @ length), missed=float(np.maximum(people - voices, 0) @ length),
        false=float(np.maximum(voices - people, 0) @ length),
        confused=float((np.minimum(people, voices) - right) @ length), speakers=len(said), found=len(heard))


def show(row):
    missed, false, confused = (100 * row[key] / max(row["speech"], 1e-9) for key in ("missed", "false", "confused"))
    return f"{missed + false + confused:.1f} % | {missed:.1f} + {false:.1f} + {confused:.1f}"


def rate(row):
    return (row["missed"] + row["false"] + row["confused"]) / max(row["speech"], 1e-9)


if __name__ == "__main__":
    main()
