#!/usr/bin/env python3
"""Uses every REST call of the official `openai` package, unmodified, on a running Steno server.

    steno serve --port 8099 --model base &
    pip install openai
    Tools/comparisons/server/check_openai.py --url http://127.0.0.1:8099/v1 --file SPEECH.wav --text "words it has"
"""

import argparse
import sys
import tempfile

import openai


def transcriptions(client, path, expected):
    """Checks all formats; returns the text."""

    def create(**options):
        with open(path, "rb") as file:
            return client.audio.transcriptions.create(model="whisper-1", file=file, **options)

    plain = create()
    assert expected in plain.text.lower(), plain.text
    assert plain.usage.type == "duration" and plain.usage.seconds > 0, plain
    text = create(response_format="text")
    assert text.strip() == plain.text, text
    srt = create(response_format="srt")
    assert srt.startswith("1\n00:00:0") and " --> " in srt, srt
    vtt = create(response_format="vtt")
    assert vtt.startswith("WEBVTT\n\n"), vtt
    verbose = create(response_format="verbose_json", timestamp_granularities=["word", "segment"], language="en")
    assert verbose.language == "english" and verbose.duration > 1, verbose
    assert "".join(segment.text for segment in verbose.segments).strip() == verbose.text
    assert verbose.segments[0].tokens and verbose.segments[0].avg_logprob < 0, verbose.segments[0]
    assert len(verbose.words) == len(verbose.text.split()), verbose.words
    assert all(word.start <= word.end <= verbose.duration + 0.1 for word in verbose.words)
    words_only = create(response_format="verbose_json", timestamp_granularities=["word"])
    assert words_only.words and not words_only.segments, words_only
    speakers = create(response_format="diarized_json", extra_body={"chunking_strategy": "auto"})
    assert {segment.speaker for segment in speakers.segments} == {"A"}, speakers
    logprobs = create(include=["logprobs"])
    assert logprobs.logprobs and all(entry.logprob <= 0 for entry in logprobs.logprobs), logprobs
    create(prompt="Names: Steno.", temperature=0.2, extra_body={"keywords": ["Steno"], "unknown": 1})
    return plain.text


def streams(client, path, text):
    """Checks that the deltas are the text."""
    for model in ("gpt-4o-mini-transcribe", "whisper-1"):
        deltas, done = [], None
        with open(path, "rb") as file:
            for event in client.audio.transcriptions.create(model=model, file=file, stream=True):
                if event.type == "transcript.text.delta":
                    deltas.append(event.delta)
                elif event.type == "transcript.text.done":
                    done = event.text
        assert done == text and "".join(deltas) == text, (deltas, done)


def translations(client, path):
    """Checks the formats of a translation."""
    for response_format in ("json", "text", "srt", "verbose_json", "vtt"):
        with open(path, "rb") as file:
            result = client.audio.translations.create(model="whisper-1", file=file, response_format=response_format)
        assert result, response_format


def errors(client):
    """Checks that errors are the package's own classes."""
    for error, call in [
        (openai.BadRequestError, lambda: client.audio.transcriptions.create(model="whisper-1", file=("a.wav", b"no audio"))),
        (openai.NotFoundError, lambda: client.audio.transcriptions.create(model="no-such", file=("a.wav", b"RIFF"))),
        (openai.NotFoundError, lambda: client.models.retrieve("no-such")),
        (openai.BadRequestError, lambda: client.audio.transcriptions.create(
            model="whisper-1", file=("a.wav", b"RIFF"), extra_body={"known_speaker_names": ["Ann"]})),
    ]:
        try:
            call()
        except error as raised:
            assert raised.body["message"] and raised.request_id, raised
        else:
            raise AssertionError(error)


def main():
    """Checks everything, one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True)
    parser.add_argument("--file", required=True, help="a recording of English speech")
    parser.add_argument("--text", required=True, help="words that its transcript has, in small letters")
    parser.add_argument("--key", default="none")
    arguments = parser.parse_args()
    client = openai.OpenAI(base_url=arguments.url, api_key=arguments.key, max_retries=0)
    text = transcriptions(client, arguments.file, arguments.text)
    print("transcriptions: all formats")
    streams(client, arguments.file, text)
    print("transcriptions: streamed")
    translations(client, arguments.file)
    print("translations: all formats")
    models = [model.id for model in client.models.list()]
    assert models and client.models.retrieve(models[0]).id == models[0]
    assert client.models.retrieve("whisper-1").id == "whisper-1"
    print("models:", ", ".join(models))
    errors(client)
    print("errors: the package's own classes")
    with tempfile.SpooledTemporaryFile() as empty:
        try:
            client.audio.transcriptions.create(model="whisper-1", file=empty)
        except openai.BadRequestError:
            print("an empty file is refused")
        else:
            raise AssertionError("an empty file was accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
