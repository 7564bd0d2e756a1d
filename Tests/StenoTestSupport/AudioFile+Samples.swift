public import Steno

extension AudioFile {
    /// All samples from the current position to the end; blocks until they have been read.
    public func allSamples() throws -> [Float] {
        var samples: [Float] = []
        var buffer = [Float](repeating: 0, count: 16_000)
        while case let count = try buffer.withUnsafeMutableBufferPointer({ try read(into: $0) }), count > 0 {
            samples += buffer[..<count]
        }
        return samples
    }
}
