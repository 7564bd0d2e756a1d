public import Steno
package import StenoCore

extension AudioFile {
    /// All samples from the current position to the end; blocks until they have been read.
    public func allSamples() throws -> [Float] { try readAll(self, pieces: [16_000]) }
}

/// All samples of a source, read in pieces of the given sizes, in turn; blocks until they have been read.
package func readAll(_ source: any SampleSource, pieces: [Int] = [4096]) throws -> [Float] {
    var samples: [Float] = []
    var turn = 0
    while true {
        var buffer = [Float](repeating: .nan, count: pieces[turn % pieces.count])
        turn += 1
        let count = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
        if count == 0 { return samples }
        samples += buffer[..<count]
    }
}
