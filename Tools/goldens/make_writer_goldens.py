"""Makes Tests/Fixtures/writers with openai-whisper's own writers (version 20250625).

Each case is one transcript. The Swift test reads its .json, written by WriteJSON, and must write
the .txt, .srt, .vtt and .tsv. The expected cues with word times, for each set of options in OPTIONS, are in cues.json.

    pip install openai-whisper==20250625
    python Tools/goldens/run.py writer
"""
import io
import json
import pathlib
import tempfile

from support import golden
from whisper.utils import get_writer


def segment(number, start, end, text, **more):
    return {
        "id": number, "seek": int(start // 30) * 3000, "start": start, "end": end, "text": text,
        "tokens": [50364, 400 + number, 50364 + number], "temperature": 0.0, "avg_logprob": -0.2510986328125,
        "compression_ratio": 1.4117647058823530, "no_speech_prob": 0.01184082, **more,
    }


def transcript(duration, *spans, language="en"):
    segments = [segment(number, *span) for number, span in enumerate(spans)]
    text = "".join(each["text"] for each in segments)
    return {
        "text": text.lstrip(" "), "language": language, "language_probability": 0.98828125, "duration": duration,
        "segments": segments,
    }


CASES = {
    "empty": transcript(0.0),
    "plain": transcript(11.0, (0.0, 3.2, " And so, my fellow Americans,"), (3.2, 11.0, " ask not.")),
    "hours": transcript(
        360000.5,
        (0.0, 59.9994, " Before the minute."),
        (59.9996, 3599.9994, " Before the hour."),
        (3599.9996, 3600.0, " The hour, by rounding."),
        (3661.001, 86399.999, " Hours in WebVTT only from here."),
        (359999.999, 360000.5, " A hundred hours."),
    ),
    # Halves of a millisecond (those that binary numbers can hold) go to the even one; sums of tenths are not exact.
    "rounding": transcript(
        8.0,
        (0.0005, 0.0015, " half"),
        (0.0625, 0.1875, " exact sixteenths"),
        (0.1 + 0.2, 1.0005, " thirty hundredths"),
        (1.0625, 2.4375, " more sixteenths"),
        (4.0005, 4.0015, " near halves"),
    ),
    "text": transcript(
        60.0,
        (0.0, 1.0, " a --> b -->c-->-> d"),
        (1.0, 2.0, "\ttab\tinside and \"quotes\" \\ back\t"),
        (2.0, 3.0, "\u3000全角の空白\u3000"),
        (3.0, 4.0, "\u00a0no-break\u2003em\u2003"),
        (4.0, 5.0, ""),
        (5.0, 6.0, "   "),
        (6.0, 7.0, " two\nlines & <b>tags</b>"),
        (7.0, 8.0, " 👩‍👩‍👧 e\u0301 \u200bzero\u200b"),
        (8.0, 9.0, "\x1c\x1funit separators\x1d\x1e"),
        (9.0, 10.0, " مرحبا שלום"),
        (10.0, 11.0, "\u2028line separator\u2029"),
        (11.0, 11.0, " no length"),
        (12.0, 13.0, " an accent on the arrow -->\u0301 and \r\n a return\r\n"),
        language="ja",
    ),
}


def spoken(number, start, text, seconds=0.3, pause=0.0):
    """A segment whose words (separated by |) take equally long, with a pause after each."""
    words, time = [], start
    for word in text.split("|"):
        end = round(time + seconds, 3)
        words.append({"word": word, "start": time, "end": end, "probability": 0.9})
        time = round(end + pause, 3)
    return segment(number, start, words[-1]["end"], "".join(text.split("|")), words=words)


def words_transcript(*segments, language="en"):
    case = transcript(segments[-1]["end"], language=language)
    case["segments"] = list(segments)
    case["text"] = "".join(each["text"] for each in segments).lstrip(" ")
    return case


WORD_CASES = {
    "words": words_transcript(
        spoken(0, 0.0, " And| so,| my| fellow| Americans,"),
        spoken(1, 3.2, " ask| not| what| your| country| can| do| for| you,", pause=0.05),
        spoken(2, 7.4, " ask| what| you| can| do| for| your| country.", seconds=0.41),
    ),
    # More than three seconds between words and between segments; a word longer than every line.
    "pauses": words_transcript(
        spoken(0, 1.5, " Wait| for| it.", pause=3.2),
        spoken(1, 20.0, " Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch| is| a| village."),
        spoken(2, 24.001, " Yes."),
        spoken(3, 24.3, " No.", pause=0.0),
        spoken(4, 30.0, " It| is| long."),
    ),
    "japanese": words_transcript(
        spoken(0, 0.0, "吾輩|は|猫|である|。|名前|は|まだ|無い|。", seconds=0.25),
        spoken(1, 3.0, "どこ|で|生れ|た|か|とんと|見当|が|つか|ぬ|。", seconds=0.2),
        language="ja",
    ),
    # Malformed, but seen in practice: blank words, line feeds, no duration, times that run backwards.
    "odd": words_transcript(
        spoken(0, 0.0, " |one| | two\n|\nthree| four\nfive|\t|six", seconds=0.5),
        spoken(1, 2.0, " no| time| at| all", seconds=0.0),
        spoken(2, 1.0, " back| again"),
        {**segment(3, 4.0, 4.0, ""), "words": []},
        spoken(4, 5.0, "glued|words|without|spaces|\u3000wide\u3000| e\u0301\u0301| 👩‍👩‍👧"),
    ),
}
OPTIONS = [
    {},
    {"max_line_width": 16},
    {"max_line_count": 1},
    {"max_line_width": 16, "max_line_count": 2},
    {"max_line_width": 10, "max_line_count": 1},
    {"max_words_per_line": 3},
    {"max_words_per_line": 1},
    {"max_line_width": 12, "max_words_per_line": 4},
    {"max_line_width": 16, "max_line_count": 2, "max_words_per_line": 2, "highlight_words": True},
    {"highlight_words": True},
    {"max_line_width": 16, "highlight_words": True},
]


def write_words(folder):
    """Cases with words, once for each set of options, all in one file."""
    written = []
    for name, case in WORD_CASES.items():
        get_writer("json", folder)(case, name, {})
        for options in OPTIONS:
            texts = {}
            for form in ["srt", "vtt"]:
                text = io.StringIO()
                get_writer(form, "").write_result(case, text, options)
                texts[form] = text.getvalue()
            written.append({"case": name, "options": options, **texts})
        print(name, len(OPTIONS))
    golden.write("writers/cues.json", json.dumps(written, indent=1, ensure_ascii=False) + "\n")


def make(_):
    with tempfile.TemporaryDirectory() as folder:
        write = get_writer("all", folder)
        for name, case in CASES.items():
            write(case, name, {})
            print(name, len(case["segments"]))
        write_words(folder)
        for file in pathlib.Path(folder).iterdir():
            golden.write(f"writers/{file.name}", file.read_bytes())
