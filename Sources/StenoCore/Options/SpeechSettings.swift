/// The options that can change during a session.
public struct SpeechSettings: Sendable, Hashable, LanguageOptions, Adjustable {
    /// The spoken language as a code or a name; nil detects it.
    public var language: String?
    /// Whether to transcribe or to translate into English.
    public var task: TranscriptionTask
    /// Names and rare words to expect, one word or phrase each.
    public var vocabulary: [String]

    package init(language: String? = nil, task: TranscriptionTask = .transcribe, vocabulary: [String] = []) {
        (self.language, self.task, self.vocabulary) = (language, task, vocabulary)
    }
}

extension [String] {
    /// Creates a vocabulary from text such as faster-whisper's `hotwords`; the whole text becomes one entry.
    package init(hotwords: String?) { self = hotwords.map { [$0] } ?? [] }

    /// The vocabulary as one text, for models and options that expect one; nil if it is empty.
    package var hotwords: String? { isEmpty ? nil : joined(separator: ", ") }
}
