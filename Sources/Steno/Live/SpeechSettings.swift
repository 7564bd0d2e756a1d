public import StenoCore

/// What is spoken and what to make of it: the options that may change during a session.
public struct SpeechSettings: Sendable, Hashable {
    /// The spoken language as a code or a name; nil detects it.
    public var language: String?
    /// Whether the language is detected for every utterance.
    public var switchesLanguage: Bool
    /// Whether to transcribe or to translate into English.
    public var task: TranscriptionTask
    /// Names and rare words to expect; nil is none.
    public var vocabulary: String?

    /// Creates settings.
    public init(
        language: String? = nil, switchesLanguage: Bool = false, task: TranscriptionTask = .transcribe,
        vocabulary: String? = nil
    ) {
        self.language = language
        self.switchesLanguage = switchesLanguage
        self.task = task
        self.vocabulary = vocabulary
    }
}

extension LiveOptions {
    /// The settings at the start of a session.
    public var speechSettings: SpeechSettings {
        SpeechSettings(language: language, switchesLanguage: switchesLanguage, task: task, vocabulary: hotwords)
    }
}
