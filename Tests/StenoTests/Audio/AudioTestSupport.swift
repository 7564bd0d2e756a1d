import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

extension TemporaryFolder {
    func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file
    }

    func namedPipe(_ name: String) throws -> URL {
        let pipe = url.appendingPathComponent(name)
        try #require(mkfifo(pipe.path, 0o600) == 0)
        return pipe
    }
}

func permissions(of file: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
}

/// Reads bytes as a file, with native decoders only.
func readFile(_ bytes: [UInt8]) throws -> [Float] {
    let folder = try TemporaryFolder()
    return try readAll(AudioOpener(ffmpeg: nil).open(folder.file("sound", bytes)))
}

/// Reads bytes through a real pipe; they must fit into its buffer (64 kB).
func readPipe(_ bytes: [UInt8], format: PCMFormat? = nil) throws -> [Float] {
    try readAll(openPipe(bytes, format: format))
}

func openPipe(_ bytes: [UInt8], format: PCMFormat? = nil) throws -> AudioFile {
    try AudioOpener(ffmpeg: nil, format: format).open(filledPipe(bytes), name: "Standard input", path: nil)
}

/// The read end of a pipe that holds some bytes and has no writer any more.
func filledPipe(_ bytes: [UInt8]) throws -> OwnedDescriptor {
    let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
    precondition(bytes.count <= 1 << 16)
    #expect(write(writeEnd.rawValue, bytes, bytes.count) == bytes.count)
    writeEnd.close()
    return readEnd
}

func stenoError(_ work: () throws -> Any, sourceLocation: SourceLocation = #_sourceLocation) throws -> StenoError {
    try #require(throws: StenoError.self, sourceLocation: sourceLocation) { _ = try work() }
}

#if os(Linux) || os(macOS)
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

/// Whether to run tests that take minutes too, as in `make fuzz`.
let runsLongTests = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"] != nil
