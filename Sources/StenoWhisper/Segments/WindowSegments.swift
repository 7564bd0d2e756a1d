import StenoCore

/// A window's segments, not numbered yet, and where the next window begins.
struct WindowSegments {
    var segments: [Segment] = []
    var next: Int
    /// Where the last word ends, in seconds; nil when that is not known.
    var lastSpeech: Double?
    /// Whether the text up to here is no context for what follows.
    var endsContext = false
}
