"""The command ``steno``: the program that comes with the package."""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> None:
    """Replaces this process by the program, which sees the arguments as they are."""
    program = pathlib.Path(__file__).parent / "lib" / "steno"
    try:
        os.execv(program, [str(program), *sys.argv[1:]])
    except OSError as problem:
        sys.exit(f"steno: {program} cannot be started ({problem}). Install the wheel for this system.")


if __name__ == "__main__":
    main()
