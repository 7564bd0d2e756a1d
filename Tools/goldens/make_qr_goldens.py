#!/usr/bin/env python3
"""Makes Tests/Fixtures/qr-codes/codes.json: QR codes at level M by segno, of texts of all sizes and with every mask.

    pip install segno==1.6.6
    python Tools/goldens/make_qr_goldens.py --output Tests/Fixtures/qr-codes/codes.json
"""
import argparse
import json

import segno

ADDRESS = "https://192.168.178.123:8080/#key=0a1B2c3D4e5F6g7H8i9J0k"
LENGTHS = [1, 14, 15, 26, 42, 62, 63, 84, 106, 107, 122, 152, 153, 180, 181, 213]


def rows(text, mask=None):
    code = segno.make_qr(text, error="m", mode="byte", encoding="utf-8", boost_error=False, eci=False, mask=mask)
    return ["".join("#" if module else "." for module in row) for row in code.matrix]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    texts = ["ü?"[: length] if length < 3 else ("steno-" * 40)[:length] for length in LENGTHS]
    cases = [{"text": text, "rows": rows(text)} for text in texts]
    cases += [{"text": ADDRESS, "mask": mask, "rows": rows(ADDRESS, mask)} for mask in range(8)]
    cases.append({"text": "Zürich 東京", "rows": rows("Zürich 東京")})
    with open(arguments.output, "w", encoding="utf-8") as file:
        json.dump({"made_with": {"segno": segno.__version__}, "cases": cases}, file, ensure_ascii=False, indent=1)
        file.write("\n")


main()
