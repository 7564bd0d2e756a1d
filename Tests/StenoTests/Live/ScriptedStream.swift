import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Understands a ``ScriptedTalk`` as a streaming model would: every sample once, and a word is final when some audio
/// after it has been heard.
final class ScriptedStream: SpanDecoder {
    var isCancelled: () -> Bool = { false }
    /// The seconds after a word that the model hears before the word is final.
    static let lookAhead = 0.3

    private let talk: ScriptedTalk
    /// The utterance that is heard, and where it begins.
    private var utterance: (id: Int, start: Int)?
    private var heardTo = 0
    /// The end of the audio that was there: the last window of a recording may be incomplete.
    private var audioEnd = 0
    /// The number of words of the utterance that are final.
    private var finals = 0

    init(_ talk: ScriptedTalk) { self.talk = talk }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        let span = decoding.span
        if utterance?.id != decoding.utterance {
            utterance = (decoding.utterance, span.lowerBound)
            (heardTo, finals) = (max(heardTo, span.lowerBound), 0)
        }
        #expect(heardTo == span.lowerBound, "every sample once, and in order")
        let start = utterance?.start ?? 0
        #expect(decoding.origin == start)
        heardTo = span.upperBound
        if !samples.isEmpty { audioEnd = span.lowerBound + samples.count }
        var random = SplitMix64(seed: UInt64(heardTo))
        let end = min(heardTo, audioEnd).seconds
        // A word belongs to the utterance that holds its middle.
        let words = talk.words.filter { (start.seconds..<end).contains(($0.start + $0.end) / 2) }
        let sure = words.prefix { decoding.isLast || $0.end + Self.lookAhead <= end }.count
        defer { finals = max(finals, sure) }
        let new = words[min(finals, words.count)...].map { word in
            let isWhole = word.end <= end || decoding.isLast
            return UtteranceWord(
                text: isWhole ? word.text : " x\(Int.random(in: 0..<1000, using: &random))",
                start: word.start - start.seconds, end: min(word.end, end) - start.seconds)
        }
        return UtteranceHypothesis(
            words: new, finalCount: max(sure - finals, 0), language: LanguageDetection(language: "en", probability: 1))
    }
}

/// The ways in which a model hears a talk.
enum ScriptedHearing: CaseIterable {
    case repeated, repeatedAlike, streaming

    var hearing: LiveHearing {
        switch self {
        case .repeated: .repeated
        case .repeatedAlike: .repeatedAlike
        case .streaming: .streaming(step: 0.24.samples)
        }
    }

    func decoder(_ talk: ScriptedTalk) -> any SpanDecoder {
        self == .streaming ? ScriptedStream(talk) : ScriptedModel(talk)
    }
}
