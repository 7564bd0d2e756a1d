/// Whether live text becomes final sooner or is more accurate.
///
/// A word becomes final when there is enough evidence for it: the less certain the model is, the longer its decodings
/// must agree. The balance sets how much risk of a mistake you accept; `Documentation/Live.md` lists the measurements.
public enum LiveBalance: String, Sendable, Hashable, CaseIterable, Codable {
    /// Words become final as soon as they are likely; more of them are wrong than in the transcript of a file.
    case soonest
    /// Words become final soon if they are clear, and later if they are doubtful.
    case balanced
    /// Words become final at the end of an utterance, or after some seconds of speech without a pause.
    case accurate
}
