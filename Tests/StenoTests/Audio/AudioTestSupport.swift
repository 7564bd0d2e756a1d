import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

extension TemporaryFolder {
    /// Writes bytes to a file in the folder.
    func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file
    }
}

/// Everything a source has, read in pieces of the given sizes (the last one repeats).
func readAll(_ source: any SampleSource, pieces: [Int] = [4096]) throws -> [Float] {
    var samples: [Float] = []
    var turn = 0
    while true {
        let size = pieces[min(turn, pieces.count - 1)]
        turn += 1
        var buffer = [Float](repeating: .nan, count: size)
        let count = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
        if count == 0 { return samples }
        samples += buffer[..<count]
    }
}

/// Reads bytes as a file with native decoders only.
func readFile(_ bytes: [UInt8]) throws -> [Float] {
    let folder = try TemporaryFolder()
    return try readAll(AudioOpener(ffmpeg: nil).open(folder.file("sound", bytes)))
}

/// Reads bytes through a real pipe; they must fit into its buffer (64 kB).
func readPipe(_ bytes: [UInt8], format: PCMFormat? = nil) throws -> [Float] {
    try readAll(openPipe(bytes, format: format))
}

func openPipe(_ bytes: [UInt8], format: PCMFormat? = nil) throws -> AudioFile {
    let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
    precondition(bytes.count <= 1 << 16)
    #expect(write(writeEnd.rawValue, bytes, bytes.count) == bytes.count)
    writeEnd.close()
    return try AudioOpener(ffmpeg: nil, format: format).open(readEnd, name: "Standard input", path: nil)
}

/// The error of a piece of work that must fail.
func stenoError(_ work: () throws -> Any, sourceLocation: SourceLocation = #_sourceLocation) throws -> StenoError {
    do {
        _ = try work()
    } catch {
        return try #require(error as? StenoError, "\(error)", sourceLocation: sourceLocation)
    }
    return try #require(nil, "nothing was thrown", sourceLocation: sourceLocation)
}

#if os(Linux) || os(macOS)
    /// Runs the real ffmpeg, which must succeed.
    func runFFmpeg(_ arguments: [String]) async throws {
        let path = try #require(FFmpeg.installed).path
        let status = try await onThread {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["-nostdin", "-loglevel", "error", "-y"] + arguments
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        try #require(status == 0)
    }
#endif

/// The signal-to-noise ratio in decibels, where the noise is the difference between the two.
func signalToNoise(_ signal: [Float], _ other: [Float]) -> Double {
    var (power, noise) = (0.0, 0.0)
    for (a, b) in zip(signal, other) {
        power += Double(a) * Double(a)
        noise += (Double(a) - Double(b)) * (Double(a) - Double(b))
    }
    return noise == 0 ? .infinity : 10 * log10(power / noise)
}

/// Whether tests that take minutes run too, as in `make fuzz`.
let runsLongTests = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"] != nil
