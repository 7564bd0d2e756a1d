package import Foundation
package import Steno
import StenoBundledModel
package import StenoCore

package enum Recordings {
    /// A sentence of an inaugural address, eleven seconds.
    package static var english: URL {
        get throws { try BundledModel.samples.appendingPathComponent("inaugural-1961.wav") }
    }

    /// Its first words, in a file that lives as long as the folder.
    package static func firstWords(
        seconds: Double = 3.3
    ) async throws -> (folder: TemporaryFolder, file: URL, samples: [Float]) {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("first words.wav")
        let samples = Array(try await decoded(try english).prefix(Int((seconds * 16_000).rounded())))
        try AudioFile.write(samples: samples, to: file)
        return (folder, file, samples)
    }
}

/// The sentences of the recording `gaps`.
package func sentences() async throws -> [[Float]] {
    var sentences: [[Float]] = []
    for index in 0..<6 { sentences.append(try await decoded(Fixtures.file("speech/en-00\(index).flac"))) }
    return sentences
}

/// Whether flac and mp3 can be decoded; in CI they must be.
#if os(Linux) || os(macOS)
    package let hasFFmpeg = FFmpeg.installed != nil || mustRun
#else
    package let hasFFmpeg = false
#endif

/// Runs blocking work on a thread of its own, as the engine does; Swift's cooperative pool must stay free for the tasks
/// the work waits for.
package func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await Worker.run("steno.test") { _ in try work() }
}

/// The samples of a file in any format.
///
/// ffmpeg runs as a task of Swift's cooperative pool, so a test that waited for it on a thread of that pool could
/// deadlock.
package func decoded(_ file: URL) async throws -> [Float] {
    try await onThread { try AudioFile.open(file).allSamples() }
}

extension AudioFile {
    /// All samples from the current position to the end; blocks until they have been read.
    package func allSamples() throws -> [Float] { try readAll(self, pieces: [16_000]) }
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
