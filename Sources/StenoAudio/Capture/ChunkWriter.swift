import Foundation

/// Assigns positions to the samples of a stream; losses may be reported by another thread.
final class ChunkWriter: @unchecked Sendable {
    // Sendable: the position is accessed under the lock, and chunks are delivered in its order.

    /// A longer loss makes positions jump instead of being filled with silence.
    static let longestSilence = Int(AudioStreamConverter.longestGap) * AudioFile.sampleRate

    private let lock = NSLock()
    private let queue: ChunkQueue
    private var position = 0

    init(_ queue: ChunkQueue) { self.queue = queue }

    /// Delivers the next samples.
    func write(_ samples: [Float]) {
        lock.withLock {
            queue.add(AudioChunk(position: position, samples: samples))
            position += samples.count
        }
    }

    /// Replaces lost audio with silence, or with a jump of the positions, and reports it.
    func lose(_ count: Int) {
        guard count > 0 else { return }
        lock.withLock {
            let isFilled = count <= Self.longestSilence
            let report = AudioDiscontinuity(isFilled ? .filled : .skipped, position: position, length: count)
            let silence = [Float](repeating: 0, count: isFilled ? count : 0)
            let start = isFilled ? position : position + count
            queue.add(AudioChunk(position: start, samples: silence, discontinuities: [report]))
            position += count
        }
    }
}
