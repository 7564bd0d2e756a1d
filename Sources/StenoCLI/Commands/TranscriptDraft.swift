import Steno

/// The decoded part of a recording, kept if the work is interrupted.
struct TranscriptDraft: Sendable {
    private var language: LanguageDetection?
    private var segments: [Segment] = []
    private var position = 0.0
    private var isTaken = false

    mutating func add(_ event: TranscriptionProgressEvent) {
        switch event {
        case .language(let detection): language = detection
        case .segment(let segment): segments.append(segment)
        case .progress(let processed, _): position = max(position, processed)
        }
    }

    /// Whether this is the first call: only the first caller saves the decoded text.
    mutating func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// The beginning of the transcript, whose duration is the decoded audio's; nil if there is no text yet.
    var transcript: Transcript? {
        guard let end = segments.map(\.end).max() else { return nil }
        return Transcript(
            language: language?.language ?? "", languageProbability: language?.probability ?? 1,
            duration: max(position, end), segments: segments.sorted { $0.start < $1.start })
    }
}
