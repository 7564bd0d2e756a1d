#!/usr/bin/env python3
"""Runs `steno` on the bundled recording and draws the terminal as an SVG: Documentation/Images/terminal.svg.

usage: python Tools/documents/draw_terminal.py STENO    STENO is a release build of the command

Afterwards run Tools/documents/pictures.py --taken terminal.
"""
import pathlib
import subprocess
import sys
import tempfile
import textwrap
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Documentation/Images/terminal.svg"
RECORDING = ROOT / "Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav"
# What is typed; the output is the program's own.
COMMANDS = ["steno transcribe inaugural-1961.wav", "steno transcribe inaugural-1961.wav --split-cues -o speech.srt", "cat speech.srt"]
COLUMNS, LINE, LETTER, MARGIN, BAR = 76, 20, 8.43, 18, 34


def run(steno):
    """The lines of the terminal: each command and what it prints on standard output."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / RECORDING.name).symlink_to(RECORDING)
        for command in COMMANDS:
            words = command.split()
            program = [str(steno), *words[1:]] if words[0] == "steno" else words
            output = subprocess.run(program, cwd=folder, capture_output=True, text=True)
            if output.returncode != 0:
                sys.exit(f"draw_terminal: {command}: {output.stderr}")
            lines.append("$ " + command)
            for line in output.stdout.rstrip("\n").split("\n") if output.stdout else []:
                lines += textwrap.wrap(line, COLUMNS) or [""]
    return lines


def draw(lines):
    width, height = COLUMNS * LETTER + 2 * MARGIN, BAR + len(lines) * LINE + MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">',
           "<title>steno transcribes a recording in a terminal</title>",
           f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1e1f24"/>']
    out += [f'<circle cx="{20 + 20 * i}" cy="18" r="6" fill="{colour}"/>' for i, colour in enumerate(["#ff5f57", "#febc2e", "#28c840"])]
    for number, line in enumerate(lines):
        colour = "#8fd18f" if line.startswith("$ ") else "#e6e6e6"
        if line:
            out.append(f'<text x="{MARGIN}" y="{BAR + 16 + number * LINE}" fill="{colour}" xml:space="preserve">{escape(line)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    PICTURE.write_text(draw(run(pathlib.Path(sys.argv[1]).resolve())), encoding="utf-8")


if __name__ == "__main__":
    main()
