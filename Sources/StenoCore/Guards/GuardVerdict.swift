/// The result of checking a text: the spans to remove, and those under suspicion.
package struct GuardVerdict: Sendable, Hashable {
    /// Consecutive words of one passage.
    package struct Span: Sendable, Hashable {
        package var passage: Int
        package var words: Range<Int>
        /// The report on these words.
        package var action: GuardAction
    }

    package var removed: [Span] = []
    /// Prompt repetitions with enough speech to be genuine: decode again without that prompt, if possible, to decide.
    package var suspects: [Span] = []

    /// The passages without the removed words; passages keep their places, though some may be empty.
    package func kept(of passages: [[Word]]) -> [[Word]] { Self.removing(removed, from: passages) }

    /// The passages without the words of some spans; passages keep their places.
    package static func removing(_ spans: [Span], from passages: [[Word]]) -> [[Word]] {
        let gone = Dictionary(grouping: spans, by: \.passage).mapValues { Set($0.flatMap(\.words)) }
        return passages.enumerated().map { number, words in
            guard let gone = gone[number] else { return words }
            return words.indices.filter { !gone.contains($0) }.map { words[$0] }
        }
    }
}
