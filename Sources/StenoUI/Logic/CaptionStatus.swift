import Foundation
package import Steno

/// The status in words: nothing is shown only by colour or an icon.
package struct CaptionStatus: Sendable, Hashable {
    /// The number of consecutive levels, one per tenth of a second, after which silence is reported.
    package static let silentLevels = 20
    /// The peak below which there is no audio at all, in dBFS: a muted microphone, not a quiet room.
    package static let silence = -75.0

    private var quiet = 0
    private var levelCount = 0

    package init() {}

    /// Takes the last level; nil starts again, without any audio.
    ///
    /// - Parameter count: The number of levels received so far: several may arrive between two calls, and equal ones
    ///   count.
    package mutating func hear(_ level: AudioLevel?, count: Int) {
        if let level, level.peak < Self.silence { quiet += max(0, count - levelCount) } else { quiet = 0 }
        levelCount = count
    }

    /// - Parameter detail: A sentence about the preparation or the error.
    package func text(_ state: TranscriptionState, isSpeaking: Bool, detail: String?, in texts: InterfaceTexts)
        -> String
    {
        switch state {
        case .idle: texts[.stateIdle]
        case .preparing: detail ?? texts[.statePreparing]
        case .running where quiet >= Self.silentLevels: texts[.stateNoAudio]
        case .running: texts[isSpeaking ? .stateSpeech : .stateListening]
        case .finishing: texts[.stateFinishing]
        case .finished: detail.map { texts[.stateFailed, $0] } ?? texts[.stateFinished]
        case .cancelled: texts[.stateCancelled]
        case .failed: texts[.stateFailed, detail ?? ""]
        }
    }
}

/// The text for a screen reader: each final text once, in whole clauses, and never partial text.
package struct CaptionAnnouncements: Sendable, Hashable {
    private var finalCount = 0
    /// The text of the last final segment, which punctuation may join.
    private var lastText = ""
    /// Final text that waits for the end of its clause.
    private var waiting = ""

    /// The number of characters after which text is announced even if its clause has not ended.
    package static let longest = 120

    package init() {}

    /// Skips the final text so far, so that a view that appears late does not read an hour of it aloud.
    package mutating func skip(_ finals: [LiveSegment]) {
        self = CaptionAnnouncements()
        (finalCount, lastText) = (finals.count, finals.last?.text ?? "")
    }

    /// Takes the text of a session and returns the text to announce now; nil if there is none.
    ///
    /// - Parameter hasEnded: Whether no more text follows, so that waiting text is announced.
    package mutating func next(_ finals: [LiveSegment], hasEnded: Bool) -> String? {
        if finals.count < finalCount { self = CaptionAnnouncements() }
        let fresh = finals.dropFirst(finalCount)
        // A mark after text that was already announced is dropped.
        if finalCount > 0, !waiting.isEmpty { waiting += finals[finalCount - 1].mark(after: lastText) }
        (finalCount, lastText) = (finals.count, finals.last?.text ?? "")
        waiting += fresh.map(\.text).joined()
        let text = waiting.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, hasEnded || Self.endsClause(text) || text.count >= Self.longest else { return nil }
        waiting = ""
        return text
    }

    private static func endsClause(_ text: String) -> Bool {
        text.last.map { ".!?…,;:。！？、，؟".contains($0) } ?? false
    }
}
