import Foundation
import Steno

/// The status line below live text: state, level and lag.
struct LiveStatus {
    private static let bars = 10
    /// The level at which the meter is empty, in dBFS.
    private static let quietest = -60.0

    private var state = TranscriptionState.idle
    private var isSpeaking = false
    private var level: AudioLevel?
    private var language: String?
    private var position = 0.0
    private var secondsBehind = 0.0
    private var shed = 0.0
    private var lost = 0.0
    private var message: String?

    mutating func line(after event: TranscriptionEvent) -> String {
        position = max(position, event.position)
        state = event.state ?? state
        isSpeaking = event.isSpeaking ?? isSpeaking
        level = event.level ?? level
        language = event.language?.language ?? language
        secondsBehind = event.lag ?? secondsBehind
        if event.skipReason == .overload, let span = event.skipped { shed += span.upperBound - span.lowerBound }
        if let discontinuity = event.discontinuity, [.filled, .skipped, .overflowed].contains(discontinuity.kind) {
            lost += Double(discontinuity.length) / Double(AudioFile.sampleRate)
        }
        message = event.failure?.message ?? message
        return [message ?? word, meter, lag, language, leftOut, missing, clock].compactMap(\.self).joined(
            separator: "  ")
    }

    private var word: String {
        switch state {
        case .running: isSpeaking ? "hearing speech" : "listening"
        default: state.rawValue
        }
    }

    private var meter: String? {
        guard let level else { return nil }
        let share = (level.rms - Self.quietest) / -Self.quietest
        let full = min(Self.bars, max(0, Int((share * Double(Self.bars)).rounded())))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: Self.bars - full) + "]"
    }

    private var lag: String? { secondsBehind > 0 ? String(format: "%.0f s behind", secondsBehind) : nil }

    private var leftOut: String? { shed > 0 ? String(format: "%.0f s skipped", shed) : nil }

    private var missing: String? { lost > 0 ? String(format: "%.1f s lost", lost) : nil }

    private var clock: String {
        let seconds = Int(position)
        return String(format: "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}
