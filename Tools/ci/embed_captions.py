#!/usr/bin/env python3
"""Writes the files of the captions page into Swift, so that the server has them within itself wherever it is moved.

usage: Tools/ci/embed_captions.py     the test CaptionsPageTests compares the two"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPTIONS = ROOT / "Sources/StenoServer/Captions"
GROUPS = {
    "Documents": ["*.html", "*.svg"],
    "Styles": ["css/*.css"],
    "Scripts": ["js/*.js"],
    "Locales": ["locales/*.json"],
}


def entry(path):
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(CAPTIONS / "Page").as_posix()
    if not text.endswith("\n") or text.endswith("\n\n") or '"""#' in text or "\\#" in text:
        sys.exit(f"{name} must end with one line break, and must not have what ends a raw string of Swift")
    body = "".join(f"                {line}\n" if line else "\n" for line in text[:-1].split("\n"))
    return f'            "{name}": #"""\n{body}\n                """#,\n'


def source(group, patterns):
    paths = sorted(path for pattern in patterns for path in (CAPTIONS / "Page").glob(pattern))
    return (
        "// Generated from Captions/Page by Tools/ci/embed_captions.py.\n// swift-format-ignore-file\n#if Server\n"
        "    extension PageFiles {\n"
        f"        static let {group.lower()}: [String: String] = [\n" + "".join(map(entry, paths)) + "        ]\n    }\n#endif\n"
    )


def main():
    for group, patterns in GROUPS.items():
        file = CAPTIONS / f"Generated/PageFiles+{group}.swift"
        text = source(group, patterns)
        # An unchanged file keeps its time, so that nothing is compiled for it.
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


main()
