#if Store
    public import Foundation

    /// Makes a title and a summary of a transcript; your app can provide its own, such as a language model.
    public protocol TranscriptSummarizer: Sendable {
        /// A title of a few words, and a summary; both empty if there is too little text.
        ///
        /// - Parameter sentences: The text, a sentence each, in order.
        func summary(of sentences: [String]) async throws -> TranscriptSummary
    }

    /// A title and a summary.
    public struct TranscriptSummary: Sendable, Hashable, Codable {
        /// A few words.
        public var title: String
        /// Some sentences.
        public var text: String

        /// Creates a summary.
        public init(title: String = "", text: String = "") {
            self.title = title
            self.text = text
        }
    }

    extension TranscriptStore {
        /// The title and the summary of a session, from its edited texts.
        ///
        /// - Throws: As ``segments(of:)`` does, and the summarizer's errors.
        public func summary(
            of id: UUID, by summarizer: any TranscriptSummarizer = ExtractiveSummarizer()
        ) async throws -> TranscriptSummary {
            try await summarizer.summary(of: Sentences.split(segments(of: id).map(\.text).joined()))
        }
    }

    /// The sentences of a text.
    enum Sentences {
        /// Splits after sentence-ending punctuation, except for a point within a number or before a lower-case letter.
        static func split(_ text: String) -> [String] {
            var sentences: [String] = []
            var sentence = ""
            let characters = Array(text)
            for (index, character) in characters.enumerated() {
                sentence.append(character)
                guard ends.contains(character) else { continue }
                let rest = characters[(index + 1)...]
                let next = rest.first { !$0.isWhitespace }
                let isInside = rest.first.map { !$0.isWhitespace } ?? false
                if wide.contains(character) || !isInside && next?.isLowercase != true {
                    sentences.append(sentence)
                    sentence = ""
                }
            }
            return (sentences + [sentence]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                .filter { !$0.isEmpty }
        }

        /// Sentence-ending punctuation that is not followed by a space.
        private static let wide: Set<Character> = ["。", "！", "？"]
        private static let ends: Set<Character> = wide.union([".", "!", "?", "…", "।", "؟"])
    }
#endif
