#!/usr/bin/env python3
"""The speed of FastConformer models of true shape, with random weights: Steno and onnxruntime.

usage: python Tools/speed/compare_fastconformer.py --steno PATH [--shape parakeet-110m,parakeet-0.6b] [--threads 1,2]
       [--seconds 10,30] [--audio FILE] [--runs 7] [--only int8] [--folder DIR] [--json FILE]

For each shape it makes a random TDT model in Hugging Face's format (kept in DIR), exports transformers' encoder,
prediction network and joint network to ONNX at the length of the audio, and quantises them with onnxruntime's dynamic
int8, once for all operations it knows and once for matrix products only. The blank's bias is chosen so that the model
writes about 3.5 tokens a second, as with real weights. Then both engines take turns, in processes of their own:

  onnxruntime   mel rows are ready; encoder, and the greedy search of NeMo in numpy
  Steno         `steno bench --only audio`: from the file to the text, with voice activity and log-mel

The second column is processor time, which other processes distort less; Steno's is the difference between a process with
five more runs and one with fewer. The audio is repeated, or cut, to each of the --seconds. The figures count only if
nothing else runs on the machine.

Needs torch, transformers, onnx, onnxruntime, soundfile; about 8 GB of disk for each length and 12 GB of memory for 0.6b.
The script in the tag `experiments` compares transcribe.cpp too.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))
AUDIO = HERE.parents[2] / "Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav"
TOKENS_A_SECOND = 3.5


def config(shape):
    from transformers import ParakeetEncoderConfig, ParakeetTDTConfig
    if shape == "parakeet-110m":
        encoder = ParakeetEncoderConfig(hidden_size=512, num_hidden_layers=17, num_attention_heads=8,
                                        intermediate_size=2048, scale_input=False)
        return ParakeetTDTConfig(encoder_config=encoder, vocab_size=1025, blank_token_id=1024, num_decoder_layers=1)
    encoder = ParakeetEncoderConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=8, num_mel_bins=128,
                                    intermediate_size=4096, scale_input=False, attention_bias=False,
                                    convolution_bias=False)
    return ParakeetTDTConfig(encoder_config=encoder, vocab_size=8193, blank_token_id=8192, num_decoder_layers=2)


def random_weights(model):
    """Weights of the usual size: products keep the variance, norms are close to 1."""
    import torch
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if "num_batches" in name:
                continue
            if name.endswith("running_var") or "norm" in name and name.endswith("weight"):
                value.fill_(1)
            elif "bias" in name or "mean" in name:
                value.normal_(0, 0.1, generator=generator)
            else:
                value.normal_(0, 1 / math.sqrt(max(1, math.prod(value.shape[1:]))), generator=generator)
            value.copy_(value.half().float())


def mel(audio, bands):
    import soundfile
    from transformers import ParakeetFeatureExtractor
    samples, rate = soundfile.read(audio, dtype="float32")
    assert rate == 16000 and samples.ndim == 1, "the audio must be 16 kHz mono"
    out = ParakeetFeatureExtractor(feature_size=bands)(samples, sampling_rate=rate, return_tensors="np")
    rows = out["input_features"][0][:int(out["attention_mask"].sum())]
    return np.ascontiguousarray(rows[None], np.float32), len(samples) / rate


def greedy(frames, predict, join, blank):
    """NeMo's greedy search for TDT."""
    tokens, t, symbols, limit = [], 0, 0, 10
    g, state = predict(blank, None)
    while t < len(frames):
        logits = join(frames[t], g)
        best, duration = int(logits[:blank + 1].argmax()), int(logits[blank + 1:].argmax())
        if best == blank:
            t, symbols = t + max(duration, 1), 0
            continue
        tokens.append((best, t, duration))
        g, state = predict(best, state)
        symbols += 1
        if duration > 0 or symbols >= limit:
            t, symbols = t + max(duration, 1), 0
    return tokens


def make(folder, shape, audio):
    """Writes the model and its ONNX files."""
    import torch
    from torch import nn
    from transformers import ParakeetForTDT
    torch.set_num_threads(2)
    folder.mkdir(parents=True, exist_ok=True)
    shape_config = config(shape)
    model = ParakeetForTDT(shape_config).eval()
    model.set_attn_implementation("sdpa")
    random_weights(model)
    blank, layers = shape_config.blank_token_id, shape_config.num_decoder_layers
    features, seconds = mel(audio, shape_config.encoder_config.num_mel_bins)

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.projector = model.encoder, model.encoder_projector

        def forward(self, x):
            return self.projector(self.encoder(x).last_hidden_state)

    class Predictor(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.lstm = model.decoder.embedding, model.decoder.lstm
            self.projector = model.decoder.decoder_projector

        def forward(self, token, h, c):
            out, (h, c) = self.lstm(self.embedding(token), (h, c))
            return self.projector(out)[0], h, c

    class Joint(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = model.joint.head

        def forward(self, e, g):
            return self.head(torch.relu(e + g))

    predictor, joint, width = Predictor(), Joint(), shape_config.decoder_hidden_size
    zeros = torch.zeros(layers, 1, width)

    def predict(token, state):
        g, h, c = predictor(torch.tensor([[token]]), *(state or (zeros, zeros)))
        return g, (h, c)

    with torch.no_grad():
        model.joint.head.weight.mul_(2)
        model.joint.head.bias[blank + 1] -= 4
        frames = Encoder()(torch.from_numpy(features))[0]
        model.encoder_projector.weight.mul_(2 / frames.std())
        model.encoder_projector.bias.mul_(2 / frames.std())
        frames = frames * (2 / frames.std())
        low, high = 0.0, 60.0
        for _ in range(12):
            bias = (low + high) / 2
            model.joint.head.bias[blank] = bias
            count = len(greedy(frames, predict, lambda e, g: joint(e[None], g)[0].numpy(), blank))
            low, high = (bias, high) if count > TOKENS_A_SECOND * seconds else (low, bias)
        print(f"{shape}: {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M weights, {count} tokens in "
              f"{seconds:.1f} s", flush=True)
        model.half().save_pretrained(folder)
        model.float()
        pieces = {f"\u2581{i}": i for i in range(shape_config.vocab_size)}
        (folder / "tokenizer.json").write_text(json.dumps({"model": {"type": "BPE", "vocab": pieces}}))
        exports = {"encoder": (Encoder(), (torch.from_numpy(features),), ["x"]),
                   "predictor": (predictor, (torch.tensor([[blank]]), zeros, zeros), ["token", "h", "c"]),
                   "joint": (joint, (frames[:1], torch.zeros(1, width)), ["e", "g"])}
        for name, (module, inputs, names) in exports.items():
            (folder / name).mkdir(exist_ok=True)
            torch.onnx.export(module.eval(), inputs, str(folder / name / "float32.onnx"), input_names=names, dynamo=False,
                              opset_version=17, external_data=name == "encoder")
            quantise(folder / name)
    np.save(folder / "mel.npy", features)


def quantise(folder):
    import logging
    from onnxruntime.quantization import QuantType, quantize_dynamic
    logging.getLogger().setLevel(logging.ERROR)
    for kind, operations in (("int8", None), ("int8-products", ["MatMul"])):
        quantize_dynamic(folder / "float32.onnx", folder / f"{kind}.onnx", weight_type=QuantType.QInt8, per_channel=True,
                         op_types_to_quantize=operations, use_external_data_format=folder.name == "encoder")


def work(folder, kind, threads):
    """Answers each line of standard input with the seconds of one run by onnxruntime."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    parts = {name: onnxruntime.InferenceSession(folder / name / f"{kind}.onnx", options, ["CPUExecutionProvider"])
             for name in ("encoder", "predictor", "joint")}
    settings = json.loads((folder / "config.json").read_text())
    blank = settings["blank_token_id"]
    zeros = np.zeros((settings["num_decoder_layers"], 1, settings["decoder_hidden_size"]), np.float32)
    features = np.load(folder / "mel.npy")

    def predict(token, state):
        h, c = state or (zeros, zeros)
        g, h, c = parts["predictor"].run(None, {"token": np.array([[token]], np.int64), "h": h, "c": c})
        return g, (h, c)

    def run():
        start, cpu = time.perf_counter(), time.process_time()
        frames = parts["encoder"].run(None, {"x": features})[0][0]
        middle = time.perf_counter()
        tokens = greedy(frames, predict, lambda e, g: parts["joint"].run(None, {"e": e[None], "g": g})[0][0], blank)
        return {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu, "encoder": middle - start, "tokens": len(tokens)}

    run()
    for _ in sys.stdin:
        print(json.dumps(run()), flush=True)


def sample(a, seconds, folder):
    """The audio, repeated or cut to that length; 0 is its own."""
    if not seconds:
        return a.audio
    import soundfile
    samples, rate = soundfile.read(a.audio, dtype="int16")
    path = folder / f"{seconds:g}s.wav"
    folder.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, np.resize(samples, int(seconds * rate)), rate)
    return path


def steno(a, folder, audio, precision, threads, runs=1):
    """The seconds of the median run, and the processor time of the whole process."""
    command = [a.steno, "bench", "--only", "audio", "--runs", str(runs), "--json", "--model", folder, "--audio", audio,
               "--precision", precision, "--threads", str(threads)]
    before = processor_time()
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return float(report["audio_ms"]) / 1e3, processor_time() - before


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(a, shape, length, threads):
    folder = a.folder / (f"{shape}-{length:g}s" if length else shape)
    audio = sample(a, length, folder)
    if not (folder / "mel.npy").exists():
        make(folder, shape, audio)
    seconds = mel(audio, config(shape).encoder_config.num_mel_bins)[1]
    kinds = [kind for kind in ("float32", "int8", "int8-products") if kind.startswith(a.only)]
    workers = {kind: subprocess.Popen([sys.executable, HERE, "--work", folder, kind, str(threads)], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE) for kind in kinds}
    times, cpu, tokens = {}, {}, {}
    for _ in range(a.runs):
        for kind, worker in workers.items():
            print(file=worker.stdin, flush=True)
            answer = json.loads(worker.stdout.readline())
            times.setdefault(f"onnxruntime {kind}", []).append(answer["seconds"])
            cpu.setdefault(f"onnxruntime {kind}", []).append(answer["cpu"])
            times.setdefault(f"onnxruntime {kind}, encoder", []).append(answer["encoder"])
            tokens[f"onnxruntime {kind}"] = answer["tokens"]
        for precision in ("float32", "int8"):
            if not precision.startswith(a.only):
                continue
            name = f"Steno {precision}"
            few, many = (steno(a, folder, audio, precision, threads, runs) for runs in (1, 6))
            times.setdefault(name, []).append(many[0])
            cpu.setdefault(name, []).append((many[1] - few[1]) / 5)
    for worker in workers.values():
        worker.stdin.close()
        worker.wait()
    print(f"\n{shape}, {threads} thread{'s' * (threads > 1)}, {seconds:.1f} s of audio, medians of {a.runs}\n")
    print("| engine | ms per second of audio | least | processor time | tokens |\n|---|---|---|---|---|")
    figures = {}
    for name, values in times.items():
        middle, least = (1e3 * f(values) / seconds for f in (statistics.median, min))
        used = 1e3 * statistics.median(cpu[name]) / seconds if name in cpu else None
        figures[name] = {"median": round(middle, 3), "least": round(least, 3), "tokens": tokens.get(name),
                         "processor": None if used is None else round(used, 3)}
        print(f"| {name} | {middle:.2f} | {least:.2f} | {'' if used is None else f'{used:.2f}'} | {tokens.get(name, '')} |")
    for kind in ("median", "least", "processor"):
        faster = min(figures[f"onnxruntime {k}"][kind] for k in ("int8", "int8-products"))
        print(f"Steno int8 / onnxruntime's faster int8, {kind}: {figures['Steno int8'][kind] / faster:.2f}", flush=True)
    return {"shape": shape, "threads": threads, "seconds": round(seconds, 3), "runs": a.runs, "ms_per_second": figures}


def main():
    if sys.argv[1:2] == ["--work"]:
        return work(pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steno", required=True, help="a release build of steno")
    parser.add_argument("--only", default="", choices=["", "int8"], help="int8 leaves out float32")
    parser.add_argument("--seconds", default="0", help="the lengths of the audio; 0 is the file's own")
    parser.add_argument("--shape", default="parakeet-110m,parakeet-0.6b")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--audio", type=pathlib.Path, default=AUDIO)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(".build/fastconformer"))
    parser.add_argument("--json", type=pathlib.Path, help="where to write the figures")
    a = parser.parse_args()
    results = [measure(a, shape, float(length), int(threads)) for shape in a.shape.split(",")
               for length in a.seconds.split(",") for threads in a.threads.split(",")]
    if a.json:
        import onnxruntime
        import transformers
        a.json.write_text(json.dumps({"onnxruntime": onnxruntime.__version__, "transformers": transformers.__version__,
                                      "cores": os.cpu_count(), "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
