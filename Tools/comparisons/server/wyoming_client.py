"""Transcribes a recording with the package of Home Assistant's Wyoming protocol, unmodified.

usage: python Tools/comparisons/server/wyoming_client.py [--uri tcp://127.0.0.1:10300] [--real-time] RECORDING.wav

Checks that the service describes itself, that the streamed text equals the transcript, and that a connection accepts several
recordings in turn; exits with 1 if a check fails. It prints how long after the end of the audio the transcript arrived.

    pip install -r Tools/comparisons/server/requirements.txt
"""
import argparse
import asyncio
import time
import wave

from wyoming.asr import Transcribe, Transcript, TranscriptChunk, TranscriptStart, TranscriptStop
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info


async def transcribe(client, path, real_time):
    await client.write_event(Transcribe(language="en").event())
    with wave.open(path) as file:
        form = {"rate": file.getframerate(), "width": file.getsampwidth(), "channels": file.getnchannels()}
        await client.write_event(AudioStart(**form).event())
        while audio := file.readframes(1024):
            await client.write_event(AudioChunk(audio=audio, **form).event())
            if real_time:
                await asyncio.sleep(1024 / form["rate"])
    await client.write_event(AudioStop().event())
    end = time.monotonic()
    streamed, whole, names = "", None, []
    while event := await client.read_event():
        names.append(event.type)
        if TranscriptChunk.is_type(event.type):
            streamed += TranscriptChunk.from_event(event).text
        elif Transcript.is_type(event.type):
            whole = Transcript.from_event(event).text
            print(f"{time.monotonic() - end:.2f} s after the audio: {whole}")
        elif TranscriptStop.is_type(event.type):
            break
    assert TranscriptStart.is_type(names[0]) and TranscriptStop.is_type(names[-1]), names
    assert streamed == whole and len(whole.split()) > 5, (streamed, whole)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recording")
    parser.add_argument("--uri", default="tcp://127.0.0.1:10300")
    parser.add_argument("--real-time", action="store_true", help="send the audio at the speed of speech")
    arguments = parser.parse_args()
    async with AsyncClient.from_uri(arguments.uri) as client:
        await client.write_event(Describe().event())
        program = Info.from_event(await client.read_event()).asr[0]
        assert program.supports_transcript_streaming and program.models
        print(program.name, program.version, [model.name for model in program.models])
        for _ in range(2):
            await transcribe(client, arguments.recording, arguments.real_time)


asyncio.run(main())
