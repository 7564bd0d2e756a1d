#!/usr/bin/env python3
"""Writes the figures of Benchmarks/results into the documents, and finds figures that do not come from there.

usage: python Tools/documents/figures.py            writes tables, figures and charts
       python Tools/documents/figures.py --check    changes nothing; fails if a document is out of date or has a stray figure

A result, Benchmarks/results/NAME.json, is what one machine measured at one commit on one day:

    about, machine, date, commit, command    all required
    peers       the other programs and their versions; {} if there are none
    note        anything else that readers must know, such as the number of runs; optional
    figures     single figures by name: "ten_minutes": "10.3 s"
    tables      by name: columns and rows of text
    texts       by name: paragraphs that report a measurement, as lists of lines
    charts      by name: title, and bars of [label, {program: name of a figure}]

`{ten_minutes}` in a table or a text stands for the figure of that name in the same file. In a document, between markers:

    <!-- figures: NAME/TABLE -->          a table or a text, on lines of its own, up to <!-- end -->
    <!-- figures: NAME/TABLE+source -->   several parts; `source` states when, where and with which versions it was measured
    <!-- figure: NAME/FIGURE -->          a single figure within a line, up to <!-- end -->

A chart of NAME is Documentation/Images/CHART.svg. Outside the markers a document must not state a speed or an accuracy:
`strays` says what counts as one. A line that only looks like one ends in `<!-- no figure -->`.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = pathlib.Path("Benchmarks/results")
IMAGES = pathlib.Path("Documentation/Images")
REQUIRED = {"about": str, "machine": str, "date": str, "commit": str, "command": str, "peers": dict}
OPTIONAL = {"note": str, "figures": dict, "tables": dict, "texts": dict, "charts": dict}
LONGEST_COMMAND = 90

BLOCK = re.compile(r"(<!-- figures: ([\w.-]+)/([\w.+-]+) -->\n).*?(^<!-- end -->$)", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(<!-- figure: ([\w.-]+)/([\w.-]+) -->)((?!<!--).)*(<!-- end -->)")
MARKER = re.compile(r"<!-- figures?: [^>]*-->")
EXEMPT = "<!-- no figure -->"

NUMBER = r"\d[\d.,]*(?:\s*(?:to|–|-|and)\s*\d[\d.,]*)?"
SPEED_UP = re.compile(
    rf"{NUMBER}\s*(?:×|x|times)\s*(?:as fast|as slow|faster|slower|real[- ]time|the speed|the time of)"
    rf"|\b(?:faster|slower)\b[^.]*\bby {NUMBER}\s*%|{NUMBER}\s*%\s*(?:faster|slower)", re.IGNORECASE)
RATE = re.compile(rf"{NUMBER}\s*%")
RATE_WORD = re.compile(r"\b(?:WER|CER|DER|WDER|cpWER|(?:word |character )?error rates?|accuracy)\b")
FACTOR = re.compile(rf"\b(?:real[- ]time factor|RTF)\b[^.]*\b{NUMBER}|{NUMBER}[^.]*\breal[- ]time factor\b", re.IGNORECASE)
TIME = re.compile(rf"{NUMBER}\s*(?:ms|µs|s|seconds|minutes)\b")
TIME_WORD = re.compile(r"\b(?:took|measured|median|medians|faster than|slower than|latency of|percentile)\b", re.IGNORECASE)

PEER = re.compile(r"\b(?:faster-whisper|CTranslate2|whisper\.cpp|WhisperKit)\b")
ITEM = r"\s*(?:\||- |\d+\. )"
PARAGRAPH = re.compile(rf"(?:^(?!{ITEM}).+\n?)+|^{ITEM}.+(?:\n(?!{ITEM}|\n).+)*", re.MULTILINE)


class Wrong(Exception):
    """A sentence about what is wrong with a result or a marker."""


class Result:
    """One file of Benchmarks/results."""

    def __init__(self, name, content):
        self.name, self.content = name, content
        for key, kind in REQUIRED.items():
            value = content.get(key)
            if not isinstance(value, kind) or (kind is str and not value.strip()):
                raise Wrong(f"{name}.json: \"{key}\" is missing")
        for key in content:
            if key not in REQUIRED and not isinstance(content[key], OPTIONAL.get(key, ())):
                raise Wrong(f"{name}.json: \"{key}\" is not known, or of another type")
        if not re.fullmatch(r"[0-9a-f]{7,40}", content["commit"]):
            raise Wrong(f"{name}.json: \"commit\" must be one commit")
        try:
            self.date = datetime.date.fromisoformat(content["date"])
        except ValueError:
            raise Wrong(f"{name}.json: \"date\" must be one day, such as 2026-11-22") from None
        self.figures = content.get("figures", {})

    def filled(self, text):
        """The text with figures in place of their names."""
        return re.sub(r"\{([a-z0-9_]+)\}", lambda match: self.figure(match[1]), text)

    def figure(self, name):
        if name not in self.figures:
            raise Wrong(f"{self.name}.json has no figure {name}")
        return self.figures[name]

    def block(self, names, page):
        """The lines of tables, texts and the source, in the order of the marker."""
        return "\n\n".join(self.part(name, page) for name in names.split("+"))

    def part(self, name, page):
        if name == "source":
            return self.source(page)
        if name in self.content.get("texts", {}):
            return "\n".join(self.filled(line) for line in self.content["texts"][name])
        table = self.content.get("tables", {}).get(name)
        if table is None:
            raise Wrong(f"{self.name}.json has neither a table nor a text {name}")
        width = len(table["columns"])
        if any(len(row) != width for row in table["rows"]):
            raise Wrong(f"{self.name}.json: a row of {name} has another number of cells")
        header, *rows = ["|" + "|".join(f" {self.filled(cell)} " for cell in row) + "|" for row in [table["columns"], *table["rows"]]]
        return "\n".join([header, "|" + "---|" * width, *rows])

    def source(self, page):
        peers = ", ".join(f"{peer} {version}" for peer, version in self.content["peers"].items())
        file = os.path.relpath(RESULTS / f"{self.name}.json", page.parent)
        day = f"{self.date.day} {self.date:%B %Y}"
        parts = [f"Measured on {day} at commit {self.content['commit'][:8]}, {self.content['machine']}"
                 + (f", with {peers}." if peers else ".")]
        if "note" in self.content:
            parts.append(self.filled(self.content["note"]))
        command = self.content["command"]
        parts.append(f"Command: `{command}` ([data]({file}))." if len(command) <= LONGEST_COMMAND else f"The command is in the [data]({file}).")
        return " ".join(parts)


def load(folder):
    """All results by name."""
    results = {}
    for file in sorted(folder.glob("*.json")):
        try:
            results[file.stem] = Result(file.stem, json.loads(file.read_text(encoding="utf-8")))
        except json.JSONDecodeError as error:
            raise Wrong(f"{file.name}: {error}") from None
    return results


def rendered(text, page, results):
    """A document with the current figures between its markers."""

    def result(name):
        if name not in results:
            raise Wrong(f"{page}: there is no {RESULTS}/{name}.json")
        return results[name]

    text = BLOCK.sub(lambda m: f"{m[1]}{result(m[2]).block(m[3], page)}\n{m[4]}", text)
    text = INLINE.sub(lambda m: f"{m[1]}{result(m[2]).figure(m[3])}{m[5]}", text)
    left = MARKER.search(INLINE.sub("", BLOCK.sub("", text)))
    if left:
        raise Wrong(f"{page}: {left[0]} has no end")
    return text


def without_source(text):
    """The results whose tables or texts a document shows without their source."""
    shown = [(name, part) for _, name, parts, _ in BLOCK.findall(text) for part in parts.split("+")]
    return sorted({name for name, _ in shown} - {name for name, part in shown if part == "source"})


def strays(text):
    """The line numbers and sentences of a document that state a speed or an accuracy outside the markers.

    Those are: a factor of speed; a percentage in a sentence about error rates; a real-time factor; a time in a sentence
    about a measurement. A row of a table is about what its header is about, and a header that names another program is about
    a measurement. Code and text between markers are skipped.
    """

    def blank(match):
        return "\n" * match[0].count("\n")

    text = re.sub(r"^```.*?^```$", blank, text, flags=re.DOTALL | re.MULTILINE)
    text = INLINE.sub("", BLOCK.sub(blank, text))
    text = re.sub(r"`[^`\n]*`", "``", text)
    found, header = [], ""
    # By paragraph, since sentences wrap; a table row or a list item counts as a paragraph.
    for match in PARAGRAPH.finditer(text):
        if EXEMPT in match[0]:
            continue
        line = text.count("\n", 0, match.start()) + 1
        if not match[0].lstrip().startswith("|"):
            header = ""
            sentences = re.split(r"(?<=[.;!?])\s+", " ".join(match[0].split()))
        else:
            header = header or match[0]
            sentences = [" ".join(match[0].split())]
        for sentence in sentences:
            subject = header + sentence
            if (SPEED_UP.search(sentence) or FACTOR.search(sentence)
                    or (RATE.search(sentence) and RATE_WORD.search(subject) and sentence not in header)
                    or (TIME.search(sentence) and (TIME_WORD.search(subject) or PEER.search(header)) and sentence not in header)):
                found.append((line, sentence))
    return found


def chart(result, content):
    """Bars for each label, as an SVG that is legible on light and dark backgrounds."""
    colours = {"Steno": "#1b6ca8", "faster-whisper": "#b8442c", "CTranslate2": "#b8442c", "whisper.cpp": "#6b6b6b"}
    left, row, longest = 290, 18, 300
    y, out = 48, []
    for label, figures in content["bars"]:
        # Without the unit, which the label has.
        values = {program: float(result.figure(name).split()[0]) for program, name in figures.items()}
        most = max(values.values())
        out.append(f'<text x="{left - 12}" y="{y + row * len(values) / 2 + 2:.0f}" text-anchor="end">{label}</text>')
        for program, value in values.items():
            width = longest * value / most
            out.append(f'<rect x="{left}" y="{y}" width="{width:.1f}" height="{row - 4}" fill="{colours[program]}"/>'
                       f'<text x="{left + width + 6:.1f}" y="{y + 11}" font-size="11">{program} {value:g}</text>')
            y += row
        y += 12
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {y}" font-family="sans-serif" font-size="13">',
            f'<rect width="760" height="{y}" fill="white"/>', f'<text x="16" y="26" font-size="15">{content["title"]}</text>']
    return "\n".join([*head, *out, "</svg>"]) + "\n"


def documents():
    pages = [*pathlib.Path().glob("*.md"), *pathlib.Path("Documentation").rglob("*.md"), *pathlib.Path("Sources").rglob("*.docc/*.md")]
    return sorted(pages)


def unknown_commits(results):
    """The results whose commit is not in the history; nothing where git or the history is missing."""
    try:
        shallow = subprocess.run(["git", "rev-parse", "--is-shallow-repository"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return []
    if shallow != "false":
        return []
    return [result.name for result in results.values() if subprocess.run(
        ["git", "cat-file", "-e", f"{result.content['commit']}^{{commit}}"], capture_output=True).returncode != 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if anything is out of date")
    check = parser.parse_args().check
    os.chdir(ROOT)
    problems, markers = [], 0
    if check:
        tests = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent), pattern="test_figures.py")
        if not unittest.TextTestRunner(verbosity=0, stream=open(os.devnull, "w")).run(tests).wasSuccessful():
            problems.append("Tools/documents/test_figures.py fails")
    try:
        results = load(RESULTS)
        wanted = {page: rendered(page.read_text(encoding="utf-8"), page, results) for page in documents()}
        pages = list(wanted)
        for result in results.values():
            for name, content in result.content.get("charts", {}).items():
                wanted[IMAGES / f"{name}.svg"] = chart(result, content)
    except Wrong as wrong:
        sys.exit(f"figures: {wrong}")
    for file, text in wanted.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            if check:
                problems.append(f"{file} is out of date: run Tools/documents/figures.py")
            else:
                file.write_text(text, encoding="utf-8")
                print(f"figures: {file} written")
    for page in pages:
        text = wanted[page]
        markers += len(MARKER.findall(text))
        problems += [f"{page}:{line}: a figure that is not from {RESULTS}: {sentence}" for line, sentence in strays(text)]
        problems += [f"{page}: {name} is shown without <!-- figures: {name}/source -->" for name in without_source(text)]
    problems += [f"{RESULTS}/{name}.json: its commit is not in the history" for name in unknown_commits(results)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"figures: {len(results)} results, {markers} markers in {len(pages)} documents; {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
