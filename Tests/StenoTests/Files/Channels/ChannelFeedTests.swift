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

    /// Results in order, with the numbers of their recordings.
    private var results: [(number: Int, result: FedResult)] { recorder.all.map { ($0.0, $0.1) } }
    private let recorder = Recorder<(Int, FedResult)>()

    /// A feed of recordings, of which those numbered below 1 are missing files.
    private func feed(_ numbers: [Int]) -> ChannelFeed {
        let missing = folder.url.appendingPathComponent("missing.wav")
        return ChannelFeed(
            NumberedFeed(numbers),
            open: { [stereo] in try AudioFile.open($0 < 1 ? missing : stereo, format: nil, channel: $1) },
            onEvent: { [recorder] in if let result = $1.result { recorder.add(($0, result)) } })
    }

    /// Sendable: used on one thread.
    private final class NumberedFeed: RecordingFeed, @unchecked Sendable {
        private var waiting: [Int]

        init(_ waiting: [Int]) { self.waiting = waiting }

        func next(waits: Bool) -> FedRecording? {
            guard !waiting.isEmpty else { return nil }
            return FedRecording(number: waiting.removeFirst(), options: TranscriptionOptions()) {
                throw StenoError(.audioNotFound, "Only its channels are opened.")
            }
        }

        func stop() { waiting = [] }
    }

    /// A model's result for a channel: a word at some time.
    private func result(_ text: String, at start: Double) -> RecordingEvent {
        let word = Word(rawText: " " + text, start: start, end: start + 0.02, probability: 1)
        let segment = Segment(id: 0, start: start, end: start + 0.02, text: " " + text, words: [word])
        return .result(
            FedResult(.success(Transcript(language: "en", duration: 0.1, segments: [segment])), seconds: 0.5))
    }

    @Test func channelsOfARecordingAreOneResult() throws {
        let feed = feed([7, 9])
        let channels = try (0..<4).map { _ in try #require(try feed.next(waits: true)) }
        #expect(try feed.next(waits: true) == nil)
        #expect(channels.allSatisfy { $0.options.wordTimestamps })
        for (channel, level) in zip(channels, [0.1, 0.2] as [Float]) {
            #expect(try readAll(channel.open()).allSatisfy { abs($0 - level) < 0.001 })
        }
        // They end in any order.
        feed.take(channels[3].number, result("four", at: 0.05))
        feed.take(channels[1].number, result("two", at: 0.05))
        #expect(results.isEmpty)
        feed.take(channels[0].number, result("one", at: 0))
        feed.take(channels[2].number, result("three", at: 0))
        #expect(results.map(\.number) == [7, 9])
        let segments = try results.map { try $0.result.transcript.get().segments }
        #expect(segments.map { $0.map(\.text) } == [[" one", " two"], [" three", " four"]])
        #expect(segments.allSatisfy { $0.map(\.speaker) == ["Channel 1", "Channel 2"] })
        #expect(segments.joined().allSatisfy { $0.words == nil })
        #expect(results.allSatisfy { $0.result.seconds >= 1 })
    }

    @Test func aRecordingThatFailsIsOneErrorAndTheOthersContinue() throws {
        let feed = feed([0, 2, 3])
        let first = try #require(try feed.next(waits: true))
        #expect(results.map(\.number) == [0])
        feed.take(
            first.number, .result(FedResult(.failure(StenoError(.audioDamaged, "Damaged.")), seconds: 0.1)))
        #expect(results.map(\.number) == [0, 2])
        let codes = results.map {
            if case .failure(let error as StenoError) = $0.result.transcript {
                error.code
            } else {
                StenoError.Code.noSpeech
            }
        }
        #expect(codes == [.audioNotFound, .audioDamaged])
        // The other channel of what failed is not decoded; those of the next recording are.
        for index in 0..<2 {
            let channel = try #require(try feed.next(waits: true))
            feed.take(channel.number, result("text", at: 0.05 * Double(index)))
        }
        #expect(results.map(\.number) == [0, 2, 3] && (try? results[2].result.transcript.get()) != nil)
        #expect(try feed.next(waits: true) == nil)
    }
}
