import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct AudioFileTests {
    private let folder = TemporaryFolder.ofSuite()

    @Test func writtenSamplesAreReadBack() throws {
        let file = folder.url.appendingPathComponent("a.wav")
        let samples: [Float] = [0, 0.5, -0.5, 2, -2, 1e-9]
        try AudioFile.write(samples: samples, to: file)
        #expect(try readAll(AudioFile.open(file)) == [0, 0.5, -0.5, 32_767 / 32_768, -1, 0])
        // Another file replaces it and keeps its permissions.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try AudioFile.write(samples: samples[..<4], to: file, sampleRate: 8_000, channels: 2)
        #expect(try AudioFile.open(file).duration == 2.0 / 8_000)
        #expect(try folder.names() == ["a.wav"] && permissions(of: file) == 0o600)
    }

    @Test func writingErrorsSayWhy() throws {
        func write(_ samples: [Float], to file: URL, rate: Int = 16_000, channels: Int = 1) throws -> StenoError {
            try stenoError { try AudioFile.write(samples: samples, to: file, sampleRate: rate, channels: channels) }
        }
        let file = folder.url.appendingPathComponent("a.wav")
        let refused: [([Float], Int, Int)] = [
            ([0], 0, 1), ([0], 16_000, 0), ([0, 0, 0], 16_000, 2), ([.nan], 16_000, 1),
        ]
        for (samples, rate, channels) in refused {
            #expect(try write(samples, to: file, rate: rate, channels: channels).code == .invalidOption)
        }
        let web = try #require(URL(string: "http://example.com/a.wav"))
        #expect(try write([0], to: web).code == .outputFailed)
        let nowhere = try write([0], to: folder.url.appendingPathComponent("no/a.wav"))
        #expect(nowhere.code == .outputFailed)
        #expect(!nowhere.message.contains(".steno-"), "the message must not name the temporary file: \(nowhere)")
        #expect(try folder.names().isEmpty)
    }

    @Test func aWebAddressIsNotOpened() async throws {
        let web = try #require(URL(string: "https://example.com/a.mp3"))
        let error = try stenoError { try AudioFile.open(web) }
        #expect(error.code == .audioNotFound)
        #expect(
            error.message == "“https://example.com/a.mp3” is not a file. Download it first and pass the local file.")
        expectError(says: "download it first") { try AudioFile.open(URL(fileURLWithPath: "https://example.com/a.mp3")) }
        await expectAsyncError(.audioNotFound) { try await AudioFile.duration(of: web) }
    }

    @Test func aWAVFileHasOneTrackAndADuration() async throws {
        let file = try folder.file("a.wav", WAVBuilder.simple().bytes)
        #expect(try await AudioFile.duration(of: file) == 0.00625)
        #expect(try readAll(AudioFile.open(file, track: 1)).count == 100)
        #expect(try stenoError { try AudioFile.open(file, track: 2) }.code == .invalidOption)
        #expect(try stenoError { try AudioFile.open(file, track: 0) }.code == .invalidOption)
    }

    @Test func secondsAreRoundedToTheNearestSampleAndNeverOverflow() {
        #expect([0, 1, 0.00004, -0.00004, 2.5, -1].map(\.samples) == [0, 16_000, 1, -1, 40_000, -16_000])
        #expect([0, 16_000, -8_000].map(\.seconds) == [0, 1, -0.5])
        // Times from elsewhere may be anything; none of them may trap.
        #expect([.infinity, .greatestFiniteMagnitude, 2e9].allSatisfy { $0.samples == 1_000_000_000 * 16_000 })
        #expect([-.infinity, -2e9].allSatisfy { $0.samples == -1_000_000_000 * 16_000 })
        #expect(Double.nan.samples == 0)
    }
}

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

    @Test func aTruncatedPipeAndAHeaderWithoutSamplesGiveAWarningToo() throws {
        let bytes = try WAVBuilder.simple(16_000).bytes
        let audio = try openPipe(Array(bytes.prefix(1000)))
        _ = try readAll(audio)
        #expect(audio.warnings.map(\.code) == [.audioTruncated])
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

@Suite struct ContentHeadTests {
    @Test(arguments: [
        ("\u{89}PNG\r\n", "an image (PNG)"), ("\u{FF}\u{D8}\u{FF}\u{E0}", "an image (JPEG)"),
        ("GIF89a", "an image (GIF)"),
        ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", "an image (WebP)"), ("%PDF-1.7", "a PDF document"),
        ("PK\u{3}\u{4}", "a ZIP archive or an office document"), ("\u{1F}\u{8B}\u{8}", "a compressed file (gzip)"),
        ("<svg xmlns=\"x\"/>", "an image (SVG)"), ("<?xml version=\"1.0\"?>\n<svg/>", "an image (SVG)"),
        ("<!DOCTYPE html><title>", "a web page"), ("\u{7F}ELF", "a program"),
    ])
    func otherContentHasAName(_ text: String, _ kind: String) {
        #expect(ContentHead(text.unicodeScalars.map { UInt8($0.value) }).otherKind == kind)
    }

    @Test(arguments: [
        "ID3\u{4}", "fLaC", "OggS", "\u{0}\u{0}\u{0} ftypM4A", "caff", "FORM\u{0}", "\u{1A}E\u{DF}\u{A3}",
    ])
    func audioIsNotMistakenForSomethingElse(_ text: String) {
        let head = ContentHead(text.unicodeScalars.map { UInt8($0.value) })
        #expect(head.otherKind == nil && head.isAudio)
    }

    @Test func textIsRecognised() {
        #expect(ContentHead(Array("Grüße,\tin UTF-8\r\n".utf8)).isText)
        #expect(!ContentHead([0xFF, 0x20, 0x41, 0x42, 0x43]).isText && !ContentHead([0x41, 0, 0x42]).isText)
        #expect(!ContentHead([]).isText)
    }

    @Test func theLengthOfFLACIsInItsHeader() throws {
        let bytes = try [UInt8](Data(contentsOf: Fixtures.file("real-speech/jfk.flac")))
        #expect(ContentHead(bytes).flacDuration == 11)
        // A stream does not know it.
        var unknown = bytes
        unknown[21] &= 0xF0
        for index in 22..<26 { unknown[index] = 0 }
        #expect(ContentHead(unknown).flacDuration == nil)
        #expect(ContentHead(Array(bytes.prefix(20))).flacDuration == nil)
    }

    @Test func theLastOggPageIsMarked() {
        func page(flags: UInt8, body: Int) -> [UInt8] {
            Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 20) + [1, UInt8(body)]
                + [UInt8](repeating: 7, count: body)
        }
        let whole = page(flags: 2, body: 9) + page(flags: 4, body: 99)
        #expect(!OggPages.isCutOff(whole))
        for count in 38..<whole.count { #expect(OggPages.isCutOff(Array(whole.prefix(count))), "\(count)") }
        // What other programs appended is not audio.
        #expect(!OggPages.isCutOff(whole + [1, 2, 3]))
    }
}
