"""The difference in word error rate of two runs over the same files, with a paired bootstrap 95 % interval.

usage: python Tools/comparisons/paired_bootstrap.py SOURCE [SOURCE] [--runs A B] [--samples 10000] [--only SUBSTRING]

Either one file of counts (as count_int8_errors.py writes it) and two of its runs, by default `float32 int8`; or two
folders of Steno's `<stem>.json` (first float32, then int8) and --like COUNTS, a file of counts that names the files:
their texts are taken from the manifests next to them, and faster-whisper's own difference is printed first.

The interval resamples files with replacement (Bisani and Ney 2004), both runs together, seed 1. The difference is B - A
in points of WER; quantisation has no measurable cost when the interval contains or is below zero.
Exit code: 0 in that case, 1 otherwise.
"""
import argparse
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.references import reference
from support.word_errors import errors


def from_counts(counts, runs, only):
    chosen = [f for name, f in counts["files"].items() if only in name]
    return np.array([[f["words"]] + [f["errors"][run] for run in runs] for f in chosen])


def from_folders(folders, counts, only):
    rows = []
    for name in counts["files"]:
        paths = [pathlib.Path(folder) / (pathlib.Path(name).stem + ".json") for folder in folders]
        if only not in name or not all(p.exists() for p in paths):
            continue
        said, language = reference(name)
        hypotheses = ["".join(s["text"] for s in json.loads(p.read_text(encoding="utf-8"))["segments"]) for p in paths]
        results = [errors(said, text, language) for text in hypotheses]
        rows.append([results[0][1]] + [wrong for wrong, _ in results])
    return np.array(rows)


def interval(rows, samples):
    """WER of both runs, the difference and its 95 % interval, in percent."""
    def rates(chosen):
        total = chosen.sum(axis=-2)
        return 100 * total[..., 1:] / total[..., :1]
    a, b = rates(rows)
    picks = np.random.default_rng(1).integers(0, len(rows), (samples, len(rows)))
    drawn = rates(rows[picks])
    low, high = np.percentile(drawn[:, 1] - drawn[:, 0], [2.5, 97.5])
    return a, b, b - a, low, high


def show(label, rows, samples):
    if not len(rows):
        sys.exit(f"{label}: no files to compare")
    a, b, difference, low, high = interval(rows, samples)
    print(f"{label}: {len(rows)} files, {rows[:, 0].sum()} words; WER {a:.2f} % and {b:.2f} %, "
          f"difference {difference:+.2f} points, 95 % interval [{low:+.2f}, {high:+.2f}]")
    return low <= 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--like", help="a file of counts: which files, and faster-whisper's own figure")
    parser.add_argument("--runs", nargs=2, default=["float32", "int8"])
    parser.add_argument("--samples", type=int, default=10000)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    folders = len(arguments.sources) == 2
    if folders != bool(arguments.like):
        parser.error("give one file of counts, or two folders and --like")
    counts = json.loads(pathlib.Path(arguments.like or arguments.sources[0]).read_text(encoding="utf-8"))
    theirs = from_counts(counts, arguments.runs, arguments.only)
    fine = show(f"faster-whisper {counts['model']} {' -> '.join(arguments.runs)}", theirs, arguments.samples)
    if folders:
        ours = from_folders(arguments.sources, counts, arguments.only)
        fine = show(f"Steno {counts['model']}", ours, arguments.samples)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
