import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Understands a ``ScriptedTalk`` with punctuation, which are separate words.
///
/// Where speech is decoded repeatedly, every decoding has other marks, and each text ends with one. A model that
/// streams writes a mark a step after the word that it follows.
final class MarkingModel: SpanDecoder {
    var isCancelled: () -> Bool = { false }
    private static let marks = [".", ",", "?", "!", " –"]

    private let model: any SpanDecoder
    private let hearing: ScriptedHearing
    /// The marks that come with the next step.
    private var due: [UtteranceWord] = []

    init(_ talk: ScriptedTalk, _ hearing: ScriptedHearing) {
        model = hearing.decoder(talk)
        self.hearing = hearing
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        var marked = try model.decode(samples, decoding)
        var random = SplitMix64(seed: UInt64(decoding.span.upperBound) &+ 17)
        func mark(after word: UtteranceWord) -> UtteranceWord {
            let text = Self.marks[Int.random(in: 0..<Self.marks.count, using: &random)]
            return UtteranceWord(text: text, handle: [2_000_000], start: word.end, end: word.end)
        }
        guard hearing == .streaming else {
            let last = marked.words.count - 1
            marked.words = marked.words.enumerated().flatMap { index, word in
                index == last || Int.random(in: 0..<3, using: &random) == 0 ? [word, mark(after: word)] : [word]
            }
            return marked
        }
        let said = decoding.isLast ? marked.words[...] : marked.words.prefix(marked.finalCount)
        marked.words = due + marked.words
        marked.finalCount += due.count
        due = []
        guard let last = said.last, Bool.random(using: &random) else { return marked }
        if decoding.isLast {
            marked.words.append(mark(after: last))
            marked.finalCount = marked.words.count
        } else {
            due = [mark(after: last)]
        }
        return marked
    }
}

/// A model whose hypotheses a test changes.
final class AlteredModel: SpanDecoder {
    typealias Change = (_ hypothesis: inout UtteranceHypothesis, _ decoding: LiveDecoding) -> Void

    var isCancelled: () -> Bool = { false }
    private let model: ScriptedModel
    private let change: Change

    /// - Parameter invents: Whether the unchanged model takes a word that is cut off for any other.
    init(_ talk: ScriptedTalk, invents: Bool = false, _ change: @escaping Change) {
        model = ScriptedModel(talk, invents: invents)
        self.change = change
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        var hypothesis = try model.decode(samples, decoding)
        change(&hypothesis, decoding)
        return hypothesis
    }
}

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
        return UtteranceHypothesis(words: new, finalCount: max(sure - finals, 0), language: .english)
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
