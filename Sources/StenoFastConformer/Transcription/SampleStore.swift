import StenoCore

/// The part of a recording that is still needed, read from its source on demand.
final class SampleStore {
    private static let step = 8192

    /// The length of the recording, once its end has been read.
    private(set) var sampleCount: Int?

    private let source: any SampleSource
    private let keepsAll: Bool
    private let checkCancellation: () throws -> Void
    private var buffer: [Float] = []
    private var start = 0

    /// - Parameters:
    ///   - keepsAll: Whether samples may be needed again at any time.
    ///   - checkCancellation: Called before each read; an error it throws ends the reading.
    init(_ source: any SampleSource, keepsAll: Bool, checkCancellation: @escaping () throws -> Void) {
        (self.source, self.keepsAll, self.checkCancellation) = (source, keepsAll, checkCancellation)
    }

    /// The samples in a range that has not been forgotten; fewer where the recording ends.
    func samples(_ range: Range<Int>) throws -> ArraySlice<Float> {
        while start + buffer.count < range.upperBound, sampleCount == nil {
            // What lies before the range may be a long way that nobody needs.
            if !keepsAll, buffer.count > Self.step, start + buffer.count < range.lowerBound {
                forget(before: start + buffer.count)
            }
            try read()
        }
        let end = start + buffer.count
        precondition(range.lowerBound >= start || range.lowerBound >= end, "samples are needed in order")
        return buffer[min(max(range.lowerBound, start), end) - start..<min(range.upperBound, end) - start]
    }

    /// Declares that samples before one are not needed again.
    func forget(before sample: Int) {
        let count = min(sample - start, buffer.count)
        // Moving the rest costs as much as what is dropped, so only large parts are.
        guard !keepsAll, count >= 4 * Self.step else { return }
        buffer.removeFirst(count)
        start += count
    }

    /// Reads the rest, so that the length and the warnings are known.
    func readToEnd() throws {
        while sampleCount == nil {
            forget(before: start + buffer.count)
            try read()
        }
    }

    private func read() throws {
        try checkCancellation()
        let filled = buffer.count
        buffer.append(contentsOf: [Float](repeating: 0, count: Self.step))
        var count = 0
        defer { buffer.removeLast(Self.step - count) }
        count = try buffer.withUnsafeMutableBufferPointer {
            max(0, try source.read(into: UnsafeMutableBufferPointer(rebasing: $0[filled...])))
        }
        if count == 0 { sampleCount = start + filled }
    }
}
