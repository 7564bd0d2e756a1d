import Foundation
import Testing

@testable import Steno
@testable import StenoSpeech

final class InputTimelineTests {
    private let second = [Float](repeating: 0.25, count: 16_000)
    private var timeline = InputTimeline()

    private func input(
        _ samples: [Float], at time: Double? = nil, rate: Double = 16_000,
        format: AVAudioCommonFormat = .pcmFormatFloat32
    ) throws -> AnalyzerInput {
        AnalyzerInput(
            buffer: try buffer(samples, rate: rate, format: format),
            bufferStartTime: time.map { CMTime(seconds: $0, preferredTimescale: 16_000) })
    }

    private func code(_ body: () throws -> Void) -> SFSpeechError.Code? {
        #expect(throws: SFSpeechError.self) { try body() }?.code
    }

    @Test func theFirstStartTimeIsSampleZero() throws {
        let chunks = try timeline.take(try input(second, at: 100))
        #expect(chunks.map(\.position) == [0] && timeline.origin?.seconds == 100 && timeline.endTime?.seconds == 101)
        #expect(try timeline.take(try input(second)).map(\.position) == [16_000])
    }

    @Test func aGapBetweenStartTimesIsKept() throws {
        _ = try timeline.take(try input(second))
        let short = try timeline.take(try input(second, at: 3))
        #expect(short.flatMap(\.samples) == [Float](repeating: 0, count: 32_000) + second)
        let long = try timeline.take(try input(second, at: 1_000))
        #expect(long.map(\.end).max() == 1_001 * 16_000 && long.map(\.samples.count).reduce(0, +) == 16_000)
    }

    @Test func jitterOfStartTimesIsTolerated() throws {
        _ = try timeline.take(try input(second, at: 5))
        let chunks = try timeline.take(try input(second, at: 5.99))
        #expect(chunks.flatMap(\.samples).count == 16_000 - 160 && timeline.endTime?.seconds == 6.99)
    }

    @Test func aStartTimeInThePastIsRefused() throws {
        for time in [3.9, 1, -100] {
            timeline = InputTimeline()
            for start in [5.0, 6] { _ = try timeline.take(try input(second, at: start)) }
            #expect(code { _ = try timeline.take(try input(second, at: time)) } == .audioDisordered, "\(time)")
        }
    }

    @Test func aFormatChangesOnlyBetweenSequences() throws {
        _ = try timeline.take(try input(second))
        #expect(code { _ = try timeline.take(try input(second, rate: 48_000)) } == .unexpectedAudioFormat)
        #expect(code { _ = try timeline.take(try input(second, format: .pcmFormatInt16)) } == .unexpectedAudioFormat)
        _ = timeline.endSequence()
        let chunks = try timeline.take(try input(second, rate: 8_000)) + timeline.endSequence()
        #expect(chunks.first?.position == 16_000 && timeline.endTime?.seconds == 3)
    }

    @Test func aSequenceMayBeginLaterButNotEarlier() throws {
        _ = try timeline.take(try input(second, at: 10)) + timeline.endSequence()
        #expect(try timeline.take(try input(second, at: 20)).map(\.position) == [160_000])
        _ = timeline.endSequence()
        #expect(code { _ = try timeline.take(try input(second, at: 20.5)) } == .audioDisordered)
    }

    /// Times too distant to count in samples are refused, and nothing overflows.
    @Test func absurdStartTimesAreRefused() throws {
        for (first, second) in [(Int64(0), Int64.max / 2), (-.max / 2, .max / 2), (0, .min / 2)] {
            timeline = InputTimeline()
            _ = try timeline.take(
                AnalyzerInput(buffer: try buffer(self.second), bufferStartTime: CMTime(value: first, timescale: 1)))
            _ = timeline.endSequence()
            let next = AnalyzerInput(
                buffer: try buffer(self.second), bufferStartTime: CMTime(value: second, timescale: 1))
            #expect(code { _ = try timeline.take(next) } == .audioDisordered)
        }
    }

    @Test func unwantedAudioIsLeftOut() throws {
        timeline.limit = AudioTime(seconds: 2.5)
        timeline.firstWanted = AudioTime(seconds: 0.5)
        var taken: [AudioChunk] = []
        for _ in 0..<4 { taken += try timeline.take(try input(second)) }
        #expect(taken.first?.position == 8_000 && taken.map(\.samples.count) == [8_000, 16_000, 8_000])
        #expect(timeline.isComplete && timeline.endTime?.seconds == 2.5)
    }
}
