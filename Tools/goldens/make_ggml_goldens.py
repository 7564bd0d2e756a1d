#!/usr/bin/env python3
"""Write Tests/Fixtures/ggml/blocks.json: quantised blocks and the values that whisper.cpp's ggml decodes them to.

usage: make_ggml_goldens.py WHISPER_CPP [BUILD]

WHISPER_CPP is whisper.cpp's source, BUILD a build of it with shared libraries (default WHISPER_CPP/build).
"""
import base64, json, subprocess, sys, tempfile
from pathlib import Path

source = Path(sys.argv[1])
build = Path(sys.argv[2]) if len(sys.argv) > 2 else source / "build"
here = Path(__file__).resolve()
target = here.parents[2] / "Tests/Fixtures/ggml/blocks.json"
with tempfile.TemporaryDirectory() as folder:
    program = Path(folder) / "ggml_blocks"
    libraries = build / "bin"
    subprocess.run(["cc", "-O2", "-I", source / "ggml/include", here.with_name("ggml_blocks.c"), "-o", program,
                    "-L", libraries, "-lggml-base", f"-Wl,-rpath,{libraries.resolve()}"], check=True)
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def packed(digits):
    return base64.b64encode(bytes.fromhex(digits)).decode()


version = subprocess.run(["git", "-C", source, "describe", "--tags", "--always"], capture_output=True, text=True).stdout.strip()
types = {name: {"blocks": packed(blocks), "values": packed(values)} for name, blocks, values in (line.split() for line in lines)}
target.parent.mkdir(exist_ok=True)
target.write_text(json.dumps({"whisper.cpp": version or "1.9.3-dev", "types": types}, indent=1) + "\n")
print(f"{target}: {', '.join(types)}")
