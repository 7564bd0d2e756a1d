#!/usr/bin/env python3
"""Live text of real readers against the text of the same recordings as files: word error rates, latencies, causes.

    python Tools/live/measure_readers.py --steno PATH --audio FOLDER [--split tuning|reporting|all] [--streams NAME,…]
        [--condition clean|phone|room|noise15|noise10|noise5] [--pace fast|measured] [--causes] [--json FILE]
        [--references FILE] [-- arguments of steno live]

`readers.jsonl` has the references, and says which speakers were used for tuning: never choose a setting by the others. The
audio is not in this repository: FOLDER has the files, at any depth. `librispeech_test-other` and
`librispeech_train-clean-100` are in github.com/resemble-ai/Resemblyzer (audio_data; LibriSpeech, CC BY 4.0: Panayotov,
Chen, Povey, Khudanpur 2015), butler in lhotse-speech/lhotse (test/fixtures/mix_cut_test, CC BY 4.0), austen in
cmusphinx/pocketsphinx (test/data/librivox, public domain, as FLAC).

`--references languages.jsonl` is Portuguese, Spanish, German, French, children and accents; no setting was chosen by them. The
audio of FLEURS is in sebastian-software/cuttledoc, the children and Mandarin speakers are in jimbozhang/speechocean762, and
"source" names the rest. Any other file of lines with "file", "text" and, if wanted, "stream", "speaker", "language" will do.

Each stream is its recordings with pauses of 0.4 to 2.5 s, drawn with a fixed seed. `phone` keeps 300 to 3,400 Hz,
`noise10` adds pink noise at 10 dB, `room` adds reverberation (0.4 s). Files are transcribed under the same condition.

gap            live errors minus those of the files, in percent of the words; the interval (95 %) is a bootstrap over speakers
first shown    from the end of a word, as the live text has it, to the first event that shows it
final          from the end of a word to the event that makes it final
end of speech  from the end of the audible part of a recording, before a pause of a second or more, to its last final word
erasure        words that vanish from one event to the next, per word of the final text
--causes       for each word that is right as a file and wrong in the live text, the decision that lost it
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import soundfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from live.live_streams import RATE, append, arguments, file_texts, run_live, vanished
from support import alignment

SAME = {"mr": "mister", "mrs": "missus", "dr": "doctor"}
CAUSES = ("agreement", "pause", "end of utterance", "cut", "guard", "missing")


def words(text):
    return [SAME.get(word, word) for word in alignment.words(text.replace("’", "'"))]


def align(reference, hypothesis):
    """The number of errors, and for each word of the reference its place in the hypothesis, if it has one."""
    pairs = alignment.align(reference, hypothesis)
    wrong = sum(None in (i, j) or reference[i] != hypothesis[j] for i, j in pairs)
    return wrong, {i: j for i, j in pairs if None not in (i, j)}


def condition(samples, name, draw):
    """The samples through a telephone, in a room, or with noise."""
    if name == "phone":
        spectrum = np.fft.rfft(samples)
        hertz = np.fft.rfftfreq(len(samples), 1 / RATE)
        return np.fft.irfft(spectrum * ((hertz >= 300) & (hertz <= 3400)), len(samples)).astype(np.float32)
    if name == "room":
        tail = draw.standard_normal(int(0.4 * RATE)) * 10 ** (-3 * np.arange(int(0.4 * RATE)) / (0.4 * RATE))
        tail *= 0.5 / np.sqrt((tail ** 2).sum())
        tail[0] = 1
        size = len(samples) + len(tail)
        wet = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(tail, size), size)[:len(samples)]
        return (wet / max(1, np.abs(wet).max())).astype(np.float32)
    if name.startswith("noise"):
        spectrum = np.fft.rfft(draw.standard_normal(len(samples)))
        spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
        noise = np.fft.irfft(spectrum, len(samples))
        noise *= np.sqrt((samples ** 2).mean() / (noise ** 2).mean()) * 10 ** (-int(name[5:]) / 20)
        mixed = samples + noise
        return (mixed / max(1, np.abs(mixed).max())).astype(np.float32)
    return samples


class Stream:
    """The recordings of one stream, joined."""

    def __init__(self, name, rows, files, a, folder):
        draw, pauses = np.random.default_rng(1), random.Random(f"{a.seed}-{name}")
        self.name, self.rows, self.spans, self.ends = name, rows, [], []
        self.language = rows[0].get("language", "en")
        parts, at, self.files = [], 0.0, []
        for row in rows:
            samples = condition(soundfile.read(files[Path(row["file"]).name], dtype="float32")[0], a.condition, draw)
            file = folder / (Path(row["file"]).stem + ".wav")
            soundfile.write(file, samples, RATE, subtype="PCM_16")
            self.files.append(file)
            pause = pauses.uniform(0.4, 2.5)
            length = len(samples) / RATE
            self.spans.append((at, at + length))
            self.ends.append((at + speech_end(samples), pause))
            parts += [samples, np.zeros(int(pause * RATE), np.float32)]
            at += length + int(pause * RATE) / RATE
        if a.condition.startswith("noise"):
            level = np.sqrt(np.mean(np.concatenate(parts) ** 2)) * 10 ** (-int(a.condition[5:]) / 20)
            parts = [p if p.any() else (draw.standard_normal(len(p)) * level).astype(np.float32) for p in parts]
        self.seconds = at
        self.file = folder / f"stream-{name}.wav"
        soundfile.write(self.file, np.concatenate(parts), RATE, subtype="PCM_16")


def levels(samples):
    """The level of every 10 ms in dB."""
    count = len(samples) // 160
    return 10 * np.log10((samples[:count * 160].reshape(count, 160) ** 2).mean(1) + 1e-10)


def speech_end(samples):
    """Where the last audio within 32 dB of the loudest ends, in seconds."""
    energy = np.convolve(levels(samples), np.ones(3) / 3, "same")
    return (np.nonzero(energy > energy.max() - 32)[0][-1] + 1) / 100


def cause(i, places, finals, spans_of_silence, boundaries, guarded):
    """Why a word of the reference is wrong: the event that made the word in its place final."""
    if i not in places:
        return "guard" if guarded else "missing"
    word, event, closes = finals[places[i]]
    if closes:
        return "end of utterance"
    if any(abs(word["start"] - b) < 0.3 or abs(word["end"] - b) < 0.3 for b in boundaries):
        return "cut"
    return "pause" if any(a <= event["position"] <= b for a, b in spans_of_silence) else "agreement"


def measure(a, stream, events, seconds, texts):
    """The figures of one stream, errors by speaker."""
    final_events = [e for e in events if e["type"] == "final"]
    closing = {e["position"] for e in events if e["type"] == "utterance_end"}
    finals = [(part, (w, e, e["position"] in closing)) for e in final_events for w in e["words"] for part in words(w["word"])]
    hypothesis = words("".join(e.get("text", "") for e in events if e["type"] in ("final", "utterance_end")))
    if len(hypothesis) != len(finals):  # a word in two events: compare the text, and take times where they fit
        finals = (finals + finals[-1:] * len(hypothesis))[:len(hypothesis)]
    reference = [w for row in stream.rows for w in words(row["text"])]
    owner = [row["speaker"] for row in stream.rows for _ in words(row["text"])]
    _, places = align(reference, hypothesis)
    right = {i for i, j in places.items() if reference[i] == hypothesis[j]}
    by_speaker = {}
    # Each insertion counts for the speaker of the word before it.
    taken = set(places.values())
    inverse = {j: i for i, j in places.items()}
    last = 0
    for j in range(len(hypothesis)):
        last = inverse.get(j, last)
        if j not in taken:
            by_speaker.setdefault(owner[last], [0, 0, 0])[0] += 1
    for i, speaker in enumerate(owner):
        entry = by_speaker.setdefault(speaker, [0, 0, 0])
        entry[0] += i not in right
        entry[2] += 1
    file_right, offset = set(), 0
    for row, text in zip(stream.rows, texts):
        own = words(row["text"])
        heard = words(text)
        wrong, at = align(own, heard)
        by_speaker[row["speaker"]][1] += wrong
        file_right |= {offset + i for i, j in at.items() if own[i] == heard[j]}
        offset += len(own)
    speech = [(e["speaking"], e["time"], e["position"]) for e in events if e["type"] == "speech"]
    boundaries = [time for _, time, _ in speech]
    silences = silent_spans(stream.file)
    guards = [(e["start"], e["end"]) for e in events if e["type"] == "guard"]
    lost = Counter(
        cause(i, places, [f for _, f in finals], silences, boundaries, bool(guards)) for i in sorted(file_right - right))
    latencies = [e["position"] - w["end"] for e in final_events for w in e["words"] if words(w["word"])]
    shown, erased, text, previous = [], 0, "", []
    seen = {}
    for e in events:
        if e["type"] == "utterance_end":
            text += e.get("text", "")
        if e["type"] not in ("partial", "final"):
            continue
        text = text + e["text"] if e["type"] == "final" else text
        screen = words(text) + (words(e["text"]) if e["type"] == "partial" else [])
        if e["type"] == "partial" or not e.get("partials"):
            erased += vanished(previous, screen)
            previous = screen
        for w in e.get("words", []):
            key = (round(w["end"] / 0.6), "".join(words(w["word"])))
            if key[1] and not any((key[0] + d, key[1]) in seen for d in (-1, 0, 1)):
                shown.append(e["position"] - w["end"])
            seen[key] = True
    ends = []
    for (start, _), (end, pause), following in zip(stream.spans, stream.ends, stream.spans[1:] + [(stream.seconds + 9, 0)]):
        own = [(w["end"], e["position"]) for e in final_events for w in e["words"] if words(w["word"]) and start <= w["end"] <= min(end + 0.6, following[0])]
        if pause >= 1 and own:
            ends.append(max(own)[1] - end)
    return dict(speakers=by_speaker, lost=lost, gained=len(right - file_right), latencies=latencies, shown=shown, ends=ends,
                erased=erased, words=max(len(hypothesis), 1), seconds=stream.seconds, compute=seconds)


def silent_spans(file):
    """Silent spans of 0.1 s and more."""
    energy = levels(soundfile.read(file, dtype="float32")[0])
    quiet = energy < np.percentile(energy, 95) - 30
    spans, start = [], None
    for i, q in enumerate(np.append(quiet, False)):
        if q and start is None:
            start = i
        if not q and start is not None:
            if i - start >= 10:
                spans.append((start / 100, i / 100 + 0.05))
            start = None
    return spans


def interval(speakers, draws=2000):
    """The 95 % interval of the gap, by a bootstrap over speakers."""
    rows = np.array([list(v) for v in speakers.values()], float)
    draw = np.random.default_rng(0)
    gaps = []
    for _ in range(draws):
        live_errors, file_errors, count = rows[draw.integers(0, len(rows), len(rows))].sum(0)
        gaps.append(100 * (live_errors - file_errors) / count)
    return np.percentile(gaps, [2.5, 97.5])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--audio", required=True, type=Path)
    p.add_argument("--split", default="tuning", choices=["tuning", "reporting", "all"])
    p.add_argument("--references", default="readers.jsonl", help="next to this script, or a path")
    p.add_argument("--streams")
    p.add_argument("--condition", default="clean")
    p.add_argument("--pace", default="fast")
    p.add_argument("--seed", default=7)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--causes", action="store_true")
    a, extra = arguments(p)
    rows = [json.loads(line) for line in (Path(__file__).parent / a.references).read_text().splitlines()]
    for row in rows:
        row.setdefault("stream", row.get("language", "en"))
        row["speaker"] = row.get("speaker") or row["file"]
        row.setdefault("split", a.split)  # other lists are not split
    rows = [r for r in rows if a.split in ("all", r["split"]) and (not a.streams or r["stream"] in a.streams.split(","))]
    files = {f.name: f for f in a.audio.rglob("*.flac")}
    missing = [r["file"] for r in rows if Path(r["file"]).name not in files]
    if missing:
        print(f"{len(missing)} recordings are not in {a.audio}, such as {missing[0]}", file=sys.stderr)
        rows = [r for r in rows if Path(r["file"]).name in files]
    if not rows:
        sys.exit(f"None of the recordings in {a.references} is left to measure.")
    names = sorted({r["stream"] for r in rows})
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for name in names:
            (Path(folder) / name).mkdir()
            made.append(Stream(name, [r for r in rows if r["stream"] == name], files, a, Path(folder) / name))

        def one(stream):
            texts = file_texts(a, stream.files, stream.language, stream.file.parent)
            events, _, seconds = run_live(a, stream.file, stream.language, extra)
            return measure(a, stream, events, seconds, texts)

        with ThreadPoolExecutor(a.jobs) as pool:
            results = list(pool.map(one, made))
    speakers = {}
    for result in results:
        for speaker, values in result["speakers"].items():
            speakers[speaker] = [a + b for a, b in zip(speakers.get(speaker, [0, 0, 0]), values)]
    for stream, result in zip(made, results):
        e, f, n = (sum(v[i] for v in result["speakers"].values()) for i in range(3))
        print(f"{stream.name}: live {100 * e / n:.2f} %, as files {100 * f / n:.2f} %, gap {100 * (e - f) / n:+.2f}, {n} words")
    e, f, n = (sum(v[i] for v in speakers.values()) for i in range(3))
    low, high = interval(speakers)

    def two(key):
        values = sorted(x for r in results for x in r[key])
        return f"{values[len(values) // 2]:.2f} / {values[int(0.95 * (len(values) - 1))]:.2f} s" if values else "–"

    summary = dict(
        split=a.split, condition=a.condition, pace=a.pace, arguments=extra, model=a.model or "base", words=n, speakers=len(speakers),
        live=100 * e / n, files=100 * f / n, gap=100 * (e - f) / n, interval=[float(low), float(high)],
        first_shown=two("shown"), final=two("latencies"), end_of_speech=two("ends"),
        erasure=sum(r["erased"] for r in results) / sum(r["words"] for r in results),
        compute=sum(r["compute"] for r in results) / sum(r["seconds"] for r in results),
        lost=dict(sum((r["lost"] for r in results), Counter())), gained=sum(r["gained"] for r in results))
    print(f"{a.split} {a.condition} {a.pace} {' '.join(extra)}: live {summary['live']:.2f} %, as files {summary['files']:.2f} %, "
          f"gap {summary['gap']:+.2f} [{low:+.2f}, {high:+.2f}] of {n} words, {len(speakers)} speakers; first shown {summary['first_shown']}, "
          f"final {summary['final']}, end of speech {summary['end_of_speech']} (median / 95 %); erasure {summary['erasure']:.2f}; "
          f"compute {summary['compute']:.2f} s per second")
    if a.causes:
        print("lost: " + ", ".join(f"{c} {summary['lost'].get(c, 0)}" for c in CAUSES) + f"; gained {summary['gained']}")
    append(a.json, summary)


if __name__ == "__main__":
    main()
