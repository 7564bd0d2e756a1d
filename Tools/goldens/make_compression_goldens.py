"""Makes Tests/Fixtures/compression/ratios.json: texts and their compression ratios by Python's zlib.

The ratio is openai-whisper's and faster-whisper's: UTF-8 bytes over the bytes of zlib.compress at its default level. The
series span several blocks, too long for the file, which instead records how to generate them.

Python must have the original zlib, as zlib.ZLIB_RUNTIME_VERSION says (not “zlib-ng”): others compress differently.

    python Tools/goldens/run.py compression
"""
import json
import platform
import random
import zlib

from support import golden

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


# The generator's values modulo `alphabet`, in `width` bytes each. With 1, their number of trailing zero bits, so some values
# are very rare.
SERIES = [
    {"alphabet": alphabet, "width": width, "count": count}
    for alphabet, width, count in [(256, 1, 70_000), (4, 1, 140_000), (40, 1, 100_000), (1, 1, 60_000), (50_000, 4, 190)]
]


def series(alphabet, width, count):
    state = 0
    data = bytearray()
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        value = state >> 33
        number = value % alphabet if alphabet > 1 else (value & -value).bit_length()
        data += number.to_bytes(width, "little")
    return bytes(data)


def make(_):
    generator = random.Random(6)
    words = "so we went on and there it was again under the old bridge where nobody ever looked before".split()  # phrase-ok
    texts = TEXTS + [" ".join(generator.choice(words) for _ in range(count)) for count in (5, 20, 60, 200, 1500)]
    cases = [{"text": text, "bytes": len(text.encode()), "compressed": len(zlib.compress(text.encode()))} for text in texts]
    long = [{**made_by, "compressed": len(zlib.compress(series(**made_by)))} for made_by in SERIES]
    made_with = {"python": platform.python_version(), "zlib": zlib.ZLIB_RUNTIME_VERSION}
    content = {"made_with": made_with, "cases": cases, "series": long}
    golden.write("compression/ratios.json", json.dumps(content, ensure_ascii=False, indent=1) + "\n")
