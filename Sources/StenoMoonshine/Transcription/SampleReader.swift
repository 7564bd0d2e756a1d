import StenoCore

/// Reads a source, and keeps the samples that are still needed.
final class SampleReader {
    /// The number of samples read at once: half a second.
    static let readLength = 8192

    private(set) var position = 0
    /// Whether the source has ended; ``position`` then is its length.
    private(set) var hasEnded = false
    /// No sample before this one will be asked for.
    var neededFrom = 0

    /// The maximum number of samples kept so far, for tests of memory use.
    private(set) var mostKept = 0

    private let source: any SampleSource
    private let checkCancellation: () throws -> Void
    /// The samples from `start` to `position`.
    private var samples: [Float] = []
    private var start = 0

    /// - Parameter checkCancellation: Called before every half second of audio; an error it throws ends the reading.
    init(_ source: any SampleSource, checkCancellation: @escaping () throws -> Void = {}) {
        (self.source, self.checkCancellation) = (source, checkCancellation)
    }

    /// Reads the next samples; returns false at the end of the audio.
    func readOn() throws -> Bool {
        guard !hasEnded else { return false }
        try checkCancellation()
        discard()
        let known = samples.count
        samples.append(contentsOf: [Float](repeating: 0, count: Self.readLength))
        let count = try samples.withUnsafeMutableBufferPointer { samples in
            let room = UnsafeMutableBufferPointer(rebasing: samples[known...])
            let count = max(0, try source.read(into: room))
            // One sample that is not finite would spoil the whole utterance.
            for index in 0..<count where !(abs(room[index]) <= 1) {
                room[index] = room[index].isFinite ? min(max(room[index], -1), 1) : 0
            }
            return count
        }
        samples.removeLast(Self.readLength - count)
        position += count
        mostKept = max(mostKept, samples.count)
        if count == 0 { hasEnded = true }
        return count > 0
    }

    /// The samples of a range that has been read and is still needed.
    subscript(_ range: Range<Int>) -> ArraySlice<Float> { samples[range.lowerBound - start..<range.upperBound - start] }

    private func discard() {
        let count = min(neededFrom, position) - start
        // Moving the rest is worth it only for several reads at once.
        guard count >= 4 * Self.readLength else { return }
        samples.removeFirst(count)
        start += count
    }
}
