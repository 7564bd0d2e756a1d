#if Store
    public import Foundation

    /// Makes a title and a summary of a transcript; your app can provide its own, such as a language model.
    public protocol TranscriptSummarizer: Sendable {
        /// A title of a few words, and a summary; both empty where there is too little text.
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
#endif
