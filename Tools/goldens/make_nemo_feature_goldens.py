"""Makes Tests/Fixtures/fastconformer/nemo-features.json: NeMo's input features of a real recording.

    python Tools/goldens/run.py nemo_feature

onnx-asr brings NeMo's feature extraction as ONNX graphs, written from NeMo's sources by somebody who knew neither this code nor transformers'.
Each band is normalised over the recording. Every 20th frame and every seventh band is kept.
"""
import pathlib

import onnx_asr
import onnxruntime

from support import golden
from support.paths import SAMPLES
from support.samples import read_samples

STEP, BAND_STEP = 20, 7


def make(_):
    folder = pathlib.Path(onnx_asr.__file__).parent / "preprocessors" / "data"
    samples = read_samples(SAMPLES / "inaugural-1961.wav")[0]
    entries = []
    for bands in (80, 128):
        session = onnxruntime.InferenceSession(folder / f"nemo{bands}.onnx")
        features, lengths = session.run(None, {"waveforms": samples[None], "waveforms_lens": [samples.size]})
        rows = features[0, :, :lengths[0]].T
        kept = rows[::STEP, ::BAND_STEP].reshape(-1)
        entries.append(dict(bands=bands, frames=len(rows), rows=[round(float(value), 5) for value in kept]))
    index = dict(versions=golden.versions("onnx-asr", "onnxruntime"), recording="inaugural-1961.wav", step=STEP,
                 band_step=BAND_STEP, features=entries)
    golden.write("fastconformer/nemo-features.json", golden.compact(index) + "\n")
