/// Text that a guard took out of a transcript, and why.
public struct GuardAction: Sendable, Hashable, Codable {
    /// What the text was recognised by.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A phrase that is said again and again.
        case repetition
        /// Too little speech for so much text.
        case noSpeech = "no_speech"
        /// A repetition of the prompt, the hotwords or the text before.
        case promptRepetition = "prompt_repetition"
        /// A line that Whisper models are known to invent, such as the credits of subtitles.
        case knownHallucination = "known_hallucination"
    }

    /// What the text was recognised by.
    public var kind: Kind
    /// Where the text stood, in seconds from the start of the audio.
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
