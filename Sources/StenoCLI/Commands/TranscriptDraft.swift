import Foundation
import Steno

/// The decoded part of a recording, kept if the work is interrupted.
///
/// `@unchecked Sendable`: the stored values are accessed only while `lock` is held.
final class TranscriptDraft: @unchecked Sendable {
    private let lock = NSLock()
    private var language: LanguageDetection?
    private var segments: [Segment] = []
    private var position = 0.0
    private var isTaken = false

    /// Adds an event; called on the thread of the transcription.
    func add(_ event: TranscriptionProgressEvent) {
        lock.withLock {
            switch event {
            case .language(let detection): language = detection
            case .segment(let segment): segments.append(segment)
            case .progress(let processed, _): position = max(position, processed)
            }
        }
    }

    /// Whether this is the first call: only the first caller saves the decoded text.
    func take() -> Bool {
        lock.withLock {
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// The beginning of the transcript, whose duration is the decoded audio's; nil if there is no text yet.
    var transcript: Transcript? {
        lock.withLock {
            guard let end = segments.map(\.end).max() else { return nil }
            return Transcript(
                language: language?.language ?? "", languageProbability: language?.probability ?? 1,
                duration: max(position, end), segments: segments.sorted { $0.start < $1.start })
        }
    }
}
