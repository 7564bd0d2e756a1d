"""Models and transcriptions under their own names."""

import array
import io
import pickle
import threading
import unittest

import steno
from support import FOX, TALK, model


class Transcribing(unittest.TestCase):
    def test_segments_come_with_words_and_whispers_details(self):
        segments = list(model().transcribe(TALK, word_timestamps=True))
        self.assertIn("ask not what your country can do for you", segments[0].text)
        self.assertEqual("".join(word.text for word in segments[0].words), segments[0].text)
        self.assertLess(segments[0].words[0].start, segments[0].words[-1].end)
        self.assertEqual(segments[0].whisper["temperature"], 0)
        self.assertTrue(segments[0].whisper["tokens"])

    def test_every_kind_of_audio_gives_the_same_text(self):
        expected = model().transcribe(FOX).text()
        samples = steno.decode_audio(FOX)
        for audio in (str(FOX), FOX.read_bytes(), io.BytesIO(FOX.read_bytes()), samples, array.array("f", list(samples))):
            self.assertEqual(model().transcribe(audio).text(), expected, type(audio))

    def test_integers_are_scaled(self):
        loud = array.array("h", [round(sample * 32767) for sample in steno.decode_audio(FOX)])
        self.assertIn("fox", model().transcribe(loud).text())

    def test_two_dimensions_are_channels(self):
        import numpy

        samples = steno.decode_audio(FOX)
        stereo = numpy.stack([samples, samples], axis=1)
        self.assertEqual(model().transcribe(stereo).text(), model().transcribe(samples).text())

    def test_progress_reaches_the_end(self):
        reports = []
        list(model().transcribe(FOX, progress=lambda done, duration: reports.append((done, duration))))
        self.assertEqual(reports[-1][0], reports[-1][1])
        self.assertEqual(reports, sorted(reports))

    def test_the_language_is_known_before_the_segments(self):
        transcription = model().transcribe(TALK)
        self.assertEqual(transcription.language, "en")
        self.assertEqual(next(iter(transcription.language_probabilities)), "en")
        given = model().transcribe(TALK, language="en")
        self.assertEqual((given.language, given.language_probability, given.language_probabilities), ("en", 1, None))

    def test_a_closed_transcription_has_no_more_segments(self):
        with model().transcribe(TALK) as transcription:
            pass
        self.assertEqual(list(transcription), [])
        with self.assertRaises(steno.Cancelled):
            transcription.text()

    def test_another_thread_can_cancel(self):
        transcription = model().transcribe(TALK)
        threading.Thread(target=transcription.cancel).start()
        with self.assertRaises(steno.Cancelled):
            while True:
                list(transcription)
                transcription = model().transcribe(TALK)
                transcription.cancel()

    def test_threads_share_a_model(self):
        texts = []
        threads = [threading.Thread(target=lambda: texts.append(model().transcribe(FOX).text())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(texts)), 1)
        self.assertEqual(len(texts), 4)

    def test_subtitles(self):
        self.assertIn("00:00:00,000 --> ", model().transcribe(TALK).text("srt"))

    def test_clips_choose_the_audio(self):
        self.assertNotIn("And so", model().transcribe(TALK, clips=[(5.0, None)]).text())

    def test_segments_can_be_pickled(self):
        segments = list(model().transcribe(FOX))
        self.assertEqual(pickle.loads(pickle.dumps(segments)), segments)


class Errors(unittest.TestCase):
    def test_sentences_say_what_to_do(self):
        with self.assertRaisesRegex(ValueError, "There is no option “beemSize”. Use one of .*beamSize"):
            model().transcribe(TALK, whisper={"beemSize": 1})
        with self.assertRaisesRegex(ValueError, "beamSize.*must be of the type Int"):
            model().transcribe(TALK, whisper={"beamSize": "many"})
        with self.assertRaisesRegex(steno.AudioError, "There is no file"):
            list(model().transcribe("/nowhere/talk.wav"))
        with self.assertRaisesRegex(FileNotFoundError, "nonexistent"):
            steno.Model("nonexistent")
        with self.assertRaisesRegex(ValueError, "klingon"):
            list(model().transcribe(TALK, language="klingon"))
        with self.assertRaisesRegex(ValueError, "Audio cannot be a NoneType"):
            model().transcribe(None)

    def test_a_closed_model_says_so(self):
        closed = steno.Model("bundled")
        closed.close()
        closed.close()
        with self.assertRaisesRegex(steno.StenoError, "was closed"):
            closed.transcribe(TALK)


class Properties(unittest.TestCase):
    def test_the_model_describes_itself(self):
        self.assertEqual(model().information["family"], "Whisper")
        self.assertIn("de", model().languages)
        self.assertIn("base", [found["name"] for found in steno.models()["installed"]])
        self.assertIn("large-v3", [known["name"] for known in steno.models()["known"]])

    def test_tokens(self):
        self.assertEqual(model().encode(" Hello world"), [2425, 1002])
        self.assertEqual(model().decode([2425, 1002]), " Hello world")

    def test_the_version_is_a_number(self):
        self.assertRegex(steno.__version__, r"^\d+\.\d+\.\d+$")

    def test_languages_are_detected(self):
        found = model().detect_language(steno.decode_audio(TALK))
        self.assertEqual(found.language, "en")
        self.assertEqual(len(found.probabilities), 99)

    def test_speech_is_found(self):
        speech = steno.find_speech(steno.decode_audio(TALK), minSilenceSeconds=0.1)
        self.assertGreater(len(speech), 1)
        self.assertTrue(all(start < end for start, end in speech))


class LiveSessions(unittest.TestCase):
    def test_pushed_audio_becomes_text(self):
        with model().live(language="en") as live:
            live.push(steno.decode_audio(FOX))
            live.finish()
            text = "".join(event["text"] for event in live if event["type"] == "final")
        self.assertIn("fox", text)

    def test_cancelling_ends_the_events(self):
        with model().live() as live:
            live.push([0.0] * 16_000)
            live.cancel()
            with self.assertRaises(steno.Cancelled):
                list(live)


if __name__ == "__main__":
    unittest.main()
