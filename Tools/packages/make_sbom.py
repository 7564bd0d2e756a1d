#!/usr/bin/env python3
"""Writes a software bill of materials (CycloneDX 1.5, JSON): Steno, its Swift packages at the versions that were built, and the
models, with licences and hashes.

usage: make_sbom.py VERSION OUT.json
"""

import hashlib
import json
import pathlib
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = [
    # The folder, the name, the licence, and who published it.
    ("StenoBundledModel/Resources/whisper-base", "whisper-base", "MIT", "OpenAI"),
    ("StenoBundledMoonshine/Resources/moonshine-tiny", "moonshine-tiny", "MIT", "Moonshine AI"),
    ("StenoVoiceActivity/Resources/silero-vad", "silero-vad", "MIT", "Silero Team"),
    ("StenoSpeakers/Resources/speaker-encoder", "resemblyzer-ge2e", "Apache-2.0", "Resemble.AI"),
]


def packages() -> list[dict]:
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    components = []
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        state, location = pin["state"], pin["location"].removesuffix(".git")
        version = state.get("version") or state["revision"]
        path = location.split("://", 1)[-1]
        components.append({
            "type": "library", "name": pin["identity"], "version": version, "purl": f"pkg:swift/{path}@{version}",
            "hashes": [{"alg": "SHA-1", "content": state["revision"]}],
            "externalReferences": [{"type": "vcs", "url": location}],
        })
    return components


def models() -> list[dict]:
    components = []
    for folder, name, licence, publisher in MODELS:
        for file in sorted((ROOT / "Sources" / folder).iterdir()):
            if file.suffix not in {".bin", ".safetensors", ".json"} or not file.is_file():
                continue
            components.append({
                "type": "machine-learning-model", "name": f"{name}/{file.name}", "publisher": publisher,
                "licenses": [{"license": {"id": licence}}],
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}],
            })
    return components


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: make_sbom.py VERSION OUT.json")
    version, out = sys.argv[1:]
    components = packages() + models()
    if not components:
        sys.exit("make_sbom: nothing is known about the build; build first, which writes Package.resolved")
    revision = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"steno {version} {revision}")
    pathlib.Path(out).write_text(json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{identity}", "version": 1,
        "metadata": {"component": {
            "type": "application", "name": "steno", "version": version, "licenses": [{"license": {"id": "MIT"}}],
            "properties": [{"name": "revision", "value": revision}],
        }},
        "components": components,
    }, indent=1) + "\n")
    print(f"{out}: {len(components)} components")


if __name__ == "__main__":
    main()
