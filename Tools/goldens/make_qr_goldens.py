"""Makes Tests/Fixtures/qr-codes/codes.json: QR codes at level M by qrcodegen, of texts of all sizes and with every mask.

The mask is given each time, because encoders may choose any. segno 1.6.6 cannot serve as a reference, since it puts a zero
byte between the terminator and the padding.

    pip install qrcodegen==1.8.0
    python Tools/goldens/run.py qr
"""
import json

from qrcodegen import QrCode, QrSegment
from support import golden

ADDRESS = "https://192.168.178.123:8080/#key=0a1B2c3D4e5F6g7H8i9J0k"
LENGTHS = [1, 14, 15, 26, 42, 62, 63, 84, 106, 107, 122, 152, 153, 180, 181, 213]


def case(text, mask):
    segments = [QrSegment.make_bytes(text.encode())]
    code = QrCode.encode_segments(segments, QrCode.Ecc.MEDIUM, mask=mask, boostecl=False)
    places = range(code.get_size())
    rows = ["".join("#" if code.get_module(x, y) else "." for x in places) for y in places]
    return {"text": text, "mask": mask, "rows": rows}


def make(_):
    cases = [case(("steno-" * 40)[:length], length % 8) for length in LENGTHS]
    cases += [case(ADDRESS, mask) for mask in range(8)] + [case("Zürich 東京", 3)]
    content = {"made_with": {"qrcodegen": "1.8.0"}, "cases": cases}
    golden.write("qr-codes/codes.json", json.dumps(content, ensure_ascii=False, indent=1) + "\n")
