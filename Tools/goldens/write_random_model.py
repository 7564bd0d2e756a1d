"""Writes a Whisper model with random weights (support/random_model.py) to a folder, in the CTranslate2 format.

usage: python Tools/goldens/run.py write_random_model SHAPE PRECISION FOLDER

Prints the SHA-256 of model.bin, which the goldens' index.json lists too. Needs only numpy.
"""
import pathlib

from support import ct2_model
from support.random_model import SHAPES, RandomModel


def options(parser):
    parser.add_argument("shape", choices=["micro", "tiny", "large-v3"])
    parser.add_argument("precision", choices=["float32", "float16", "bfloat16", "int8"])
    parser.add_argument("folder", type=pathlib.Path)


def make(arguments):
    model = RandomModel(SHAPES[arguments.shape])
    print(ct2_model.write(model, arguments.precision, arguments.folder), arguments.shape, arguments.precision)
