package import Foundation
import Steno
import StenoBundledModel

/// Recordings of real speech.
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
