@testable import Steno
@testable import StenoCore

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
