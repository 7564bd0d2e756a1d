import StenoCore

/// Turns the reports of a model into events: the duration once, progress that only rises, the time that is left.
struct FileEventWriter {
    private var duration: Double?
    private var reported: Double?
    private let uptime: () -> Double
    private let start: Double

    /// - Parameter uptime: The seconds of a clock, from which the time left is estimated.
    init(uptime: @escaping () -> Double) {
        self.uptime = uptime
        start = uptime()
    }

    /// The events for the duration, when it becomes known.
    mutating func events(duration seconds: Double?) -> [FileEvent] {
        guard duration == nil, let seconds else { return [] }
        duration = seconds
        return [.duration(seconds)]
    }

    mutating func events(for report: TranscriptionProgressEvent) -> [FileEvent] {
        switch report {
        case .language(let language): return [.language(language)]
        case .segment(let segment): return [.segment(segment)]
        case .progress(let processed, let total):
            guard processed > reported ?? -1 else { return events(duration: total) }
            let events = events(duration: total)
            reported = processed
            return events + [
                .progress(.init(processed: processed, duration: duration, timeLeft: timeLeft(processed)))
            ]
        }
    }

    mutating func end(_ transcript: Transcript) -> [FileEvent] {
        // Progress is known only in whole frames, and a rest without speech is not reported.
        events(for: .progress(processed: duration ?? transcript.duration, total: transcript.duration))
            + [.finished(transcript)]
    }

    /// The seconds that the rest takes at the mean speed so far.
    private func timeLeft(_ processed: Double) -> Double? {
        guard let duration, processed > 0 else { return nil }
        return max(0, duration - processed) / processed * (uptime() - start)
    }
}
