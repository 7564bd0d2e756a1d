#!/usr/bin/env python3
"""Plots measurements of measure_live.py at several steps: latency and cost against the step, as an SVG.

    python Tools/live/plot_live.py MEASURED.jsonl OUT.svg
"""

import json
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 360, 60, 50, 40, 20
SERIES = [
    ("first shown, mean", "#1b6ca8", lambda r: r["first_shown"]["mean"]),
    ("final, median", "#b8442c", lambda r: r["final"]["p50"]),
    ("final, 95 %", "#e0956f", lambda r: r["final"]["p95"]),
    ("end of speech to final", "#5a7d2a", lambda r: r["end_of_speech_to_final"]["p50"]),
    ("decoding per 1 s of audio", "#6b6b6b", lambda r: r["compute"]),
]


def step(row):
    a = row["arguments"]
    return float(a[a.index("--step") + 1]) if "--step" in a else 0.4


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = sorted((json.loads(line) for line in open(sys.argv[1])), key=step)
    xs = [step(r) for r in rows]
    top = max(f(r) for _, _, f in SERIES for r in rows) * 1.1

    def x(v):
        return LEFT + (v - xs[0]) / (xs[-1] - xs[0]) * (WIDTH - LEFT - RIGHT - 190)

    def y(v):
        return HEIGHT - BOTTOM - v / top * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="15">Live captions with Whisper base: seconds, by step</text>']
    for tick in [i / 2 for i in range(int(top * 2) + 1)]:
        out.append(f'<line x1="{LEFT}" x2="{x(xs[-1])}" y1="{y(tick)}" y2="{y(tick)}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 8}" y="{y(tick) + 4}" text-anchor="end">{tick:g}</text>')
    for v in xs:
        out.append(f'<text x="{x(v)}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{v:g}</text>')
    out.append(f'<text x="{(LEFT + x(xs[-1])) / 2}" y="{HEIGHT - 8}" text-anchor="middle">step, seconds</text>')
    for name, colour, value in SERIES:
        points = " ".join(f"{x(v):.1f},{y(value(r)):.1f}" for v, r in zip(xs, rows))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x(v):.1f}" cy="{y(value(r)):.1f}" r="3" fill="{colour}"/>' for v, r in zip(xs, rows)]
    below = 0
    for name, colour, value in sorted(SERIES, key=lambda s: y(s[2](rows[-1]))):
        at = max(y(value(rows[-1])) + 4, below)
        below = at + 16
        out.append(f'<text x="{x(xs[-1]) + 10}" y="{at:.1f}" fill="{colour}">{name}</text>')
    out.append("</svg>")
    open(sys.argv[2], "w").write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
