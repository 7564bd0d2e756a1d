import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Recordings whose channels a model takes one by one.
@Suite struct ChannelFeedTests {
    private let folder = TemporaryFolder.ofSuite()
    private var stereo: URL { folder.url.appendingPathComponent("stereo.wav") }

    init() throws {
        try AudioFile.write(samples: (0..<3200).map { $0 % 2 == 0 ? 0.1 : 0.2 }, to: stereo, channels: 2)
    }

    /// Sendable: used on one thread.
    private final class ScriptedFeed: ChannelRecordingFeed, @unchecked Sendable {
        private var waiting: [ChannelRecording]

        init(_ waiting: [ChannelRecording]) { self.waiting = waiting }

        func nextByChannel(waits: Bool) -> ChannelRecording? { waiting.isEmpty ? nil : waiting.removeFirst() }
        func stop() { waiting = [] }
    }

    private func recording(_ number: Int, _ file: URL? = nil) -> ChannelRecording {
        ChannelRecording(number: number, options: TranscriptionOptions()) { [file = file ?? stereo] in
            try AudioFile.open(file, format: nil, channel: $0)
        }
    }

    /// A model's result for a channel: a word at some time.
    private func result(_ number: Int, _ text: String, at start: Double) -> FedResult {
        let word = Word(rawText: " " + text, start: start, end: start + 0.02, probability: 1)
        let segment = Segment(id: 0, start: start, end: start + 0.02, text: " " + text, words: [word])
        return FedResult(
            number: number, transcript: .success(Transcript(language: "en", duration: 0.1, segments: [segment])),
            seconds: 0.5)
    }

    @Test func channelsOfARecordingAreOneResult() throws {
        var results: [FedResult] = []
        let feed = ChannelFeed(ScriptedFeed([recording(7), recording(9)])) { results.append($0) }
        let channels = try (0..<4).map { _ in try #require(try feed.next(waits: true)) }
        #expect(try feed.next(waits: true) == nil)
        #expect(channels.allSatisfy { $0.options.wordTimestamps })
        for (channel, level) in zip(channels, [0.1, 0.2] as [Float]) {
            #expect(try readAll(channel.open()).allSatisfy { abs($0 - level) < 0.001 })
        }
        // They end in any order.
        feed.finish(result(channels[3].number, "four", at: 0.05))
        feed.finish(result(channels[1].number, "two", at: 0.05))
        #expect(results.isEmpty)
        feed.finish(result(channels[0].number, "one", at: 0))
        feed.finish(result(channels[2].number, "three", at: 0))
        #expect(results.map(\.number) == [7, 9])
        let segments = try results.map { try $0.transcript.get().segments }
        #expect(segments.map { $0.map(\.text) } == [[" one", " two"], [" three", " four"]])
        #expect(segments.allSatisfy { $0.map(\.speaker) == ["Channel 1", "Channel 2"] })
        #expect(segments.joined().allSatisfy { $0.words == nil })
        #expect(results.allSatisfy { $0.seconds >= 1 })
    }

    @Test func aRecordingThatFailsIsOneErrorAndTheOthersContinue() throws {
        var results: [FedResult] = []
        let missing = folder.url.appendingPathComponent("missing.wav")
        let feed = ChannelFeed(ScriptedFeed([recording(1, missing), recording(2), recording(3)])) { results.append($0) }
        let first = try #require(try feed.next(waits: true))
        #expect(results.map(\.number) == [1])
        feed.finish(
            FedResult(number: first.number, transcript: .failure(StenoError(.audioDamaged, "Damaged.")), seconds: 0.1))
        #expect(results.map(\.number) == [1, 2])
        let codes = results.map { result in
            if case .failure(let error as StenoError) = result.transcript {
                error.code
            } else {
                StenoError.Code.noSpeech
            }
        }
        #expect(codes == [.audioNotFound, .audioDamaged])
        // The other channel of what failed is not decoded; those of the next recording are.
        for index in 0..<2 {
            let channel = try #require(try feed.next(waits: true))
            feed.finish(result(channel.number, "text", at: 0.05 * Double(index)))
        }
        #expect(results.map(\.number) == [1, 2, 3] && (try? results[2].transcript.get()) != nil)
        #expect(try feed.next(waits: true) == nil)
    }
}
