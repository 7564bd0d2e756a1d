"""The duration of a recording without decoding it: from the header of WAV and FLAC, else from ffprobe, else from its size.

It only balances the work, so a wrong duration costs time but never text.
"""

import math
import os
import shutil
import struct
import subprocess

# The assumed rate of unknown formats: 64 kbit/s, between speech codecs and music.
BYTES_PER_SECOND = 8_000
# Less than any codec needs: a header that promises more audio is damaged.
FEWEST_BYTES_PER_SECOND = 50


def seconds(path):
    """The seconds of a recording; an estimate without a usable header, and 0 for a file that cannot be read."""
    try:
        # Opening a named pipe could wait for its writer forever.
        if not os.path.isfile(path):
            return 0.0
        with open(path, "rb") as file:
            known = _header(file)
            size = os.fstat(file.fileno()).st_size
    except (OSError, TypeError, ValueError):
        return 0.0
    if known is None and size > 0:
        known = _ffprobe(path)
    return min(known, size / FEWEST_BYTES_PER_SECOND) if known is not None else size / BYTES_PER_SECOND


def _header(file):
    try:
        return _wav(file) or _flac(file)
    except struct.error:
        # The file ends within its header.
        return None


def _wav(file):
    """The duration of a WAV file from its chunks' sizes, limited by the size of the file."""
    file.seek(0)
    head = file.read(12)
    if len(head) < 12 or head[:4] not in (b"RIFF", b"RF64", b"RIFX") or head[8:] != b"WAVE":
        return None
    order = ">" if head[:4] == b"RIFX" else "<"
    end = os.fstat(file.fileno()).st_size
    byte_rate, long_size = 0, None
    while len(chunk := file.read(8)) == 8:
        name, size = struct.unpack(order + "4sI", chunk)
        start = file.tell()
        if name == b"fmt ":
            byte_rate = struct.unpack(order + "8xI", file.read(12))[0]
        elif name == b"ds64":
            long_size = struct.unpack("<8xQ", file.read(16))[0]
        elif name == b"data":
            size = long_size if size == 0xFFFFFFFF and long_size else size
            return min(size, end - start) / byte_rate if byte_rate else None
        file.seek(start + size + size % 2)
    return None


def _flac(file):
    """The duration of a FLAC file from its STREAMINFO (RFC 9639, section 8.2); None if the encoder left it out."""
    file.seek(0)
    head = file.read(26)
    if len(head) < 26 or head[:4] != b"fLaC":
        return None
    fields = int.from_bytes(head[18:26], "big")
    rate, count = fields >> 44, fields & ((1 << 36) - 1)
    return count / rate if rate and count else None


def _ffprobe(path):
    program = shutil.which("ffprobe")
    if not program:
        return None
    command = [program, "-v", "error", "-show_entries", "format=duration", "-of", "default=nw=1:nk=1", "-i", f"file:{path}"]
    try:
        output = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False, text=True
        ).stdout
        found = float(output.split("\n")[0])
        return found if found >= 0 and math.isfinite(found) else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
