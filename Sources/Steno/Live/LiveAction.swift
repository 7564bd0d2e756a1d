import StenoCore

/// An action requested by the policy; actions are performed in order.
enum LiveAction: Sendable, Hashable {
    /// Decode a span of the audio and return the result; only one runs at a time.
    case decode(LiveDecoding)
    /// These words are final and never change. At least one of them is more than punctuation.
    case commit([LiveWord], utterance: Int)
    /// Partial text to show after the final words.
    case show([LiveWord], utterance: Int)
    /// No more words will come for this utterance; punctuation may follow its last final word.
    case endUtterance(Int, mark: String = "")
    /// Speech begins or ends, at a sample.
    case speech(isSpeaking: Bool, at: Int)
    case language(LanguageDetection)
    case guarded(GuardAction)
    /// A span of audio that is not decoded, in samples.
    case skipped(Range<Int>, SkipReason)
    /// All text before this sample is final, as requested.
    case finalized(through: Int)
}

struct LiveDecoding: Sendable, Hashable {
    var id: Int
    var utterance: Int
    /// The span in samples.
    var span: Range<Int>
    /// The samples of the utterance up to the end of the span that are probably speech.
    var speech: Int
    /// The sample from which the model counts the times of words.
    var origin: Int
    var request: UtteranceRequest

    var isLast: Bool { request.effort == .last }
    var isThorough: Bool { request.effort != .quick }
}
