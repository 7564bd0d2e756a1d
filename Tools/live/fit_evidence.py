#!/usr/bin/env python3
"""How much evidence a live word needs: fits the weights of EvidenceRule.swift to the words of real readers.

    python Tools/live/fit_evidence.py --steno PATH --audio FOLDER [--streams NAME,…] [--traces FOLDER] [-- arguments of steno live]

The streams are those of measure_readers.py, and by default its tuning streams; FOLDER has their recordings, as there. Every
decoding of `steno live --pace fast --trace` is read, and each of its words that ended at least 0.1 s before the end of the
audio, and is not the last, is one observation. It counts as read otherwise if the last thorough decoding of its audio does
not have the same letters within 0.6 s. --traces saves the traces in a folder, or reads them if they exist.

The output: the weights of a logistic regression for quick and for thorough decodings; their log loss in cross-validation over
utterances (ten folds), also with each of the terms left out; and how often a word is read otherwise, by predicted risk and by
age.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure_readers import Stream

TERMS = ("certainty", "support", "voice", "steady", "duration")
SAME_TIME, EDGE, OLDEST = 0.6, 0.1, 8.0


def key(text):
    return "".join(c for c in text.lower() if c.isalnum())


def log_odds(probability):
    bounded = min(max(probability, 0.01), 0.99)
    return math.log(bounded / (1 - bounded))


def trace(a, stream, extra):
    kept = a.traces and a.traces / f"{stream.name}.jsonl"
    if kept and kept.exists():
        return [json.loads(line) for line in kept.read_text().splitlines()]
    command = [a.steno, "live", "--input", str(stream.file), "--language", stream.language, "--pace", "fast", "--verbose", "--trace", *extra]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr[-2000:])
    lines = [line.split("decoding: ", 1)[1] for line in result.stderr.splitlines() if line.startswith("decoding: ")]
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("\n".join(lines) + "\n")
    return [json.loads(line) for line in lines]


def utterances(records):
    grouped = {}
    for record in records:
        for word in record["words"]:
            word["key"] = key(word["text"])
        grouped.setdefault(record["utterance"], []).append(record)
    return [group for group in grouped.values() if group[-1]["isLast"]]


def has(words, word):
    return any(other["key"] == word["key"] and abs(other["end"] - word["end"]) < SAME_TIME for other in words)


def observations(group, is_thorough):
    """(terms, read otherwise, age) of each word of the decodings of one kind in an utterance."""
    begins, before, rows = group[0]["end"] - SAME_TIME, [], []
    for number, record in enumerate(group):
        if record["isThorough"] != is_thorough or record["isLast"] or record["isImplausible"]:
            continue
        now, words = record["end"], []
        spoken = [word for word in record["words"] if word["key"]]
        voice = sum(word["probability"] for word in spoken) / max(len(spoken), 1)
        for word in spoken:
            same = next((old for old in before if old["key"] == word["key"] and abs(old["end"] - word["end"]) < SAME_TIME), None)
            words.append(dict(word, since=same["since"] if same else now, count=same["count"] + 1 if same else 1))
        before = words
        for word in words[:-1]:
            age = now - word["end"]
            # Words of the previous utterance are final, and a single quick decoding decides nothing.
            if not EDGE <= age <= OLDEST or word["end"] < begins or (not is_thorough and word["count"] < 2):
                continue
            later = [other for other in group[number + 1:] if (other["isThorough"] or other["isLast"]) and other["start"] <= word["start"]]
            if later:
                terms = (log_odds(word["certainty"]), log_odds(word["support"]), log_odds(voice),
                         math.log(now - word["since"] + 0.16), math.log(word["end"] - word["start"] + 0.05))
                rows.append((terms, not has(later[-1]["words"], word), age))
    return rows


def regression(x, y, ridge=1e-2, steps=30):
    """Weights for which 1 / (1 + exp(x · weights)) is the risk: the last one is the constant (Newton's method)."""
    x = np.hstack([x, np.ones((len(x), 1))])
    weights = np.zeros(x.shape[1])
    for _ in range(steps):
        risk = 1 / (1 + np.exp(np.clip(x @ weights, -30, 30)))
        slope = x.T @ (risk - y) - ridge * weights
        curve = (x * (risk * (1 - risk))[:, None]).T @ x + ridge * np.eye(x.shape[1])
        weights += np.linalg.solve(curve, slope)
    return weights


def risks(x, weights):
    return 1 / (1 + np.exp(np.clip(np.hstack([x, np.ones((len(x), 1))]) @ weights, -30, 30)))


def cross_validated(x, y, groups, folds=10):
    predicted = np.zeros(len(y))
    for fold in range(folds):
        held = groups % folds == fold
        predicted[held] = risks(x[held], regression(x[~held], y[~held]))
    predicted = np.clip(predicted, 1e-9, 1 - 1e-9)
    return -np.mean(y * np.log(predicted) + (1 - y) * np.log(1 - predicted))


def report(name, found, uses_support):
    terms = [t for t in TERMS if uses_support or t != "support"]
    columns = [TERMS.index(t) for t in terms]
    x = np.array([row[0] for rows in found for row in rows])[:, columns]
    y = np.array([row[1] for rows in found for row in rows], float)
    ages = np.array([row[2] for rows in found for row in rows])
    groups = np.repeat(np.arange(len(found)), [len(rows) for rows in found])
    weights = regression(x, y)
    print(f"{name}: {len(y)} words, {100 * y.mean():.2f} % read otherwise")
    print("  " + ", ".join(f"{t} {w:.2f}" for t, w in zip([*terms, "constant"], weights)))
    print(f"  log loss {cross_validated(x, y, groups):.4f}; without "
          + ", ".join(f"{t} {cross_validated(np.delete(x, i, 1), y, groups):.4f}" for i, t in enumerate(terms)))
    predicted = risks(x, weights)
    for low, high in ((0, 0.01), (0.01, 0.03), (0.03, 0.1), (0.1, 0.3), (0.3, 1)):
        chosen = (predicted >= low) & (predicted < high)
        if chosen.any():
            print(f"  risk {100 * low:g} to {100 * high:g} %: {chosen.sum()} words, {100 * y[chosen].mean():.1f} % read otherwise")
    for low, high in ((0.1, 0.5), (0.5, 1), (1, 2), (2, 4)):
        chosen = (ages >= low) & (ages < high)
        if chosen.any():
            print(f"  {low:g} to {high:g} s after its end: {100 * y[chosen].mean():.1f} % read otherwise")


def main():
    own, extra = sys.argv[1:], []
    if "--" in own:
        own, extra = own[:own.index("--")], own[own.index("--") + 1:]
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--steno", required=True)
    p.add_argument("--audio", required=True, type=Path)
    p.add_argument("--streams", help="default: those for tuning")
    p.add_argument("--traces", type=Path)
    p.add_argument("--jobs", type=int, default=1)
    a = p.parse_args(own)
    rows = [json.loads(line) for line in (Path(__file__).parent / "readers.jsonl").read_text().splitlines()]
    rows = [r for r in rows if (r["stream"] in a.streams.split(",") if a.streams else r["split"] == "tuning")]
    files = {f.name: f for f in a.audio.rglob("*.flac")}
    with tempfile.TemporaryDirectory() as folder:
        streams = []
        for name in sorted({r["stream"] for r in rows}):
            (Path(folder) / name).mkdir()
            own_rows = [r for r in rows if r["stream"] == name]
            streams.append(Stream(name, own_rows, files, SimpleNamespace(condition="clean", seed=7), Path(folder) / name))
        with ThreadPoolExecutor(a.jobs) as pool:
            records = list(pool.map(lambda stream: trace(a, stream, extra), streams))
    groups = [group for stream in records for group in utterances(stream)]
    for name, is_thorough in (("quick", False), ("thorough", True)):
        report(name, [observations(group, is_thorough) for group in groups], uses_support=is_thorough)


if __name__ == "__main__":
    main()
