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

/// The recordings of `Tools/goldens/make_mel_goldens.py`, bit-identical.
package enum TestAudio {
    /// SplitMix64's output number `index + 1`, from −1 to 1 in 24 bits.
    package static func noise(seed: UInt64, at index: Int) -> Double {
        var stream = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
        return Double(stream.next() >> 40) / 8_388_608 - 1
    }

    package static func noise(seed: UInt64, count: Int, gain: Double) -> [Float] {
        (0..<count).map { Float(gain * noise(seed: seed, at: $0)) }
    }

    /// A second of noise, repeated, so that long recordings are generated fast even in a debug build.
    package static func loop(seed: UInt64, count: Int, gain: Double) -> [Float] {
        let second = noise(seed: seed, count: 16000, gain: gain)
        var samples: [Float] = []
        while samples.count < count { samples += second.prefix(count - samples.count) }
        return samples
    }

    /// 3 s of a chirp from 100 to 7000 Hz, 1 s of silence, 1 s of a quiet 440 Hz.
    package static func tones() -> [Float] {
        let chirp = (0..<48000).map { index in
            let time = Double(index) / 16000
            return in16Bits(0.5 * sin(2 * .pi * (100 * time + 1150 * time * time)))
        }
        let quiet = (0..<16000).map { in16Bits(0.001 * sin(2 * .pi * (440 * (Double($0) / 16000)))) }
        return chirp + [Float](repeating: 0, count: 16000) + quiet
    }

    /// The samples of a recording of real speech, eleven seconds.
    package static func speech() throws -> [Float] {
        try samplesOfPlainWAV(Fixtures.bundledSample("inaugural-1961.wav"))
    }

    /// The samples of a 16-bit mono WAV file with the usual header, read without the library.
    package static func samplesOfPlainWAV(_ file: URL) throws -> [Float] {
        let bytes = [UInt8](try Data(contentsOf: file))
        return stride(from: 44, to: bytes.count - 1, by: 2).map { index in
            Float(Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)) / 32768
        }
    }

    /// The audio of a golden.
    package static func named(_ name: String) throws -> [Float] {
        switch name {
        case "noise": return noise(seed: 1, count: 80_000, gain: 0.125)
        case "tones": return tones()
        case "speech": return try speech()
        default: return noise(seed: 2, count: Int(name.dropFirst("edge-".count)) ?? 0, gain: 0.5)
        }
    }

    package static func in16Bits(_ value: Double) -> Float { Float((value * 32768 + 0.5).rounded(.down) / 32768) }
}

/// An hour of audio, computed as it is read: noise that swells and fades every 10 minutes, a tone, a loud second.
package final class HourSource: SampleSource {
    package init() {}

    private let sine = (0..<16000).map { sin(2 * .pi * (Double($0) / 16000)) }
    private var position = 0

    package func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
        let count = min(buffer.count, 3600 * 16000 - position)
        for index in 0..<count { buffer[index] = sample(at: position + index) }
        position += count
        return count
    }

    package func rewind() -> Bool {
        position = 0
        return true
    }

    private func sample(at index: Int) -> Float {
        let second = index / 16000
        let swell = Double(abs(second % 600 - 300)) / 300
        let gain = second == 3000 ? 1 : 0.0001 + 0.1 * swell * swell
        let tone = second % 7 < 3 ? 0.05 * sine[440 * index % 16000] * swell : 0
        return TestAudio.in16Bits(gain * TestAudio.noise(seed: 3, at: index) * 0.9 + tone)
    }
}
