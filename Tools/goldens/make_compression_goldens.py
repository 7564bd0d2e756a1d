#!/usr/bin/env python3
"""Makes Tests/Fixtures/compression/ratios.json: texts and their compression ratios by Python's zlib.

The ratio is openai-whisper's and faster-whisper's: UTF-8 bytes over the bytes of zlib.compress at its default level.

    python Tools/goldens/make_compression_goldens.py --output Tests/Fixtures/compression/ratios.json
"""

import argparse
import json
import platform
import random
import zlib

TEXTS = [
    "a",
    "Thank you.",
    "Thank you. " * 30,
    "The kettle whistled twice before anyone got up, and then the cat didn't move at all.",
    "Où est passée la clé du garçon qui naïvement l'avait prêtée à sa sœur ?",
    "今日はいい天気ですね。散歩に行きましょう。" * 4,
    "🙂" * 60,
    "la " * 200,
    "one two three four five six seven eight nine ten " * 3,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()

    generator = random.Random(6)
    words = "so we went on and there it was again under the old bridge where nobody ever looked before".split()  # phrase-ok
    texts = TEXTS + [" ".join(generator.choice(words) for _ in range(count)) for count in (5, 20, 60, 200, 1500)]
    cases = [{"text": text, "bytes": len(text.encode()), "compressed": len(zlib.compress(text.encode()))} for text in texts]
    made_with = {"python": platform.python_version(), "zlib": zlib.ZLIB_RUNTIME_VERSION}
    with open(arguments.output, "w", encoding="utf-8") as file:
        json.dump({"made_with": made_with, "cases": cases}, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
