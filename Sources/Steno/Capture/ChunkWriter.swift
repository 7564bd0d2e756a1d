import Foundation

/// Numbers the samples of a stream; what is lost on the way may be told by another thread than theirs.
final class ChunkWriter: @unchecked Sendable {
    // Sendable: the position is read and written under the lock, and chunks are handed over in its order.

    /// A longer loss is skipped: no samples stand for it.
    static let longestSilence = Int(AudioStreamConverter.longestGap) * AudioFile.sampleRate

    private let lock = NSLock()
    private let continuation: AudioStream.Continuation
    private var position = 0

    init(_ continuation: AudioStream.Continuation) { self.continuation = continuation }

    /// Hands over the next samples.
    func write(_ samples: [Float]) {
        lock.withLock {
            continuation.yield(AudioChunk(position: position, samples: samples))
            position += samples.count
        }
    }

    /// Puts silence, or a jump of the positions, in place of audio that was lost, and reports it.
    func lose(_ count: Int) {
        guard count > 0 else { return }
        lock.withLock {
            let isFilled = count <= Self.longestSilence
            let report = AudioDiscontinuity(isFilled ? .filled : .skipped, position: position, length: count)
            let silence = [Float](repeating: 0, count: isFilled ? count : 0)
            let start = isFilled ? position : position + count
            continuation.yield(AudioChunk(position: start, samples: silence, discontinuities: [report]))
            position += count
        }
    }
}
