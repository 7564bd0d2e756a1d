import StenoCore

/// One decoding of a live session, for `Tools/live/fit_evidence.py`, which computes how much evidence a word needs.
package struct DecodingRecord: Sendable, Encodable {
    /// A word of the hypothesis; times in seconds from the start of the audio.
    private struct Word: Sendable, Encodable {
        var text: String
        var start: Double
        var end: Double
        var probability: Double
        var certainty: Double
        var support: Double
    }

    private let utterance: Int
    /// The decoded audio, in seconds.
    private let start: Double
    private let end: Double
    private let isThorough: Bool
    private let isLast: Bool
    private let isImplausible: Bool
    private let words: [Word]

    init(_ decoding: LiveDecoding, _ hypothesis: UtteranceHypothesis) {
        utterance = decoding.utterance
        (start, end) = (decoding.span.lowerBound.seconds, decoding.span.upperBound.seconds)
        (isThorough, isLast) = (decoding.isThorough, decoding.isLast)
        isImplausible = hypothesis.isImplausible
        words = hypothesis.words.map {
            let word = LiveWord($0, origin: decoding.origin)
            return Word(
                text: word.text, start: word.start.seconds, end: word.end.seconds, probability: word.probability,
                certainty: word.certainty, support: word.support)
        }
    }
}
