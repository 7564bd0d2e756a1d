import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

@Suite struct SpeechTimestampsMapTests {
    private func segment(_ start: Double, _ end: Double, seek: Int = 0, words: [Word]? = nil) -> Segment {
        Segment(
            id: 0, start: start, end: end, text: " a", words: words,
            whisper: WhisperSegmentDetails(
                seek: seek, tokens: [], temperature: 0, averageLogProbability: 0, compressionRatio: 1,
                noSpeechProbability: 0))
    }

    /// Two chunks: 1 s … 3 s and 10 s … 12 s.
    private let map = SpeechTimestampsMap([16_000..<48_000, 160_000..<192_000])

    @Test func timesEqualFasterWhispers() throws {
        let maps = try VoiceActivityGoldens.shared.get().maps
        #expect(maps.count == 4)
        for golden in maps {
            let map = SpeechTimestampsMap(golden.chunks.map { $0[0]..<$0[1] })
            for row in golden.times {
                #expect(map.chunkIndex(at: row[0]) == Int(row[1]))
                #expect(map.chunkIndex(at: row[0], isEnd: true) == Int(row[2]))
                #expect(map.originalTime(row[0]) == row[3])
                #expect(map.originalTime(row[0], isEnd: true) == row[4])
            }
        }
    }

    /// Negative times and NaN belong to the first chunk, times beyond the audio to the last.
    @Test(
        arguments: [
            (-1, 0), (-1e300, 0), (-.infinity, 0), (.nan, 0), (-.nan, 0), (.signalingNaN, 0),
            (.leastNonzeroMagnitude, 0),
            (1e15, 1), (1e300, 1), (.greatestFiniteMagnitude, 1), (.infinity, 1),
        ] as [(Double, Int)])
    func impossibleTimes(time: Double, chunk: Int) {
        for isEnd in [false, true] {
            #expect(map.chunkIndex(at: time, isEnd: isEnd) == chunk)
            #expect(SpeechTimestampsMap([]).chunkIndex(at: time, isEnd: isEnd) == 0)
            #expect(SpeechTimestampsMap([5..<16_000]).chunkIndex(at: time, isEnd: isEnd) == 0)
        }
    }

    @Test func anEndOnACutBelongsToThePrecedingSpeech() {
        let restored = map.restore(segment(0.5, 2))
        #expect(restored.start == 1.5 && restored.end == 3)
        #expect(map.restore(segment(2, 3.5)).start == 10)
    }

    @Test func aWordIsPlacedByItsCentre() {
        let restored = map.restore(segment(0, 4, words: timed((" a", 1, 1.5), (" b", 1.9, 2.2))))
        #expect(restored.words?.map(\.start) == [2, 9.9])
        #expect(restored.words?.map(\.end) == [2.5, 10.2])
        #expect(restored.start == 2 && restored.end == 10.2)
        // Without chunks times are unchanged.
        let there = segment(1.234, 2)
        #expect(SpeechTimestampsMap([]).restore(there) == there)
    }

    /// 29 · 0.01 + 6 · 0.01 is slightly less than 0.35, which matters to faster-whisper's cut.
    @Test func cutsUseFasterWhispersUnroundedSum() {
        let sum = 29 * 0.01 + 6 * 0.01
        let cut = Int(sum * 16_000)
        let map = SpeechTimestampsMap([0..<5600, 16_000..<32_000])
        let expected = cut < 5600 ? 0.35 : 1
        #expect(map.restore(segment(0.35, 0.8, seek: 29)).start == expected)
    }

    @Test(arguments: [
        (0.125, 0.12), (0.375, 0.38), (2.675, 2.67), (1.005, 1.0), (1.115, 1.11), (0.285, 0.28), (0.015, 0.01),
    ])
    func hundredthsAreRoundedAsPythonRounds(value: Double, rounded: Double) {
        #expect(Hundredths.rounded(value) == rounded)
    }
}

/// Transcripts of the joined speech, converted to the recording's times.
struct SpeechSourceRestoreTests {
    @Test func eventsAndTranscriptsGetTheTimesOfTheRecording() throws {
        // Speech from window 100 on, for 50 windows: with the padding 2.8 s … 5.2 s of 10 s.
        let probabilities = (0..<313).map { (100..<150).contains($0) ? Float(1) : 0 }
        let source = try SpeechSource(
            ArraySampleSource([Float](repeating: 0, count: 160_000)), detector: ScriptedDetector(probabilities))
        var buffer = [Float](repeating: 0, count: 4096), count = 0, total = 0
        repeat {
            count = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
            total += count
        } while count > 0
        #expect(total == 50 * 512 + 12_800)
        let segment = Segment(
            id: 0, start: 0.4, end: 2, text: " a",
            whisper: WhisperSegmentDetails(
                seek: 0, tokens: [1], temperature: 0, averageLogProbability: 0, compressionRatio: 1,
                noSpeechProbability: 0))
        let transcript = source.restore(
            Transcript(language: "en", languageProbability: 1, duration: 2.4, segments: [segment]))
        #expect(transcript.duration == 10 && transcript.durationAfterVoiceActivity == 2.4)
        #expect(transcript.segments[0].start == 3.2 && transcript.segments[0].end == 4.8)
        guard case .segment(let restored) = source.restore(.segment(segment)) else {
            Issue.record("no segment")
            return
        }
        #expect(restored == transcript.segments[0])
        #expect(progress(source.restore(.progress(processed: 1, total: 2.4))) == [3.8, 10])
        #expect(progress(source.restore(.progress(processed: 2.4, total: 2.4))) == [10, 10])
    }

    private func progress(_ event: TranscriptionProgressEvent) -> [Double?] {
        guard case .progress(let processed, let total) = event else { return [] }
        return [processed, total]
    }
}
