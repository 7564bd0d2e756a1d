"""Makes Tests/Fixtures/writers with openai-whisper's own writers (version 20250625).

Each case is one transcript. Its .json, written by WriteJSON, is what the Swift test reads; .txt, .srt, .vtt and .tsv are
what it must write.

    pip install openai-whisper==20250625
    python Tools/make_writer_goldens.py
"""

import pathlib

from whisper.utils import get_writer

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Fixtures" / "writers"


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


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    write = get_writer("all", str(FOLDER))
    for name, case in CASES.items():
        write(case, name, {})
        print(name, len(case["segments"]))


if __name__ == "__main__":
    main()
