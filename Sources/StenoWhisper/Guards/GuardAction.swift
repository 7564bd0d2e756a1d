/// Text that a guard took out of a transcript, and why.
public struct GuardAction: Sendable, Hashable, Codable {
    /// What gave the text away.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A phrase that is said again and again.
        case repetition
        /// Too little speech for so much text.
        case noSpeech = "no_speech"
        /// An echo of the prompt, the hotwords or the text before.
        case echo
        /// A line the model has learnt from subtitles, such as their makers' names.
        case learntLine = "learnt_line"
    }

    /// What gave the text away.
    public var kind: Kind
    /// Where the text stood, in seconds from the start of the sound.
    public var start: Double
    /// Where it ended, in seconds.
    public var end: Double
    /// The text as it was written.
    public var text: String
    /// What was found, in words for people.
    public var reason: String

    /// Creates an action.
    public init(kind: Kind, start: Double, end: Double, text: String, reason: String) {
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.reason = reason
    }
}

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
    /// Echoes for which there is speech enough: who can decode again should, without the text that is echoed.
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
