import StenoVoice

/// Detects where speech begins and ends, window by window, with hysteresis.
///
/// Speech begins with one probable window, since the pre-roll makes up for a late start, and ends when no window has
/// been probable for the length of the endpoint.
struct SpeechGate: Sendable {
    /// The change made by a window.
    enum Change: Sendable, Hashable {
        case begins
        /// Speech ended at this sample; the endpoint's silence follows it.
        case ends(at: Int)
    }

    /// The first sample of the next window.
    private(set) var position = 0
    /// Whether there is speech, or was less than the endpoint ago.
    private(set) var isOpen = false
    /// The duration of the current silence, in samples.
    private(set) var quiet = 0

    private let begin: Float
    private let end: Float
    private let endpoint: Int

    init(_ options: LiveOptions) {
        begin = Float(options.speechThreshold)
        end = Float(options.silenceThreshold)
        endpoint = options.endpoint.samples
    }

    /// Jumps to a later position; returns the end of the speech that was heard until then, if it was not over.
    mutating func skip(to sample: Int) -> Int? {
        defer { (position, isOpen, quiet) = (sample, false, 0) }
        return isOpen ? position - quiet : nil
    }

    /// Processes the next window.
    mutating func hear(_ probability: Float) -> Change? {
        position += VoiceActivity.windowLength
        guard isOpen else {
            guard probability >= begin else { return nil }
            isOpen = true
            quiet = 0
            return .begins
        }
        quiet = probability >= end ? 0 : quiet + VoiceActivity.windowLength
        guard quiet >= endpoint else { return nil }
        isOpen = false
        return .ends(at: position - quiet)
    }
}

extension Double {
    /// Seconds as samples.
    var samples: Int { Int((self * Double(AudioFile.sampleRate)).rounded()) }
}

extension Int {
    /// Samples as seconds.
    var seconds: Double { Double(self) / Double(AudioFile.sampleRate) }
}
