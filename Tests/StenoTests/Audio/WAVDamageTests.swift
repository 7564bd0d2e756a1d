import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

@Suite struct WAVDamageTests {
    @Test func aMissingFileAndAFolder() throws {
        let error = try stenoError { try AudioFile.open(URL(fileURLWithPath: "no/such.wav")) }
        #expect(error.code == .audioNotFound)
        #expect(error.message == "There is no file “no/such.wav”. Check the path.")
        expectError(.audioNotFound, says: "is a folder") { try AudioFile.open(FileManager.default.temporaryDirectory) }
    }

    /// A socket, since root may read a file of any permissions.
    @Test func aFileThatCannotBeOpened() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        #if os(Linux)
            let socket = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        #else
            let socket = OwnedDescriptor(socket(AF_UNIX, SOCK_STREAM, 0))
        #endif
        defer { socket.close() }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: file.path.utf8.prefix($0.count - 1)) }
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
        expectError(.audioNotFound, says: "could not be opened") { try AudioFile.open(file) }
    }

    @Test func everyTruncatedHeaderAndNone() throws {
        let bytes = try WAVBuilder.simple().bytes
        for length in 12..<44 {
            for read in [readFile, { try readPipe($0) }] {
                expectError(.audioDamaged, "\(length)", says: "ends inside its header") {
                    try read(Array(bytes[..<length]))
                }
            }
        }
        // Anything shorter than the magic is not known to be WAV.
        for length in 1..<12 {
            #expect(try stenoError { try readFile(Array(bytes[..<length])) }.code == .decoderMissing)
        }
        for read in [readFile, { try readPipe($0) }] { expectError(.notAudio, says: "is empty") { try read([]) } }
    }

    @Test func fieldsAndChunksThatLie() throws {
        let cases: [(StenoError.Code, String, (inout WAVBuilder) -> Void)] = [
            (.audioDamaged, "claims 0 channels", { $0.claimedChannels = 0 }),
            (.audioDamaged, "claims 65535 channels", { $0.claimedChannels = 65_535 }),
            (.audioDamaged, "claims 0 samples per second", { $0.claimedRate = 0 }),
            (.audioDamaged, "claims 4294967295 samples per second", { $0.claimedRate = .max }),
            (.audioDamaged, "samples of 0 bits", { $0.claimedBits = 0 }),
            (.audioDamaged, "samples of 65535 bits", { $0.claimedBits = .max }),
            (.audioDamaged, "claims 3 bytes for a frame", { $0.claimedBytesPerFrame = 3 }),
            (.audioDamaged, "chunk \"fmt \" of 15 bytes", { $0.claimedFormatSize = 15 }),
            (.audioDamaged, "ends inside its header", { $0.claimedFormatSize = .max }),
            (
                .audioDamaged, "ends inside its header",
                { $0.middle = Array("LIST".utf8) + WAVBuilder.le(UInt32(0xFFFF_FFF0)) }
            ),
            (.audioDamaged, "before the chunk \"fmt \"", { $0.leading = WAVBuilder.chunk("data", [1, 2]) }),
            (.audioDamaged, "chunks before its samples", { $0.leading = [UInt8](repeating: 0, count: 8 * 5_000) }),
            (.decoderMissing, "samples in mu-law, and ffmpeg", { $0.claimedTag = 7 }),
            (.decoderMissing, "samples in codec 0xbeef", { $0.claimedTag = 0xBEEF }),
        ]
        for (code, words, change) in cases {
            var wav = try WAVBuilder.simple()
            change(&wav)
            for read in [readFile, { try readPipe($0) }] { expectError(code, says: words) { try read(wav.bytes) } }
        }
        var wav = try WAVBuilder.simple()
        wav.form = .rf64
        var bytes = wav.bytes
        for index in 28..<36 { bytes[index] = 0xFF }
        expectError(.audioDamaged, says: "claims 18446744073709551615 bytes") { try readFile(bytes) }
    }

    @Test func otherFormatsSayHowToGetFFmpegAndRawOnesAreChecked() throws {
        expectError(
            .decoderMissing, says: "apt install ffmpeg", "brew install ffmpeg", "WAV, which needs no other program"
        ) { try readFile(Array("fLaC and so on, but not really".utf8)) }
        #expect(try stenoError { try PCMFormat(.int16, sampleRate: 0) }.code == .invalidOption)
        #expect(try stenoError { try PCMFormat(.int16, sampleRate: 16_000, channels: 0) }.code == .invalidOption)
    }

    /// Another program truncates the file while it is read.
    @Test(arguments: [16_000, 44_100]) func onlyTheRestOfATruncatedFileIsRead(rate: Int) throws {
        let folder = try TemporaryFolder()
        let wav = try WAVBuilder.simple(200_000, rate: rate)
        let file = try folder.file("a.wav", wav.bytes)
        let whole = try readAll(AudioOpener(ffmpeg: nil).open(file))
        let audio = try AudioOpener(ffmpeg: nil).open(file)
        var samples = [Float](repeating: 0, count: 1000)
        let count = try samples.withUnsafeMutableBufferPointer { try audio.read(into: $0) }
        samples.removeLast(samples.count - count)
        #expect(truncate(file.path, off_t(44 + 2 * 100_000)) == 0)
        samples += try readAll(audio)
        let left = 100_000 * 16_000 / rate
        #expect(samples.count >= left && samples.count <= left + 1)
        // Up to where the resampling filter meets the end.
        #expect(samples[..<(left - 100)] == whole[..<(left - 100)])
        // Truncated within the header, it still ends.
        #expect(try audio.rewind())
        #expect(truncate(file.path, 10) == 0)
        #expect(try readAll(audio).isEmpty)
    }
}

/// Recordings whose program was killed.
struct WAVRepairTests {
    private let samples = (0..<40_000).map { Float(Int16(truncatingIfNeeded: $0 * 7919)) / 32_768 }
    private let folder = TemporaryFolder.ofSuite()
    private var file: URL { folder.url.appendingPathComponent("a.wav") }

    private func record(updatingEvery seconds: Double? = 1) throws -> Data {
        let writer = try WAVWriter(file, updatingEvery: seconds)
        try writer.write(samples)
        try writer.close()
        return try Data(contentsOf: file)
    }

    /// The header is as old as the last update, or as it was in the beginning; half a sample is at the end.
    @Test(arguments: [16_000, 0]) func theSizesAreCompleted(known: UInt32) throws {
        let complete = try record()
        var bytes = complete
        let (data, file): (UInt32, UInt32) = known == 0 ? (.max, .max) : (known * 2, known * 2 + 72)
        for (offset, size) in [(4, file), (76, data)] {
            for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(byte))) }
        }
        try (bytes + [1]).write(to: self.file)
        #expect(try WAVRepair.repair(self.file))
        #expect(try Data(contentsOf: self.file) == complete)
        #expect(try AudioFile.open(self.file).allSamples() == samples)
        #expect(try !WAVRepair.repair(self.file), "it is complete")
    }

    @Test func otherFilesStayAsTheyAre() throws {
        for content in [try record(updatingEvery: nil), Data("RIFF of something else".utf8), Data()] {
            try content.write(to: file)
            #expect(try !WAVRepair.repair(file))
            #expect(try Data(contentsOf: file) == content)
        }
        #expect(throws: StenoError.self) { try WAVRepair.repair(folder.url.appendingPathComponent("none.wav")) }
    }
}
