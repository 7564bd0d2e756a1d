import Foundation
import StenoCore

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

    /// Adds samples from a position; those already measured are skipped.
    func add(_ samples: some Collection<Float>, at start: Int) {
        lock.withLock {
            for sample in samples.dropFirst(max(0, position - start)) {
                sum += sample * sample
                position += 1
                guard position.isMultiple(of: Self.frameLength) else { continue }
                complete.append(sum / Float(Self.frameLength))
                sum = 0
            }
        }
    }
}

/// Audio whose envelope is measured as it is read.
final class EnvelopeSource: SampleSource {
    private let source: any SampleSource
    private let envelope: ChannelEnvelope
    private var position = 0

    init(_ source: any SampleSource, _ envelope: ChannelEnvelope) {
        self.source = source
        self.envelope = envelope
    }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        let count = try source.read(into: buffer)
        envelope.add(buffer.prefix(count), at: position)
        position += count
        return count
    }

    func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        position = 0
        return true
    }

    var warnings: [TranscriptionWarning] { source.warnings }
}
