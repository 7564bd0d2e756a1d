"""What concerns the whole process: Ctrl-C, fork, memory, and the time of the import. Linux only."""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import unittest

from support import FOX, TALK

HERE = pathlib.Path(__file__).parent


def run(program: str, **options) -> subprocess.CompletedProcess:
    # Later Pythons warn of every fork of a process with threads.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program, str(TALK), str(FOX)]
    return subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300, **options)


class Process(unittest.TestCase):
    def test_control_c_stops_a_transcription(self):
        program = (
            "import signal, steno, sys\n"
            # A shell starts what runs in its background with the signal ignored, which children inherit.
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "model = steno.Model('bundled')\n"
            "import array\nsamples = array.array('f', steno.decode_audio(sys.argv[1]).tolist()) * 60\n"
            "print('ready', flush=True)\n"
            "try:\n    list(model.transcribe(samples, progress=lambda done, all: print('progress', flush=True)))\n"
            "except KeyboardInterrupt:\n    print('interrupted')\n"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(TALK)], stdout=subprocess.PIPE, text=True, cwd=HERE)
        for line in process.stdout:
            if line == "progress\n":
                break
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
        self.assertIn("interrupted", rest)
        self.assertEqual(process.returncode, 0)

    def test_a_fork_before_the_first_use_can_use_the_library(self):
        program = (
            "import os, steno, sys\n"
            "steno.models()\n"
            "child = os.fork()\n"
            "text = steno.Model('bundled').transcribe(sys.argv[2]).text()\n"
            "assert 'fox' in text, text\n"
            "if child == 0: os._exit(0)\n"
            "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        )
        result = run(program)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_fork_after_it_gets_an_error_instead_of_hanging(self):
        program = (
            "import os, steno, sys\n"
            "model = steno.Model('bundled')\n"
            "model.transcribe(sys.argv[2]).text()\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    try:\n        model.transcribe(sys.argv[2])\n"
            "    except steno.StenoError as error:\n"
            "        model.close()\n        os._exit(0 if error.code == -18 and 'spawn' in str(error) else 1)\n"
            "    os._exit(2)\n"
            "status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
            "assert 'fox' in model.transcribe(sys.argv[2]).text()\n"
            "sys.exit(status)\n"
        )
        result = run(program)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_loading_again_and_again_takes_no_more_memory(self):
        import steno

        def size() -> int:
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

        # The first loads fill the allocator's pool of each worker thread.
        for _ in range(20):
            steno.Model("bundled").close()
        before = size()
        for _ in range(int(os.environ.get("STENO_LOADS", "15"))):
            steno.Model("bundled").close()
        self.assertLess(size() - before, 30_000_000)

    def test_importing_does_not_load_the_library(self):
        result = run("import steno, sys; sys.exit('libsteno' in open('/proc/self/maps').read())")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_importing_needs_no_numpy(self):
        result = run("import sys; sys.modules['numpy'] = None; import steno; print(len(steno.decode_audio(sys.argv[2])))")
        self.assertEqual(result.stderr, "")
        self.assertGreater(int(result.stdout), 16_000)


if __name__ == "__main__":
    unittest.main()
