package import Steno

/// The status in words: nothing is shown only by colour or an icon.
package struct CaptionStatus: Sendable, Hashable {
    /// The number of consecutive levels, one per tenth of a second, after which silence is reported.
    package static let silentLevels = 20
    /// The peak below which there is no audio at all, in dBFS: a muted microphone, not a quiet room.
    package static let silence = -75.0

    private var quiet = 0
    private var levelCount = 0

    /// Creates the status of a session without audio.
    package init() {}

    /// Takes the last level; nil starts again, without any audio.
    ///
    /// - Parameter count: The number of levels received so far: several may arrive between two calls, and equal ones
    ///   count.
    package mutating func hear(_ level: AudioLevel?, count: Int) {
        if let level, level.peak < Self.silence { quiet += max(0, count - levelCount) } else { quiet = 0 }
        levelCount = count
    }

    /// The status as a sentence.
    ///
    /// - Parameters:
    ///   - state: The state of the session.
    ///   - isSpeaking: Whether speech is heard.
    ///   - detail: A sentence about the preparation or the error.
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
