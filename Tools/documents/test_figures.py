"""Tests of figures.py; `figures.py --check` runs them."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import figures

CONTENT = {
    "about": "An example.", "machine": "on a machine", "date": "2026-11-02", "commit": "0123abc", "command": "steno bench",
    "peers": {"whisper.cpp": "1.9"}, "figures": {"talk": "10.3 s"},
    "tables": {"speed": {"columns": ["what", "time"], "rows": [["a talk", "{talk}"]]}}, "texts": {"words": ["It took", "{talk}."]},
}
PAGE = pathlib.Path("Documentation/Project/Page.md")


def result(**changes):
    return figures.Result("example", {**CONTENT, **changes})


class Results(unittest.TestCase):
    def test_a_result_needs_its_source(self):
        for key in figures.REQUIRED:
            with self.assertRaises(figures.Wrong, msg=key):
                figures.Result("example", {k: v for k, v in CONTENT.items() if k != key})

    def test_a_result_is_of_one_day_and_one_commit(self):
        for changes in ({"date": "2026-11-22 and 23"}, {"date": "2026-11"}, {"commit": "0123abc or before"}, {"extra": 1}):
            with self.assertRaises(figures.Wrong, msg=str(changes)):
                result(**changes)

    def test_tables_and_texts_take_figures_by_name(self):
        self.assertEqual(result().block("speed", PAGE), "| what | time |\n|---|---|\n| a talk | 10.3 s |")
        self.assertEqual(result().block("words", PAGE), "It took\n10.3 s.")
        self.assertEqual(result().block("words+words", PAGE), "It took\n10.3 s.\n\nIt took\n10.3 s.")

    def test_an_unknown_name_or_a_short_row_is_an_error(self):
        with self.assertRaises(figures.Wrong):
            result().block("speed+nothing", PAGE)
        for rows in ([["a talk", "{unknown}"]], [["a talk"]]):
            with self.assertRaises(figures.Wrong):
                result(tables={"speed": {"columns": ["what", "time"], "rows": rows}}).block("speed", PAGE)

    def test_a_chart_takes_its_numbers_from_the_figures(self):
        def chart(name):
            return figures.chart(result(), {"title": "Speed", "bars": [["a talk, s", {"Steno": name}]]})

        self.assertIn(">Steno 10.3</text>", chart("talk"))
        with self.assertRaises(figures.Wrong):
            chart("unknown")

    def test_the_source_has_day_commit_machine_versions_and_command(self):
        source = result().source(PAGE)
        for part in ("2 November 2026", "0123abc", "on a machine", "whisper.cpp 1.9", "`steno bench`", "../../Benchmarks/results/example.json"):
            self.assertIn(part, source)


class Documents(unittest.TestCase):
    def rendered(self, text):
        return figures.rendered(text, PAGE, {"example": result()})

    def test_what_is_between_markers_is_replaced(self):
        self.assertEqual(
            self.rendered("<!-- figures: example/words -->\nold\n\nold\n<!-- end -->\nx <!-- figure: example/talk -->9 s<!-- end --> y"),
            "<!-- figures: example/words -->\nIt took\n10.3 s.\n<!-- end -->\nx <!-- figure: example/talk -->10.3 s<!-- end --> y")

    def test_two_figures_in_a_line_are_two(self):
        text = "<!-- figure: example/talk -->1<!-- end --> and <!-- figure: example/talk -->2<!-- end -->"
        self.assertEqual(self.rendered(text).count("10.3 s"), 2)

    def test_markers_without_an_end_or_a_result_are_errors(self):
        for text in ("<!-- figures: example/words -->\n", "<!-- figure: example/talk --> 1", "<!-- figure: other/talk -->1<!-- end -->"):
            with self.assertRaises(figures.Wrong, msg=text):
                self.rendered(text)

    def test_a_table_needs_its_source_on_the_page(self):
        table, source = "<!-- figures: example/speed -->\n<!-- end -->\n", "<!-- figures: example/source -->\n<!-- end -->\n"
        self.assertEqual(figures.without_source(table), ["example"])
        self.assertEqual(figures.without_source(table + source), [])
        self.assertEqual(figures.without_source(table.replace("speed", "speed+source")), [])


class Strays(unittest.TestCase):
    def test_speeds_and_accuracies_are_found(self):
        for text in (
            "Steno is 6 times as fast.", "It runs 3.5x faster than whisper.cpp.", "It is 20 % faster.", "The WER is 1.01 %.",
            "DER 0.6 and\n0.7 %.", "Ten minutes took 10.3 s.", "a median of 5 ms", "a real-time factor of 0.1",
            "| | WER |\n|---|---|\n| talk | 3 % |", "| | Steno | whisper.cpp |\n|---|---|---|\n| talk | 3 s | 9 s |", "- The talk took\n  9 s.",
        ):
            self.assertTrue(figures.strays(text), text)

    def test_limits_and_defaults_are_not(self):
        for text in (
            "An utterance ends after 0.6 s of silence.", "The limit is 30 s.", "A bar is 80 % wide.", "A window is measured.",
            "The WER counts words.\n\nThe interval is 95 %.", "| WER | 95 % interval |", "```sh\nsteno # 3 times faster\n```", "`took 3 s`",
        ):
            self.assertEqual(figures.strays(text), [], text)

    def test_markers_and_exempt_lines_are_not(self):
        self.assertEqual(figures.strays("It took <!-- figure: example/talk -->10.3 s<!-- end -->."), [])
        self.assertEqual(figures.strays("<!-- figures: example/words -->\nIt took 3 s.\n<!-- end -->\n"), [])
        self.assertEqual(figures.strays("A phone call took 3 s. <!-- no figure -->"), [])

    def test_the_line_is_that_of_the_paragraph(self):
        self.assertEqual(figures.strays("One.\n\n```\ncode\n```\n\nTwo took 3 s.")[0][0], 7)


if __name__ == "__main__":
    unittest.main()
