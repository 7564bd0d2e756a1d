import StenoCore

/// A window's segments, not yet numbered, and where the next window begins.
struct WindowSegments {
    var segments: [Segment] = []
    var next: Int
    /// The end of the last word, in seconds; nil if it is not known.
    var lastSpeech: Double?
    /// Whether following windows must not be conditioned on the text up to here.
    var endsContext = false
}
