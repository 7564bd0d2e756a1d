#!/usr/bin/env python3
"""Speaker labels of Steno against who really spoke: words, live words, calls, and the time that labels take.

usage: measure.py words FOLDER --steno PROGRAM [--only PREFIX] [--out FOLDER] [-- OPTIONS of `steno transcribe`]
       measure.py live FOLDER --steno PROGRAM [--only PREFIX] [--out FOLDER] [--no-files] [-- OPTIONS of `steno live`]
       measure.py calls FOLDER --steno PROGRAM [--only PREFIX] [--out FOLDER] [-- OPTIONS of `steno transcribe`]
       measure.py speed FOLDER --steno PROGRAM … [--only PREFIX] [--isa avx2] [--threads 2] [--rounds 3]

FOLDER has 16 kHz mono WAV files with RTTM files next to them (make_real_conversations.py makes such a folder). --out keeps the
transcripts, which are not made again.

words   Each recording is transcribed with `--speakers auto`. The speakers of a transcript are assigned to the reference's so
        that most words are right, one to one. A word is wrong if the speaker assigned to its label does not speak in the middle
        of the word; words in the middle of which nobody speaks are not counted. The text of the words is not looked at.
live    The same with `steno live --input FILE --speakers --pace fast`, so that times are those of the audio and computing takes
        none. A label is late by the audio heard when it was given, minus the end of its word; a corrected one by that of its
        last correction. The diarization error rate is of the words: a speaker speaks from the start to the end of a word, and
        through pauses of up to half a second between words. For comparison, the words of `steno transcribe --speakers auto` are
        measured in the same way (not with `--no-files`). A label changes its person if another reader said most of its words in
        five minutes than in those before.
calls   What leakage between the channels of a call costs: FOLDER is made by `make_real_conversations.py --calls`. Each call is
        transcribed with `--channels separate`, and so is the same call without leakage, whose text of each channel is the
        reference: the changes are what the leakage did, not the model's errors. Added words whose reader said the same within a
        second on the other side are counted as doubled.
speed   Each recording is transcribed by Moonshine tiny with `--speakers auto` and without, in turns; the labels take the
        difference. Of each the fastest round counts, since other work on the machine only adds time. Two programs take turns
        too, for the share of the time that a change leaves. STENO_MODELS chooses the networks, as for steno itself.

Needs numpy and scipy.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import wave

import numpy as np
from scipy.optimize import linear_sum_assignment

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.alignment import align

PAUSE, PART, NEAR = 0.5, 300, 1.0


def output(a, path, end, *command):
    """What steno prints, kept in --out under the recording's name with that ending."""
    kept = a.out and a.out / (path.stem + end)
    if kept and kept.exists():
        return kept.read_text()
    messages = subprocess.DEVNULL if command[0] == "live" else None
    text = subprocess.run([a.steno[0], *command, *a.options], check=True, stdout=subprocess.PIPE, stderr=messages, text=True).stdout
    if kept:
        kept.write_text(text)
    return text


def recordings(a):
    return sorted(a.folder.glob(a.only + "*.wav"))


def turns(path):
    fields = [line.split() for line in path.read_text().splitlines()]
    return [(float(f[3]), float(f[3]) + float(f[4]), f[7]) for f in fields if f and f[0] == "SPEAKER"]


def file_words(a, path):
    text = output(a, path, ".json", "transcribe", str(path), "--speakers", "auto", "-f", "json", "--quiet")
    return [word for segment in json.loads(text)["segments"] for word in segment.get("words") or []]


# Words


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


def measure_words(a):
    rows = []
    for path in recordings(a):
        rows.append(count(file_words(a, path), turns(path.with_suffix(".rttm"))))
        print(f"{path.stem}: {rows[-1][1]} of {rows[-1][0]} words have the wrong speaker")
    heard, wrong, crossed = map(sum, zip(*rows))
    print(f"all: {wrong} of {heard}, {100 * wrong / max(heard, 1):.1f} %; {crossed} words while two or more speak")


# Live


def live_words(lines):
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


def measure_live(a):
    sums, late, corrected, rows = {}, [], [], {}
    for path in recordings(a):
        reference = turns(path.with_suffix(".rttm"))
        words = live_words(output(
            a, path, ".jsonl", "live", "--input", str(path), "--speakers", "--pace", "fast", "--format", "jsonl").splitlines())
        heard = {"at once": (words, "first"), "corrected": (words, "speaker")}
        if not a.no_files:
            heard["file"] = (file_words(a, path), "speaker")
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
        parts = [100 * total[key] / max(total["speech"], 1e-9) for key in ("missed", "false", "confused")]
        print(f"{name}: {100 * wrong / max(heard, 1):.1f} % of {heard} words wrong; DER {sum(parts):.1f} % | "
              + " + ".join(f"{part:.1f}" for part in parts) + f"; number of speakers right in {right} of {len(rows[name])}")
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


def rate(row):
    return (row["missed"] + row["false"] + row["confused"]) / max(row["speech"], 1e-9)


# Calls


def channels(a, path):
    """The words of both channels, with the middle of each."""
    text = output(a, path, ".json", "transcribe", str(path), "--channels", "separate", "--word-timestamps", "-f", "json", "--quiet")
    found = {"Channel 1": [], "Channel 2": []}
    for segment in json.loads(text)["segments"]:
        for word in segment.get("words") or []:
            plain = re.sub(r"[^a-z0-9']", "", word["word"].lower())
            if plain:
                found[segment["speaker"]].append((plain, (word["start"] + word["end"]) / 2))
    return list(found.values())


def measure_calls(a):
    totals = np.zeros(5, int)
    for path in recordings(a):
        if not re.fullmatch("call-...", path.stem):
            continue  # such as call-001.alone.wav, the same call without leakage
        both = [channels(a, p) for p in (path.with_suffix(".alone.wav"), path)]
        row = np.zeros(5, int)
        for channel in (0, 1):
            reference, found, other = both[0][channel], both[1][channel], both[0][1 - channel]
            pairs = align([word for word, _ in found], [word for word, _ in reference])
            replaced = sum(None not in (i, j) and found[i][0] != reference[j][0] for i, j in pairs)
            lost, added = sum(i is None for i, _ in pairs), [found[i] for i, j in pairs if j is None]
            doubled = sum(any(word == own and abs(at - then) < NEAR for own, then in other) for word, at in added)
            row += [len(reference), replaced, lost, len(added) - doubled, doubled]
        totals += row
        show(path.stem, row)
    show("all", totals)


def show(name, row):
    count, replaced, lost, added, doubled = row
    print(f"{name}: of {count} words {replaced} replaced, {lost} lost; {doubled} doubled from the other side, "
          f"{added} others added", flush=True)


# Speed


def seconds(path):
    with wave.open(str(path)) as file:
        return file.getnframes() / file.getframerate()


def measure_speed(a):
    environment = dict(os.environ, **({"STENO_MAX_ISA": a.isa} if a.isa else {}))
    paths = recordings(a)
    if not paths:
        sys.exit(f"{a.folder} has no {a.only}*.wav")
    audio, fastest, took = sum(map(seconds, paths)), {}, {}
    for key in [(program, path, labels) for _ in range(a.rounds) for path in paths for program in a.steno for labels in (False, True)]:
        program, path, labels = key
        start = time.perf_counter()
        subprocess.run([program, "transcribe", str(path), "--model", "moonshine-tiny", "--threads", str(a.threads), "--quiet",
                        *(["--speakers", "auto"] if labels else [])],
                       check=True, stdout=subprocess.DEVNULL, env=environment)
        taken = time.perf_counter() - start
        fastest[key] = min(taken, fastest.get(key, taken))
    for program in a.steno:
        without, with_labels = (sum(fastest[program, path, labels] for path in paths) for labels in (False, True))
        took[program] = (with_labels - without) / audio
        print(f"{program}: labels {took[program]:.4f} s per second of audio, the transcription {without / audio:.4f} s")
    for program in a.steno[1:]:
        print(f"{program}: {took[program] / took[a.steno[0]]:.2f} of the labels' time of {a.steno[0]}")


WHAT = {"words": measure_words, "live": measure_live, "calls": measure_calls, "speed": measure_speed}


def main():
    own = sys.argv[1:] + ["--"]
    at = own.index("--")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steno", required=True, nargs="+", metavar="PROGRAM")
    parser.add_argument("--only", default="", metavar="PREFIX")
    parser.add_argument("--out", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--no-files", action="store_true", help="live: does not transcribe them as files too")
    parser.add_argument("--isa", help="speed: the best instruction set that may be used, as STENO_MAX_ISA")
    parser.add_argument("--threads", type=int, default=2, help="speed")
    parser.add_argument("--rounds", type=int, default=3, help="speed")
    a = parser.parse_args(own[:at])
    a.options = own[at + 1:-1]
    if a.out:
        a.out.mkdir(parents=True, exist_ok=True)
    WHAT[a.what](a)


if __name__ == "__main__":
    main()
