"""Measurements of compare_peers.py as Markdown tables."""

import statistics
import sys
from pathlib import Path

# A figure, its title, its unit, and Steno's goal for each peer, as a share of its time (or memory).
FIGURES = [
    ("encode_ms", "Encoder, 30 s", "ms", {"CTranslate2": 0.5}),
    ("encode_cross_ms", "Encoder and cross-attention KV cache, 30 s", "ms", {"whisper.cpp": 0.2}),
    ("log_mel_ms", "Log-mel, 30 s", "ms", {}),
    ("greedy_token_ms", "A token, greedy", "ms", {"CTranslate2": 0.5, "whisper.cpp": 0.6}),
    ("beam5_step_ms", "A beam-5 step", "ms", {"CTranslate2": 0.5}),
    ("cold_start_ms", "New process to first token", "ms", {"CTranslate2": 0.5}),
    ("peak_rss_mb", "Peak memory, model and one window", "MB", {"CTranslate2": 1.0}),
    ("file_s", "Ten minutes, beam 5, sequential", "s", {"faster-whisper": 0.5, "whisper.cpp": 0.2}),
    ("file_batched_s", "Ten minutes, beam 5, batches of 8", "s", {"faster-whisper": 0.5}),
    ("file_best_s", "Ten minutes, beam 5, each engine's faster mode", "s", {"faster-whisper": 0.5, "whisper.cpp": 0.2}),
    ("fixed_s", "Ten minutes, fixed number of tokens, beam 5", "s", {"faster-whisper": 0.5, "whisper.cpp": 0.2}),
    ("fixed_batched_s", "Ten minutes, fixed number of tokens, beam 5, batches of 8", "s", {"faster-whisper": 0.5}),
    ("fixed_best_s", "Ten minutes, fixed number of tokens, each engine's faster mode", "s", {"faster-whisper": 0.5, "whisper.cpp": 0.2}),
    ("clip_ms", "Four seconds, full window", "ms", {"faster-whisper": 0.5}),
    ("clip_auto_ms", "Four seconds, audio context of the clip's length", "ms", {"faster-whisper": 0.25}),
]
# Tables mark medians of fewer measurements.
ENOUGH = 7
# A figure that reaches this share of the roofline counts as a met goal.
NEAR = 0.7
PEERS = ["CTranslate2", "faster-whisper", "whisper.cpp"]


def median(row):
    return statistics.median(row["values"])


def digits(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def spread(row):
    count = len(row["values"])
    few = "" if count >= ENOUGH else f", {count} measurement{'s' if count > 1 else ''}"
    return f"{digits(median(row))} ({digits(min(row['values']))}–{digits(max(row['values']))}{few})"


class Measurements:
    """The rows of a result, and rows derived from them."""

    def __init__(self, all):
        self.rows = list(all["measurements"])
        for name in ("file", "fixed"):
            self.choose_faster(f"{name}_s", f"{name}_batched_s", f"{name}_best_s")

    def choose_faster(self, one, other, best):
        for row in [r for r in self.rows if r["figure"] == one]:
            rival = self.find(row["model"], row["threads"], other, row["engine"], row["type"])
            chosen = min([row] + rival, key=median)
            self.rows.append({**chosen, "figure": best})

    def find(self, model, threads, figure, engine, type=None):
        return [r for r in self.rows if r["model"] == model and r["threads"] == threads and r["figure"] == figure
                and r["engine"] == engine and type in (None, r["type"])]

    def fastest(self, model, threads, figure, engine):
        """An engine's fastest type with at most this many threads; Steno's with exactly this many."""
        counts = [threads] if engine == "Steno" else range(1, threads + 1)
        rows = [r for t in counts for r in self.find(model, t, figure, engine)]
        return min(rows, key=median) if rows else None

    def cases(self, figure):
        return sorted({(r["model"], r["threads"]) for r in self.rows if r["figure"] == figure and r["engine"] == "Steno"})


def described(row):
    threads = "1 thread" if row["threads"] == 1 else f"{row['threads']} threads"
    return f"{spread(row)} {row['type']}, {threads}"


def ratio_table(measurements, figure, title, unit, goals):
    cases = measurements.cases(figure)
    peers = [p for p in PEERS if any(measurements.fastest(m, t, figure, p) for m, t in cases)]
    if not cases:
        return ""
    has_ceiling = any(measurements.find(m, t, figure, "ceiling") for m, t in cases)
    lines = [f"### {title}", "",
             f"| model | threads | Steno, {unit} |" + (" share of the roofline |" if has_ceiling else "")
             + "".join(f" {p}, {unit} | share |" for p in peers),
             "|---|---|---|" + "---|" * has_ceiling + "---|---|" * len(peers)]
    for model, threads in cases:
        own = measurements.fastest(model, threads, figure, "Steno")
        cells = [model, str(threads), spread(own)]
        floor = measurements.find(model, threads, figure, "ceiling")
        near = median(floor[0]) / median(own) if floor else 0
        if has_ceiling:
            cells.append(f"{100 * near:.0f} %" if floor else "–")
        for peer in peers:
            row = measurements.fastest(model, threads, figure, peer)
            share = median(own) / median(row) if row and median(row) else None
            goal = goals.get(peer)
            verdict = "" if share is None or goal is None else "met" if share <= goal else "met: near the roofline" if near >= NEAR else "not met"
            mark = f" (goal {goal:g}: {verdict})" if verdict else ""
            cells += [described(row) if row else "–", f"**{share:.2f}**{mark}" if share is not None else "–"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def error_rates(measurements):
    rows = [r for r in measurements.rows if r["figure"].endswith("_wer")]
    if not rows:
        return ""
    lines = ["### WER of the ten minutes, beam 5", "", "| model | engine | sequential | batches of 8 |", "|---|---|---|---|"]
    for model, engine, type in sorted({(r["model"], r["engine"], r["type"]) for r in rows}):
        def cell(figure):
            own = [v for r in rows for v in r["values"]
                   if (r["model"], r["engine"], r["type"], r["figure"]) == (model, engine, type, figure)]
            return f"{statistics.median(own):.2f} %" if own else "–"
        lines.append(f"| {model} | {engine} {type} | {cell('file_wer')} | {cell('file_batched_wer')} |")
    return "\n".join(lines) + "\n"


def scaling(measurements):
    rows = [r for r in measurements.rows if r["figure"] in ("encode_ms", "encode_cross_ms") and r["threads"] == 1]
    lines = []
    for row in rows:
        if row["engine"] == "ceiling" or (row["engine"] == "Steno" and row["figure"] == "encode_cross_ms"):
            continue
        more = [r for r in measurements.rows if r["threads"] > 1 and all(r[k] == row[k] for k in ("model", "engine", "type", "figure"))]
        lines += [f"| {row['model']} | {row['engine']} {row['type']} | {r['threads']} | {median(row) / median(r):.2f} |" for r in more]
    if not lines:
        return ""
    return "\n".join(["### Encoder: speed-up with more threads", "", "| model | engine | threads | speed-up over one thread |",
                      "|---|---|---|---|", *sorted(lines)]) + "\n"


def own_figures(measurements):
    names = {"in_turn_s": "two transcriptions, one after the other, s", "at_once_s": "two transcriptions in parallel, s",
             "idle_percent": "processor time while waiting for audio, % of a core"}
    rows = [r for r in measurements.rows if r["figure"] in names]
    if not rows:
        return ""
    return "\n".join(["### In parallel, and idle", "", "| model | threads | what | median |", "|---|---|---|---|",
                      *[f"| {r['model']} | {r['threads']} | {names[r['figure']]} | {spread(r)} |" for r in rows]]) + "\n"


def markdown(all):
    measurements = Measurements(all)
    counts = {len(r["values"]) for r in measurements.rows}
    runs = f"{min(counts)} to {max(counts)}" if len(counts) > 1 else f"{max(counts, default=0)}"
    head = f"{all['machine']['processor']}, {all['machine']['cores']} cores; medians of {runs} measurements (minimum to maximum).\n"
    tables = [ratio_table(measurements, *figure) for figure in FIGURES]
    tables += [error_rates(measurements), scaling(measurements), own_figures(measurements)]
    return "\n".join([head, *[t for t in tables if t]])


def render(all, markdown_file=None):
    text = markdown(all)
    if markdown_file:
        Path(markdown_file).write_text(text)
    else:
        sys.stdout.write(text)
