"""Who speaks when, with overlapping speech: the errors of the pipeline of `OverlapDiarizer`, computed with PyTorch.

usage: measure_diarization.py FOLDER WEIGHTS [--cache FOLDER] [--only PREFIX] [--counts] [--out FOLDER] [--set NAME=VALUE]
       measure_diarization.py FOLDER WEIGHTS --only real-05 --fixture FOLDER

FOLDER has 16 kHz mono WAV files with RTTM files next to them (make_real_conversations.py makes such a folder). WEIGHTS has
`segmentation.safetensors` (pyannote segmentation-3.0) and `campplus.safetensors` (CAM++, 192 values). `--cache` keeps the
networks' results, so that settings can be tried quickly; `--counts` gives the number of speakers; `--out` writes RTTM
files; `--set sameVoice=0.5` changes one of `OverlapSettings`.

The diarization error rate has no collar and counts overlapping speech: missed, false and confused seconds of speech, as
pyannote.metrics computes them. `--fixture` writes the networks' results for a conversation and the turns found, with
which OverlapParityTests compares the Swift code.

Needs numpy, scipy, soundfile, and for the networks torch and safetensors.
"""
import argparse
import itertools
import json
import pathlib
import sys

import numpy as np
from scipy.optimize import linear_sum_assignment

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

RATE, STEP, LENGTH, CENTRE = 16000, 270, 991, 495
WINDOW, FRAMES = 160000, 589
SETS = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
POWERSET = np.array([[float(s in c) for s in range(3)] for c in SETS], np.float32)
# OverlapSettings.swift explains them.
SETTINGS = dict(step=118, leastAlone=20, mostAlone=178, leastToDefine=60, sameVoice=0.5, sameWindow=0.5, samePerson=0.25, sharing=0.3,
                leastShare=0.05, enough=12, leastVoices=2, pause=18, mostCompared=2000, smoothing=4, rise=2.0, fall=1.6,
                momentStep=59, momentReach=44,
                leastInMoment=36, leastMoments=3, leastMomentShare=0.05, momentWeight=4.0, faintest=5e-5, nearFrames=100,
                noiseFrames=3600, leastContrast=0.25, reach=24)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("weights", type=pathlib.Path)
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--fixture", type=pathlib.Path)
    arguments = parser.parse_args()
    settings = dict(SETTINGS)
    for pair in arguments.set:
        name, value = pair.split("=")
        settings[name] = type(settings[name])(float(value))
    networks = Networks(arguments.weights)
    rows = {}
    for path in sorted(arguments.folder.glob(arguments.only + "*.wav")):
        if not path.with_suffix(".rttm").exists():
            continue
        heard = networks.heard(path, settings, arguments.cache)
        reference = read_rttm(path.with_suffix(".rttm"))
        count = len({who for _, _, who in reference}) if arguments.counts else None
        turns = diarize(heard, settings, count)
        rows[path.stem] = row = errors(reference, seconds(turns))
        print(f"| {path.stem} | {show(row)} | {row['found']} of {row['speakers']} |", flush=True)
        if arguments.out:
            arguments.out.mkdir(parents=True, exist_ok=True)
            write_rttm(arguments.out / f"{path.stem}.rttm", path.stem, seconds(turns))
        if arguments.fixture:
            write_fixture(arguments.fixture, path.stem, heard, settings)
    for prefix in sorted({name.split("-")[0] for name in rows}):
        own = [row for name, row in rows.items() if name.startswith(prefix + "-")]
        total = {key: sum(row[key] for row in own) for key in own[0]}
        right = sum(row["found"] == row["speakers"] for row in own)
        print(f"| all {len(own)} of {prefix} | {show(total)} | {right} of {len(own)} right |")


# Networks


class Networks:
    """The two networks, loaded when something is not in the cache."""

    def __init__(self, weights):
        self.weights, self.loaded = weights, None

    def heard(self, path, settings, cache):
        """What the networks say about a recording, see `compute`, and how loud it is."""
        import soundfile
        samples, rate = soundfile.read(path, dtype="float32")
        assert rate == RATE and samples.ndim == 1, f"{path} is not 16 kHz mono"
        file = cache / f"{path.stem}-{settings['step']}.npz" if cache else None
        if file and file.exists():
            found = dict(np.load(file))
        else:
            found = self.compute(samples, settings)
            if file:
                cache.mkdir(parents=True, exist_ok=True)
                np.savez(file, **found)
        means, peaks = levels(samples, int(found["starts"][-1]) + found["speaking"].shape[1])
        return dict(found, means=means, peaks=peaks)

    def compute(self, samples, settings):
        """`starts` of the windows in frames, `likelihoods` [windows, frames, 3], the sets `speaking` [windows, frames] as
        bits, `voices` (window, local speaker, frames alone) and their `embeddings`."""
        if not self.loaded:
            from safetensors.numpy import load_file
            from support.speaker_networks import CAMPlus, Segmentation
            self.loaded = (Segmentation(load_file(self.weights / "segmentation.safetensors")),
                           CAMPlus(load_file(self.weights / "campplus.safetensors")))
        from support.speaker_networks import filter_bank
        segmentation, embedding = self.loaded
        starts, frames = window_starts(len(samples), settings["step"])
        padded = np.pad(samples, (0, max(0, LENGTH + STEP * (frames - 1) - len(samples))))
        likelihoods, speaking, voices, embeddings, moments, atMoments = [], [], [], [], [], []
        for number, start in enumerate(starts):
            isWhole = start * STEP + WINDOW <= len(samples)
            end = start * STEP + WINDOW if isWhole else LENGTH + STEP * (min(frames, start + FRAMES) - 1)
            window = padded[start * STEP:end]
            probabilities = np.exp(segmentation(window[None])[0])
            sets = POWERSET[probabilities.argmax(1)]
            likelihoods.append(np.floor(np.clip(probabilities @ POWERSET, 0, 1) * 255 + 0.5).astype(np.uint8))
            speaking.append((sets @ [1, 2, 4]).astype(np.uint8))
            rows = filter_bank(window)
            frame = np.rint((np.arange(len(rows)) * 160 + 200 - CENTRE) / STEP).astype(int)
            frame = np.clip(frame, 0, len(sets) - 1)
            for speaker in range(3):
                alone = speaking[-1] == 1 << speaker
                if alone.sum() >= settings["leastAlone"]:
                    voices.append((number, speaker, alone.sum()))
                    embeddings.append(unit(embedding(rows[middle(alone, settings["mostAlone"])[frame]])))
            # Moments in the middle of the window; in the last one to its end.
            last = start + (len(sets) if number == len(starts) - 1 else (FRAMES + settings["step"]) // 2)
            single = np.isin(speaking[-1], (1, 2, 4))
            while len(moments) * settings["momentStep"] < last:
                moment = len(moments) * settings["momentStep"] - start
                near = np.abs(np.arange(len(sets)) - moment) <= settings["momentReach"]
                moments.append((single & near).sum() >= settings["leastInMoment"])
                if moments[-1]:
                    atMoments.append(unit(embedding(rows[(single & near)[frame]])))
        return dict(
            starts=np.array(starts), likelihoods=np.array(likelihoods), speaking=np.array(speaking), samples=len(samples),
            voices=np.array(voices, int).reshape(-1, 3), embeddings=np.array(embeddings, np.float32).reshape(-1, 192),
            moments=np.array(moments), atMoments=np.array(atMoments, np.float32).reshape(-1, 192))


def middle(flags, most):
    """The same flags without the first and the last of them, so that at most some are left."""
    places = np.flatnonzero(flags)
    first = max(0, len(places) - most) // 2
    kept = np.zeros(len(flags), bool)
    kept[places[first:first + most]] = True
    return kept


def window_starts(samples, step):
    """The first frames of the windows, of which the last ends with the recording, and the number of frames."""
    frames = max(60, -(-max(samples - LENGTH, 0) // STEP) + 1)
    starts = [first for first in range(0, frames, step) if first * STEP + WINDOW <= samples]
    if not starts:
        return [0], min(frames, FRAMES)
    if frames - FRAMES > starts[-1]:
        starts.append(frames - FRAMES)
    return starts, frames


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


# Pipeline


def diarize(heard, settings, count=None):
    """The turns [(first frame, last frame + 1, speaker)], with speakers in the order in which they speak."""
    voices, embeddings = heard["voices"], heard["embeddings"]
    speakers = find_speakers(voices, embeddings, settings, count)
    needed = min(settings["leastMoments"], int(np.ceil(settings["leastMomentShare"] * len(heard["atMoments"]))))
    while len(speakers) > (count or 1):
        counts = np.bincount((heard["atMoments"] @ speakers.T).argmax(1), minlength=len(speakers))
        if counts.min() >= needed:
            break
        speakers = np.delete(speakers, counts.argmin(), 0)
    starts, likelihoods, speaking = heard["starts"], heard["likelihoods"].astype(int), heard["speaking"]
    frames = int(starts[-1]) + speaking.shape[1]
    many, windows = np.zeros(frames, int), np.zeros(frames, int)
    scores = np.zeros((frames, len(speakers)), int)
    for number, start in enumerate(starts):
        part = slice(start, start + speaking.shape[1])
        many[part] += POWERSET.sum(1).astype(int)[[0, 1, 2, 4, 3, 5, 6]][speaking[number]]
        windows[part] += 1
        own = np.flatnonzero(voices[:, 0] == number)
        if len(own) and len(speakers):
            for row, speaker in enumerate(assign(embeddings[own] @ speakers.T, settings["sharing"])):
                scores[part, speaker] += likelihoods[number][:, voices[own[row], 1]]
    many = (2 * many + windows) // np.maximum(2 * windows, 1)
    many = refined(many, heard["means"], heard["peaks"], settings)
    scores = (scores / np.maximum(255 * windows, 1)[:, None]).astype(np.float32)
    rank = np.argsort(np.argsort(-scores, 1, kind="stable"), 1, kind="stable")
    active = (rank < many[:, None]) & (scores > 0)
    if len(speakers):
        for frame, similar in similarities(heard, speakers, np.flatnonzero(many == 1), settings["momentStep"]):
            active[frame] = False
            active[frame, np.argmax(scores[frame] + np.float32(settings["momentWeight"]) * similar)] = True
    turns = []
    for speaker in range(len(speakers)):
        edges = np.diff(np.concatenate([[0], active[:, speaker].astype(int), [0]]))
        mine = []
        for start, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)):
            if mine and start - mine[-1][1] < settings["pause"]:
                mine[-1][1] = end
            else:
                mine.append([start, end])
        turns += [(int(start), int(end), speaker) for start, end in mine]
    turns.sort(key=lambda turn: (turn[0], turn[2]))
    order = {}
    for _, _, speaker in turns:
        order.setdefault(speaker, len(order))
    return [(start, end, order[speaker]) for start, end, speaker in turns]


def similarities(heard, speakers, frames, step):
    """The similarity to each speaker at each of some frames, between the moments on either side."""
    moments = dict(zip(np.flatnonzero(heard["moments"]), heard["atMoments"] @ speakers.T))
    for frame in frames:
        place = int(frame) // step
        before, after = moments.get(place), moments.get(place + 1)
        if before is None and after is None:
            continue
        if before is None or after is None:
            yield frame, after if before is None else before
        else:
            yield frame, before + np.float32((frame - place * step) / step) * (after - before)


POWERS = 10 ** ((np.arange(256) / 2 - 100) / 10)


def levels(samples, frames):
    """The mean square and the largest square of each frame's samples, in steps of half a decibel from −100 dB on."""
    start = CENTRE - STEP // 2
    samples = np.pad(samples.astype(np.float64), (0, max(0, start + STEP * frames - len(samples))))
    squares = samples[start:start + STEP * frames].reshape(frames, STEP) ** 2

    def level(powers):
        return np.clip(np.floor(2 * (10 * np.log10(np.maximum(powers, 1e-10)) + 100) + 0.5), 0, 255).astype(np.uint8)
    return level(squares.mean(1)), level(squares.max(1))


def runs(flags):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return list(zip(edges[::2], edges[1::2]))


def refined(heard, means, peaks, settings):
    """How many people speak in each frame: SpeechEdges."""
    frames = len(heard)
    powers, reach = POWERS[means], settings["smoothing"]
    powers = np.array([powers[max(0, k - reach):k + reach + 1].mean() for k in range(frames)])
    noise, blocks = np.zeros(frames), max(1, frames // settings["noiseFrames"])
    for block in range(blocks):
        part = slice(block * frames // blocks, (block + 1) * frames // blocks)
        everything, speech = np.sort(powers[part]), np.sort(powers[part][heard[part] > 0])
        usual = speech[len(speech) // 2] * settings["leastContrast"] if len(speech) else np.inf
        noise[part] = min(everything[len(everything) // 20], usual)
    length = settings["nearFrames"]
    loudest = [(peaks[k:k + length] * (heard[k:k + length] > 0)).max() for k in range(0, frames, length)]
    near = [max(loudest[max(0, block - 1):block + 2]) for block in range(len(loudest))]
    faint = POWERS[np.repeat(near, length)[:frames]] * settings["faintest"]
    loud = powers > np.maximum(faint, noise * settings["rise"])
    speech = heard > 0
    for start, end in runs(powers < np.maximum(faint, noise * settings["fall"])):
        if end - start >= settings["pause"]:
            speech[start:end] = False
    for start, end in runs(speech):
        after = loud[end:end + settings["reach"]]
        speech[end:end + (len(after) if after.all() else int(after.argmin()))] = True
        before = loud[max(0, start - settings["reach"]):start][::-1]
        speech[start - (len(before) if before.all() else int(before.argmin())):start] = True
    return np.where(speech, np.maximum(heard, 1), 0)


def assign(similarities, sharing):
    """The speaker of each local speaker of a window, who are different people unless they are very similar."""
    ways = itertools.product(range(similarities.shape[1]), repeat=len(similarities))
    return max(ways, key=lambda way: sum(row[k] for row, k in zip(similarities, way)) - sharing * (len(way) - len(set(way))))


def find_speakers(voices, embeddings, settings, count):
    defining = np.flatnonzero(voices[:, 2] >= settings["leastToDefine"])
    if not len(defining):
        defining = np.arange(len(voices))
    if not len(defining):
        return np.zeros((0, 192), np.float32)
    kept = min(len(defining), settings["mostCompared"])
    defining = defining[np.arange(kept) * len(defining) // kept]
    embeddings, windows = embeddings[defining], voices[defining, 0]
    history, merged = merge(embeddings, windows, settings), 0
    least = max(settings["leastVoices"], min(int(np.ceil(settings["leastShare"] * kept)), settings["enough"]))

    def large(groups, least):
        return [group for group in groups if len(group) >= least] or [max(groups, key=len)]

    def cut(number, least):
        return large(history[number], least)

    while merged + 1 < len(history) and history[merged + 1].distance <= settings["sameVoice"]:
        merged += 1
    groups = large(joined(history[merged], embeddings, settings["samePerson"]), least)
    if count and len(groups) < count:
        for few in (settings["leastVoices"], 1):
            found = next((g for m in range(merged, -1, -1) if len(g := cut(m, few)) == count), None)
            if found:
                groups = found
                break
        else:
            groups = history[0]
    elif count and len(groups) > count:
        groups = next((g for m in range(merged, len(history)) if len(g := cut(m, least)) == count),
                      sorted(groups, key=len, reverse=True)[:count])
    return unit(np.stack([embeddings[group].sum(0) for group in groups]))


def joined(groups, embeddings, distance):
    """Merges groups whose means are one voice, whatever their windows."""
    groups = list(groups)
    while len(groups) > 1:
        means = unit(np.stack([embeddings[group].sum(0) for group in groups]))
        distances = 1 - means @ means.T
        distances[np.tril_indices(len(groups))] = np.inf
        first, second = np.unravel_index(distances.argmin(), distances.shape)
        if distances[first, second] > distance:
            break
        groups[first] = sorted(groups[first] + groups.pop(second))
    return groups


class Groups(list):
    """The groups after a merge, and its distance."""
    distance = -np.inf


def merge(embeddings, windows, settings):
    """The groups after each merge: average linkage, and a penalty for groups that are in the same windows."""
    distances = 1 - embeddings @ embeddings.T
    conflicts = (windows[:, None] == windows[None]).astype(np.float32)
    np.fill_diagonal(conflicts, 0)
    members = {index: [index] for index in range(len(embeddings))}
    sizes = np.ones(len(embeddings), np.float32)
    left = np.ones(len(embeddings), bool)
    history = [Groups(members.values())]
    for _ in range(len(embeddings) - 1):
        cost = distances + settings["sameWindow"] * conflicts / np.minimum(sizes[:, None], sizes[None])
        cost[~left] = cost[:, ~left] = np.inf
        np.fill_diagonal(cost, np.inf)
        into, other = sorted(np.unravel_index(cost.argmin(), cost.shape))
        mean = (sizes[into] * distances[into] + sizes[other] * distances[other]) / (sizes[into] + sizes[other])
        distances[into], distances[:, into] = mean, mean
        conflicts[into] += conflicts[other]
        conflicts[:, into] = conflicts[into]
        sizes[into] += sizes[other]
        left[other] = False
        members[into] = sorted(members[into] + members.pop(other))
        history.append(Groups(members.values()))
        history[-1].distance = cost[into, other]
    return history


# Turns and errors


def seconds(turns):
    offset = CENTRE - STEP // 2
    return [((offset + STEP * start) / RATE, (offset + STEP * end) / RATE, f"S{who + 1}") for start, end, who in turns]


def read_rttm(path):
    fields = [line.split() for line in open(path)]
    return [(float(f[3]), float(f[3]) + float(f[4]), f[7]) for f in fields if f and f[0] == "SPEAKER" and float(f[4]) > 0]


def write_rttm(path, name, turns):
    with open(path, "w") as file:
        for start, end, who in sorted(turns):
            file.write(f"SPEAKER {name} 1 {start:.3f} {end - start:.3f} <NA> <NA> {who} <NA> <NA>\n")


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


# Fixture


def write_fixture(folder, name, heard, settings):
    """What the networks said, in little-endian binary, and the turns for numbers of speakers, as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    embeddings = np.rint(np.concatenate([heard["embeddings"], heard["atMoments"]]) * 32767).astype("<i2")
    rounded = unit(embeddings.astype(np.float32))
    count = len(heard["embeddings"])
    heard = dict(heard, embeddings=rounded[:count], atMoments=rounded[count:])
    (folder / "likelihoods.u8").write_bytes(heard["likelihoods"].tobytes())
    (folder / "speaking.u8").write_bytes(heard["speaking"].tobytes())
    (folder / "embeddings.i16").write_bytes(embeddings.tobytes())
    (folder / "means.u8").write_bytes(heard["means"].tobytes())
    (folder / "peaks.u8").write_bytes(heard["peaks"].tobytes())
    turns = {str(count or "auto"): diarize(heard, settings, count) for count in (None, 1, 2, 4, 6)}
    content = dict(
        conversation=name, settings=settings, samples=int(heard["samples"]), starts=heard["starts"].tolist(),
        voices=heard["voices"].tolist(), moments=heard["moments"].tolist(), turns=turns)
    (folder / "conversation.json").write_text(json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
