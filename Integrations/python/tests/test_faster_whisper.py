"""faster-whisper's interface; compared with the original where that is installed."""

import dataclasses
import importlib
import inspect
import io
import pickle
import typing
import unittest

import numpy

import steno.faster_whisper as ours
from steno.faster_whisper import transcribe, utils, vad
from steno.faster_whisper.tokenizer import Tokenizer
from support import FOX, TALK

try:
    theirs = importlib.import_module("faster_whisper")
except ImportError:
    theirs = None

_models = []


def model() -> ours.WhisperModel:
    if not _models:
        _models.append(ours.WhisperModel("base"))
    return _models[0]


@unittest.skipUnless(theirs, "faster-whisper is not installed")
class Signatures(unittest.TestCase):
    """Names, order, defaults and annotations are the original's."""

    def check(self, module: str, name: str) -> None:
        def find(package: str):
            value = importlib.import_module(f"{package}.{module}")
            for part in name.split("."):
                value = getattr(value, part)
            return value

        original, own = find("faster_whisper"), find("steno.faster_whisper")
        for kind, expected in inspect.signature(original).parameters.items():
            found = inspect.signature(own).parameters[kind]
            self.assertEqual((found.kind, found.default), (expected.kind, expected.default), f"{name}: {kind}")
        self.assertEqual(
            list(inspect.signature(own).parameters), list(inspect.signature(original).parameters), name)
        hints = [
            {key: str(hint).replace("steno.faster_whisper.types", "faster_whisper.transcribe").replace("steno.", "")
             for key, hint in typing.get_type_hints(function).items() if key != "return"}
            for function in (original, own)
        ]
        for key, hint in hints[0].items():
            self.assertEqual(hints[1][key], hint, f"{name}: {key}")

    def test_functions(self):
        for module, name in [
            ("audio", "decode_audio"), ("utils", "available_models"), ("utils", "download_model"),
            ("utils", "format_timestamp"), ("vad", "get_speech_timestamps"), ("vad", "collect_chunks"),
            ("transcribe", "WhisperModel.transcribe"), ("transcribe", "WhisperModel.detect_language"),
            ("transcribe", "BatchedInferencePipeline.transcribe"),
        ]:
            with self.subTest(name):
                self.check(module, name)

    def test_constructors(self):
        for name in ("WhisperModel", "BatchedInferencePipeline"):
            original = inspect.signature(getattr(theirs, name).__init__).parameters
            own = inspect.signature(getattr(ours, name).__init__).parameters
            self.assertEqual([(p.name, p.default) for p in own.values()], [(p.name, p.default) for p in original.values()])

    def test_dataclasses(self):
        for module, name in [
            ("transcribe", "Word"), ("transcribe", "Segment"), ("transcribe", "TranscriptionOptions"),
            ("transcribe", "TranscriptionInfo"), ("vad", "VadOptions"),
        ]:
            fields = [
                [(field.name, str(field.default)) for field in dataclasses.fields(
                    getattr(importlib.import_module(f"{package}.{module}"), name))]
                for package in ("faster_whisper", "steno.faster_whisper")
            ]
            self.assertEqual(fields[1], fields[0], name)

    def test_names(self):
        self.assertEqual(set(ours.__all__), set(theirs.__all__))
        self.assertEqual(ours.__version__, theirs.__version__)
        self.assertEqual(ours.available_models(), theirs.available_models())
        self.assertEqual(utils._MODELS, importlib.import_module("faster_whisper.utils")._MODELS)
        for seconds in (0, 1.2345, 59.9996, 3599.9999, 86_400.5):
            for options in ({}, {"always_include_hours": True, "decimal_marker": ","}):
                self.assertEqual(
                    ours.format_timestamp(seconds, **options), theirs.format_timestamp(seconds, **options))


class Transcribing(unittest.TestCase):
    def test_segments_and_information(self):
        segments, info = model().transcribe(str(TALK), word_timestamps=True)
        self.assertEqual((info.language, info.duration, info.duration_after_vad), ("en", 11, 11))
        self.assertEqual(info.all_language_probs[0], (info.language, info.language_probability))
        segments = list(segments)
        self.assertEqual([segment.id for segment in segments], list(range(1, len(segments) + 1)))
        self.assertEqual(segments[0].text, "".join(word.word for word in segments[0].words))
        self.assertEqual(info.transcription_options.temperatures, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
        self.assertIn(50258, info.transcription_options.suppress_tokens)

    def test_an_open_file_is_audio(self):
        segments, _ = model().transcribe(io.BytesIO(FOX.read_bytes()), language="en", beam_size=1)
        self.assertIn("fox", "".join(segment.text for segment in segments))

    def test_voice_activity(self):
        audio = numpy.concatenate([numpy.zeros(80_000, numpy.float32), ours.decode_audio(str(FOX))])
        segments, info = model().transcribe(audio, vad_filter=True, vad_parameters={"min_silence_duration_ms": 500})
        self.assertLess(info.duration_after_vad, info.duration - 2)
        self.assertEqual(info.vad_options.min_silence_duration_ms, 500)
        self.assertGreater(next(segments).start, 4)
        self.assertEqual(dataclasses.asdict(pickle.loads(pickle.dumps(info)))["duration"], info.duration)

    def test_batches(self):
        pipeline = ours.BatchedInferencePipeline(model=model())
        segments, info = pipeline.transcribe(str(TALK), batch_size=4)
        self.assertIn("what you can do for your country", "".join(segment.text for segment in segments))
        self.assertEqual(info.transcription_options.temperatures, [0.0])
        clips = [{"start": 0.0, "end": 4.0}, {"start": 5.0, "end": 11.0}]
        segments, _ = pipeline.transcribe(str(TALK), clip_timestamps=clips, language="en")
        self.assertEqual([segment.start for segment in segments], [0, 5])
        with self.assertRaisesRegex(RuntimeError, "vad_filter"):
            pipeline.transcribe(numpy.zeros(16_000 * 31, numpy.float32), vad_filter=False)

    def test_empty_audio(self):
        audio = numpy.zeros(0, numpy.float32)
        self.assertEqual(list(model().transcribe(audio)[0]), [])
        self.assertEqual(list(ours.BatchedInferencePipeline(model()).transcribe(audio)[0]), [])
        self.assertEqual(model().detect_language(audio), ("en", 0.0, []))

    def test_clips(self):
        segments, _ = model().transcribe(str(TALK), clip_timestamps="5,11", language="en")
        self.assertGreaterEqual(next(segments).start, 5)
        segments, _ = model().transcribe(str(TALK), clip_timestamps=[5.0], language="en")
        self.assertGreaterEqual(next(segments).start, 5)

    def test_prompts(self):
        tokens = model().hf_tokenizer.encode(" Kennedy").ids
        for options in ({"initial_prompt": tokens}, {"hotwords": "Kennedy"}, {"prefix": "And so"}):
            segments, info = model().transcribe(str(TALK), language="en", **options)
            self.assertIn("country", "".join(segment.text for segment in segments), options)
            name, value = next(iter(options.items()))
            self.assertEqual(getattr(info.transcription_options, name), value)

    def test_channels(self):
        left, right = ours.decode_audio(str(FOX), split_stereo=True)
        numpy.testing.assert_array_equal(left, right)
        with self.assertRaisesRegex(ValueError, "16000"):
            ours.decode_audio(str(FOX), sampling_rate=8000)

    def test_devices_and_types(self):
        with self.assertRaisesRegex(ValueError, "cuda"):
            ours.WhisperModel("base", device="cuda")
        with self.assertRaisesRegex(ValueError, "compute type"):
            ours.WhisperModel("base", compute_type="int3")
        self.assertEqual(ours.WhisperModel("base", compute_type="float16").model.compute_type, "float32")

    def test_dropped_segments_stop_the_work(self):
        segments, _ = model().transcribe(numpy.tile(ours.decode_audio(str(TALK)), 20))
        next(segments)
        segments.close()
        self.assertEqual(list(segments), [])


class Parts(unittest.TestCase):
    def test_speech(self):
        audio = ours.decode_audio(str(TALK))
        chunks = vad.get_speech_timestamps(audio, min_silence_duration_ms=100)
        self.assertGreater(len(chunks), 1)
        pieces, metadata = vad.collect_chunks(audio, chunks, max_duration=5)
        self.assertEqual(sum(len(piece) for piece in pieces), sum(chunk["end"] - chunk["start"] for chunk in chunks))
        self.assertEqual(metadata[0]["offset"], 0)

    def test_tokens(self):
        tokenizer = Tokenizer(model().hf_tokenizer, True, task="transcribe", language="en")
        self.assertEqual(tokenizer.sot_sequence, [50258, 50259, 50359])
        self.assertEqual(tokenizer.decode_with_timestamps([50364, 2425, 50414]), "<|0.00|> Hello<|1.00|>")
        words, tokens = tokenizer.split_to_word_tokens(tokenizer.encode(" It's über."))
        self.assertEqual("".join(words), " It's über.")
        self.assertEqual(sum(tokens, []), tokenizer.encode(" It's über."))
        self.assertEqual(
            transcribe.get_suppressed_tokens(tokenizer, [13]), (13, 50258, 50358, 50359, 50360, 50361, 50362))
        with self.assertRaisesRegex(ValueError, "language code"):
            Tokenizer(model().hf_tokenizer, True, task="transcribe", language="klingon")


if __name__ == "__main__":
    unittest.main()
