#!/usr/bin/env python3
"""Makes the Python wheel from libsteno and the command: an archive of the package, their files and the metadata.

    Integrations/python/make_wheel.py LIBSTENO PRODUCTS DIST

LIBSTENO is the folder that Tools/install/make_libsteno.sh made, PRODUCTS the one with the program steno. The version is the
library's own, and the platform follows from the C library that they need. It uses only Python's standard library and strip.
"""

import base64
import ctypes
import hashlib
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Recordings for tests, which the package does not need.
LEFT_OUT = {"samples"}
# The same for everybody who builds the same files.
TIME = (2020, 1, 1, 0, 0, 0)


def needed_glibc(files):
    """The newest version of the C library whose symbols a file needs."""
    versions = {(2, 17)}
    for file in files:
        symbols = subprocess.run(["objdump", "-T", file], check=True, capture_output=True, text=True).stdout
        versions.update((2, int(minor)) for minor in re.findall(r"GLIBC_2\.(\d+)", symbols))
    return max(versions)


def check_libraries(file):
    """Fails if a file needs a library that the manylinux policy does not allow."""
    dynamic = subprocess.run(["objdump", "-p", file], check=True, capture_output=True, text=True).stdout
    allowed = ("libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "libpthread.so", "libdl.so", "librt.so", "libutil.so", "ld-linux")
    for name in re.findall(r"NEEDED\s+(\S+)", dynamic):
        if not name.startswith(allowed):
            sys.exit(f"{file} needs {name}, which not every system has. Link it statically.")


def metadata(version):
    readme = (HERE / "README.md").read_text()
    return (
        "Metadata-Version: 2.1\nName: steno\n"
        f"Version: {version}\n"
        "Summary: Speech to text on this machine, with faster-whisper's interface\n"
        "License: MIT\nRequires-Python: >=3.9\nProvides-Extra: faster-whisper\n"
        "Requires-Dist: numpy; extra == 'faster-whisper'\nRequires-Dist: tqdm; extra == 'faster-whisper'\n"
        "Classifier: License :: OSI Approved :: MIT License\nClassifier: Operating System :: POSIX :: Linux\n"
        "Classifier: Topic :: Multimedia :: Sound/Audio :: Speech\nClassifier: Typing :: Typed\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def main():
    libsteno, products, dist = (pathlib.Path(argument) for argument in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as work:
        tree = pathlib.Path(work)
        shutil.copytree(HERE / "steno", tree / "steno", ignore=shutil.ignore_patterns("__pycache__"))
        lib = tree / "steno" / "lib"
        lib.mkdir()
        binaries = [lib / "libsteno.so.0", lib / "steno"]
        shutil.copy(libsteno / "lib" / "libsteno.so.0", binaries[0])
        shutil.copy(products / "steno", binaries[1])
        for file in binaries:
            subprocess.run(["strip", "--strip-unneeded", file], check=True)
            check_libraries(file)
        for name in ("Steno_StenoVoiceActivity", "Steno_StenoSpeakers", "Steno_StenoBundledModel"):
            shutil.copytree(libsteno / "lib" / f"{name}.resources", lib / f"{name}.resources")
        for name in LEFT_OUT:
            for folder in lib.glob(f"*/{name}"):
                shutil.rmtree(folder)
        shutil.copy(ROOT / "LICENSE", tree / "steno" / "LICENSE")

        library = ctypes.CDLL(str(binaries[0]))
        library.steno_version.restype = ctypes.c_char_p
        version = library.steno_version().decode()
        major, minor = needed_glibc(binaries)
        tag = f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"
        info = tree / f"steno-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(metadata(version))
        (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: steno\nRoot-Is-Purelib: false\nTag: {tag}\n")
        (info / "entry_points.txt").write_text("[console_scripts]\nsteno = steno.__main__:main\n")

        dist.mkdir(exist_ok=True)
        for old in dist.glob("steno-*.whl"):
            old.unlink()
        write(tree, dist / f"steno-{version}-{tag}.whl", f"{info.name}/RECORD")


def write(tree, wheel, record_name):
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(path for path in tree.rglob("*") if path.is_file()):
            name = str(file.relative_to(tree))
            data = file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            add(archive, name, data, executable=bool(file.stat().st_mode & 0o100))
        add(archive, record_name, "\n".join([*record, f"{record_name},,", ""]).encode())
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


def add(archive, name, data, executable=False):
    entry = zipfile.ZipInfo(name, TIME)
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


if __name__ == "__main__":
    main()
