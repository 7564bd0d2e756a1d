import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct WAVWriterTests {
    private let samples = (0..<3000).map { Float(Int16(truncatingIfNeeded: $0 * 7919)) / 32_768 }
    private let folder = TemporaryFolder.ofSuite()
    private var file: URL { folder.url.appendingPathComponent("a.wav") }

    /// They can be read before the end too, as after a crash.
    @Test func sixteenBitsComeBackExactly() throws {
        let writer = try WAVWriter(file)
        try writer.write(samples[..<1000])
        try writer.write(samples[1000...])
        #expect(try readAll(AudioFile.open(file)) == samples)
        try writer.close()
        try writer.close()
        let audio = try AudioFile.open(file)
        #expect(audio.duration == 3000.0 / 16_000)
        #expect(try readAll(audio) == samples)
        #expect(try Data(contentsOf: file).count == 44 + 6000)
    }

    @Test func floatsComeBackExactlyFromAPlaceThatCanBeWritten() throws {
        expectError(.outputFailed) { try WAVWriter(folder.url.appendingPathComponent("no/folder/a.wav")) }
        let writer = try WAVWriter(file, channels: 2, encoding: .float32)
        try writer.write(samples.flatMap { [$0, $0] })
        try writer.close()
        #expect(try readAll(AudioFile.open(file)) == samples)
    }

    @Test(
        arguments: [
            ([0.4, 0.6, 1.5, -0.4, -0.6, -1.5].map { $0 / 32_768 }, [0, 1, 2, 0, -1, -2].map { $0 / 32_768 }),
            ([2, -2, .nan, .infinity, 1], [32_767 / 32_768, -1, 0, 0, 32_767 / 32_768]),
        ] as [([Float], [Float])])
    func samplesAreRoundedAndClipped(_ samples: [Float], _ written: [Float]) throws {
        let writer = try WAVWriter(file)
        try writer.write(samples)
        try writer.close()
        #expect(try readAll(AudioFile.open(file)) == written)
    }

    @Test func otherProgramsReadTheHeader() throws {
        for encoding in [WAVWriter.Encoding.int16, .float32] {
            let writer = try WAVWriter(file, sampleRate: 48_000, channels: 2, encoding: encoding)
            try writer.write([0.5, -0.5, 0.25, -0.25])
            try writer.close()
            let bytes = [UInt8](try Data(contentsOf: file))
            #expect(bytes[4..<8] == WAVBuilder.le(UInt32(bytes.count - 8))[...])
            let size = encoding == .int16 ? 8 : 16
            #expect(bytes[(bytes.count - size - 4)..<(bytes.count - size)] == WAVBuilder.le(UInt32(size))[...])
        }
    }

    /// A recording whose writer was never closed, as a program that trusts the header sees it.
    @Test(arguments: [WAVWriter.Encoding.int16, .float32])
    func anUnfinishedRecordingHasAHeader(_ encoding: WAVWriter.Encoding) throws {
        let writer = try WAVWriter(file, encoding: encoding, updatingEvery: 0.05)
        #expect(try readAll(AudioFile.open(file)) == [])
        for start in stride(from: 0, to: 3_000, by: 100) { try writer.write(samples[start..<(start + 100)]) }
        let bytes = [UInt8](try Data(contentsOf: file))
        // 2,400 samples are three updates; the last 600 wait for the next.
        let size = 2_400 * (encoding == .int16 ? 2 : 4)
        let header = bytes.count - 3_000 * (encoding == .int16 ? 2 : 4)
        #expect(bytes[4..<8] == WAVBuilder.le(UInt32(header + size - 8))[...])
        #expect(bytes[(header - 4)..<header] == WAVBuilder.le(UInt32(size))[...])
        #expect(try readAll(AudioFile.open(file)) == Array(samples[..<2_400]))
        try writer.close()
        #expect(try readAll(AudioFile.open(file)) == samples)
    }

    @Test(arguments: [WAVWriter.Encoding.int16, .float32])
    func beyondTheLimitOf32BitsItIsRF64(_ encoding: WAVWriter.Encoding) throws {
        let size = 3_000 * (encoding == .int16 ? 2 : 4)
        let writer = try WAVWriter(file, encoding: encoding, updatingEvery: 0.01, limit: size / 2)
        try writer.write(samples[..<1_000])
        #expect(try Data(contentsOf: file).prefix(4) == Data("RIFF".utf8))
        try writer.write(samples[1_000...])
        let bytes = [UInt8](try Data(contentsOf: file))
        #expect(bytes[..<16] == (Array("RF64".utf8) + WAVBuilder.le(UInt32.max) + Array("WAVEds64".utf8))[...])
        #expect(bytes[20..<28] == WAVBuilder.le(UInt64(bytes.count - 8))[...])
        #expect(bytes[28..<36] == WAVBuilder.le(UInt64(size))[...])
        #expect(bytes[36..<44] == WAVBuilder.le(UInt64(3_000))[...])
        let audio = try AudioFile.open(file)
        #expect(audio.duration == 3_000.0 / 16_000)
        #expect(try readAll(audio) == samples)
        try writer.close()
    }
}
