import Foundation
import StenoBundledModel
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

/// A translation is shown while somebody speaks, and final at the end of the utterance: half a sentence may change its
/// meaning.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct LiveTranslationTests {
    @Test func utterancesAreTranslatedOneByOne() async throws {
        let sound = try await decoded(Fixtures.file("nano-eval/de-several-1.flac"))
        let model = try WhisperModel.load(folder: Fixtures.nano, threads: 2)
        // The test's model is misled by earlier text.
        let options = LiveOptions(language: "de", task: .translate).with { $0.contextTokens = 0 }
        let engine = try ModelEngine(model: model, options: options, pace: .fast)
        let events = try await engine.events(hearing: sound) { sound.count }
        expectOrder(of: events)
        var (isSpeaking, partials, finals) = (false, 0, [LiveSegment]())
        for event in events {
            switch event.kind {
            case .speech: isSpeaking = event.isSpeaking ?? isSpeaking
            case .partial where isSpeaking && !event.text.isEmpty: partials += 1
            case .final:
                #expect(!isSpeaking, "nothing is final while somebody speaks")
                finals += event.segments
            default: break
            }
        }
        #expect(partials > 0)
        #expect(finals.count > 1 && Set(finals.map(\.utterance)).count == finals.count, "one piece for each utterance")
        // Of 34 words the small model gets a month and some numbers wrong.
        let said =
            "The code is three six four. Today is April the twenty-seventh. Room number forty-four. "
            + "The code is seven seven six. The library is closed on Friday. My birthday is on May the fifteenth. "
            + "She buys salad and chocolate."
        let live = finals.map(\.text).joined()
        let score = try TextScorer().score(reference: said, hypothesis: live, language: "en")
        #expect(score.words.errors <= 8, "\(live): \(score.words)")
    }
}

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
