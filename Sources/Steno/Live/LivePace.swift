/// How the time of live audio passes.
public enum LivePace: Sendable, Hashable {
    /// Audio comes from a microphone: decodings are made while it continues, and nothing ever waits.
    case realTime
    /// Audio comes as fast as it is taken: ``TranscriptionEngine/append(_:)`` waits for the decodings, which take no time of the
    /// audio's clock, so the events depend on the audio alone.
    case fast
    /// As ``fast``, but each decoding takes as much of the audio's time as it really took, times a factor.
    case measured(factor: Double)
    /// As ``fast``, but each decoding takes this many seconds of the audio's time.
    case charged(seconds: Double)
}
