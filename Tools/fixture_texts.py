"""What is said in the fixtures: from each folder's manifest.jsonl, or the .txt beside a clip."""
import functools
import json

from golden_audio import FIXTURES, ROOT


@functools.cache
def manifest(folder):
    path = folder / "manifest.jsonl"
    entries = map(json.loads, path.read_text(encoding="utf-8").splitlines()) if path.exists() else []
    return {entry["file"]: entry for entry in entries}


def reference(name, task="transcribe"):
    """(text, language) of a file named from the package's folder; (None, None) where nobody has written it down."""
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
