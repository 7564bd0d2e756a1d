/// Text that a guard removed from a transcript, and why.
public struct GuardAction: Sendable, Hashable, Codable {
    /// The kind of hallucination; later versions may add kinds, so a `switch` needs a default.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The name, as in JSON.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A phrase repeated in a loop.
        public static let repetition = Kind(rawValue: "repetition")
        /// More text than the speech at that time can contain.
        public static let noSpeech = Kind(rawValue: "no_speech")
        /// A repetition of the prompt, the hotwords or the preceding text.
        public static let promptRepetition = Kind(rawValue: "prompt_repetition")
        /// A phrase that Whisper models often hallucinate, such as subtitle credits.
        public static let knownHallucination = Kind(rawValue: "known_hallucination")
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
