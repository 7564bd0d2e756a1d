import Foundation
import StenoTestSupport
import Testing

@testable import Steno

@Suite struct WAVWriterTests {
    private let samples = (0..<3000).map { Float(Int16(truncatingIfNeeded: $0 * 7919)) / 32_768 }

    @Test func sixteenBitsComeBackExactly() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let writer = try WAVWriter(file)
        try writer.write(samples[..<1000])
        try writer.write(samples[1000...])
        try writer.close()
        try writer.close()
        let audio = try AudioFile.open(file)
        #expect(audio.duration == 3000.0 / 16_000)
        #expect(try readAll(audio) == samples)
        #expect(try Data(contentsOf: file).count == 44 + 6000)
    }

    @Test func floatsComeBackExactly() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let writer = try WAVWriter(file, channels: 2, encoding: .float32)
        try writer.write(samples.flatMap { [$0, $0] })
        try writer.close()
        #expect(try readAll(AudioFile.open(file)) == samples)
    }

    @Test func loudAndBrokenSamplesAreCutOff() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let writer = try WAVWriter(file)
        try writer.write([2, -2, .nan, .infinity, 1])
        try writer.close()
        #expect(try readAll(AudioFile.open(file)) == [32_767 / 32_768, -1, 0, 0, 32_767 / 32_768])
    }

    @Test func whatACrashLeavesCanBeRead() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let writer = try WAVWriter(file)
        try writer.write(samples)
        #expect(try readAll(AudioFile.open(file)) == samples)
        try writer.close()
    }

    @Test func otherProgramsReadTheHeader() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
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

    @Test func aPlaceThatCannotBeWritten() throws {
        let error = try stenoError { try WAVWriter(URL(fileURLWithPath: "/no/such/folder/a.wav")) }
        #expect(error.code == .outputFailed)
    }
}
