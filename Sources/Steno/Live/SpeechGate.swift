import StenoVoiceActivity

/// Detects where speech begins and ends, window by window, with hysteresis.
///
/// Speech begins with one probable window, since the pre-roll makes up for a late start, and ends when no window has
/// been probable for the length of the endpoint.
struct SpeechGate: Sendable {
    enum Change: Sendable, Hashable {
        case begins
        /// Speech ended at this sample; the endpoint's silence follows it.
        case ends(at: Int)
    }

    /// The first sample of the next window.
    private(set) var position = 0
    /// The number of samples before ``position`` that were skipped: they took no time.
    private(set) var skipped = 0
    /// Whether there is speech, or was within the length of the endpoint.
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

    /// The first sample of the current silence; without one, ``position``.
    var quietFrom: Int { position - quiet }

    /// The number of samples processed: a clock that gaps do not move.
    var heard: Int { position - skipped }

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
        return .ends(at: quietFrom)
    }

    /// Continues at a later sample, after a gap in the audio, with the gate closed.
    mutating func skip(to position: Int) {
        precondition(position >= self.position, "positions never go back")
        skipped += position - self.position
        self.position = position
        isOpen = false
        quiet = 0
    }
}
