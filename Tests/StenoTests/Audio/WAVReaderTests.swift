import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct WAVReaderTests {
    static let encodings = PCMFormat.Encoding.allCases
    private let folder = TemporaryFolder.ofSuite()

    /// Half of the smallest step of an encoding.
    private static func tolerance(_ encoding: PCMFormat.Encoding) -> Float {
        switch encoding {
        case .uint8: 0.51 / 128
        case .int16: 0.51 / 32_768
        default: 1.2e-7
        }
    }

    @Test(arguments: encodings, WAVBuilder.Form.allCases)
    func everyEncodingInEveryForm(_ encoding: PCMFormat.Encoding, _ form: WAVBuilder.Form) throws {
        for channels in [1, 2, 3, 6] {
            let format = try PCMFormat(encoding, sampleRate: 16_000, channels: channels)
            let samples = (0..<(channels * 101)).map { sin(Double($0) * 0.37) * 0.9 }
            let bytes = WAVBuilder(format, form: form, samples: samples).bytes
            let expected = (0..<101).map { frame in
                Float(samples[(frame * channels)..<((frame + 1) * channels)].reduce(0, +) / Double(channels))
            }
            for read in [try readFile(bytes), try readPipe(bytes)] {
                #expect(read.count == 101)
                #expect(zip(read, expected).allSatisfy { abs($0 - $1) <= Self.tolerance(encoding) })
            }
        }
    }

    @Test func sixteenBitsAreDividedBy32768ExactlyAndFullScaleStaysInRange() throws {
        let values = Array(Int16.min...Int16.max)
        var wav = try WAVBuilder.simple(0)
        wav.claimedDataSize = UInt32(values.count * 2)
        let read = try readFile(wav.bytes + values.flatMap { WAVBuilder.le($0) })
        #expect(read == values.map { Float($0) / 32_768 })
        for encoding in Self.encodings {
            let format = try PCMFormat(encoding, sampleRate: 16_000, channels: 2)
            let read = try readFile(WAVBuilder(format, samples: [-1, -1, 1, 1]).bytes)
            #expect(read.count == 2 && read[0] == -1 && read[1] > 0.99 && read[1] <= 1)
        }
    }

    @Test func nonFiniteSamplesBecomeSilenceAndLoudOnesAreClipped() throws {
        for encoding in [PCMFormat.Encoding.float32, .float64] {
            let format = try PCMFormat(encoding, sampleRate: 16_000)
            let samples = [Double.nan, .infinity, -.infinity, 0.25, 7, -1e30, 1e300]
            let read = try readFile(WAVBuilder(format, samples: samples).bytes)
            // 1e300 is infinite in 32 bits.
            #expect(read == [0, 0, 0, 0.25, 1, -1, 0])
        }
    }

    @Test func chunksAroundTheFormatAreSkippedWithTheirPadBytes() throws {
        var wav = try WAVBuilder.simple()
        let plain = try readFile(wav.bytes)
        wav.leading = WAVBuilder.chunk("JUNK", [1, 2, 3]) + WAVBuilder.chunk("bext", [UInt8](repeating: 7, count: 602))
        wav.middle = WAVBuilder.chunk("LIST", Array("INFOISFT".utf8) + [5]) + WAVBuilder.chunk("fact", [])
        wav.trailing = WAVBuilder.chunk("id3 ", [UInt8](repeating: 9, count: 99))
        #expect(try readFile(wav.bytes) == plain)
        #expect(try readPipe(wav.bytes) == plain)
        // A format chunk of an odd length has a pad byte too.
        let bytes = try WAVBuilder.simple().bytes
        let odd = Array(bytes[..<16]) + WAVBuilder.le(UInt32(17)) + bytes[20..<36] + [0, 0] + bytes[36...]
        #expect(try readFile(odd) == readFile(bytes))
    }

    @Test func twentyBitsInThreeBytesAreReadAsTwentyFour() throws {
        var wav = WAVBuilder(try PCMFormat(.int24, sampleRate: 16_000), samples: [0.5, -0.25])
        wav.claimedBits = 20
        #expect(try readFile(wav.bytes) == [0.5, -0.25])
    }

    private static let unfilledSizes: [(UInt32, UInt32?)] = [(0, 36), (.max, .max), (0, nil), (0, 0)]

    /// Streaming writers leave sizes that mean “until the end”, as a killed recorder does.
    ///
    /// Samples are not chunks, so a data size of 0 is wrong even if the file's size is right.
    @Test(arguments: unfilledSizes) func unfilledSizesAreIgnored(samples: UInt32, file: UInt32?) throws {
        var wav = try WAVBuilder.simple(1000)
        let plain = try readFile(wav.bytes)
        wav.claimedDataSize = samples
        wav.claimedRIFFSize = file
        #expect(try readFile(wav.bytes) == plain)
        // A pipe does not know how long the file is.
        if file != nil { #expect(try readPipe(wav.bytes) == plain) }
    }

    @Test(arguments: encodings) func bigEndianFilesAreReadToo(_ encoding: PCMFormat.Encoding) throws {
        let format = try PCMFormat(encoding, sampleRate: 16_000, channels: 2)
        var wav = WAVBuilder(format, samples: (0..<400).map { sin(Double($0) * 0.37) * 0.9 })
        wav.middle = WAVBuilder.chunk("LIST", [1, 2, 3])
        let expected = try readFile(wav.bytes)
        #expect(expected.count == 200)
        for pieces in [[4096], [1, 3, 7]] {
            let file = try folder.file("a.wav", wav.bigEndian)
            #expect(try readAll(AudioOpener(ffmpeg: nil).open(file), pieces: pieces) == expected)
        }
        #expect(try readPipe(wav.bigEndian) == expected)
    }

    @Test func aFinishedFileWithoutSamplesIsNotAnError() throws {
        var wav = try WAVBuilder.simple(0)
        wav.trailing = WAVBuilder.chunk("LIST", Array("INFOISFT".utf8))
        #expect(try readFile(wav.bytes).isEmpty)
        #expect(try readPipe(WAVBuilder.simple(0).bytes).isEmpty)
    }

    @Test func theHeadersSizeCountsUpToTheEndOfTheFile() throws {
        var wav = try WAVBuilder.simple(1000)
        let plain = try readFile(wav.bytes)
        wav.claimedDataSize = 0x7FFF_F000
        #expect(try readFile(wav.bytes) == plain)
        #expect(try readPipe(wav.bytes) == plain)
        // Half a sample at the end is dropped.
        #expect(try readFile(wav.bytes.dropLast(3)) == plain.dropLast(2))
        // Samples end where the header says.
        wav.claimedDataSize = 200
        #expect(try readFile(wav.bytes).count == 100)
    }

    @Test func piecesOfAnySizeGiveTheSameSamples() throws {
        // The content decides what it is, not the name.
        let file = try folder.file("-sound: 100%.mp3", WAVBuilder.simple(5000, rate: 44_100).bytes)
        let whole = try readAll(AudioFile.open(file))
        #expect(try readAll(AudioFile.open(file), pieces: [1, 2, 3, 5, 8, 1000, 7]) == whole)
        #expect(whole.count == (5000 * 160 + 440) / 441)
    }

    @Test func filesButNotPipesCanBeRewound() throws {
        for rate in [16_000, 44_100] {
            let bytes = try WAVBuilder.simple(3000, rate: rate).bytes
            let audio = try AudioFile.open(folder.file("a.wav", bytes))
            let first = try readAll(audio)
            #expect(try audio.rewind())
            #expect(try readAll(audio) == first)
            let pipe = try openPipe(bytes)
            #expect(try readAll(pipe) == first)
            #expect(try !pipe.rewind())
        }
    }

    @Test func theDurationCountsExistingSamples() throws {
        var wav = try WAVBuilder.simple(4410, rate: 44_100)
        #expect(try AudioFile.open(folder.file("a.wav", wav.bytes)).duration == 0.1)
        wav.claimedDataSize = 1 << 30
        #expect(try AudioFile.open(folder.file("a.wav", wav.bytes)).duration == 0.1)
        #expect(try openPipe(wav.bytes).duration == nil)
    }

    @Test func rawSamplesAreReadInTheGivenFormat() throws {
        let format = try PCMFormat(.float32, sampleRate: 8_000, channels: 2)
        let wav = WAVBuilder(format, samples: (0..<200).map { Double($0) / 200 })
        let bare = try readPipe(wav.data, format: format)
        #expect(bare.count == 200)
        #expect(try bare == readFile(wav.bytes))
        let file = try AudioFile.open(folder.file("a.raw", wav.data), format: format)
        #expect(file.duration == 100.0 / 8_000)
        #expect(try readAll(file) == bare)
    }

    @Test func realRecordingsHaveTheirDuration() throws {
        let mono = try AudioFile.open(Fixtures.file("real-speech/es_test_clip.wav"))
        let count = try readAll(mono).count
        #expect(count > 16_000)
        #expect(mono.duration == Double(count) / 16_000)
        let stereo = try AudioFile.open(Fixtures.file("real-speech/stereo_diarization.wav"))
        #expect(try readAll(stereo).count == Int((stereo.duration ?? 0) * 16_000))
    }
}

#if os(Linux) || os(macOS)
    /// A long recording through a pipe.
    struct LongStreamTests {
        /// Ten seconds, or an hour with `make fuzz`: a process of its own does not grow after the first sixth.
        @Test func memoryStaysFlat() throws {
            let seconds = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"] == nil ? 10 : 3600
            let report = try BuiltTool.report(["stream", "\(seconds)"])
            #expect(report["samples"] == seconds * 16_000)
            if report["instrumented"] == 0 { #expect(try #require(report["growth"]) < 4 << 20, "\(report)") }
        }
    }
#endif
