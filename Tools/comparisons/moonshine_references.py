"""Greedy texts of transformers for recordings and a published Moonshine model, for PublishedMoonshineTests; and their scores.

usage: python Tools/comparisons/moonshine_references.py write MODEL FOLDER [RECORDING …]
       python Tools/comparisons/moonshine_references.py score FOLDER
       python Tools/comparisons/moonshine_references.py goldens FOLDER GOLDENS.json

  write   references.json and samples.f32 in FOLDER: the samples, the tokens and texts in float32, and the reference text of a
          recording (in the manifest.jsonl next to it, or a .txt of its name). Without RECORDING: the sentences of
          Tests/Fixtures/speech
  score   word error rates of these texts, and of the texts that the tests have written to FOLDER
  goldens compares what the tests have written in float32 with earlier results of transformers: a list "clips" of "clip" (the
          path of a recording), "tokens", and "rows": the beginnings of some frames of the encoder's output, by number

Then: STENO_MOONSHINE_MODEL=MODEL STENO_MOONSHINE_REFERENCES=FOLDER make test FILTER=PublishedMoonshineTests

Needs torch, transformers 5.24.0, soundfile; ffmpeg for other recordings than 16 kHz mono. One thread.
"""
import json
import math
import os
import pathlib
import re
import sys

os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.alignment import distance
from support.paths import FIXTURES
from support.references import reference
from support.samples import read_samples

TOKENS_PER_SECOND = 6.5


def said(path):
    """What is said in a recording, if it is known."""
    beside = path.with_suffix(".txt")
    return beside.read_text().strip() if beside.exists() else reference(path.resolve())[0] or ""


def plain(text):
    return re.sub(r"[^a-z0-9' ]+", " ", text.lower().replace("\u2019", "'")).split()


def write(model_folder, folder, files):
    import torch
    from goldens.make_moonshine_goldens import greedy
    from tokenizers import Tokenizer
    from transformers import MoonshineForConditionalGeneration
    from transformers.models.moonshine.modeling_moonshine import MoonshineEncoderModelOutput
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    model = MoonshineForConditionalGeneration.from_pretrained(model_folder, attn_implementation="eager", dtype=torch.float32).eval()
    tokenizer = Tokenizer.from_file(f"{model_folder}/tokenizer.json")
    folder.mkdir(exist_ok=True)
    clips = []
    with open(folder / "samples.f32", "wb") as out:
        for file in files:
            samples, _ = read_samples(file)
            out.write(samples.astype("<f4").tobytes())
            limit = math.ceil(len(samples) / 16000 * TOKENS_PER_SECOND)
            frames = model.model.encoder(torch.from_numpy(samples)[None]).last_hidden_state
            tokens, _, _ = greedy(model, MoonshineEncoderModelOutput(last_hidden_state=frames), limit)
            clips.append({
                "name": file.stem, "samples": len(samples), "limit": limit, "tokens": tokens, "text": tokenizer.decode(tokens),
                "reference": said(file), "frames": frames.shape[1], "lastFrame": [float(v) for v in frames[0, -1]]})
            print(file.stem, clips[-1]["text"], flush=True)
    (folder / "references.json").write_text(json.dumps(clips, ensure_ascii=False))


def score(folder):
    clips = json.loads((folder / "references.json").read_text())
    texts = {"transformers": {c["name"]: c["text"] for c in clips}}
    for file in sorted(folder.glob("texts-*.json")):
        texts[file.stem] = {name: result["text"] for name, result in json.loads(file.read_text()).items()}
    scored = [c for c in clips if c["reference"]]
    total = sum(len(plain(c["reference"])) for c in scored)
    for engine, own in texts.items():
        wrong = sum(distance(plain(c["reference"]), plain(own[c["name"]])) for c in scored)
        same = sum(own[c["name"]].strip() == c["text"].strip() for c in clips)
        print(f"{engine}: {100 * wrong / total:.2f} % ({wrong}/{total}), {same} of {len(clips)} texts as transformers")
        for c in clips:
            if own[c["name"]].strip() != c["text"].strip():
                print(f"  {c['name']}: {c['text'].strip()} | {own[c['name']].strip()}")


def goldens(folder, file):
    own, frames = (json.loads((folder / f"{name}-float32.json").read_text()) for name in ("texts", "frames"))
    clips, equal, furthest = json.loads(file.read_text())["clips"], 0, 0
    for clip in clips:
        name = pathlib.Path(clip["clip"]).stem
        equal += own[name]["tokens"] == clip["tokens"]
        if own[name]["tokens"] != clip["tokens"]:
            print(f"  {name}: {clip['text'].strip()} | {own[name]['text'].strip()}")
        for number, row in clip["rows"].items():
            furthest = max(furthest, max(abs(x - y) for x, y in zip(row, frames[name]["rows"][number], strict=True)))
    print(f"{equal} of {len(clips)} texts token for token; encoder: largest deviation {furthest:.2g}")


def main():
    if sys.argv[1:2] == ["write"] and len(sys.argv) > 3:
        files = [pathlib.Path(f) for f in sys.argv[4:]] or sorted((FIXTURES / "speech").glob("en-*.flac"))
        write(sys.argv[2], pathlib.Path(sys.argv[3]), files)
    elif sys.argv[1:2] == ["score"] and len(sys.argv) == 3:
        score(pathlib.Path(sys.argv[2]))
    elif sys.argv[1:2] == ["goldens"] and len(sys.argv) == 4:
        goldens(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
