#!/usr/bin/env python3
"""Makes golden files below Tests/Fixtures with a script of this folder.

usage: python Tools/goldens/run.py NAME [--check] [options of the script; --help lists them]

NAME is a script's name without `make_` and `_goldens`, such as `mel`. With --check no golden file is written: the exit code is 1 if one
of the committed files differs from what the script makes.
"""
import argparse
import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support import golden


def main():
    stems = {p.stem.removeprefix("make_").removesuffix("_goldens"): p.stem for p in sorted(HERE.glob("*.py")) if p.stem != "run"}
    if sys.argv[1:2] == [] or sys.argv[1] not in stems:
        sys.exit(f"{__doc__}\nNames: {', '.join(stems)}")
    script = importlib.import_module(stems[sys.argv[1]])
    parser = argparse.ArgumentParser(
        prog=f"run.py {sys.argv[1]}", description=script.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare with the committed files")
    getattr(script, "options", lambda parser: None)(parser)
    arguments = parser.parse_args(sys.argv[2:])
    golden.checking = arguments.check
    script.make(arguments)
    if golden.checking:
        if not golden.written:
            sys.exit("no committed file was made, so nothing was compared")
        wrong = golden.different()
        print(f"{len(golden.written) - len(wrong)} files are as committed", *[f"{path} differs" for path in wrong], sep="\n")
        sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
