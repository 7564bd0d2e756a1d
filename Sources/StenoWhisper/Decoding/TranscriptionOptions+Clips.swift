import StenoCore

extension TranscriptionOptions {
    /// The clips in frames of 10 ms; the whole recording when there are none.
    var clipFrames: [Range<Int>] {
        clips.isEmpty ? [0..<Self.beyond] : clips.map { Self.frame($0.lowerBound)..<Self.frame($0.upperBound) }
    }

    /// A frame beyond the end of any audio that still leaves room for arithmetic.
    private static let beyond = Int.max / 4

    /// The frame nearest to a time, ties to even.
    private static func frame(_ seconds: Double) -> Int {
        min(Int(exactly: (seconds * 100).rounded(.toNearestOrEven)) ?? beyond, beyond)
    }
}
