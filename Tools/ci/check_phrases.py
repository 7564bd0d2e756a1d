#!/usr/bin/env python3
"""Finds phrases that the project's texts avoid (phrases.txt), in any case and as whole words.

usage: python Tools/ci/check_phrases.py [FILE or FOLDER …]

Without arguments it searches Sources, Tests (not Fixtures), Tools, Examples, Benchmarks, Documentation, Makefile, .ci,
Package.swift and the Markdown files of the root except CHANGELOG.md. Prints file, line, phrase and what to say instead; the
exit code is 1 if any is found. A line that needs such a phrase, such as a quotation, ends in `phrase-ok`.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("phrases.txt")
SEARCHED = ["Sources", "Tests", "Tools", "Examples", "Benchmarks", "Documentation", "Makefile", ".ci", "Package.swift"]
KINDS = {".swift", ".c", ".h", ".md", ".py", ".sh", ""}


def rules():
    """Compiled pattern, replacement and file endings of each line of the list."""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, instead, *endings = line.strip().split(" -> ")
            yield re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE), instead, tuple(" ".join(endings).split())


def files(arguments):
    chosen = [pathlib.Path(a) for a in arguments] or [ROOT / name for name in SEARCHED] + sorted(ROOT.glob("*.md"))
    for path in chosen:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            parts = file.parts
            if file.is_file() and file.suffix in KINDS and file.name != "CHANGELOG.md" and file != LIST \
                    and "Fixtures" not in parts and "Resources" not in parts and not any(p.startswith(".build") for p in parts):
                yield file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*")
    checks, found, searched = list(rules()), 0, 0
    for file in files(parser.parse_args().paths):
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        searched += 1
        shown = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        for number, line in enumerate(lines, 1):
            if line.rstrip().endswith("phrase-ok"):
                continue
            for pattern, instead, endings in checks:
                match = pattern.search(line) if not endings or file.name.endswith(endings) else None
                if match:
                    print(f"{shown}:{number}: \"{match.group(0)}\": say {instead}")
                    found += 1
    print(f"check_phrases: {found} found in {searched} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
