#!/usr/bin/env python3
"""Prints the code in the comments of public declarations as one Swift file, each block in its own function.

usage: Tools/ci/doc_comments.py FOLDER ...

A block is code that a comment indents by four spaces. Values that an example takes from its app (a view, a device) are
declared here. The names in the modules of ALONE clash with others, so each needs its own file.
"""
import pathlib
import re
import sys

PREAMBLE = """import Foundation
import Steno
import StenoBundledModel
import StenoBundledMoonshine
import StenoEvaluation
import StenoModels
import StenoServer
import StenoSpeech
import StenoStore
import StenoWhisper

final class View: @unchecked Sendable {
    var text = ""
    var partial = ""
    func show(_ event: TranscriptionEvent) {}
    func show(_ text: String) {}
    func showPartial(_ text: String) {}
    func append(_ text: String) {}
}
final class SessionList: @unchecked Sendable { var sessions: [StoredSession] = [] }
final class Bar { var value = 0.0 }
final class Device {
    var onAudio: (UnsafePointer<Float>, Int) -> Void = { _, _ in }
    var onEnd: () -> Void = {}
}
"""
VALUES = (
    "transcriber: Transcriber, session: LiveTranscription, talk: URL, talks: [URL], url: URL, view: View, text: View, "
    "bar: Bar, device: Device, downloader: ModelDownloader, samples: [Float], options: inout TranscriptionOptions, transcript: inout LiveTranscript"
)
# The values for modules whose examples use another API.
VALUES_OF = {
    "StenoStore": VALUES + ", store: TranscriptStore, event: TranscriptionEvent, list: SessionList",
    "StenoSpeech": "locale: Locale, file: AVAudioFile, transcriber: SpeechTranscriber, analyzer: SpeechAnalyzer, "
    "inputBuilder: AsyncStream<AnalyzerInput>.Continuation, buffer: AVAudioPCMBuffer, samples: [Float]",
}
# The modules whose examples are compiled without the other modules: their imports, and the function around an example with
# the values it has from its app.
ALONE = {
    "StenoFasterWhisper": ("import StenoFasterWhisper", "func", "microphone: AsyncStream<[Float]>"),
    "StenoWhisperKit": ("import Foundation\nimport StenoWhisperKit", "func", "url: URL, whisperKit: WhisperKit"),
    "StenoRecognizer": (
        "import StenoRecognizer\n@MainActor final class View { func waitForStopButton() async {} }",
        "@MainActor func", "view: View"),
    "StenoAppleSpeech": ("import StenoAppleSpeech\nimport StenoRecognizer", "@MainActor func", ""),
}


def blocks(lines):
    """The blocks of code of each comment of a public declaration, with the number of their first line."""
    comment = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("///"):
            comment.append((number, text[3:]))
            continue
        if comment and re.match(r"(@\w+(\([^)]*\))? )*public ", text):
            block = []
            for place, content in [*comment, (0, "")]:
                if content.startswith("     "):
                    block.append((place, content[5:]))
                elif block:
                    yield block[0][0], "\n".join(line for _, line in block)
                    block = []
        if not text.startswith("@"):
            comment = []


def main():
    modules = [pathlib.Path(folder).name for folder in sys.argv[1:]]
    preamble, function, own = ALONE.get(modules[0], (PREAMBLE, "func", None))
    print(preamble)
    count = 0
    for folder, module in zip(sys.argv[1:], modules):
        values = VALUES_OF.get(module, VALUES) if own is None else own
        for file in sorted(pathlib.Path(folder).rglob("*.swift")):
            for number, code in blocks(file.read_text().splitlines()):
                # A list or a continued parameter is indented too, but is not code.
                if not re.search(r"[(){}=]", code):
                    continue
                count += 1
                print(f"// {file}:{number}\n{function} example{count}({values}) async throws {{\ndo {{\n{code}\n}}\n}}\n")


if __name__ == "__main__":
    main()
