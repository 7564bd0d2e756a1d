import StenoTestSupport

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
        let hypothesis = try model.decode(samples, decoding)
        var random = SplitMix64(seed: UInt64(decoding.span.upperBound) &+ 17)
        if hearing != .streaming { return marked(hypothesis, &random) }
        return marked(hypothesis, isLast: decoding.isLast, &random)
    }

    private func marked(_ hypothesis: UtteranceHypothesis, _ random: inout SplitMix64) -> UtteranceHypothesis {
        var marked = hypothesis
        marked.words = []
        for (index, word) in hypothesis.words.enumerated() {
            marked.words.append(word)
            let isLast = index + 1 == hypothesis.words.count
            if isLast || Int.random(in: 0..<3, using: &random) == 0 { marked.words.append(mark(after: word, &random)) }
        }
        return marked
    }

    private func marked(
        _ hypothesis: UtteranceHypothesis, isLast: Bool, _ random: inout SplitMix64
    ) -> UtteranceHypothesis {
        var marked = hypothesis
        marked.words = due + hypothesis.words
        marked.finalCount = due.count + hypothesis.finalCount
        due = []
        let said = isLast ? hypothesis.words[...] : hypothesis.words.prefix(hypothesis.finalCount)
        guard let last = said.last, Bool.random(using: &random) else { return marked }
        let next = mark(after: last, &random)
        if isLast {
            marked.words.append(next)
            marked.finalCount = marked.words.count
        } else {
            due = [next]
        }
        return marked
    }

    private func mark(after word: UtteranceWord, _ random: inout SplitMix64) -> UtteranceWord {
        let text = Self.marks[Int.random(in: 0..<Self.marks.count, using: &random)]
        return UtteranceWord(text: text, handle: [2_000_000], start: word.end, end: word.end)
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
