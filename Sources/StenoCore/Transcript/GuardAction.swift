/// Text that a guard removed from a transcript, and why.
public struct GuardAction: Sendable, Hashable, Codable {
    /// The kind of hallucination.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A phrase repeated in a loop.
        case repetition
        /// More text than the speech at that time can contain.
        case noSpeech = "no_speech"
        /// A repetition of the prompt, the hotwords or the preceding text.
        case promptRepetition = "prompt_repetition"
        /// A phrase that Whisper models often hallucinate, such as subtitle credits.
        case knownHallucination = "known_hallucination"
    }

    /// The kind of hallucination.
    public var kind: Kind
    /// The start of the text, in seconds from the start of the audio.
    public var start: Double
    /// The end of the text, in seconds.
    public var end: Double
    /// The text as the model wrote it.
    public var text: String
    /// The evidence, as text.
    public var reason: String

    package init(kind: Kind, start: Double, end: Double, text: String, reason: String) {
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.reason = reason
    }
}
