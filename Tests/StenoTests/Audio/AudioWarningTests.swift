import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

/// Warnings about defects of readable audio.
@Suite struct AudioWarningTests {
    private let folder = TemporaryFolder.ofSuite()

    private func warnings(_ bytes: [UInt8]) throws -> [TranscriptionWarning] {
        let audio = try AudioOpener(ffmpeg: nil).open(folder.file("a.wav", bytes))
        _ = try readAll(audio)
        // They are about the last reading, not about all.
        #expect(try audio.rewind())
        #expect(audio.warnings.isEmpty)
        _ = try readAll(audio)
        return audio.warnings
    }

    @Test(arguments: [16_000, 44_100]) func aTruncatedWAVFileIsReadWithOneWarning(_ rate: Int) throws {
        let bytes = try WAVBuilder.simple(4 * rate, rate: rate).bytes
        #expect(try warnings(bytes).isEmpty)
        let found = try warnings(Array(bytes.prefix(44 + 2 * rate)))
        #expect(found.map(\.code) == [.audioTruncated])
        #expect(
            found.first?.message.hasSuffix(
                "a.wav” is cut off after 1.0 s of the 4.0 s in its header. The end of the file is missing.") == true)
    }

    @Test func aTruncatedPipeGivesAWarningToo() throws {
        let audio = try openPipe(Array(WAVBuilder.simple(16_000).bytes.prefix(1000)))
        _ = try readAll(audio)
        #expect(audio.warnings.map(\.code) == [.audioTruncated])
    }

    @Test func aHeaderWithoutSamplesIsTruncated() throws {
        let bytes = try WAVBuilder.simple(16_000).bytes
        #expect(try warnings(Array(bytes.prefix(44))).map(\.code) == [.audioTruncated])
    }

    /// Programs that write to pipes have several conventions.
    @Test(arguments: [0x7FFF_F000, 0x8000_0000, 0xFFFF_FFFF, 0]) func anUnknownSizeIsNoWarning(_ size: UInt32) throws {
        var wav = try WAVBuilder.simple(1000)
        (wav.claimedDataSize, wav.claimedRIFFSize) = (size, size)
        #expect(try warnings(wav.bytes).isEmpty)
    }

    @Test func nonFiniteSamplesAreCounted() throws {
        let format = try PCMFormat(.float32, sampleRate: 16_000)
        let found = try warnings(WAVBuilder(format, samples: [0.5, .nan, 0.5, .infinity, 0.5]).bytes)
        #expect(found.map(\.code) == [.audioDamaged])
        #expect(found.first?.message.contains("has 2 samples that are not finite numbers") == true)
    }
}
