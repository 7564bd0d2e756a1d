public import Steno

extension AudioFile {
    /// Everything from here to the end; blocks until it is read.
    public func allSamples() throws -> [Float] {
        var samples: [Float] = []
        var buffer = [Float](repeating: 0, count: 16_000)
        while case let count = try buffer.withUnsafeMutableBufferPointer({ try read(into: $0) }), count > 0 {
            samples += buffer[..<count]
        }
        return samples
    }
}
