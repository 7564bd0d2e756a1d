#!/usr/bin/env python3
"""Measures live transcription: latency of partial and final words, WER, flicker and cost.

    python Tools/live/measure_live.py --steno PATH --set speech|short|talk|nano [--model FOLDER] [--pace measured|fast|realtime]
        [--files FOLDER] [--seed 5] [--limit N] [--repeat N] [--offline] [--json FILE] [-- arguments of steno live]

A stream of recordings with pauses goes through `steno live --format jsonl`; everything is computed from its events, whose
`position` says how much audio had been consumed. With `--pace measured` every decoding takes as much of the stream's time
as it really took; `realtime` feeds the stream as a microphone would, and takes as long as the audio.
--files takes the recordings of a folder with a manifest.jsonl (as in Tests/Fixtures/speech) instead of the fixtures; with
the set `nano`, in addition to them. --repeat 3 plays every recording three times, between others, to show whether earlier
text misleads the model.

first shown   from the end of a word to the first event that shows it           (word emission latency)
final         from the end of a word to the event that makes it final
end of speech from the end of a sentence to the event that makes its last word final, before a pause of a second or more
erasure       words that vanish from one event to the next, per word of the final text  (Arivazhagan et al. 2020)
compute       seconds of decoding per second of audio
improbable    final words with a probability below 0.05, 0.1 and 0.25, and how many of them are wrong
WER           of the final text; --offline: of the same recordings, each transcribed separately with the same model
"""

import argparse
import difflib
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from live.live_streams import append, arguments, file_texts, run_live, streams, vanished
from support.alignment import words
from support.word_errors import errors


def screens(events):
    """The text on the screen, as (position, final text, volatile text), after all events of one position."""
    text, tail, at = "", "", None
    for event in events:
        if event["type"] not in ("partial", "final", "utterance_end"):
            continue
        if at is not None and event["position"] != at:
            yield at, text, tail
        at = event["position"]
        if event["type"] == "partial":
            tail = event["text"]
        else:  # the end of an utterance may bring the punctuation after its last word
            text, tail = text + event.get("text", ""), ""
    if at is not None:
        yield at, text, tail


def follow(stream, events):
    """Follows the screens; returns when each word was shown and final, the final text, and how many words vanished."""
    shown, final, erased, last, text = {}, {}, 0, [], ""
    for position, text, tail in screens(events):
        done = words(text)
        shown_words = done + words(tail)
        erased += vanished(last, shown_words)
        last = shown_words
        near = [i for i, (_, end) in enumerate(stream.words) if end is not None and position - 25 < end < position + 1]
        if not near:
            continue
        first = max(0, len(shown_words) - len(near) - 12)
        matcher = difflib.SequenceMatcher(None, [stream.words[i][0] for i in near], shown_words[first:], autojunk=False)
        for start, other, size in matcher.get_matching_blocks():
            for k in range(size):
                i = near[start + k]
                shown.setdefault(i, position)
                if first + other + k < len(done):
                    final.setdefault(i, position)
    return shown, final, text, erased


def improbable(stream, events):
    """For each probability limit, the numbers of right and wrong final words below it."""
    final = [(part, word["probability"]) for event in events if event["type"] == "final"
             for word in event["words"] for part in words(word["word"])]
    matcher = difflib.SequenceMatcher(None, [word for word, _ in stream.words], [word for word, _ in final], autojunk=False)
    right = {i for _, start, size in matcher.get_matching_blocks() for i in range(start, start + size)}
    return [[sum(p < limit and (i in right) == is_right for i, (_, p) in enumerate(final)) for is_right in (True, False)]
            for limit in LIMITS]


LIMITS = (0.05, 0.1, 0.25, 1.1)


def summary(values):
    values = sorted(values)
    if not values:
        return {"mean": None, "p50": None, "p95": None}
    return {"mean": statistics.mean(values), "p50": statistics.median(values), "p95": values[int(0.95 * (len(values) - 1))]}


def slope(points):
    """Growth of the lag in seconds per hour, by least squares."""
    if len(points) < 2:
        return 0.0
    x, y = zip(*points)
    mx, my = statistics.mean(x), statistics.mean(y)
    spread = sum((a - mx) ** 2 for a in x)
    return 3600 * sum((a - mx) * (b - my) for a, b in points) / spread if spread else 0.0


def measure(a, extra):
    first, last, ends, points = [], [], [], []
    doubtful = [[0, 0] for _ in LIMITS]
    wrong = total = offline_wrong = erased = count = decodings = 0
    cost = audio = 0.0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for stream in streams(a.set, a.seed, a.limit, folder=a.files, repeat=a.repeat):
            audio_file = folder / f"{stream.name}.wav"
            stream.write(audio_file)
            events, n, seconds = run_live(a, audio_file, stream.language, extra)
            shown, final, text, gone = follow(stream, events)
            doubtful = [[x + y for x, y in zip(old, new)] for old, new in zip(doubtful, improbable(stream, events))]
            reference = " ".join(stream.texts)
            e, w = errors(reference, text, stream.language)
            wrong, total = wrong + e, total + w
            if a.offline:
                offline = file_texts(a, stream.files, stream.language, folder / f"offline-{stream.name}")
                offline_wrong += sum(errors(r, h, stream.language)[0] for r, h in zip(stream.texts, offline))
            first += [p - stream.words[i][1] for i, p in shown.items()]
            last += [p - stream.words[i][1] for i, p in final.items()]
            points += [(stream.words[i][1], p - stream.words[i][1]) for i, p in final.items()]
            ends += [final[i] - end for end, i, pause in stream.ends if i in final and pause >= 1]
            erased, count = erased + gone, count + len(words(text))
            if "--charge" in extra:
                seconds = n * float(extra[extra.index("--charge") + 1])
            decodings, cost, audio = decodings + n, cost + seconds, audio + stream.seconds
            if a.verbose:
                print(f"== {stream.name}\n{text}", file=sys.stderr)
    return {
        "set": a.set, "pace": a.pace, "seed": a.seed, "repeat": a.repeat, "arguments": extra, "model": a.model or "base",
        "audio": round(audio, 1), "improbable": {str(limit): pair for limit, pair in zip(LIMITS, doubtful)},
        "first_shown": summary(first), "final": summary(last), "end_of_speech_to_final": summary(ends),
        "erasure": erased / max(count, 1), "wer": wrong / total, "offline_wer": offline_wrong / total if a.offline else None,
        "decodings": decodings, "decoding_ms": 1000 * cost / max(decodings, 1), "compute": cost / audio,
        "lag_slope_seconds_per_hour": slope(points),
    }


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--set", default="speech", choices=["speech", "short", "talk", "nano"])
    p.add_argument("--files", type=Path, metavar="FOLDER")
    p.add_argument("--pace", default="measured")
    p.add_argument("--seed", type=int, default=5)
    p.add_argument("--limit", type=int)
    p.add_argument("--repeat", type=int, default=1, metavar="N")
    p.add_argument("--offline", action="store_true")
    p.add_argument("--verbose", action="store_true")
    a, extra = arguments(p)
    r = measure(a, extra)

    def three(x):
        return " / ".join("–" if x[k] is None else f"{x[k]:.2f}" for k in ("mean", "p50", "p95"))

    print(f"{r['set']} {r['pace']} {' '.join(extra)}: first shown {three(r['first_shown'])}, final {three(r['final'])}, "
          f"end of speech {three(r['end_of_speech_to_final'])} s (mean / p50 / p95); erasure {r['erasure']:.3f}; WER {100 * r['wer']:.2f} %"
          + (f" (file by file {100 * r['offline_wer']:.2f} %)" if a.offline else "")
          + f"; {r['decodings']} decodings of {r['decoding_ms']:.0f} ms, compute {r['compute']:.2f}; "
          f"lag {r['lag_slope_seconds_per_hour']:+.2f} s/h; improbable "
          + ", ".join(f"{wrong} of {right + wrong} wrong" for right, wrong in r["improbable"].values()), flush=True)
    append(a.json, r)


if __name__ == "__main__":
    main()
