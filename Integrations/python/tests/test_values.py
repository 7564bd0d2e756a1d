"""What is checked before the library is called: these tests need no library."""

import array
import copy
import ctypes
import gc
import pickle
import subprocess
import sys
import unittest
from unittest import mock

import steno
from steno import _audio, _library
from steno._live import Live
from steno._model import Model
from steno._transcription import Transcription

try:
    import numpy
except ImportError:
    numpy = None


class FakeLibrary:
    """Succeeds at everything, and remembers the calls."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def function(*arguments):
            self.calls.append((name, arguments))
            for argument in arguments:
                # What a function returns through a pointer to a pointer.
                if type(argument).__name__ == "CArgObject":
                    pointer = ctypes.cast(argument, ctypes.POINTER(ctypes.c_void_p))
                    pointer[0] = 1
            return _library.END if name == "steno_job_next" else _library.OK

        return function

    def names(self):
        return [name for name, _ in self.calls]

    def arguments(self, name):
        return [arguments for called, arguments in self.calls if called == name]


class WithoutLibrary(unittest.TestCase):
    def setUp(self):
        self.library = FakeLibrary()
        patch = mock.patch.object(_library, "_loaded", self.library)
        patch.start()
        self.addCleanup(patch.stop)
        # Handles are freed while the library is still the fake one.
        self.addCleanup(gc.collect)


class Handles(WithoutLibrary):
    """A handle has one owner: a copy would free it twice."""

    def test_copies_are_refused(self):
        model = Model("x")
        transcription = Transcription(ctypes.c_void_p(1), model, None)
        live = Live(ctypes.c_void_p(1), model, 1)
        for handle, name in ((model, "Model"), (transcription, "Transcription"), (live, "Live")):
            for work in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, f"A {name} cannot be copied or pickled", msg=f"{work} {name}"):
                    work(handle)
        for handle in (model, transcription, live):
            handle.close()
        freed = [name for name in self.library.names() if name.endswith("_free")]
        self.assertEqual(sorted(freed), ["steno_job_free", "steno_live_free", "steno_model_free"])


class Values(WithoutLibrary):
    def setUp(self):
        super().setUp()
        self.model = Model("x")
        self.addCleanup(self.model.close)

    def test_names_have_no_zero_byte(self):
        for work in (
            lambda: Model("bundled\0x"),
            lambda: self.model.transcribe("talk.wav\0.txt"),
            lambda: steno.decode_audio("talk.wav\0.txt"),
            lambda: self.model.encode("a\0b"),
            lambda: Transcription(ctypes.c_void_p(1), self.model, None).text("txt\0"),
        ):
            with self.assertRaisesRegex(ValueError, "zero"):
                work()

    def test_integers_must_fit(self):
        samples = array.array("f", [0.0])
        for work in (
            lambda: self.model.transcribe(samples, sample_rate=2**32 + 16_000),
            lambda: self.model.live(sample_rate=2**32 + 16_000),
            lambda: self.model.live(channels=2**32 + 1),
            lambda: self.model.decode([2**32 + 1000]),
            lambda: self.model.decode([-(2**31) - 1]),
            lambda: steno.decode_audio("talk.wav", channel=2**32),
        ):
            with self.assertRaisesRegex(ValueError, "32 bits"):
                work()
        for work in (
            lambda: self.model.transcribe(samples, sample_rate=16_000.5),
            lambda: self.model.live(channels="two"),
            lambda: steno.decode_audio("talk.wav", channel=-1),
        ):
            with self.assertRaises(ValueError):
                work()
        self.assertEqual([name for name in self.library.names() if name != "steno_model_load"], [])

    def test_a_vocabulary_is_a_list(self):
        with self.assertRaisesRegex(ValueError, r"vocabulary=\['Kennedy'\]"):
            self.model.transcribe(array.array("f", [0.0]), vocabulary="Kennedy")

    def options(self):
        return [arguments[5] for arguments in self.library.arguments("steno_transcribe_samples")]

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_numpy_numbers_are_numbers(self):
        self.model.transcribe(
            numpy.zeros(1, numpy.float32), batch_size=numpy.int64(2), clips=[(numpy.float32(0.5), None)],
            sample_rate=numpy.int64(16_000), speakers=numpy.int64(2), word_timestamps=numpy.bool_(True),
            whisper={"temperatures": numpy.array([0.0, 0.5]), "beamSize": numpy.int64(2)})
        text = self.options()[0].decode()
        for part in (
            '"batchSize": 2', '"start": 0.5', '"count": 2', '"wordTimestamps": true', '"temperatures": [0.0, 0.5]',
            '"beamSize": 2',
        ):
            self.assertIn(part, text)
        self.assertEqual(self.library.arguments("steno_transcribe_samples")[0][3], 16_000)

    def test_other_objects_are_not_options(self):
        with self.assertRaisesRegex(ValueError, "An option cannot be of the type object"):
            self.model.transcribe(array.array("f", [0.0]), whisper={"beamSize": object()})

    def test_numbers_that_json_lacks_are_named(self):
        for value in (float("nan"), float("inf"), -float("inf")):
            with self.assertRaisesRegex(ValueError, "The option whisper.temperatures.1 is (nan|inf|-inf)"):
                self.model.transcribe(array.array("f", [0.0]), whisper={"temperatures": [0.0, value]})

    def test_bytes_are_not_samples(self):
        for audio in [array.array("B", [0, 1]), array.array("b", [0, 1])] + (
            [numpy.zeros(4, numpy.uint8), numpy.zeros(4, numpy.int8)] if numpy else []
        ):
            with self.assertRaisesRegex(ValueError, "Samples of the type .* cannot be used. Use float32 or int16"):
                self.model.transcribe(audio)
        self.model.transcribe(memoryview(b"RIFF"))
        self.assertEqual(self.library.arguments("steno_transcribe_data")[0][2], 4)


class Memory(unittest.TestCase):
    def test_arrays_outlive_the_end_of_the_program(self):
        """Threads and functions registered with atexit may use an array until the process is gone."""
        program = (
            "import atexit, ctypes\n"
            "from unittest import mock\n"
            "from steno import _audio, _library\n"
            "memory = ctypes.create_string_buffer(400)\n"
            "freed = []\n"
            "_library._loaded = mock.Mock(steno_free=freed.append)\n"
            # Called after the functions that are registered later.
            "atexit.register(lambda: print('freed' if freed else 'kept', flush=True))\n"
            "array = _audio._received(ctypes.c_void_p(ctypes.addressof(memory)), 100)\n"
        )
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual((result.stdout, result.stderr), ("kept\n" if numpy else "freed\n", ""))

    def test_arrays_free_their_memory(self):
        memory = ctypes.create_string_buffer(400)
        library = FakeLibrary()
        with mock.patch.object(_library, "_loaded", library):
            samples = _audio._received(ctypes.c_void_p(ctypes.addressof(memory)), 100)
            self.assertEqual(len(samples), 100)
            del samples
            gc.collect()
        self.assertEqual(library.names(), ["steno_free"])


if __name__ == "__main__":
    unittest.main()
