import StenoCore

/// The power of a channel in frames of 10 ms.
struct ChannelEnvelope {
    static let frameLength = AudioFile.sampleRate / 100
    /// Samples in floating point can be so far above 1 that their squares overflow.
    private static let loudest: Float = 1e6

    /// The mean square of the samples of each whole frame.
    private(set) var powers: [Float] = []
    private var sum: Float = 0
    private var position = 0

    /// Adds the next samples.
    mutating func add(_ samples: some Sequence<Float>) {
        for sample in samples {
            sum += sample * sample
            position += 1
            guard position.isMultiple(of: Self.frameLength) else { continue }
            powers.append(min(sum / Float(Self.frameLength), Self.loudest))
            sum = 0
        }
    }

    /// Adds all samples of a source.
    ///
    /// - Throws: What the source throws.
    mutating func add(_ source: any SampleSource) throws {
        try withUnsafeTemporaryAllocation(of: Float.self, capacity: 16_384) { buffer in
            while true {
                let count = try source.read(into: buffer)
                guard count > 0 else { return }
                add(buffer[..<count])
            }
        }
    }
}
