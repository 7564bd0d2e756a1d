import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno

@Suite struct AudioFileTests {
    private let folder = TemporaryFolder.ofSuite()

    // MARK: Writing

    @Test func writtenSamplesAreReadBack() throws {
        let file = folder.url.appendingPathComponent("a.wav")
        let samples: [Float] = [0, 0.5, -0.5, 2, -2, 1e-9]
        try AudioFile.write(samples: samples, to: file)
        #expect(try readAll(AudioFile.open(file)) == [0, 0.5, -0.5, 32_767 / 32_768, -1, 0])
        // Another file replaces it.
        try AudioFile.write(samples: samples[..<4], to: file, sampleRate: 8_000, channels: 2)
        #expect(try AudioFile.open(file).duration == 2.0 / 8_000)
        #expect(try folder.names() == ["a.wav"])
    }

    @Test func aReplacedFileKeepsItsPermissions() throws {
        let file = try folder.file("a.wav", [1])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try AudioFile.write(samples: [0], to: file)
        #expect(try permissions(of: file) == 0o600)
    }

    @Test func writingErrorsSayWhy() throws {
        func code(_ samples: [Float], _ file: URL, rate: Int = 16_000, channels: Int = 1) throws -> StenoError {
            try stenoError { try AudioFile.write(samples: samples, to: file, sampleRate: rate, channels: channels) }
        }
        let file = folder.url.appendingPathComponent("a.wav")
        #expect(try code([0], file, rate: 0).code == .invalidOption)
        #expect(try code([0], file, channels: 0).code == .invalidOption)
        #expect(try code([0, 0, 0], file, channels: 2).code == .invalidOption)
        #expect(try code([.nan], file).code == .invalidOption)
        let web = try #require(URL(string: "http://example.com/a.wav"))
        #expect(try code([0], web).code == .outputFailed)
        let nowhere = try code([0], folder.url.appendingPathComponent("no/a.wav"))
        #expect(nowhere.code == .outputFailed)
        #expect(!nowhere.message.contains(".steno-"), "the message must not name the temporary file: \(nowhere)")
        #expect(try folder.names().isEmpty)
    }

    // MARK: Names

    @Test func aWebAddressIsNotOpened() throws {
        let web = try #require(URL(string: "https://example.com/a.mp3"))
        let error = try stenoError { try AudioFile.open(web) }
        #expect(error.code == .audioNotFound)
        #expect(
            error.message == "“https://example.com/a.mp3” is not a file. Download it first and pass the local file.")
        expectError(says: "download it first") { try AudioFile.open(URL(fileURLWithPath: "https://example.com/a.mp3")) }
    }

    @Test func aWAVFileHasOneTrack() throws {
        let file = try folder.file("a.wav", WAVBuilder.simple().bytes)
        #expect(try readAll(AudioFile.open(file, track: 1)).count == 100)
        #expect(try stenoError { try AudioFile.open(file, track: 2) }.code == .invalidOption)
        #expect(try stenoError { try AudioFile.open(file, track: 0) }.code == .invalidOption)
    }

    // MARK: Durations

    @Test func theDurationOfAWAVFileIsKnownWithoutReadingIt() async throws {
        let file = try folder.file("a.wav", WAVBuilder.simple(4410, rate: 44_100).bytes)
        #expect(try await AudioFile.duration(of: file) == 0.1)
        let web = try #require(URL(string: "https://example.com/a.mp3"))
        await expectAsyncError(.audioNotFound) { try await AudioFile.duration(of: web) }
    }

    // MARK: Times

    @Test func secondsAreRoundedToTheNearestSample() {
        #expect([0, 1, 0.00004, -0.00004, 2.5, -1].map(\.samples) == [0, 16_000, 1, -1, 40_000, -16_000])
        #expect([0, 16_000, -8_000].map(\.seconds) == [0, 1, -0.5])
    }

    /// Times from elsewhere may be anything; none of them may trap.
    @Test func noSecondsOverflow() {
        #expect([.infinity, .greatestFiniteMagnitude, 2e9].allSatisfy { $0.samples == 1_000_000_000 * 16_000 })
        #expect([-.infinity, -2e9].allSatisfy { $0.samples == -1_000_000_000 * 16_000 })
        #expect(Double.nan.samples == 0)
    }
}
