import StenoBundledModel
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

/// The text before an utterance helps the model and must not be taken for speech.
struct LiveContextTests {
    /// Where speech had hardly begun, Whisper base wrote a sentence of the text before.
    ///
    /// Of 0.2 to 0.4 s of "And so" it made "The train to the airport was delayed by nearly an hour."
    @Test(arguments: [
        " The train to the airport was delayed by nearly an hour. The quick brown fox jumps over the lazy dog.",
        " The quick brown fox jumps over the lazy dog. And then the train left. The quick brown fox jumps over the lazy dog.",
    ])
    func aSentenceIsNotRepeated(before: String) async throws {
        let decoder = try UtteranceDecoder(WhisperModel.load(folder: try BundledModel.folder, threads: 1))
        let speech = try await decoded(Fixtures.bundledSample("inaugural-1961.wav"))
        func text(milliseconds: Int, effort: UtteranceRequest.Effort) throws -> String {
            let samples = [Float](repeating: 0, count: 6400) + speech.prefix(milliseconds * 16)
            let request = UtteranceRequest(SpeechSettings(language: "en"), effort: effort, context: [TextPiece(before)])
            return try decoder.decode(samples, request).words.map(\.text).joined().lowercased()
        }
        for effort in [UtteranceRequest.Effort.quick, .thorough] {
            for milliseconds in [200, 300, 400] {
                let heard = try text(milliseconds: milliseconds, effort: effort)
                #expect(!["train", "quick", "fox"].contains { heard.contains($0) }, "\(heard)")
            }
            #expect(try text(milliseconds: 1900, effort: effort).hasPrefix(" and so my fellow"))
        }
    }
}
