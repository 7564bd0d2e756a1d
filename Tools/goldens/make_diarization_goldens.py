"""The speaker networks' results for a conversation, and who speaks when: Tests/Fixtures/diarization.

usage: python Tools/goldens/run.py diarization CONVERSATION.wav WEIGHTS

CONVERSATION.wav is 16 kHz mono: `real-07.wav` of make_real_conversations.py made the committed files. WEIGHTS has
`segmentation.safetensors` (pyannote segmentation-3.0) and `campplus.safetensors` (CAM++, 192 values). The turns are those of the
pipeline of `OverlapDiarizer`, computed with NumPy.

Needs numpy, and for the networks soundfile, torch and safetensors. The same pipeline's errors on recordings with known speakers were
measured with `Tools/speakers/measure_diarization.py` in the tag `experiments`.
"""
import itertools
import json
import pathlib

import numpy as np
from support import golden

RATE, STEP, LENGTH, CENTRE = 16000, 270, 991, 495
WINDOW, FRAMES = 160000, 589
SETS = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
POWERSET = np.array([[float(s in c) for s in range(3)] for c in SETS], np.float32)
# OverlapDiarizer.swift explains them.
SETTINGS = dict(step=118, leastAlone=20, mostAlone=178, leastToDefine=60, sameVoice=0.5, sameWindow=0.5, samePerson=0.25, sharing=0.3,
                leastShare=0.05, enough=12, leastVoices=2, pause=18, mostCompared=2000, smoothing=4, rise=2.0, fall=1.6,
                momentStep=59, momentReach=44,
                leastInMoment=36, leastMoments=3, leastMomentShare=0.05, momentWeight=4.0, faintest=5e-5, nearFrames=100,
                noiseFrames=3600, leastContrast=0.25, reach=24)


def options(parser):
    parser.add_argument("conversation", type=pathlib.Path)
    parser.add_argument("weights", type=pathlib.Path)


def make(arguments):
    heard = Networks(arguments.weights).heard(arguments.conversation)
    write_fixture(arguments.conversation.stem, heard)


# Networks


class Networks:
    """The two networks."""

    def __init__(self, weights):
        from safetensors.numpy import load_file
        from support.speaker_networks import CAMPlus, Segmentation
        self.segmentation = Segmentation(load_file(weights / "segmentation.safetensors"))
        self.embedding = CAMPlus(load_file(weights / "campplus.safetensors"))

    def heard(self, path):
        """What the networks say about a recording, see `compute`, and how loud it is."""
        import soundfile
        samples, rate = soundfile.read(path, dtype="float32")
        assert rate == RATE and samples.ndim == 1, f"{path} is not 16 kHz mono"
        found = self.compute(samples)
        means, peaks = levels(samples, int(found["starts"][-1]) + found["speaking"].shape[1])
        return dict(found, means=means, peaks=peaks)

    def compute(self, samples):
        """`starts` of the windows in frames, `likelihoods` [windows, frames, 3], the sets `speaking` [windows, frames] as
        bits, `voices` (window, local speaker, frames alone) and their `embeddings`."""
        from support.speaker_networks import filter_bank
        segmentation, embedding = self.segmentation, self.embedding
        starts, frames = window_starts(len(samples), SETTINGS["step"])
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
                if alone.sum() >= SETTINGS["leastAlone"]:
                    voices.append((number, speaker, alone.sum()))
                    embeddings.append(unit(embedding(rows[middle(alone, SETTINGS["mostAlone"])[frame]])))
            # Moments in the middle of the window; in the last one to its end.
            last = start + (len(sets) if number == len(starts) - 1 else (FRAMES + SETTINGS["step"]) // 2)
            single = np.isin(speaking[-1], (1, 2, 4))
            while len(moments) * SETTINGS["momentStep"] < last:
                moment = len(moments) * SETTINGS["momentStep"] - start
                near = np.abs(np.arange(len(sets)) - moment) <= SETTINGS["momentReach"]
                moments.append((single & near).sum() >= SETTINGS["leastInMoment"])
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


def diarize(heard, count=None):
    """The turns [(first frame, last frame + 1, speaker)], with speakers in the order in which they speak."""
    voices, embeddings = heard["voices"], heard["embeddings"]
    speakers = find_speakers(voices, embeddings, count)
    needed = min(SETTINGS["leastMoments"], int(np.ceil(SETTINGS["leastMomentShare"] * len(heard["atMoments"]))))
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
            for row, speaker in enumerate(assign(embeddings[own] @ speakers.T, SETTINGS["sharing"])):
                scores[part, speaker] += likelihoods[number][:, voices[own[row], 1]]
    many = (2 * many + windows) // np.maximum(2 * windows, 1)
    many = refined(many, heard["means"], heard["peaks"])
    scores = (scores / np.maximum(255 * windows, 1)[:, None]).astype(np.float32)
    rank = np.argsort(np.argsort(-scores, 1, kind="stable"), 1, kind="stable")
    active = (rank < many[:, None]) & (scores > 0)
    if len(speakers):
        for frame, similar in similarities(heard, speakers, np.flatnonzero(many == 1), SETTINGS["momentStep"]):
            active[frame] = False
            active[frame, np.argmax(scores[frame] + np.float32(SETTINGS["momentWeight"]) * similar)] = True
    turns = []
    for speaker in range(len(speakers)):
        edges = np.diff(np.concatenate([[0], active[:, speaker].astype(int), [0]]))
        mine = []
        for start, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)):
            if mine and start - mine[-1][1] < SETTINGS["pause"]:
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


def refined(heard, means, peaks):
    """How many people speak in each frame: SpeechEdges."""
    frames = len(heard)
    powers, reach = POWERS[means], SETTINGS["smoothing"]
    powers = np.array([powers[max(0, k - reach):k + reach + 1].mean() for k in range(frames)])
    noise, blocks = np.zeros(frames), max(1, frames // SETTINGS["noiseFrames"])
    for block in range(blocks):
        part = slice(block * frames // blocks, (block + 1) * frames // blocks)
        everything, speech = np.sort(powers[part]), np.sort(powers[part][heard[part] > 0])
        usual = speech[len(speech) // 2] * SETTINGS["leastContrast"] if len(speech) else np.inf
        noise[part] = min(everything[len(everything) // 20], usual)
    length = SETTINGS["nearFrames"]
    loudest = [(peaks[k:k + length] * (heard[k:k + length] > 0)).max() for k in range(0, frames, length)]
    near = [max(loudest[max(0, block - 1):block + 2]) for block in range(len(loudest))]
    faint = POWERS[np.repeat(near, length)[:frames]] * SETTINGS["faintest"]
    loud = powers > np.maximum(faint, noise * SETTINGS["rise"])
    speech = heard > 0
    for start, end in runs(powers < np.maximum(faint, noise * SETTINGS["fall"])):
        if end - start >= SETTINGS["pause"]:
            speech[start:end] = False
    for start, end in runs(speech):
        after = loud[end:end + SETTINGS["reach"]]
        speech[end:end + (len(after) if after.all() else int(after.argmin()))] = True
        before = loud[max(0, start - SETTINGS["reach"]):start][::-1]
        speech[start - (len(before) if before.all() else int(before.argmin())):start] = True
    return np.where(speech, np.maximum(heard, 1), 0)


def assign(similarities, sharing):
    """The speaker of each local speaker of a window, who are different people unless they are very similar."""
    ways = itertools.product(range(similarities.shape[1]), repeat=len(similarities))
    return max(ways, key=lambda way: sum(row[k] for row, k in zip(similarities, way)) - sharing * (len(way) - len(set(way))))


def find_speakers(voices, embeddings, count):
    defining = np.flatnonzero(voices[:, 2] >= SETTINGS["leastToDefine"])
    if not len(defining):
        defining = np.arange(len(voices))
    if not len(defining):
        return np.zeros((0, 192), np.float32)
    kept = min(len(defining), SETTINGS["mostCompared"])
    defining = defining[np.arange(kept) * len(defining) // kept]
    embeddings, windows = embeddings[defining], voices[defining, 0]
    history, merged = merge(embeddings, windows), 0
    least = max(SETTINGS["leastVoices"], min(int(np.ceil(SETTINGS["leastShare"] * kept)), SETTINGS["enough"]))

    def large(groups, least):
        return [group for group in groups if len(group) >= least] or [max(groups, key=len)]

    def cut(number, least):
        return large(history[number], least)

    while merged + 1 < len(history) and history[merged + 1].distance <= SETTINGS["sameVoice"]:
        merged += 1
    groups = large(joined(history[merged], embeddings, SETTINGS["samePerson"]), least)
    if count and len(groups) < count:
        for few in (SETTINGS["leastVoices"], 1):
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


def merge(embeddings, windows):
    """The groups after each merge: average linkage, and a penalty for groups that are in the same windows."""
    distances = 1 - embeddings @ embeddings.T
    conflicts = (windows[:, None] == windows[None]).astype(np.float32)
    np.fill_diagonal(conflicts, 0)
    members = {index: [index] for index in range(len(embeddings))}
    sizes = np.ones(len(embeddings), np.float32)
    left = np.ones(len(embeddings), bool)
    history = [Groups(members.values())]
    for _ in range(len(embeddings) - 1):
        cost = distances + SETTINGS["sameWindow"] * conflicts / np.minimum(sizes[:, None], sizes[None])
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


# Fixture


def write_fixture(name, heard):
    """What the networks said, in little-endian binary, and the turns for numbers of speakers, as JSON."""
    embeddings = np.rint(np.concatenate([heard["embeddings"], heard["atMoments"]]) * 32767).astype("<i2")
    rounded = unit(embeddings.astype(np.float32))
    count = len(heard["embeddings"])
    heard = dict(heard, embeddings=rounded[:count], atMoments=rounded[count:])
    golden.write("diarization/embeddings.i16", embeddings.tobytes())
    for kind in ("likelihoods", "speaking", "means", "peaks"):
        golden.write(f"diarization/{kind}.u8", heard[kind].tobytes())
    turns = {str(count or "auto"): diarize(heard, count) for count in (None, 1, 2, 4, 6)}
    content = dict(
        conversation=name, settings=SETTINGS, samples=int(heard["samples"]), starts=heard["starts"].tolist(),
        voices=heard["voices"].tolist(), moments=heard["moments"].tolist(), turns=turns)
    golden.write("diarization/conversation.json", json.dumps(content) + "\n")
