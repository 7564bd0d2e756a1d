import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Recordings that arrive one by one, on a model of two-second windows that takes milliseconds.
struct FeedTests {
    let model: WhisperModel

    init() throws { model = try SmallModel.load(.int8, threads: 2) }

    private static let recordings = (0..<7).map {
        TestAudio.noise(seed: UInt64($0), count: [200_000, 30_000, 160, 90_123, 0, 64_000, 50_001][$0], gain: 0.3)
    }

    /// Gives its recordings; one that is late arrives as soon as the model waits for it.
    private final class ScriptedFeed: RecordingFeed, @unchecked Sendable {
        // Sendable: used on one thread.
        private var waiting: [FedRecording?]
        /// How often the model was idle.
        private(set) var waits = 0

        init(_ recordings: [FedRecording?]) { waiting = recordings }

        func next(waits isWaiting: Bool) -> FedRecording? {
            if isWaiting { waits += 1 }
            while let first = waiting.first {
                // Nil is a pause, which ends when nothing is left to decode.
                guard first != nil || isWaiting else { return nil }
                waiting.removeFirst()
                if let first { return first }
            }
            return nil
        }

        func stop() { waiting = [] }
    }

    private func fed(_ number: Int, _ options: TranscriptionOptions) -> FedRecording {
        FedRecording(number: number, options: options) { ArraySampleSource(Self.recordings[number]) }
    }

    private func run(_ feed: ScriptedFeed, lanes: Int, _ options: TranscriptionOptions) throws -> [Int: FedResult] {
        var results: [Int: FedResult] = [:]
        try model.transcribe(feed, lanes: lanes, options, isCancelled: { false }) { number, event in
            // The result is the last event.
            #expect(results[number] == nil)
            if let result = event.result { results[number] = result }
        }
        return results
    }

    @Test(arguments: [1, 2, 3, 16]) func everyTranscriptEqualsItsRecordingsOwn(lanes: Int) throws {
        let changes: [(inout TranscriptionOptions) -> Void] = [
            { ($0.whisper.conditionOnPreviousText, $0.whisper.beamSize) = (true, 3) },
            {
                ($0.whisper.temperatures, $0.whisper.logProbabilityThreshold, $0.whisper.beamSize) = (
                    [0, 0.5, 1], -4.4, 2
                )
            },
            { ($0.wordTimestamps, $0.language) = (true, nil) },
        ]
        for change in changes {
            let options = TranscriptionTests.options(change)
            let feed = ScriptedFeed(Self.recordings.indices.map { fed($0, options) })
            let results = try run(feed, lanes: lanes, options)
            for (number, audio) in Self.recordings.enumerated() {
                let alone = try model.transcribe(ArraySampleSource(audio), options: options)
                #expect(try results[number]?.transcript.get() == alone)
            }
        }
    }

    @Test func lateRecordingsJoinRunningOnes() throws {
        let options = TranscriptionTests.options { _ in }
        let script = [0, nil, 1, 5, nil, nil, 3].map { $0.map { fed($0, options) } }
        let feed = ScriptedFeed(script)
        let results = try run(feed, lanes: 2, options)
        #expect(results.keys.sorted() == [0, 1, 3, 5])
        #expect(results.values.allSatisfy { $0.seconds > 0 })
        // At the start, at each pause, and once per lane at the end.
        #expect(feed.waits >= 4)
    }

    @Test func recordingsHaveTheirOwnOptions() throws {
        let options = TranscriptionTests.options { ($0.whisper.beamSize, $0.whisper.temperatures) = (2, [0]) }
        let own: [TranscriptionOptions] = [
            options.with { $0.wordTimestamps = true }, options.with { $0.clips = [1..<3, 4..<5] },
            options.with { $0.prompt = "abc" },
        ]
        let feed = ScriptedFeed([0, 3, 5].enumerated().map { fed($1, own[$0]) })
        let results = try run(feed, lanes: 3, options)
        for (index, number) in [0, 3, 5].enumerated() {
            let alone = try model.transcribe(ArraySampleSource(Self.recordings[number]), options: own[index])
            #expect(try results[number]?.transcript.get() == alone)
        }
    }

    @Test func failuresAffectOnlyTheirRecording() throws {
        let options = TranscriptionTests.options { ($0.whisper.beamSize, $0.whisper.temperatures) = (1, [0]) }
        let wrong: [FedRecording] = [
            fed(0, options.with { $0.whisper.beamSize = 5 }), fed(1, options.with { $0.batchSize = 2 }),
            fed(2, options.with { $0.language = "klingon" }), fed(3, options.with { $0.whisper.chunkLength = 900 }),
            FedRecording(number: 4, options: options) { throw StenoError(.audioNotFound, "None.") },
        ]
        let results = try run(ScriptedFeed([fed(5, options)] + wrong + [fed(6, options)]), lanes: 2, options)
        let codes = (0..<5).map { number in
            if case .failure(let error as StenoError) = results[number]?.transcript { return error.code }
            return .noSpeech
        }
        #expect(codes == [.invalidOption, .invalidOption, .unknownLanguage, .invalidOption, .audioNotFound])
        #expect((5...6).allSatisfy { (try? results[$0]?.transcript.get()) != nil })
    }

    @Test func lanesBeyondTheMemoryAreRefused() throws {
        let options = TranscriptionTests.options { $0.whisper.beamSize = 64 }
        let room = MemoryEstimate(model.shape, precision: model.precision, options: options, lanes: 7).bytes
        _ = try TranscriptionPlan(model, options, recordings: 7, availableMemory: UInt64(room))
        expectError(.invalidOption, says: "GB of memory") {
            try TranscriptionPlan(model, options, recordings: 8, availableMemory: UInt64(room))
        }
    }

    @Test func modelsWithoutLanesDecodeOneAfterTheOther() throws {
        let model = SecondFamilyModel()
        let request = TranscriptionOptions()
        let second = [Float](repeating: 0.1, count: 16_000)
        let recordings = [
            FedRecording(number: 1, options: request) { ArraySampleSource(second) },
            FedRecording(number: 2, options: request.with { $0.language = "de" }) { ArraySampleSource(second) },
            FedRecording(number: 3, options: request) { throw StenoError(.notAudio, "None.") },
            FedRecording(number: 4, options: request) { ArraySampleSource(second + second) },
        ]
        var texts: [Int: String?] = [:]
        try model.transcribe(ScriptedFeed(recordings), lanes: 4, request, isCancelled: { false }) {
            if let result = $1.result { texts[$0] = .some((try? result.transcript.get())?.text) }
        }
        #expect(texts == [1: "one", 2: nil, 3: nil, 4: "one two"])
    }
}

/// Recordings decoded as a batch, and the results of their spans on their own.
struct BatchRun {
    let model: WhisperModel
    var options: TranscriptionOptions

    struct Outcome {
        var transcripts: [Int: Result<Transcript, any Error>] = [:]
        var events: [Int: [TranscriptionProgressEvent]] = [:]
        /// The order in which the recordings ended.
        var ended: [Int] = []
    }

    func together(
        _ recordings: [[Float]], batchSize: Int, isCancelled: @escaping () -> Bool = { false }
    ) throws -> Outcome {
        try together(
            recordings.map { audio in { ArraySampleSource(audio) } }, batchSize: batchSize, isCancelled: isCancelled)
    }

    func together(
        _ recordings: [WhisperModel.AudioOpener], batchSize: Int, isCancelled: @escaping () -> Bool = { false }
    ) throws -> Outcome {
        var options = options
        options.batchSize = batchSize
        var outcome = Outcome()
        try model.transcribe(ArrayFeed(recordings, options), lanes: 1, options, isCancelled: isCancelled) {
            number, event in
            switch event {
            case .progress(let event): outcome.events[number, default: []].append(event)
            case .result(let result):
                outcome.transcripts[number] = result.transcript
                outcome.ended.append(number)
            }
        }
        return outcome
    }

    /// The segments of each span decoded on its own, concatenated as in one transcript.
    func alone(_ audio: [Float]) throws -> [Segment] {
        var segments: [Segment] = []
        for clip in options.clips {
            var options = options
            options.clips = [clip]
            for var segment in try model.transcribe(ArraySampleSource(audio), options: options).segments {
                segment.id = segments.count
                segments.append(segment)
            }
        }
        return segments
    }
}

struct BrokenAudio: Error {}

/// Throws after this many samples, in the given pass; with 0 it is a pipe, which cannot be read again.
final class BreakingSource: SampleSource {
    private let limit: Int
    private let pass: Int
    private var given = 0, passes = 0

    init(after limit: Int, pass: Int = 0) { (self.limit, self.pass) = (limit, pass) }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        if passes == pass, given >= limit { throw BrokenAudio() }
        let count = min(buffer.count, 2_000_000 - given, passes == pass ? limit - given : .max)
        buffer[..<count].update(repeating: 0.1)
        given += count
        return count
    }

    func rewind() -> Bool {
        guard pass > 0 else { return false }
        passes += 1
        given = 0
        return true
    }
}

extension TestAudio {
    /// The samples of a 16-bit WAV file in the fixtures.
    static func wav(_ path: String) throws -> [Float] { try samplesOfPlainWAV(Fixtures.file(path)) }
}
