import StenoCore
import StenoTestSupport
import Testing

@testable import StenoWhisper

/// How often windows are encoded: the language is detected from the window that is decoded first.
struct WindowEncodingTests {
    private let model: WhisperModel
    private let lane: WindowLane

    init() throws {
        model = try SmallModel.load()
        lane = try WindowLane(model, hypotheses: 2, isCancelled: { false })
    }

    private func recording(
        _ source: any SampleSource, _ change: (inout TranscriptionOptions) -> Void = { _ in }
    ) throws -> Transcription {
        let options = TranscriptionTests.options {
            $0.language = nil
            change(&$0)
        }
        return try Transcription(TranscriptionPlan(model, options), source, silero: nil, isCancelled: { false })
    }

    private func noise(_ seconds: Double) -> ArraySampleSource {
        ArraySampleSource(TranscriptionTests.noise(seconds: seconds))
    }

    /// Detects the language, and encodes the first window to decode.
    private func begin(_ recording: Transcription) throws -> Passage {
        try recording.start(in: lane)
        let passage = try #require(try recording.nextPassage())
        _ = try recording.encodeWindow(of: passage, in: lane)
        return passage
    }

    @Test func theFirstWindowIsEncodedOnce() throws {
        let recording = try recording(noise(5))
        let passage = try begin(recording)
        #expect(lane.encodingCount == 1)
        passage.cursor.move(to: 100)
        #expect(try recording.encodeWindow(of: passage, in: lane) == 100..<300)
        #expect(lane.encodingCount == 2)
    }

    @Test func aWindowWithTheEndOfTheAudioIsEncodedTwice() throws {
        // As in faster-whisper, detection hears 10 ms more of it.
        _ = try begin(recording(noise(1.5)))
        #expect(lane.encodingCount == 2)
    }

    @Test func anotherRecordingInTheSameLaneTakesItsPlace() throws {
        let first = try recording(noise(5)), second = try recording(noise(5))
        try first.start(in: lane)
        _ = try begin(second)
        #expect(lane.encodingCount == 2)
        let passage = try #require(try first.nextPassage())
        _ = try first.encodeWindow(of: passage, in: lane)
        #expect(lane.encodingCount == 3)
    }

    @Test func anotherLaneEncodesTheWindowItself() throws {
        let recording = try recording(noise(5)), other = try WindowLane(model, hypotheses: 2, isCancelled: { false })
        try recording.start(in: lane)
        let passage = try #require(try recording.nextPassage())
        _ = try recording.encodeWindow(of: passage, in: other)
        #expect(lane.encodingCount == 1 && other.encodingCount == 1)
    }

    @Test func detectionInSeveralWindowsLeavesTheLastOne() throws {
        let recording = try recording(noise(5)) {
            ($0.whisper.languageDetectionSegments, $0.whisper.languageDetectionThreshold) = (2, 1)
        }
        _ = try begin(recording)
        #expect(lane.encodingCount == 3)
    }

    @Test func theTextIsThatOfAGivenLanguage() throws {
        for samples in [TranscriptionTests.noise(seconds: 7), TranscriptionTests.noise(seconds: 1.5)] {
            for batchSize in [1, 3] {
                let options = TranscriptionTests.options {
                    ($0.batchSize, $0.clips, $0.language) = (batchSize, batchSize > 1 ? [0..<2, 2..<7] : [], nil)
                }
                let detected = try model.transcribe(ArraySampleSource(samples), options: options)
                let given = try model.transcribe(
                    ArraySampleSource(samples), options: options.with { $0.language = detected.language })
                #expect(detected.segments.map(\.tokens) == given.segments.map(\.tokens) && !given.segments.isEmpty)
            }
        }
    }
}
