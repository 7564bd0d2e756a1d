"""Reference texts of the fixtures: from each folder's manifest.jsonl, or from the .txt with a clip's name."""
import functools
import json

from support.paths import FIXTURES, ROOT


@functools.cache
def manifest(folder):
    path = folder / "manifest.jsonl"
    entries = map(json.loads, path.read_text(encoding="utf-8").splitlines()) if path.exists() else []
    return {entry["file"]: entry for entry in entries}


def reference(name, task="transcribe"):
    """(text, language) of a file, named by its path in the repository; (None, None) if there is no reference text."""
    path = ROOT / name
    entry = manifest(path.parent).get(path.name)
    if entry and task == "translate" and entry.get("language") != "en":
        parts = [s.get("translation") for s in entry["segments"]]
        return (" ".join(parts), "en") if all(parts) else (None, None)
    if entry:
        return entry["text"], entry.get("language", "en")
    beside = path.with_suffix(".txt")
    if beside.exists() and path.parent == FIXTURES / "speech" / "languages" and task == "transcribe":
        return beside.read_text(encoding="utf-8").strip(), path.name[:2]
    return None, None
