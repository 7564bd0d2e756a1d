#!/usr/bin/env python3
"""Reports whether the pictures of the captions page are of the page as it is.

usage: Tools/documents/page_pictures.py --check    fails when what the pictures show has changed since they were taken
       Tools/documents/page_pictures.py --taken    notes that they have just been taken, or that a change is not visible in them

Pictures need Chromium, which a check cannot require, so only their inputs are compared: the page in English, and the script that
takes them. To take them:

    python Tools/comparisons/captions/check_page.py --pictures Documentation/Images
"""
import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/StenoServer/Captions/Page"
SCRIPTS = [ROOT / "Tools/comparisons/captions" / name for name in ("check_page.py", "rig.py")]
NOTE = ROOT / "Documentation/Images/captions.sha256"


def inputs():
    """One sum of the names and contents of all inputs."""
    # The pictures are in English.
    page = [path for path in PAGE.rglob("*") if path.is_file() and (path.parent.name != "locales" or path.name == "en.json")]
    total = hashlib.sha256()
    for path in sorted(page + SCRIPTS):
        total.update(f"{path.relative_to(ROOT)}\n".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def main():
    if sys.argv[1:] == ["--taken"]:
        NOTE.write_text(inputs() + "\n", encoding="utf-8")
    elif sys.argv[1:] == ["--check"]:
        if not NOTE.exists() or NOTE.read_text(encoding="utf-8").strip() != inputs():
            sys.exit(
                "page_pictures: the captions page has changed since its pictures were taken. Take them again with\n"
                "    python Tools/comparisons/captions/check_page.py --pictures Documentation/Images\n"
                "and then run Tools/documents/page_pictures.py --taken; without a visible change, only the latter.")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
