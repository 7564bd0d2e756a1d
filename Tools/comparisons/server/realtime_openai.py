"""Transcribes a recording over the realtime API with OpenAI's own Python package, unmodified.

usage: python Tools/comparisons/server/realtime_openai.py [--url http://127.0.0.1:8080/v1] [--key KEY] RECORDING.wav

Checks, and exits with 1 when one fails: turns that the server finds in real-time audio, turns that the client commits, G.711,
an ephemeral token, log probabilities, the error for an invalid event, and that all of them give the same words. The recording
is 16-bit mono. It prints when each text arrived, in seconds after its audio had been sent.

    pip install -r Tools/comparisons/server/requirements.txt
"""
import argparse
import asyncio
import base64
import pathlib
import sys
import time
import wave

import numpy as np
from openai import AsyncOpenAI

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from support.alignment import distance

PREFIX = "conversation.item.input_audio_transcription."


def recording(path, rate=24000):
    with wave.open(path) as file:
        assert file.getsampwidth() == 2 and file.getnchannels() == 1, "the recording must be 16-bit mono"
        source_rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float64)
    if source_rate == rate:
        return samples.astype("<i2")
    # In the spectrum, so that frequencies above the new rate's limit are dropped instead of aliased.
    count = len(samples) * rate // source_rate
    resampled = np.fft.irfft(np.fft.rfft(samples), count) * (count / len(samples))
    return np.clip(resampled.round(), -32768, 32767).astype("<i2")


def mu_law(samples):
    """ITU-T G.711 µ-law, from the definition of its segments."""
    magnitude = np.minimum(np.abs(samples.astype(np.int32)), 32635) + 132
    segment = np.floor(np.log2(magnitude)).astype(int) - 7
    code = (segment << 4) | ((magnitude >> (segment + 3)) & 15)
    return (~(code | np.where(samples < 0, 128, 0)) & 255).astype(np.uint8)


async def append(connection, samples):
    await connection.input_audio_buffer.append(audio=base64.b64encode(samples.tobytes()).decode())


async def collect(connection, last, start=None, rows=None):
    """The events up to and including one of a type."""
    async for event in connection:
        if start is not None and event.type.startswith(PREFIX):
            text = getattr(event, "delta", None) or getattr(event, "transcript", "")
            print(f"  {time.monotonic() - start:6.2f} s {event.type[len(PREFIX):]:10}{text}")
        if rows is not None:
            rows.append(event)
        if event.type == "error":
            raise SystemExit(f"the server reports: {event.error.message}")
        if event.type == last:
            return event


def session(**given):
    audio = {"format": {"type": "audio/pcm", "rate": 24000}, "transcription": {"model": "whisper-1", "language": "en"}}
    return {"type": "transcription", "audio": {"input": {**audio, **given}}}


async def found_turns(client, samples):
    print("turns that the server finds:")
    async with client.realtime.connect(model="whisper-1") as connection:
        created = await anext(aiter(connection))
        assert created.type == "session.created" and created.session.type == "transcription"
        await connection.session.update(session=session())
        await collect(connection, "session.updated")
        start, rows = time.monotonic(), []

        async def speak():
            padded = np.concatenate([samples, np.zeros(36000, "<i2")])
            for index, first in enumerate(range(0, len(padded), 2400)):
                await asyncio.sleep(max(0, start + index / 10 - time.monotonic()))
                await append(connection, padded[first:first + 2400])

        speaking = asyncio.create_task(speak())
        completed = 0
        while completed == 0 or not speaking.done():
            try:
                await asyncio.wait_for(collect(connection, PREFIX + "completed", start, rows), 5)
                completed += 1
            except asyncio.TimeoutError:
                break
        await speaking
    items = [row.item_id for row in rows if row.type == "input_audio_buffer.committed"]
    previous = [row.previous_item_id for row in rows if row.type == "input_audio_buffer.committed"]
    assert previous == [None] + items[:-1], (previous, items)
    for item in items:
        deltas = "".join(row.delta for row in rows if row.type == PREFIX + "delta" and row.item_id == item)
        whole = [row.transcript for row in rows if row.type == PREFIX + "completed" and row.item_id == item]
        assert whole == [deltas], (whole, deltas)
    return " ".join(row.transcript for row in rows if row.type == PREFIX + "completed")


async def committed(client, samples, **given):
    async with client.realtime.connect(extra_query={"intent": "transcription"}) as connection:
        update = session(turn_detection=None, **given)
        update["include"] = ["item.input_audio_transcription.logprobs"]
        await connection.session.update(session=update)
        await append(connection, samples)
        await connection.input_audio_buffer.commit()
        event = await collect(connection, PREFIX + "completed")
        assert event.logprobs and all(row.logprob <= 0 for row in event.logprobs)
        assert event.usage.type == "duration" and event.usage.seconds > 1
        return event.transcript


async def wrong_event(client):
    async with client.realtime.connect() as connection:
        await connection.send({"type": "response.create", "event_id": "mine"})
        async for event in connection:
            if event.type == "error":
                assert event.error.event_id == "mine", event
                return event.error.code
    return None


def plain(text):
    return ["".join(filter(str.isalnum, word)) for word in text.lower().split()]


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recording")
    parser.add_argument("--url", default="http://127.0.0.1:8080/v1")
    parser.add_argument("--key", default="none")
    arguments = parser.parse_args()
    client = AsyncOpenAI(base_url=arguments.url, api_key=arguments.key)
    samples = recording(arguments.recording)
    texts = {"found": await found_turns(client, samples), "committed": await committed(client, samples)}
    texts["G.711"] = await committed(client, mu_law(recording(arguments.recording, 8000)), format={"type": "audio/pcmu"})
    secret = await client.realtime.client_secrets.create(session=session(turn_detection=None))
    browser = AsyncOpenAI(base_url=arguments.url, api_key=secret.value)
    texts["ephemeral token"] = await committed(browser, samples)
    for name, text in texts.items():
        print(f"{name}: {text}")
        assert len(text.split()) > 5, "too little text"
        # Turns and telephone audio may cost a word or two; a broken path costs more.
        errors, words = distance(plain(text), plain(texts["committed"])), len(texts["committed"].split())
        assert errors <= max(3, words * 3 // 20), f"{errors} of {words} words differ from those of the committed audio"
    code = await wrong_event(client)
    assert code, "the connection ended without an error for a wrong event"
    print("a wrong event:", code)


if __name__ == "__main__":
    asyncio.run(main())
