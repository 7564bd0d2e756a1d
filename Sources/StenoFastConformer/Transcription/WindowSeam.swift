import StenoCore

/// Joins the words of two windows that overlap because there was no pause to cut at.
///
/// At the edge of a window a word may be cut and the model lacks context, so each window is trusted in its own half of
/// the overlap. The seam is at the word that both have, nearest to the middle; without one, at the middle itself.
enum WindowSeam {
    /// How far apart two windows may place the same word, in seconds.
    private static let sameTime = 0.4

    /// Joins words whose times are from the start of the recording.
    ///
    /// - Parameter overlap: The time that both windows have, in seconds.
    static func join(
        _ earlier: [UtteranceWord], _ later: [UtteranceWord], overlap: ClosedRange<Double>
    ) -> [UtteranceWord] {
        let middle = (overlap.lowerBound + overlap.upperBound) / 2
        var best: (earlier: Int, later: Int, distance: Double)?
        for (index, word) in earlier.enumerated() where overlap.contains(word.centre) {
            for (other, same) in later.enumerated() where isSame(word, same) {
                let distance = abs((word.centre + same.centre) / 2 - middle)
                if distance < best?.distance ?? .infinity { best = (index, other, distance) }
            }
        }
        if let best { return Array(earlier[...best.earlier] + later[(best.later + 1)...]) }
        return earlier.filter { $0.centre < middle } + later.filter { $0.centre >= middle }
    }

    private static func isSame(_ one: UtteranceWord, _ other: UtteranceWord) -> Bool {
        let key = Word.key(one.text)
        return !key.isEmpty && key == Word.key(other.text) && abs(one.centre - other.centre) <= sameTime
    }
}

extension UtteranceWord {
    var centre: Double { (start + end) / 2 }

    /// The same word of audio that begins later.
    func shifted(by seconds: Double) -> UtteranceWord {
        var word = self
        word.start += seconds
        word.end += seconds
        return word
    }

    /// The same word, no longer than the audio: a token's duration is only predicted.
    func ending(by seconds: Double) -> UtteranceWord {
        var word = self
        word.end = max(word.start, min(word.end, seconds))
        return word
    }
}
