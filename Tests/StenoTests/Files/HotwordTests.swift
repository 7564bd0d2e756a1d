import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoWhisper

/// faster-whisper's own example of hotwords, with the text that faster-whisper 1.2.1 writes in float32.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct HotwordTests {
    private func text(_ hotwords: String?) async throws -> String {
        let options = TranscriptionOptions().with { $0.vocabulary = [String](hotwords: hotwords) }
        let transcriber = try await Transcriber.load(try BundledModel.folder, precision: .float32)
        return try await transcriber.transcribe(file: Fixtures.file("real-speech/hotwords.mp3"), options: options).text
    }

    @Test func hotwordsDecideTheSpelling() async throws {
        #expect(try await text(nil) == "Then you go into your confu i folder again in the confu i")
        #expect(try await text("ComfyUI") == "Then you go into your ComfyUI folder again in the ComfyUI")
    }
}
