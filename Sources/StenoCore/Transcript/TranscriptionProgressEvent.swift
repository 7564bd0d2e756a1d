/// An event of a running transcription, in the order in which the information becomes available.
package enum TranscriptionProgressEvent: Sendable {
    /// The language, given or detected; reported once, before the first segment.
    case language(LanguageDetection)
    /// The next segment, which is final.
    case segment(Segment)
    /// The seconds of audio processed, and the total if it is known.
    case progress(processed: Double, total: Double?)
}
