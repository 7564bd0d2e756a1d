#!/usr/bin/env python3
"""Reports whether the pictures in Documentation/Images show the current page and commands.

usage: Tools/documents/pictures.py --check         fails if the inputs of a picture have changed since it was taken
       Tools/documents/pictures.py --taken NAME    records that it has just been taken, or that a change is not visible in it

Taking them needs Chromium or a release build of `steno`, which a check cannot require, so only a
checksum of their inputs is compared, with the one in Documentation/Images/NAME.sha256.
"""
import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "Documentation/Images"


def page():
    """The captions page in English, as in the pictures."""
    files = (ROOT / "Sources/StenoServer/Page/Page").rglob("*")
    return [path for path in files if path.is_file() and (path.parent.name != "locales" or path.name == "en.json")]


# For each name, the inputs and the command that takes its pictures.
PICTURES = {
    "captions": (
        [*page(), *(ROOT / "Tools/comparisons/captions" / name for name in ("check_page.py", "rig.py"))],
        "python Tools/comparisons/captions/check_page.py --pictures Documentation/Images"),
    "terminal": (
        [ROOT / "Tools/documents/draw_terminal.py", ROOT / "Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav"],
        "python Tools/documents/draw_terminal.py STENO"),
}


def inputs(name):
    """A checksum of the names and contents of all inputs."""
    total = hashlib.sha256()
    for path in sorted(PICTURES[name][0]):
        total.update(f"{path.relative_to(ROOT)}\n".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest() + "\n"


def note(name):
    return IMAGES / f"{name}.sha256"


def main():
    if sys.argv[1:] == ["--check"]:
        old = [name for name in PICTURES if not note(name).exists() or note(name).read_text(encoding="utf-8") != inputs(name)]
        for name in old:
            print(f"pictures: the subject of the pictures of {name} has changed since they were taken. Take them again with\n"
                  f"    {PICTURES[name][1]}\n"
                  f"and then run Tools/documents/pictures.py --taken {name}; without a visible change, only the latter.",
                  file=sys.stderr)
        sys.exit(bool(old))
    if len(sys.argv) == 3 and sys.argv[1] == "--taken" and sys.argv[2] in PICTURES:
        note(sys.argv[2]).write_text(inputs(sys.argv[2]), encoding="utf-8")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
