import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCore

/// Compares every writer with the files that openai-whisper's own writers made
/// (`Tools/goldens/make_writer_goldens.py`).
@Suite struct WriterGoldenTests {
    static let cases = ["empty", "plain", "hours", "rounding", "text"]

    @Test(arguments: cases, [TranscriptFormat.txt, .srt, .vtt, .tsv])
    func writesWhatOpenAIWhisperWrites(name: String, format: TranscriptFormat) throws {
        var golden = try String(contentsOf: file(name, format.fileExtension), encoding: .utf8)
        // openai-whisper does not escape text, so a browser drops words in angle brackets.
        if format == .vtt { golden.replace("& <b>tags</b>", with: "&amp; &lt;b>tags&lt;/b>") }
        let written = format.text(of: try transcript(name))
        #expect(Array(written.utf8) == Array(golden.utf8))
    }

    @Test(arguments: cases) func jsonIsReadBackAsTheSameTranscript(name: String) throws {
        let original = try transcript(name)
        let written = TranscriptFormat.json.text(of: original)
        let read = try JSONDecoder().decode(Transcript.self, from: Data(written.utf8))
        #expect(read == original.roundedToMilliseconds)
    }

    private func transcript(_ name: String) throws -> Transcript {
        try JSONDecoder().decode(Transcript.self, from: Data(contentsOf: file(name, "json")))
    }

    private func file(_ name: String, _ fileExtension: String) -> URL {
        Fixtures.file("writers/\(name).\(fileExtension)")
    }
}

extension Transcript {
    fileprivate var roundedToMilliseconds: Transcript {
        var copy = self
        copy.duration = copy.duration.toMilliseconds
        copy.segments = segments.map { segment in
            var segment = segment
            segment.start = segment.start.toMilliseconds
            segment.end = segment.end.toMilliseconds
            return segment
        }
        return copy
    }
}

extension Double {
    fileprivate var toMilliseconds: Double { (self * 1000).rounded(.toNearestOrEven) / 1000 }
}
