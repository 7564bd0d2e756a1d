public import StenoCore

/// Text that was taken out of a window, with the words it was: their times lie where the window does.
struct GuardRemoval {
    var action: GuardAction
    var words: [Word]
}

/// What guards think of a text: the passages they were given, less the words they name.
public struct GuardVerdict: Sendable, Hashable {
    /// Some words of one passage.
    public struct Span: Sendable, Hashable {
        /// The number of the passage.
        public var passage: Int
        /// The words in it.
        public var words: Range<Int>
        /// What is to be said about them.
        public var action: GuardAction
    }

    /// What is to be removed.
    public var removed: [Span] = []
    /// PromptRepetitions for which there is speech enough: who can decode again should, without the text that is echoed.
    public var suspects: [Span] = []

    /// Passages without the words that are to be removed; they stay in their places, some of them perhaps empty.
    public func kept(of passages: [[Word]]) -> [[Word]] { Self.removing(removed, from: passages) }

    static func removing(_ spans: [Span], from passages: [[Word]]) -> [[Word]] {
        let gone = Dictionary(grouping: spans, by: \.passage).mapValues { Set($0.flatMap(\.words)) }
        return passages.enumerated().map { number, words in
            guard let gone = gone[number] else { return words }
            return words.indices.filter { !gone.contains($0) }.map { words[$0] }
        }
    }
}
