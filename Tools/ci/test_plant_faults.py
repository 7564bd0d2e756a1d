"""Tests of plant_faults.py; `make faults` runs them first."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import plant_faults
from plant_faults import Fault, Run, Wrong

PATH = pathlib.PurePosixPath("Sources/Steno/Audio/Gain.swift")
HEAD = "◇ Test run started.\n◇ Suite GainTests started.\n◇ Test doubles() started.\n◇ Test ofCases(gain:) started.\n"
PASSED = (
    HEAD + "✔ Test doubles() passed after 0.001 seconds.\n✔ Test ofCases(gain:) with 3 test cases passed after 0.002 seconds.\n"
    "✔ Suite GainTests passed after 0.003 seconds.\n✔ Test run with 2 tests in 1 suite passed after 0.004 seconds.\n")
FAILED = (
    HEAD + "✔ Test doubles() passed after 0.001 seconds.\n"
    "✘ Test ofCases(gain:) recorded an issue with 1 argument gain → 2.0 at GainTests.swift:12:9: Expectation failed: 1 == 2\n"
    "✘ Test ofCases(gain:) with 3 test cases failed after 0.002 seconds with 1 issue.\n"
    "✘ Suite GainTests failed after 0.003 seconds with 1 issue.\n"
    "✘ Test run with 2 tests in 1 suite failed after 0.004 seconds with 1 issue.\n")
SKIPPED = (
    '◇ Test run started.\n➜ Test doubles() skipped: "ffmpeg is not installed"\n'
    "✔ Test run with 1 test in 1 suite passed after 0.001 seconds.\n")
NOTHING = "◇ Test run started.\n✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.\n"


def fault(**changes):
    return Fault(**{
        "number": 7, "wrong": "It is too loud.", "file": "Gain.swift", "find": "gain * 2",
        "replace": "gain * (Planted.isActive(7) ? 4 : 2)", "filter": "GainTests", **changes})


def run(output, code=0, hangs=False):
    return Run(output, code, 1.0, hangs)


class Runs(unittest.TestCase):
    def test_a_fault_is_found_only_by_a_test_that_ran_and_failed(self):
        self.assertEqual(run(PASSED).verdict, "passed")
        self.assertEqual(run(FAILED, 1).verdict, "failed")
        self.assertEqual(run(FAILED, 1).finder, "ofCases(gain:) at GainTests.swift:12")
        self.assertEqual(run(PASSED, 1).verdict, "unclear")

    def test_a_run_without_a_test_is_neither_passed_nor_failed(self):
        for output in (NOTHING, SKIPPED):
            self.assertEqual(run(output).verdict, "nothing")
        self.assertEqual(run("error: no such program\n", 1).verdict, "nothing")

    def test_a_crash_names_the_test_that_was_running(self):
        crash = run(HEAD + "✔ Test doubles() passed after 0.001 seconds.\nFatal error: Index out of range\n", -5)
        self.assertEqual((crash.verdict, crash.finder), ("crash", "during ofCases(gain:)"))
        self.assertEqual(run(HEAD, -9, hangs=True).verdict, "hang")

    def test_suites_and_cases_are_no_tests(self):
        self.assertEqual(run(PASSED).count, 2)


class Faults(unittest.TestCase):
    def test_the_text_must_be_there_once(self):
        self.assertEqual(fault().plant("return gain * 2", "return gain * 2"), "return gain * (Planted.isActive(7) ? 4 : 2)")
        for text in ("return gain", "gain * 2 + gain * 2"):
            with self.assertRaises(Wrong):
                fault().plant(text, text)

    def test_the_switch_has_the_number_of_the_fault(self):
        fault().check()
        for replace in ("gain * 4", "gain * (Planted.isActive(8) ? 4 : 2)"):
            with self.assertRaises(Wrong):
                fault(replace=replace).check()

    def test_the_name_belongs_to_one_file_in_any_folder(self):
        other = pathlib.PurePosixPath("Sources/Steno/Files/AutoGain.swift")
        self.assertEqual(fault().place([PATH, other]), PATH)
        same = pathlib.PurePosixPath("Sources/Steno/Files/Gain.swift")
        self.assertEqual(fault(file="Files/Gain.swift").place([PATH, same]), same)
        for sources in ([PATH, same], [other]):
            with self.assertRaises(Wrong):
                fault().place(sources)

    def test_the_switch_is_imported_once(self):
        self.assertTrue(plant_faults.with_switch(PATH, "let gain = 1\n").startswith("import StenoCore\n"))
        for text in ("package import StenoCore\n", "import Foundation\nimport Steno\n", "#if Store\n    import StenoCore\n#endif\n"):
            self.assertEqual(plant_faults.with_switch(PATH, text), text)
        kernel = pathlib.PurePosixPath("Sources/CStenoKernels/body/gain.h")
        self.assertEqual(plant_faults.with_switch(kernel, "x\n"), '#include "../steno_planted.h"\nx\n')

    def test_the_list_can_be_planted(self):
        self.assertTrue(plant_faults.planted(plant_faults.checkout(), plant_faults.read_list()))


if __name__ == "__main__":
    unittest.main()
