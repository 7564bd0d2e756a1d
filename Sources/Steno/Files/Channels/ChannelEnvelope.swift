import Foundation

/// The power of a channel in frames of 10 ms, measured while the channel is read.
///
/// `@unchecked Sendable`: the stored values are accessed only while `lock` is held.
final class ChannelEnvelope: @unchecked Sendable {
    private let lock = NSLock()
    private var complete: [Float] = []
    private var sum: Float = 0
    private var position = 0

    static let frameLength = AudioFile.sampleRate / 100

    /// The mean square of the samples of each frame.
    var powers: [Float] { lock.withLock { complete } }

    /// Adds the next samples.
    func add(_ samples: some Sequence<Float>) {
        lock.withLock {
            for sample in samples {
                sum += sample * sample
                position += 1
                guard position.isMultiple(of: Self.frameLength) else { continue }
                complete.append(sum / Float(Self.frameLength))
                sum = 0
            }
        }
    }
}
