"""Makes conversations of real people from public repositories, with exact references (RTTM).

usage: make_real_conversations.py CLONES FOLDER

CLONES has clones of two public GitHub repositories, bare or not: CLONES/owner+name/repo, CLONES/owner+name,
CLONES/owner/name or CLONES/name, each also with .git at the end. Read from:
  resemble-ai/Resemblyzer   audio_data/librispeech_test-other (10 readers, 10 utterances each), and
                            audio_data/librispeech_train-clean-100 (252 readers, one utterance each): LibriSpeech, CC BY 4.0
  pyannote/pyannote-audio   tests/data: 14 pieces of 30 s of AMI meetings with references (CC BY 4.0); sample.wav
FOLDER gets real-01 … real-12 (.wav 16 kHz mono, .rttm) and ami-*.wav, ami-*.rttm. 01–04 are for tuning, the rest for
reporting; their readers differ. A reference turn is what is above −43 dB of the turn's peak and 5 dB above the noise of
its utterance (level of 10 ms steps; the noise is their 5th percentile; measured before room, noise and telephone are
added); pauses below 0.3 s belong to the turn. Levels differ by up to 6 dB between speakers. Every run makes the same files.
445-123857-0000.flac in that repository is noise from end to end, not a voice; the next reader takes its place.

With `--hours` it makes two of 65 minutes, of two readers of the reporting pool each: hour-301 (clean) and hour-302 (room).
The ten utterances of each reader come again and again in another order, and for five minutes in the middle nobody speaks.

With `--calls` it makes calls of two readers of the reporting pool, 90 s each, with a channel for each: call-401 … call-412
with leakage of −6, −12, −20 dB or none, clean, in a room, over a telephone; with `--calls --tuning`, call-451 … of the other
pool. call-*.alone.wav are the same without leakage.

With `--tuning` it makes 01–04 and more conversations of the tuning readers only, with which settings were chosen: more-101 …
more-116 like the twelve, meet-201 … meet-220 with shorter turns, as in meetings, and long-501 … long-506, five to seven minutes
joined from them, with up to 13 people.

Needs numpy, scipy, soundfile.
"""
import argparse
import io
import pathlib
import subprocess
import sys

import numpy as np
import soundfile
from scipy.signal import butter, fftconvolve, sosfilt

from measure import turns as read_turns

RATE = 16000
BROKEN = {"c445-123857-0000.flac"}
#        number: (readers, seconds, condition)
PLAN = {1: (2, 90, "clean"), 2: (3, 120, "telephone"), 3: (4, 120, "noise"), 4: (5, 150, "room"),
        5: (2, 60, "telephone"), 6: (2, 120, "noise"), 7: (3, 90, "clean"), 8: (3, 150, "room"),
        9: (4, 180, "clean"), 10: (4, 120, "telephone"), 11: (5, 180, "noise"), 12: (2, 90, "room")}

MORE = [(1, 60), (2, 90), (2, 60), (3, 90), (3, 120), (4, 120), (4, 90), (5, 120), (6, 150), (7, 150), (2, 90), (3, 60),
        (4, 150), (2, 120), (5, 150), (1, 90)]
MEET = [(2, 30), (3, 30), (4, 30), (4, 40), (3, 45), (2, 40), (4, 30), (5, 60), (3, 30), (4, 60), (2, 30), (3, 60), (4, 45),
        (1, 30), (5, 45), (2, 60), (3, 40), (4, 40), (1, 45), (3, 30)]

LONG = {501: ["more-101", "more-103", "more-114", "more-101"], 502: ["more-102", "more-106", "more-115", "more-102"],
        503: ["more-104", "more-108", "more-107", "more-104"], 504: ["real-01", "more-110", "real-04", "real-01"],
        505: ["real-02", "real-03", "real-02"], 506: ["more-116", "more-105", "more-111", "more-112", "more-116"]}


def write_rttm(path, name, turns):
    path.write_text("".join(
        f"SPEAKER {name} 1 {start:.3f} {end - start:.3f} <NA> <NA> {who} <NA> <NA>\n" for start, end, who in sorted(turns)))


def show(git, path):
    return subprocess.run(["git", f"--git-dir={git}", "show", f"HEAD:{path}"], check=True, capture_output=True).stdout


def files(git, folder):
    out = subprocess.run(["git", "-c", "core.quotepath=off", f"--git-dir={git}", "ls-tree", "-r", "--name-only", "HEAD", folder],
                         check=True, capture_output=True).stdout.decode()
    return out.split("\n")[:-1]


def load(data):
    x, rate = soundfile.read(io.BytesIO(data), dtype="float32")
    assert rate == RATE
    return x if x.ndim == 1 else x.mean(1)


def repository(clones, owner, name):
    for path in (f"{owner}+{name}/repo", f"{owner}+{name}", f"{owner}/{name}", name):
        for place in (clones / path, clones / (path + ".git")):
            for git in (place, place / ".git"):
                if (git / "HEAD").exists() and (git / "objects").exists():
                    return git
    sys.exit(f"no clone of {owner}/{name} under {clones}")


def levels(x):
    n = len(x) // 160
    return np.sqrt((x[:n * 160].reshape(n, 160) ** 2).mean(1))


def pieces(x, gap=0.3, least=0.0):
    """Speech [start, end) in samples: above −43 dB of the peak and above `least`, pauses under `gap` filled."""
    on = levels(x) > max(0.007 * np.abs(x).max(), least)
    out = []
    for i in np.flatnonzero(on):
        if out and i - out[-1][1] < gap * 100:
            out[-1][1] = i + 1
        else:
            out.append([i, i + 1])
    return [(s * 160, e * 160) for s, e in out if e - s >= 5]


def turns_of(x, draw, lengths):
    """Cuts an utterance into turns at its pauses: some short, some long. With the level that is speech."""
    parts, out, now = pieces(x, 0.15), [], []
    least = 10 ** (5 / 20) * np.percentile(levels(x), 5)
    limit = draw.choice(lengths)
    for s, e in parts:
        if now and e - now[0] > limit * RATE:
            out.append(x[max(0, now[0] - 320):now[1] + 320])
            now, limit = [], draw.choice(lengths)
        now = [now[0] if now else s, e]
    if now:
        out.append(x[max(0, now[0] - 320):now[1] + 320])
    return [(t, least) for t in out if len(t) > 0.5 * RATE]


def telephone(x):
    x = sosfilt(butter(4, [300, 3400], "bandpass", fs=RATE, output="sos"), x)
    x = x / (np.abs(x).max() + 1e-9) * 0.7
    mu = np.sign(x) * np.log1p(255 * np.abs(x)) / np.log(256)
    mu = np.round(mu * 127) / 127
    x = np.sign(mu) * np.expm1(np.abs(mu) * np.log(256)) / 255
    return sosfilt(butter(6, 3800, "low", fs=RATE, output="sos"), x)


def pink(n, draw):
    f = np.fft.rfft(draw.standard_normal(n))
    f[1:] /= np.sqrt(np.arange(1, len(f)))
    f[0] = 0
    y = np.fft.irfft(f, n)
    return y / np.sqrt((y ** 2).mean())


def conversation(plan, voices, draw, lengths=(1.0, 2.5, 6.0, 9.0)):
    """The audio of a plan (readers, seconds, condition), and its turns."""
    tracks, turns = tracks_of(plan, voices, draw, lengths)
    return finished(sum(tracks.values()), plan[2], draw), turns


def tracks_of(plan, voices, draw, lengths):
    """The audio of each reader, and the turns of all."""
    count, seconds, condition = plan
    names = list(voices)
    queue = {n: [t for x in voices[n] for t in turns_of(x, draw, lengths)] for n in names}
    gain = {n: 10 ** (draw.uniform(-6, 0) / 20) for n in names}
    room = {n: draw.standard_normal(RATE // 3) * np.exp(-np.arange(RATE // 3) / RATE * 6.9 / draw.uniform(0.25, 0.45)) for n in names}
    tracks = {n: np.zeros(int((seconds + 40) * RATE)) for n in names}
    turns, loose, now, end_of = [], [], 0.3, {n: 0.0 for n in names}
    last, speech, overlap, target = None, 0.0, 0.0, draw.uniform(0.05, 0.15)
    while now < seconds and any(queue.values()):
        choice = [n for n in names if queue[n] and n != last] or [n for n in names if queue[n]]
        quiet = [n for n in choice if not any(w == n for _, _, w in loose)]
        who = draw.choice(quiet or choice)
        x, least = queue[who].pop(0)
        least = least / np.abs(x).max() * 0.5 * gain[who]
        x = x / np.abs(x).max() * 0.5 * gain[who]
        length = len(x) / RATE
        dry = x
        start = now + draw.uniform(0.1, 1.0)
        if loose and overlap < target * speech and who != last:
            start = max(now - draw.uniform(0.3, min(2.0, 0.6 * length)), end_of[who] + 0.1)
        if condition == "room":
            h = room[who].copy()
            h *= 0.25 / np.sqrt((h ** 2).sum())
            h[0] = 1
            x = np.concatenate([fftconvolve(x, h)[:len(x) + RATE // 5]])
        i = int(start * RATE)
        tracks[who][i:i + len(x)] += x
        for s, e in pieces(dry, least=least):
            turns.append((start + s / RATE, start + e / RATE, who))
        for s, e in pieces(x[:len(dry)]):
            loose.append((start + s / RATE, start + e / RATE, who))
        overlap += max(0.0, now - start) if now > 0.3 else 0
        speech += length
        now, last = max(now, start + length), who
        end_of[who] = start + length
    return {n: track[:int((now + 0.4) * RATE)] for n, track in tracks.items()}, turns


def finished(audio, condition, draw):
    """The audio with the noise of a condition, at a common level."""
    level = np.sqrt((audio ** 2).mean())
    if condition == "telephone":
        audio = telephone(audio + pink(len(audio), draw) * level * 10 ** (-25 / 20))
    else:
        snr = {"clean": 45, "noise": draw.uniform(8, 15), "room": 22}[condition]
        audio = audio + pink(len(audio), draw) * level * 10 ** (-snr / 20)
    return audio / np.abs(audio).max() * 0.8


def voices_of(source, paths_of, names, seconds, draw):
    voices = {}
    for name in names:
        paths = paths_of[name]
        order = draw.permutation(len(paths))[:max(3, int(seconds / len(names) / 5))]
        voices[str(name)] = [load(show(source, paths[i])) for i in order]
    return voices


def write(folder, name, audio, turns, plan):
    soundfile.write(folder / f"{name}.wav", audio, RATE, subtype="PCM_16")
    write_rttm(folder / f"{name}.rttm", name, turns)
    print(name, f"{len(audio) / RATE:.0f} s", plan[2], plan[0], "readers,", len(turns), "turns")


def utterances(source, part, letter):
    """The paths of each reader's utterances in a part of LibriSpeech."""
    found = {}
    for path in files(source, f"audio_data/librispeech_{part}"):
        if path.endswith(".flac"):
            found.setdefault(letter + path.split("/")[2], []).append(path)
    return found


def make_readers(source, folder, tuning):
    other, clean = utterances(source, "test-other", "o"), utterances(source, "train-clean-100", "c")
    readers, ones, paths_of = sorted(other), sorted(clean), other | clean
    for number, plan in PLAN.items():
        if tuning and number > 4:
            break
        count, seconds, _ = plan
        draw = np.random.default_rng([2026, number])
        pool = readers[:4] if number <= 4 else readers[4:]  # tuning and reporting share no reader
        rest = ones[:100] if number <= 4 else ones[100:]
        main_count = min(count, 2 + (number % 3 == 0), len(pool))
        names = list(draw.choice(pool, main_count, replace=False)) + list(draw.choice(rest, count - main_count, replace=False))
        names = [rest[rest.index(n) + 1] if n in BROKEN else n for n in names]
        audio, turns = conversation(plan, voices_of(source, paths_of, names, seconds, draw), draw)
        write(folder, f"real-{number:02d}", audio, turns, plan)
    if tuning:
        make_tuning(source, folder, readers[:4], ones[:100], paths_of)
        join(folder)


def readers_of(source, tuning):
    """The paths of the utterances of each reader with ten, of one of the two pools."""
    paths_of = utterances(source, "test-other", "o")
    names = sorted(paths_of)
    return {name: paths_of[name] for name in (names[:4] if tuning else names[4:])}


def make_calls(source, folder, tuning):
    paths_of, first = readers_of(source, tuning), 451 if tuning else 401
    for index in range(12):
        leak, condition = (-6, -12, -20, None)[index % 4], ("clean", "room", "telephone")[index // 4]
        draw = np.random.default_rng([2026, first + index])
        names = [str(name) for name in draw.choice(sorted(paths_of), 2, replace=False)]
        voices = voices_of(source, paths_of, names, 90, draw)
        tracks, turns = tracks_of((2, 90, condition), voices, draw, (1.0, 2.5, 6.0, 9.0))
        dry = [tracks[name] for name in names]
        # The other side, 3 ms late and through the air of a room.
        air = draw.standard_normal(RATE // 8) * np.exp(-np.arange(RATE // 8) / RATE * 40) * 0.1
        air[0] = 1
        late = [np.concatenate([np.zeros(48), fftconvolve(x, air)])[:len(x)] for x in dry]
        gain = 0 if leak is None else 10 ** (leak / 20)
        name = f"call-{first + index}"
        for end, part in (("", gain), (".alone", 0)):
            channels = [finished(own + part * other, condition, np.random.default_rng([1, index, n]))
                        for n, (own, other) in enumerate(zip(dry, late[::-1]))]
            soundfile.write(folder / f"{name}{end}.wav", np.stack(channels, 1), RATE, subtype="PCM_16")
        write_rttm(folder / f"{name}.rttm", name, turns)
        print(name, f"{len(dry[0]) / RATE:.0f} s", condition, "no leakage" if leak is None else f"leakage {leak} dB")


def make_hours(source, folder):
    paths_of = readers_of(source, tuning=False)
    for number, condition in ((301, "clean"), (302, "room")):
        draw = np.random.default_rng([2026, number])
        names = [str(name) for name in draw.choice(sorted(paths_of), 2, replace=False)]
        voices = {name: [load(show(source, path)) for path in paths_of[name]] for name in names}
        often = {name: [voices[name][i] for _ in range(60) for i in draw.permutation(len(voices[name]))] for name in names}
        audio, turns = conversation((2, 3600, condition), often, draw)
        middle, pause = 1800 * RATE, 300 * RATE
        audio = np.concatenate([audio[:middle], audio.std() * 0.003 * draw.standard_normal(pause), audio[middle:]])
        turns = [(s + 300 * (s >= 1800), e + 300 * (s >= 1800), who) for s, e, who in turns]
        write(folder, f"hour-{number}", audio, turns, (2, 3900, condition))


def make_tuning(source, folder, pool, rest, paths_of):
    series = [("more", 101, 77, MORE, ["clean", "telephone", "noise", "room"], (1.0, 2.5, 6.0, 9.0)),
              ("meet", 201, 78, MEET, ["room", "noise", "room", "telephone"], (0.5, 0.8, 1.5, 3.0, 6.0))]
    for name, first, seed, plans, conditions, lengths in series:
        for index, (count, seconds) in enumerate(plans):
            draw = np.random.default_rng([seed, first + index])
            known = min(count, 1 + (index % 3 > 0)) if index % 4 or count == 1 else 0
            names = list(draw.choice(pool, known, replace=False)) + list(draw.choice(rest, count - known, replace=False))
            plan = (count, seconds, conditions[index % 4])
            audio, turns = conversation(plan, voices_of(source, paths_of, names, seconds, draw), draw, lengths)
            write(folder, f"{name}-{first + index}", audio, turns, plan)


def join(folder):
    """Longer ones, with a second between the parts; those of the first part return at the end."""
    for number, parts in LONG.items():
        audio, turns, start = [], [], 0.0
        for part in parts:
            x, _ = soundfile.read(folder / f"{part}.wav", dtype="float32")
            turns += [(start + s, start + e, who) for s, e, who in read_turns(folder / f"{part}.rttm")]
            audio += [x, np.zeros(RATE, np.float32)]
            start += len(x) / RATE + 1
        write(folder, f"long-{number}", np.concatenate(audio), turns, (len({t[2] for t in turns}), round(start), "joined"))


def make_meetings(source, folder):
    reference = {}
    for path in files(source, "tests/data"):
        if path.endswith(".rttm"):
            for line in show(source, path).decode().split("\n"):
                f = line.split()
                if f:
                    reference.setdefault(plain(f[1]), []).append((float(f[3]), float(f[3]) + float(f[4]), plain(f[7])))
    for path in files(source, "tests/data"):
        if path.endswith(".wav") and "empty" not in path:
            name = plain(pathlib.Path(path).stem)
            x = load(show(source, path))[:30 * RATE]
            turns = [(s, min(e, 30.0), who) for s, e, who in reference[name] if s < 30]
            write(folder, f"ami-{name}", x, turns, (len({who for _, _, who in turns}), 30, "AMI"))


def plain(name):
    """A name of the repository in ASCII; one has a letter with an accent in some places."""
    return name.encode("ascii", "ignore").decode().replace("tr00", "trn00")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("clones", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tuning", action="store_true", help="only the conversations for tuning, and more of them")
    parser.add_argument("--calls", action="store_true", help="calls with a channel for each side instead")
    parser.add_argument("--hours", action="store_true", help="the conversations of 65 minutes instead")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    source = repository(arguments.clones, "resemble-ai", "Resemblyzer")
    if arguments.hours:
        return make_hours(source, arguments.folder)
    if arguments.calls:
        return make_calls(source, arguments.folder, arguments.tuning)
    make_readers(source, arguments.folder, arguments.tuning)
    if not arguments.tuning:
        make_meetings(repository(arguments.clones, "pyannote", "pyannote-audio"), arguments.folder)


if __name__ == "__main__":
    main()
