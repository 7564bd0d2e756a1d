#!/usr/bin/env python3
"""The speed of matrix products before and after a change of the kernels, where the machine's own speed changes too.

usage: compare_kernels.py COMMIT [--only TEXT] [--runs 200] [--threads 1]

It compiles Sources/CStenoKernels of COMMIT and of the working tree and lets both compute the same products in turns, in one
process: on a shared machine, whose speed may double from one second to the next, only such ratios count. For each shape
it prints the speed of COMMIT and the time of the working tree as a share of COMMIT's: of the fastest runs (the 2nd
percentile), the first quartile, and the median. `differs` if the results are not the same bits. STENO_MAX_ISA chooses the
instruction set, as for steno itself.

Needs clang, git, numpy; Linux.
"""
import argparse
import ctypes
import io
import pathlib
import subprocess
import tarfile
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = "Sources/CStenoKernels"
FLOAT32, INT8 = 0, 1
IDENTITY, GELU, SILU = 0, 1, 2
# Name, rows, inputs, outputs, format, activation.
SHAPES = [
    ("Parakeet 110M, 10 s, feed-forward in", 125, 512, 2048, INT8, SILU),
    ("Parakeet 110M, 10 s, feed-forward out", 125, 2048, 512, INT8, IDENTITY),
    ("Parakeet 110M, 10 s, attention", 125, 512, 512, INT8, IDENTITY),
    ("Parakeet 0.6B, 10 s, feed-forward in", 125, 1024, 4096, INT8, SILU),
    ("Parakeet 0.6B, 10 s, feed-forward out", 125, 4096, 1024, INT8, IDENTITY),
    ("Whisper base, feed-forward in", 1500, 512, 2048, INT8, GELU),
    ("Whisper base, feed-forward out", 1500, 2048, 512, INT8, IDENTITY),
    ("Whisper base, attention", 1500, 512, 512, INT8, IDENTITY),
    ("Whisper base, attention, float32", 1500, 512, 512, FLOAT32, IDENTITY),
    ("CAM++, bottleneck", 150, 512, 128, INT8, IDENTITY),
    ("CAM++, front", 300, 96, 32, INT8, IDENTITY),
]


class Product(ctypes.Structure):
    """steno_product of steno_matrix.h."""
    _fields_ = [
        ("matrix", ctypes.c_void_p), ("x", ctypes.c_void_p), ("x_stride", ctypes.c_int64), ("rows", ctypes.c_int32),
        ("bias", ctypes.c_void_p), ("activation", ctypes.c_int), ("residual", ctypes.c_void_p),
        ("residual_stride", ctypes.c_int64), ("y", ctypes.c_void_p), ("y_stride", ctypes.c_int64),
        ("workspace", ctypes.c_void_p), ("previous", ctypes.c_void_p)]


def compiled(source, library):
    files = sorted(str(path) for path in source.glob("*.c"))
    subprocess.run(["clang", "-O3", "-std=gnu11", "-fPIC", "-shared", "-w", f"-I{source}/include", *files, "-o", str(library), "-lm",
                    "-lpthread"], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.steno_matrix_create.restype = loaded.steno_pool_create.restype = ctypes.c_void_p
    loaded.steno_product_workspace.restype = ctypes.c_int64
    return loaded


def aligned(count, kind):
    """An array at a multiple of 64 bytes."""
    room = np.zeros(count * np.dtype(kind).itemsize + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start:start + count * np.dtype(kind).itemsize].view(kind)


class Side:
    """One build's matrix and results."""

    def __init__(self, library, threads, rows, inputs, outputs, kind, activation, x, weights, bias):
        self.library, self.kept = library, (x, bias)
        matrix = ctypes.c_void_p(library.steno_matrix_create(outputs, inputs, kind))
        library.steno_matrix_set_float(matrix, 0, outputs, weights.ctypes.data_as(ctypes.c_void_p))
        self.y = aligned(rows * outputs, np.float32)
        self.workspace = aligned(library.steno_product_workspace(matrix, rows) + 64, np.uint8)
        self.pool = ctypes.c_void_p(library.steno_pool_create(threads))
        self.product = Product(matrix, x.ctypes.data, inputs, rows, bias.ctypes.data, activation, None, 0, self.y.ctypes.data, outputs,
                               self.workspace.ctypes.data)

    def seconds(self, times):
        start = time.perf_counter()
        for _ in range(times):
            self.library.steno_multiply(self.pool, ctypes.byref(self.product))
        return (time.perf_counter() - start) / times


def compare(libraries, threads, runs, name, rows, inputs, outputs, kind, activation):
    random = np.random.default_rng(1)
    x, bias = aligned(rows * inputs, np.float32), np.zeros(outputs, np.float32)
    x[:] = random.uniform(-1, 1, rows * inputs)
    weights = random.normal(0, 0.1, outputs * inputs).astype(np.float32)
    sides = [Side(library, threads, rows, inputs, outputs, kind, activation, x, weights, bias) for library in libraries]
    operations = 2 * rows * inputs * outputs
    times = max(1, int(2e7 / operations))
    measured = [[side.seconds(times) for side in sides] for _ in range(runs)]
    before, after = np.percentile(measured, [2, 25, 50], axis=0).T
    shares = ", ".join(f"{share:.2f}" for share in after / before)
    equal = "" if (sides[0].y.view(np.int32) == sides[1].y.view(np.int32)).all() else "differs"
    print(f"| {name} | {operations / before[0] / 1e9:.0f} GOP/s | {shares} | {equal} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        archive = subprocess.run(["git", "-C", ROOT, "archive", a.commit, KERNELS], check=True, stdout=subprocess.PIPE).stdout
        tarfile.open(fileobj=io.BytesIO(archive)).extractall(folder)
        libraries = [compiled(folder / KERNELS, folder / "before.so"), compiled(ROOT / KERNELS, folder / "after.so")]
        print(f"| product | {a.commit[:8]} | time, share of it | |\n|---|---|---|---|")
        for shape in SHAPES:
            if a.only in shape[0]:
                compare(libraries, a.threads, a.runs, *shape)


if __name__ == "__main__":
    main()
