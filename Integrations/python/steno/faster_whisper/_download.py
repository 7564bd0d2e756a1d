"""Downloads from the Hugging Face hub, into the cache that its own tools use."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import pathlib
import shutil
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Optional, Union

_PATTERNS = ["config.json", "preprocessor_config.json", "model.bin", "tokenizer.json", "vocabulary.*"]


def download(
    repository: str, output: Optional[str], local_only: bool, cache: Optional[str], revision: Optional[str],
    token: Optional[Union[str, bool]],
) -> str:
    """The folder with the files of a repository."""
    try:
        import huggingface_hub
    except ImportError:
        return _without_hub(repository, output, local_only, cache, revision or "main", token)
    options: Dict[str, Any] = {
        "local_files_only": local_only, "allow_patterns": _PATTERNS, "revision": revision, "local_dir": output,
        "cache_dir": cache, "token": token,
    }
    return huggingface_hub.snapshot_download(
        repository, **{name: value for name, value in options.items() if value is not None})


def _without_hub(
    repository: str, output: Optional[str], local_only: bool, cache: Optional[str], revision: str,
    token: Optional[Union[str, bool]],
) -> str:
    folder = _cache_folder(cache) / ("models--" + repository.replace("/", "--"))
    if local_only or os.environ.get("HF_HUB_OFFLINE") in ("1", "true", "True", "yes"):
        found = pathlib.Path(output) if output else _snapshot(folder, revision)
        if found is None or not (found / "model.bin").exists():
            raise FileNotFoundError(
                f"The model {repository} was not downloaded before. Download it with local_files_only=False.")
        return str(found)
    hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    headers = _headers(token)
    path = f"{hub}/api/models/{repository}/revision/{urllib.parse.quote(revision, safe='')}?blobs=true"
    with _open(path, headers) as answer:
        description = json.load(answer)
    commit = description["sha"]
    target = pathlib.Path(output) if output else folder / "snapshots" / commit
    target.mkdir(parents=True, exist_ok=True)
    for file in description["siblings"]:
        name = file["rfilename"]
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in _PATTERNS):
            address = f"{hub}/{repository}/resolve/{commit}/{urllib.parse.quote(name)}"
            _fetch(address, headers, target / name, file)
    if not output:
        (folder / "refs").mkdir(exist_ok=True)
        (folder / "refs" / revision).write_text(commit)
    return str(target)


def _cache_folder(cache: Optional[str]) -> pathlib.Path:
    if cache:
        return pathlib.Path(cache)
    if os.environ.get("HF_HUB_CACHE"):
        return pathlib.Path(os.environ["HF_HUB_CACHE"])
    home = os.environ.get("HF_HOME") or pathlib.Path.home() / ".cache" / "huggingface"
    return pathlib.Path(home) / "hub"


def _snapshot(folder: pathlib.Path, revision: str) -> Optional[pathlib.Path]:
    reference = folder / "refs" / revision
    found = folder / "snapshots" / (reference.read_text().strip() if reference.exists() else revision)
    return found if found.is_dir() else None


def _headers(token: Optional[Union[str, bool]]) -> Dict[str, str]:
    text = token if isinstance(token, str) else os.environ.get("HF_TOKEN")
    stored = _cache_folder(None).parent / "token"
    if token is True and not text and stored.exists():
        text = stored.read_text().strip()
    return {"Authorization": f"Bearer {text}"} if text and token is not False else {}


def _open(address: str, headers: Dict[str, str]) -> Any:
    request = urllib.request.Request(address)
    for name, value in headers.items():
        # Files are on other hosts, which must not get the token.
        request.add_unredirected_header(name, value)
    try:
        return urllib.request.urlopen(request, timeout=60)
    except urllib.error.URLError as problem:
        raise ConnectionError(
            f"{address} cannot be downloaded ({problem}). Check the name and the connection, or give the folder of a "
            "model."
        ) from problem


def _fetch(address: str, headers: Dict[str, str], target: pathlib.Path, file: Dict[str, Any]) -> None:
    """Downloads a file; it appears under its name only when it is complete and its hash is right."""
    expected = (file.get("lfs") or {}).get("sha256")
    if target.exists() and target.stat().st_size == file.get("size"):
        return
    digest = hashlib.sha256()
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".part-", delete=False) as part:
        try:
            with _open(address, headers) as source:
                while True:
                    block = source.read(1 << 20)
                    if not block:
                        break
                    digest.update(block)
                    part.write(block)
            if expected and digest.hexdigest() != expected:
                raise ConnectionError(f"{address} arrived damaged. Download it again.")
            part.close()
            os.chmod(part.name, 0o644)
            shutil.move(part.name, target)
        except BaseException:
            os.unlink(part.name)
            raise
