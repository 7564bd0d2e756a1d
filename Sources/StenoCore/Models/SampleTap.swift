/// Passes audio through unchanged, and shows each sample to a listener once, in whichever pass reads it first.
package final class SampleTap: SampleSource {
    private let source: any SampleSource
    private let onSamples: (UnsafeBufferPointer<Float>) -> Void
    private let onEnd: () -> Void
    /// The number of samples read in this pass.
    private var position = 0
    /// The number of samples shown to the listener.
    private var heard = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - source: The audio, from its first sample.
    ///   - onSamples: Called with the next samples, which are valid only during the call.
    ///   - onEnd: Called once, after all samples.
    package init(
        _ source: any SampleSource, onSamples: @escaping (UnsafeBufferPointer<Float>) -> Void,
        onEnd: @escaping () -> Void = {}
    ) {
        self.source = source
        self.onSamples = onSamples
        self.onEnd = onEnd
    }

    package var warnings: [TranscriptionWarning] { source.warnings }

    package func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        let count = try source.read(into: buffer)
        guard !hasEnded, !buffer.isEmpty else { return count }
        guard count > 0 else {
            hasEnded = true
            onEnd()
            return count
        }
        let known = min(count, heard - position)
        position += count
        heard = max(heard, position)
        if known < count { onSamples(UnsafeBufferPointer(rebasing: buffer[known..<count])) }
        return count
    }

    package func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        position = 0
        return true
    }
}
