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
    private var shed = 0.0
    private var lost = 0.0
    private var message: String?

    /// Applies an event and returns the line.
    mutating func line(after event: TranscriptionEvent) -> String {
        position = max(position, event.position)
        switch event {
        case .stateChange(let state, _): self.state = state
        case .speech(let isSpeaking, _, _): self.isSpeaking = isSpeaking
        case .audioLevel(let level, _): self.level = level
        case .language(let detection, _): language = detection.language
        case .shed(let span, _): shed += span.upperBound - span.lowerBound
        case .discontinuity(let discontinuity, _) where [.filled, .skipped].contains(discontinuity.kind):
            lost += Double(discontinuity.length) / Double(AudioFile.sampleRate)
        case .error(let failure, _): message = failure.description
        case .partial, .final, .guarded, .discontinuity: break
        }
        return [message ?? word, meter, lag, language, leftOut, missing, clock].compactMap(\.self).joined(
            separator: "  ")
    }

    private var word: String {
        switch state {
        case .running: isSpeaking ? "hearing speech" : "listening"
        case .behind: isSpeaking ? "hearing speech" : "listening"
        default: state.name
        }
    }

    private var meter: String? {
        guard let level else { return nil }
        let share = (level.rms - Self.quietest) / -Self.quietest
        let full = min(Self.bars, max(0, Int((share * Double(Self.bars)).rounded())))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: Self.bars - full) + "]"
    }

    private var lag: String? {
        guard case .behind(let seconds) = state else { return nil }
        return String(format: "%.0f s behind", seconds)
    }

    private var leftOut: String? { shed > 0 ? String(format: "%.0f s skipped", shed) : nil }

    private var missing: String? { lost > 0 ? String(format: "%.1f s lost", lost) : nil }

    private var clock: String {
        let seconds = Int(position)
        return String(format: "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}
