import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// The windows of a list of clips, on a recording of ten seconds.
struct WindowCursorTests {
    private static func features(_ seconds: Int = 10) throws -> LogMelStream {
        let audio = [Float](repeating: 0.1, count: seconds * 16_000)
        return try LogMelStream(ArraySampleSource(audio), filterbank: MelFilterbank(count: 80))
    }

    /// Iterates to the end, leaving some frames at the end of every full window to the next.
    private func windows(_ clips: [Range<Int>], unused: Int = 0) throws -> [Range<Int>] {
        let features = try Self.features()
        var cursor = WindowCursor(clips, windowFrames: 300)
        var windows: [Range<Int>] = []
        while let window = try cursor.next(in: features) {
            windows.append(window)
            cursor.move(to: window.upperBound - (window.count == 300 ? unused : 0))
        }
        return windows
    }

    @Test(
        arguments: [
            ([0..<100_000], 0, [0..<300, 300..<600, 600..<900, 900..<1200]),
            // A window ends with its clip, and the next begins where the text ended.
            ([50..<250, 400..<800], 0, [50..<250, 400..<700, 700..<800]),
            ([0..<550], 100, [0..<300, 200..<500, 400..<550]),
            // Clips may go back and overlap.
            ([700..<800, 0..<100, 50..<150], 0, [700..<800, 0..<100, 50..<150]),
            // Those that are beyond the audio or empty are skipped.
            ([1000..<1100, 5..<5, 2000..<3000, 990..<5000], 0, [990..<1290]),
            ([Int.max / 4..<Int.max / 4], 0, []),
        ] as [([Range<Int>], Int, [Range<Int>])])
    func clipsAreCutIntoWindows(clips: [Range<Int>], unused: Int, expected: [Range<Int>]) throws {
        #expect(try windows(clips, unused: unused) == expected)
    }

    /// A model may write timestamps beyond the audio in its window.
    @Test func thePositionNeverExceedsItsClip() throws {
        let features = try Self.features()
        var cursor = WindowCursor([100..<200, 150..<250], windowFrames: 300)
        _ = try cursor.next(in: features)
        cursor.move(to: 240)
        #expect(cursor.position == 200)
        #expect(try cursor.next(in: features) == 150..<250)
        #expect(cursor.position == 150)
    }

    /// Only frames still needed are kept.
    @Test func framesAreKeptUntilTheirLastClip() throws {
        let features = try Self.features()
        var cursor = WindowCursor([500..<600, 100..<200, 800..<900], windowFrames: 300)
        #expect(cursor.firstNeeded == 100)
        for needed in [100, 100, 800] {
            let window = try #require(try cursor.next(in: features))
            #expect(cursor.firstNeeded == needed)
            cursor.move(to: window.upperBound)
        }
        #expect(try cursor.next(in: features) == nil)
    }
}

struct LanguageVoteTests {
    /// The vote after these windows, and which of them decided.
    private func vote(_ windows: [[Double]]) -> (LanguageDetection, decided: [Bool]) {
        var vote = LanguageVote(["en", "de", "fr"], threshold: 0.5)
        let decided = windows.map { vote.add($0) }
        return (vote.result, decided)
    }

    @Test func oneWindowAboveTheThresholdDecides() {
        let (result, decided) = vote([[0.4, 0.3, 0.3], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
        #expect(decided == [false, false, true])
        #expect(result.language == "fr")
        #expect(result.probability == 0.7)
        #expect(result.probabilities == ["en": 0.1, "de": 0.2, "fr": 0.7])
    }

    /// The winner's best window gives the probability, the last window the table, as in faster-whisper.
    @Test func otherwiseTheMajorityWins() {
        let (result, decided) = vote([[0.45, 0.3, 0.25], [0.2, 0.4, 0.1], [0.1, 0.35, 0.3]])
        #expect(decided == [false, false, false])
        #expect(result.language == "de")
        #expect(result.probability == 0.4)
        #expect(result.probabilities == ["en": 0.1, "de": 0.35, "fr": 0.3])
        // Tied languages go to the earlier.
        #expect(vote([[0.1, 0.2, 0.3], [0.4, 0.2, 0.1], [0.41, 0.2, 0.1], [0.1, 0.2, 0.3]]).0.language == "fr")
        // Equal probabilities go to the first language.
        #expect(vote([[0.2, 0.4, 0.4]]).0.language == "de")
    }
}

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
