import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
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
