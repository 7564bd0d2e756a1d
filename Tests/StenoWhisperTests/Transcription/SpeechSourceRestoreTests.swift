import StenoCore
import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import StenoWhisper

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
