/// What a transcription tells while it runs, in the order in which it comes to know it.
public enum TranscriptionProgressEvent: Sendable {
    /// The language, given or detected; comes once, before the first segment.
    case language(LanguageDetection)
    /// The next segment; it does not change any more.
    case segment(Segment)
    /// How many seconds of the audio are done, of how many if that is known.
    case progress(processed: Double, total: Double?)
}
