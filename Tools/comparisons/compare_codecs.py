#!/usr/bin/env python3
"""Compressed recordings as libsndfile reads them for Steno, beside ffmpeg, and damaged ones.

usage: compare_codecs.py samples RECORDING…     each in FLAC, MP3, Ogg Vorbis and Opus: lengths and samples
       compare_codecs.py damaged RECORDING…     2,500 damaged files of each codec; a line for each kind of result

Steno's side is `steno.decode_audio` of the wheel, with a PATH without ffmpeg. Opus is also compared with ffmpeg's libopus, the
reference decoder, because ffmpeg's own one is not exact. A crash of `damaged` leaves its file in the folder that it prints first.

Needs the wheel, numpy, and ffmpeg with libmp3lame, libvorbis and libopus.
"""
import argparse
import collections
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import steno

RATE = 16000
ENCODERS = {"flac": ["flac"], "mp3": ["libmp3lame", "-b:a", "64k"], "ogg": ["libvorbis", "-q:a", "4"], "opus": ["libopus", "-b:a", "32k"]}
PER_CODEC = 2500


def encode(ffmpeg, recording, path, codec):
    # Opus knows 48 kHz only.
    rate = 48000 if codec == "opus" else RATE
    subprocess.run([ffmpeg, "-v", "error", "-y", "-i", recording, "-ar", str(rate), "-ac", "1", "-c:a", *ENCODERS[codec], path], check=True)


def by_ffmpeg(ffmpeg, path, decoder=()):
    command = [ffmpeg, "-v", "error", *decoder, "-i", path, "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.float32)


def by_steno(path):
    return np.asarray(steno.decode_audio(str(path)), np.float32)


def compare(ffmpeg, recordings, folder):
    for codec in ENCODERS:
        decoders = {"ffmpeg": ()} | ({"libopus": ("-c:a", "libopus")} if codec == "opus" else {})
        for name, decoder in decoders.items():
            lengths, largest, share = collections.Counter(), 0.0, 0.0
            for number, recording in enumerate(recordings):
                path = folder / f"{number}.{codec}"
                if not path.exists():
                    encode(ffmpeg, recording, path, codec)
                theirs, ours = by_ffmpeg(ffmpeg, path, decoder), by_steno(path)
                lengths[len(ours) - len(theirs)] += 1
                count = min(len(ours), len(theirs))
                difference = np.abs(ours[:count] - theirs[:count])
                largest = max(largest, float(difference.max()))
                share = max(share, float(np.sqrt(np.mean(difference ** 2) / np.mean(theirs ** 2))))
            print(f"{codec} beside {name}: {len(recordings)} files, differences of length {dict(lengths)}, "
                  f"largest difference {largest:.2g}, at most {share:.2g} of a file's level (root mean square)", flush=True)


def damage(data, random):
    """Changed bytes, a cut, a changed header, or a stretch of noise."""
    data, kind = bytearray(data), random.randrange(4)
    if kind == 0:
        for _ in range(random.choice((1, 4, 30))):
            data[random.randrange(len(data))] = random.randrange(256)
    elif kind == 1:
        del data[random.randrange(len(data)):]
    elif kind == 2:
        for _ in range(random.choice((1, 3))):
            place, count = random.randrange(min(len(data), 400)), random.choice((1, 2, 4, 8))
            data[place:place + count] = bytes([random.choice((0, 127, 255))]) * count
    else:
        place, count = random.randrange(len(data)), random.randrange(1, 2000)
        data[place:place + count] = random.randbytes(count)
    return bytes(data)


def read_damaged(ffmpeg, recordings, folder):
    print(folder)
    generator = random.Random(1)
    start, slowest, results = time.perf_counter(), 0.0, collections.Counter()
    for codec in ENCODERS:
        originals = []
        for number, recording in enumerate(recordings[:10]):
            path = folder / f"{number}.{codec}"
            encode(ffmpeg, recording, path, codec)
            originals.append(path.read_bytes()[:40000])
        path = folder / f"damaged.{codec}"
        for _ in range(PER_CODEC):
            path.write_bytes(damage(generator.choice(originals), generator))
            begin = time.perf_counter()
            try:
                assert np.isfinite(by_steno(path)).all(), f"{path}: samples that are not finite"
                results[codec, "read"] += 1
            except steno.StenoError as error:
                results[codec, f"error {error.code}"] += 1
            slowest = max(slowest, time.perf_counter() - begin)
    for (codec, result), count in sorted(results.items()):
        print(f"{codec}: {result}: {count}")
    print(f"{time.perf_counter() - start:.0f} s, the slowest file {slowest:.2f} s, "
          f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["samples", "damaged"])
    parser.add_argument("recordings", nargs="+", type=pathlib.Path)
    a = parser.parse_args()
    ffmpeg = shutil.which("ffmpeg") or sys.exit("compare_codecs: ffmpeg is not installed")
    os.environ["PATH"] = "/nonexistent"
    folder = pathlib.Path(tempfile.mkdtemp())
    (compare if a.part == "samples" else read_damaged)(ffmpeg, a.recordings, folder)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
