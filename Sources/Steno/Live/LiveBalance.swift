/// Whether live text becomes final sooner or is more accurate.
///
/// Every word waits for evidence before it becomes final: the less sure the model is of it, the longer the decodings have
/// to agree on it. The balance sets the accepted risk of a mistake; `Documentation/Project/LiveMeasurements.md` has the
/// measurements.
public enum LiveBalance: String, Sendable, Hashable, CaseIterable, Codable {
    /// Words become final as soon as they are likely; more of them are wrong than in the transcript of a file.
    case soonest
    /// Words become final soon if they are clear, and later if they are doubtful.
    case balanced
    /// Words become final at the end of an utterance, or after several seconds of speech without a pause.
    case accurate
}
