extension TranscriptionOptions {
    /// Converts a list of times in faster-whisper's format to clips: start, end, start, end …; the last end may be
    /// missing.
    ///
    /// `[10, 40, 60]` means 10 to 40 s, and 60 s to the end of the audio. An empty list means the whole recording.
    ///
    /// - Throws: ``StenoError`` with code `invalidOption` if a clip ends before it starts, or its start is negative or
    ///   not finite.
    package static func clips(timestamps: [Double]) throws -> [Range<Double>] {
        try stride(from: 0, to: timestamps.count, by: 2).map { index in
            let start = timestamps[index]
            let end = index + 1 < timestamps.count ? timestamps[index + 1] : .infinity
            guard start >= 0, start.isFinite, start <= end else {
                throw StenoError(
                    .invalidOption,
                    "A clip from \(start) to \(end) seconds cannot be decoded: it must start at 0 or later and not end before it starts."
                )
            }
            return start..<end
        }
    }
}
