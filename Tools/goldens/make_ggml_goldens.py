"""Quantised blocks and the values that whisper.cpp's ggml decodes them to: Tests/Fixtures/ggml/blocks.json.

usage: python Tools/goldens/run.py ggml WHISPER_CPP [BUILD]

WHISPER_CPP is whisper.cpp's source, BUILD a build of it with shared libraries (default WHISPER_CPP/build).
"""
import base64
import json
import pathlib
import subprocess
import tempfile

from support import golden


def options(parser):
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path, nargs="?")


def packed(digits):
    return base64.b64encode(bytes.fromhex(digits)).decode()


def make(a):
    libraries = (a.build or a.source / "build") / "bin"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "ggml_blocks"
        subprocess.run(["cc", "-O2", "-I", a.source / "ggml/include", pathlib.Path(__file__).with_name("ggml_blocks.c"), "-o", program,
                        "-L", libraries, "-lggml-base", f"-Wl,-rpath,{libraries.resolve()}"], check=True)
        rows = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    version = subprocess.run(["git", "-C", a.source, "describe", "--tags", "--always"], capture_output=True, text=True).stdout.strip()
    types = {name: {"blocks": packed(blocks), "values": packed(values)} for name, blocks, values in map(str.split, rows)}
    golden.write("ggml/blocks.json", json.dumps({"whisper.cpp": version or "1.9.3-dev", "types": types}, indent=1) + "\n")
