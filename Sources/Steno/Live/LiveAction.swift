import StenoCore

/// What the policy wants done, in this order.
enum LiveAction: Sendable, Hashable {
    /// Decode a span of the audio and hand the result back; there is one at a time.
    case decode(LiveDecoding)
    /// These words are final; they never change.
    case commit([LiveWord], utterance: Int)
    /// What is shown after the final words, and may change.
    case show([LiveWord], utterance: Int)
    /// No more words will come for this utterance.
    case endUtterance(Int)
    /// Somebody begins or stops to speak, at a sample.
    case speech(isSpeaking: Bool, at: Int)
    /// The language was detected.
    case language(LanguageDetection)
    /// Text that a guard took out of what was heard.
    case guarded(GuardAction)
    /// Audio that was left out because the machine could not keep up, in samples.
    case shed(Range<Int>)
}

/// A span of audio to decode.
struct LiveDecoding: Sendable, Hashable {
    /// Numbers decodings in order.
    var id: Int
    var utterance: Int
    /// Samples of the audio.
    var span: Range<Int>
    /// Whether this is the utterance's last decoding.
    var isLast: Bool
    var request: UtteranceRequest
}
