import Foundation
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct PCMBufferTests {
    @Test func everySampleTypeGivesTheSameAudio() throws {
        let float = try PCMBuffer([0.5, -1, 0.25] as [Float], sampleRate: 16_000)
        #expect(float.mono == [0.5, -1, 0.25])
        #expect(try PCMBuffer([16_384, -32_768, 8_192] as [Int16], sampleRate: 16_000).mono == float.mono)
        let wide: [Int32] = [1 << 30, .min, 1 << 29]
        #expect(try PCMBuffer(wide, sampleRate: 16_000).mono == float.mono)
    }

    @Test func channelsAreAveraged() throws {
        let buffer = try PCMBuffer([1, 0, -0.5, -1] as [Float], sampleRate: 48_000, channels: 2)
        #expect(buffer.frameCount == 2)
        #expect(buffer.mono == [0.5, -0.75])
        #expect(buffer.duration == AudioTime(value: 2, timescale: 48_000))
        let planar = try PCMBuffer(planar: [[1, -0.5], [0, -1]] as [[Float]], sampleRate: 48_000)
        #expect(planar == buffer)
    }

    @Test func bytesAreReadInTheirFormat() throws {
        for encoding in PCMFormat.Encoding.allCases {
            let bytes = [0.5, -0.5, -1, 0].flatMap { WAVBuilder.encode($0, encoding) }
            let buffer = try PCMBuffer(bytes: bytes, format: PCMFormat(encoding, sampleRate: 8_000, channels: 2))
            #expect(buffer.mono == [0, -0.5])
        }
    }

    @Test func samplesOutOfRangeAreClipped() throws {
        let samples: [Float] = [2, -2, .nan, .infinity, -.infinity]
        #expect(try PCMBuffer(samples, sampleRate: 16_000).mono == [1, -1, 0, 0, 0])
        #expect(try PCMBuffer(planar: [samples, samples], sampleRate: 16_000).mono == [1, -1, 0, 0, 0])
    }

    @Test func invalidAudioIsRefused() throws {
        let format = try PCMFormat(.int16, sampleRate: 16_000, channels: 2)
        let refused: [() throws -> Any] = [
            { try PCMBuffer([0, 0, 0] as [Float], sampleRate: 16_000, channels: 2) },
            { try PCMBuffer([0] as [Float], sampleRate: 0) },
            { try PCMBuffer([0] as [Float], sampleRate: 1_000_000) },
            { try PCMBuffer([0] as [Int16], sampleRate: 16_000, channels: 0) },
            { try PCMBuffer(planar: [] as [[Int16]], sampleRate: 16_000) },
            { try PCMBuffer(planar: [[0, 0], [0]] as [[Int16]], sampleRate: 16_000) },
            { try PCMBuffer(bytes: [1, 2, 3, 4, 5], format: format) },
        ]
        for make in refused { #expect(try stenoError(make).code == .invalidOption) }
        #expect(try PCMBuffer([] as [Float], sampleRate: 16_000).mono == [])
    }
}
