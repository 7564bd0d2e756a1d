"""Shared by the tests: the program, the recordings, and a local cluster of a master and two workers."""

import os
import pathlib
import shutil
import subprocess
import sys
import wave

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

FIXTURES = HERE.parents[2] / "Tests" / "Fixtures"

from cluster import Cluster  # noqa: E402  (found by the path above)


@pytest.fixture(scope="session")
def steno():
    """The program under test."""
    program = os.environ.get("STENO") or shutil.which("steno")
    if not program or not os.access(program, os.X_OK):
        pytest.skip("the variable STENO is not set to the program steno")
    return os.path.abspath(program)


@pytest.fixture(scope="session")
def recordings(tmp_path_factory):
    """A folder of sentences, and of ten minutes made of them."""
    if not shutil.which("ffmpeg"):
        pytest.skip("ffmpeg is not installed")
    folder = tmp_path_factory.mktemp("recordings")
    for source in sorted((FIXTURES / "speech").glob("en-0*.flac")):
        shutil.copy(source, folder / source.name)
    talk = folder / "talk.wav"
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(FIXTURES / "speech" / "talk.flac")]
    subprocess.run(command + ["-c:a", "pcm_s16le", str(talk)], check=True)
    with wave.open(str(talk)) as file:
        parameters, samples = file.getparams(), file.readframes(file.getnframes())
    for number in range(2):
        with wave.open(str(folder / f"long-{number}.wav"), "wb") as file:
            file.setparams(parameters)
            # Ten minutes, each starting at a different place.
            start = number * 10 * parameters.framerate * 2
            file.writeframes((samples * 4)[start:start + 600 * parameters.framerate * 2])
    talk.unlink()
    return folder


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A standalone cluster."""
    if not shutil.which("java"):
        pytest.skip("Java is not installed")
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster
