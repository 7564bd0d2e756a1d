"""Checks results of `steno evaluate --json` with jiwer: the error rates of the same texts, compared with Steno's.

usage: python Tools/comparisons/check_evaluation.py RESULT.json [RESULT.json …]

First with the normalised texts that the result contains. Then, where openai-whisper is installed and the result was normalised
automatically, from the raw texts through its own normalisers, as Steno chooses them by language. Also NumPy's bootstrap interval
of the word error rate (10,000 resamples, its own random numbers). Exit code 1 when a rate or a text differs.

    pip install jiwer==4.0.0 numpy openai-whisper==20250625
"""
import json
import sys

import jiwer
import numpy as np

try:
    from whisper.normalizers import BasicTextNormalizer, EnglishTextNormalizer
    ENGLISH, BASIC, LETTERS = EnglishTextNormalizer(), BasicTextNormalizer(), BasicTextNormalizer(split_letters=True)
except ImportError:
    ENGLISH = None

UNSPACED = ("zh", "ja", "th", "lo", "my", "yue")


def normalized(text, language):
    return (ENGLISH if language == "en" else LETTERS if language in UNSPACED else BASIC)(text).strip()


def rates(files, references, hypotheses):
    def characters(texts):
        return [t.replace(" ", "") if f["language"] in UNSPACED else t for f, t in zip(files, texts)]
    words = jiwer.process_words(references, hypotheses)
    letters = jiwer.process_characters(characters(references), characters(hypotheses))
    return {"wer": (words.wer, words.hits, words.substitutions, words.deletions, words.insertions),
            "cer": (letters.cer, letters.hits, letters.substitutions, letters.deletions, letters.insertions)}


def interval(files):
    rows = np.array([[sum(f["words"].values()) - f["words"]["hits"], sum(f["words"].values()) - f["words"]["insertions"]]
                     for f in files])
    drawn = rows[np.random.default_rng(1).integers(0, len(rows), (10000, len(rows)))].sum(axis=1)
    return 100 * np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])


def check(path):
    result = json.load(open(path, encoding="utf-8"))
    files, passed = result["files"], True
    ours = {m: (result[m]["rate"], *result[m]["total"].values()) for m in ("wer", "cer")}
    theirs = {"jiwer": ([f["normalized_reference"] for f in files], [f["normalized_hypothesis"] for f in files])}
    if ENGLISH and result["normalizer"] == "automatic":
        theirs["whisper + jiwer"] = tuple([normalized(f[k], f["language"]) for f in files] for k in ("reference", "hypothesis"))
        passed = theirs["whisper + jiwer"] == theirs["jiwer"]
    print(f"{path}: {len(files)} files, {result['model']}; texts equal: {passed}")
    for name, figures in [("steno", ours)] + [(name, rates(files, *texts)) for name, texts in theirs.items()]:
        for metric, (rate, *counts) in figures.items():
            print(f"  {name:16} {metric} {100 * rate:.4f} %  hits, substitutions, deletions, insertions: {counts}")
            passed = passed and rate == ours[metric][0]
    low, high = interval(files)
    print(f"  interval of wer  steno {100 * result['wer']['interval'][0]:.2f} to {100 * result['wer']['interval'][1]:.2f}, "
          f"numpy {low:.2f} to {high:.2f}")
    return passed


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(0 if all([check(path) for path in sys.argv[1:]]) else 1)
