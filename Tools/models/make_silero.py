"""Silero VAD 6.0.0 as faster-whisper 1.2.1 carries it, for `Sources/StenoVoiceActivity/Resources/silero-vad`.

usage: python Tools/models/make_silero.py [FILE]

  FILE   where it is written; without it, the file of the package

The ONNX graph's weights in the GGML format of whisper.cpp's converter, all in float32, so that the probabilities, and with them
the spans of speech, are faster-whisper's. The file is compared with its SHA-256.

Needs faster-whisper 1.2.1, onnx, onnxruntime.
"""
import hashlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import silero_onnx
from support.paths import SILERO

HASH = "bfc453f72171cf86fbc79525591a0697b500cc701a07c6245c74e18834251a9e"


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else SILERO / "ggml-silero-v6.0.0.bin"
    silero_onnx.write_ggml(path, (6, 0, 0), silero_onnx.read_carried())
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != HASH:
        sys.exit(f"{path} has the SHA-256 {found}, not {HASH}: is this faster-whisper 1.2.1?")
    print(path, path.stat().st_size, found)


if __name__ == "__main__":
    main()
