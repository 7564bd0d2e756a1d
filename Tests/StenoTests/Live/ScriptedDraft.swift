import StenoTestSupport

@testable import Steno
@testable import StenoCore

/// A draft model beside the model of a ``LiveRun``: one that understands the talk, or one that says anything.
struct ScriptedDraft {
    var decoder: any SpanDecoder
    var hearing = ScriptedHearing.repeated
    var languages = ["en"]
    /// The seconds that a decoding takes.
    var cost = 0.05

    func lane(_ options: LiveOptions) -> DraftLane {
        DraftLane(
            DraftPolicy(options, hearing: hearing.hearing, languages: languages),
            queue: ImmediateQueue(decoder, cost: { _, _ in cost }, now: { 0 }))
    }
}

/// Says anything, at any time, and fails now and then.
final class BabblingModel: SpanDecoder {
    var isCancelled: () -> Bool = { false }
    private var random: SplitMix64
    private let hearing: ScriptedHearing

    init(seed: UInt64, hearing: ScriptedHearing) { (random, self.hearing) = (SplitMix64(seed: seed), hearing) }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        if Int.random(in: 0..<200, using: &random) == 0 { throw StenoError(.modelDamaged, "The draft is broken.") }
        let seconds = (decoding.span.upperBound - decoding.origin).seconds
        let words = (0..<Int.random(in: 0...Int(3 * seconds + 2), using: &random)).map { _ -> UtteranceWord in
            let start = Double.random(in: -1...seconds + 1, using: &random)
            return UtteranceWord(
                text: [" w\(Int.random(in: 0..<40, using: &random))", ",", " "].randomElement(using: &random) ?? " ",
                start: start, end: start + Double.random(in: -0.1...2, using: &random),
                probability: Double.random(in: 0...1, using: &random))
        }
        return UtteranceHypothesis(
            words: words, finalCount: hearing == .streaming ? Int.random(in: 0...words.count, using: &random) : 0,
            language: LanguageDetection(language: "en", probability: 1),
            isImplausible: Int.random(in: 0..<5, using: &random) == 0,
            isSilence: Int.random(in: 0..<9, using: &random) == 0)
    }
}
