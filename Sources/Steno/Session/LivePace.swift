/// How fast live audio arrives, and how decoding time is accounted for.
package enum LivePace: Sendable, Hashable {
    /// Audio arrives in real time, as from a microphone, and decoding runs meanwhile.
    /// ``TranscriptionEngine/append(_:)`` waits only when minutes of audio are queued.
    case realTime
    /// Audio arrives as fast as it is accepted: ``TranscriptionEngine/append(_:)`` waits for decodings, which take no
    /// audio time, so the events depend only on the audio.
    case fast
    /// Like ``fast``, but each decoding counts as much audio time as it really took, times a factor.
    case measured(factor: Double)
    /// Like ``fast``, but each decoding counts as this many seconds of audio time.
    case charged(seconds: Double)

    package init(_ source: LiveSource) { self = source.isRealTime ? .realTime : .fast }
}
