"""Makes Tests/Fixtures/evaluation/errors.json with jiwer 4.0.0 (rapidfuzz 3.14.6).

1,000 random pairs of texts, seed 1, and for each the hits, substitutions, deletions and insertions of words and of
characters; `unique` says whether every shortest alignment has the same counts, found by counting them all. Last, the total
WER and CER of all pairs, and a bootstrap interval of the WER by numpy (10,000 resamples, its own random numbers).

    pip install jiwer==4.0.0 rapidfuzz==3.14.6 numpy
    python Tools/goldens/run.py wer
"""
import json
import random

import jiwer
import numpy as np
from support import golden

WORDS = "the a cat dog sat on mat and one two three of to in is it was ferry leaves at dawn über naïve 東京 は ok".split()


def damaged(words, rng):
    """The words with substitutions, insertions and deletions."""
    rate, result = rng.choice([0, 0.05, 0.2, 0.5, 1]), []
    for word in words:
        if rng.random() >= rate:
            result.append(word)
            continue
        kind = rng.randrange(4)
        if kind == 0:
            result.append(rng.choice(WORDS))
        elif kind == 1:
            result += [word, rng.choice(WORDS)]
        elif kind == 2:
            result.append(word[::-1] + rng.choice(["", "s"]))
    return result


def pairs():
    rng = random.Random(1)
    for number in range(1000):
        size = rng.choice([0, 1, 2, 5, 10, 20, 40, 80]) if number < 990 else 300
        said = [rng.choice(WORDS[:rng.choice([3, 8, len(WORDS)])]) for _ in range(size)]
        heard = [rng.choice(WORDS) for _ in range(rng.randrange(size + 3))] if rng.random() < 0.1 else damaged(said, rng)
        yield " ".join(said), " ".join(heard)


def is_unique(said, heard):
    """Whether all shortest alignments have the same number of substitutions: the distance and the lengths determine the rest."""
    def step(cell, cost, substitutions):
        return cell[0] + cost, {s + substitutions for s in cell[1]}
    row = [(j, {0}) for j in range(len(heard) + 1)]
    for i, one in enumerate(said, 1):
        diagonal, row[0] = row[0], (i, {0})
        for j, other in enumerate(heard, 1):
            candidates = [step(diagonal, one != other, one != other), step(row[j], 1, 0), step(row[j - 1], 1, 0)]
            best = min(distance for distance, _ in candidates)
            diagonal, row[j] = row[j], (best, set().union(*(s for distance, s in candidates if distance == best)))
    return len(row[-1][1]) == 1


def counts(output, said, heard):
    return [output.hits, output.substitutions, output.deletions, output.insertions, int(is_unique(said, heard))]


def interval(rows):
    """Resamples files with replacement; the percentiles of errors over words."""
    picks = np.random.default_rng(1).integers(0, len(rows), (10000, len(rows)))
    drawn = np.array(rows)[picks].sum(axis=1)
    return list(np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5]))


def make(_):
    rows, both = [], list(pairs())
    for said, heard in both:
        words, characters = jiwer.process_words(said, heard), jiwer.process_characters(said, heard)
        rows.append({"said": said, "heard": heard, "words": counts(words, said.split(), heard.split()),
                     "characters": counts(characters, list(said), list(heard))})
    said, heard = map(list, zip(*both))
    rates = [[sum(row["words"][1:4]), sum(row["words"][:3])] for row in rows]
    total = {"wer": jiwer.wer(said, heard), "cer": jiwer.cer(said, heard), "wer_interval": interval(rates)}
    lines = golden.lines(rows, lambda row: json.dumps(row, ensure_ascii=False))
    golden.write("evaluation/errors.json", f'{{"total": {json.dumps(total)}, "pairs": {lines}}}\n')
    for kind in ("words", "characters"):
        print(kind, sum(row[kind][4] for row in rows), "of", len(rows), "have only one possible set of counts")
