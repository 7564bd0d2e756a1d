"""Names of models, their download, and the format of times."""

from __future__ import annotations

import logging
from typing import List, Optional, Union

_MODELS = {
    **{
        name: f"Systran/faster-whisper-{name}"
        for name in (
            "tiny.en", "tiny", "base.en", "base", "small.en", "small", "medium.en", "medium", "large-v1", "large-v2",
            "large-v3",
        )
    },
    "large": "Systran/faster-whisper-large-v3",
    "distil-large-v2": "Systran/faster-distil-whisper-large-v2",
    "distil-medium.en": "Systran/faster-distil-whisper-medium.en",
    "distil-small.en": "Systran/faster-distil-whisper-small.en",
    "distil-large-v3": "Systran/faster-distil-whisper-large-v3",
    "distil-large-v3.5": "distil-whisper/distil-large-v3.5-ct2",
    "large-v3-turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
    "turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
}


def available_models() -> List[str]:
    """The names of the models that can be downloaded."""
    return list(_MODELS)


def get_logger() -> logging.Logger:
    """The logger of faster-whisper, so that settings for it apply."""
    return logging.getLogger("faster_whisper")


def download_model(
    size_or_id: str,
    output_dir: Optional[str] = None,
    local_files_only: bool = False,
    cache_dir: Optional[str] = None,
    revision: Optional[str] = None,
    use_auth_token: Optional[Union[str, bool]] = None,
) -> str:
    """Downloads a model in CTranslate2 format from the Hugging Face hub and returns its folder.

    size_or_id        a name from ``available_models()``, or a repository
    output_dir        where to put the files; otherwise they are in the hub's cache
    local_files_only  whether to find only what was downloaded before
    cache_dir         the folder of the cache
    revision          a branch, a tag or a commit
    use_auth_token    a token for the hub, or True for the stored one

    It uses the package huggingface_hub if that is installed.
    """
    from . import _download

    repository = size_or_id if "/" in size_or_id else _MODELS.get(size_or_id)
    if repository is None:
        raise ValueError(f"Invalid model size '{size_or_id}', expected one of: {', '.join(_MODELS)}")
    return _download.download(repository, output_dir, local_files_only, cache_dir, revision, use_auth_token)


def format_timestamp(
    seconds: float,
    always_include_hours: bool = False,
    decimal_marker: str = ".",
) -> str:
    """A time as ``[HH:]MM:SS.mmm``."""
    assert seconds >= 0, "non-negative timestamp expected"
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    prefix = f"{hours:02d}:" if hours or always_include_hours else ""
    return f"{prefix}{minute:02d}:{second:02d}{decimal_marker}{milliseconds:03d}"
