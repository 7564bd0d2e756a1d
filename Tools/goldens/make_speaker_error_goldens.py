"""Makes Tests/Fixtures/evaluation/speakers.json with pyannote.metrics 4.2.0, meeteval 0.4.3 and rapidfuzz 3.14.6.

`turns`: random references and hypotheses of who speaks when, seed 20, and edge cases (nobody, one speaker,
everybody at once), each with pyannote.metrics' total, missed, false alarm and confusion in seconds, for collars of 0 and
0.25 s on either side (pyannote's 0.5, which is the whole width), with overlaps and without.

`words`: random texts with speakers, and for each meeteval's cpWER (errors and words; the kinds of errors depend on which
of several best alignments is taken), the aligned words and those with the wrong speaker: rapidfuzz's alignment, and the
best of all mappings of speakers, found by trying them all.

    pip install pyannote.metrics==4.2.0 meeteval==0.4.3 rapidfuzz==3.14.6
    python Tools/goldens/run.py speaker_error
"""
import itertools
import random
import warnings

import meeteval
from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate
from rapidfuzz.distance import Levenshtein
from support import golden

WORDS = "the a cat dog sat on mat and one two three of to in is it was ferry leaves at dawn".split()
SCORINGS = [(0, False), (0, True), (0.25, False), (0.25, True)]


def turns(draw, speakers, count, overlap):
    """Turns as [start, end, speaker] to the millisecond."""
    now, found = draw.uniform(0, 2), []
    for _ in range(count):
        end = now + draw.uniform(0.3, 6)
        found.append([round(now, 3), round(end, 3), f"s{draw.randrange(speakers)}"])
        now = end + draw.choice([0, draw.uniform(0, 1.5), -draw.uniform(0, 1) if overlap else 0.2])
    return found


def disturbed(draw, reference, speakers):
    """A hypothesis: moved boundaries, other names, turns left out, split and invented."""
    names = [f"x{n}" for n in draw.sample(range(9), 9)]
    found = []
    for start, end, speaker in reference:
        if draw.random() < 0.08:
            continue
        name = names[int(speaker[1:])] if draw.random() < 0.85 else names[draw.randrange(speakers + 1)]
        start, end = max(0, start + draw.gauss(0, 0.2)), end + draw.gauss(0, 0.2)
        if draw.random() < 0.15 and end - start > 1:
            found.append([start, (start + end) / 2, name])
            start, name = (start + end) / 2, names[draw.randrange(speakers + 1)]
        if end > start:
            found.append([start, end, name])
    if draw.random() < 0.3:
        at = draw.uniform(0, 40)
        found.append([at, at + 2, "x9"])
    return [[round(a, 3), round(b, 3), name] for a, b, name in found if round(b, 3) > round(a, 3)]


def annotation(turns):
    """Touching and overlapping turns of one speaker are one turn."""
    result = Annotation(uri="case")
    for number, (start, end, speaker) in enumerate(turns):
        result[Segment(start, end), number] = speaker
    return result.support()


def diarization(reference, hypothesis):
    results = []
    for collar, skip in SCORINGS:
        metric = DiarizationErrorRate(collar=2 * collar, skip_overlap=skip)
        detail = metric(annotation(reference), annotation(hypothesis), detailed=True)
        results.append([detail["total"], detail["missed detection"], detail["false alarm"], detail["confusion"]])
    return results


def turn_cases():
    draw = random.Random(20)
    one = [[0.5, 3.25, "s0"], [4.0, 6.5, "s0"]]
    everybody = [[0, 10, "s0"], [0, 10, "s1"], [2, 8, "s2"]]
    yield from [([], []), (one, []), ([], one), (one, one), (everybody, everybody), (everybody, one), (one, everybody)]
    yield one, [[0.5, 3.25, "a"], [4.0, 6.5, "b"]]
    yield [[0, 2, "s0"], [2, 4, "s0"], [1, 3, "s0"]], [[0, 4, "a"], [1, 2, "a"]]
    yield [[0, 0.4, "s0"], [1, 1.3, "s1"]], [[0, 1.3, "a"]]
    for number in range(60):
        speakers = draw.randrange(1, 7)
        reference = turns(draw, speakers, draw.randrange(1, 40), overlap=number % 2 == 1)
        if number % 10 == 9:
            yield reference, turns(draw, 4, 12, overlap=True)
        else:
            yield reference, disturbed(draw, reference, speakers)


def texts(draw, speakers, count):
    return [[f"s{draw.randrange(speakers)}", " ".join(draw.choices(WORDS, k=draw.randrange(1, 12)))]
            for _ in range(count)]


def misheard(draw, reference, speakers):
    names = [f"x{n}" for n in draw.sample(range(9), 9)]
    found = []
    for speaker, text in reference:
        name = names[int(speaker[1:])]
        for word in text.split():
            if draw.random() < 0.05:
                name = names[draw.randrange(speakers + 1)]
            kind = draw.random()
            if kind < 0.05:
                continue
            found.append([name, draw.choice(WORDS) if kind < 0.15 else word])
    return found


def text_cases():
    draw = random.Random(21)
    one = [["s0", "the cat sat on the mat"]]
    yield from [([], []), (one, []), ([], one), (one, one)]
    yield one, [["a", "the cat sat"], ["b", "on the mat"]]
    yield [["s0", "the cat"], ["s1", "sat on"]], [["a", "the cat sat on"]]
    for number in range(40):
        speakers = draw.randrange(1, 6)
        reference = texts(draw, speakers, draw.randrange(1, 25))
        yield reference, texts(draw, 4, 12) if number % 10 == 9 else misheard(draw, reference, speakers)


def streams(stretches):
    result = {}
    for speaker, text in stretches:
        result[speaker] = (result.get(speaker, "") + " " + text).strip()
    return result


def wrong_speakers(reference, hypothesis):
    """The number of aligned words, and of those with the wrong speaker under the best mapping."""
    said = [(speaker, word) for speaker, text in reference for word in text.split()]
    heard = [(speaker, word) for speaker, text in hypothesis for word in text.split()]
    pairs, common = 0, {}
    for code in Levenshtein.opcodes([w for _, w in said], [w for _, w in heard]):
        if code.tag not in ("equal", "replace"):
            continue
        for row, place in zip(range(code.src_start, code.src_end), range(code.dest_start, code.dest_end)):
            pairs += 1
            key = said[row][0], heard[place][0]
            common[key] = common.get(key, 0) + 1
    rows, columns = sorted({s for s, _ in said}), sorted({s for s, _ in heard})
    short, long = (rows, columns) if len(rows) <= len(columns) else (columns, rows)
    best = 0
    for chosen in itertools.permutations(long, len(short)):
        mapping = zip(short, chosen) if short is rows else zip(chosen, short)
        best = max(best, sum(common.get(pair, 0) for pair in mapping))
    return pairs, pairs - best


def make(_):
    warnings.filterwarnings("ignore", message="'uem' was approximated")
    rows = {"turns": [], "words": []}
    for reference, hypothesis in turn_cases():
        rows["turns"].append(dict(
            reference=reference, hypothesis=hypothesis, results=diarization(reference, hypothesis)))
    for reference, hypothesis in text_cases():
        rate = meeteval.wer.cp_word_error_rate(
            streams(reference), streams(hypothesis), reference_sort=False, hypothesis_sort=False)
        pairs, wrong = wrong_speakers(reference, hypothesis)
        rows["words"].append(dict(
            reference=reference, hypothesis=hypothesis, errors=int(rate.errors), length=int(rate.length),
            aligned=pairs, wrong=wrong))
    lines = [f'"{key}": {golden.lines(values)}' for key, values in rows.items()]
    golden.write("evaluation/speakers.json", "{" + ",\n".join(lines) + "}\n")
    print({key: len(values) for key, values in rows.items()})
