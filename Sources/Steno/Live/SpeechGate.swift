import StenoVoice


/// Says where speech begins and ends, window by window, with hysteresis.
///
/// Speech begins with one probable window, since the pre-roll forgives a late start, and ends when no window has been
/// probable for the length of the endpoint.
struct SpeechGate: Sendable {
    /// What a window changed.
    enum Change: Sendable, Hashable {
        case begins
        /// Speech ended at this sample; the endpoint's silence follows it.
        case ends(at: Int)
    }

    /// The first sample whose window has not been judged.
    private(set) var position = 0
    /// Whether somebody speaks, or stopped less than the endpoint ago.
    private(set) var isOpen = false
    /// How long the last windows have been silent, in samples.
    private(set) var quiet = 0

    private let begin: Float
    private let end: Float
    private let endpoint: Int

    init(_ options: LiveOptions) {
        begin = Float(options.speechThreshold)
        end = Float(options.silenceThreshold)
        endpoint = options.endpoint.samples
    }

    /// Judges the next window.
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
