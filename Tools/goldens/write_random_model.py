"""Writes a Whisper model with random weights (support/random_model.py) to a folder, in the CTranslate2 format.

usage: python Tools/goldens/write_random_model.py SHAPE PRECISION FOLDER

Prints the SHA-256 of model.bin, which the goldens' index.json lists too. Needs only numpy.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import ct2_model
from support.random_model import SHAPES, RandomModel


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=["micro", "tiny", "large-v3"])
    parser.add_argument("precision", choices=["float32", "float16", "bfloat16", "int8"])
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    model = RandomModel(SHAPES[arguments.shape])
    print(ct2_model.write(model, arguments.precision, arguments.folder), arguments.shape, arguments.precision)


if __name__ == "__main__":
    main()
