import Foundation
import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Tests that need a model that knows a language.
struct NanoTests {
    let model: WhisperModel

    init() throws { model = try WhisperModel.load(folder: Fixtures.nano, threads: 2) }

    /// One model, several threads, one pool: each transcription equals one that runs by itself.
    @Test func concurrentTranscriptionsEqualSequentialOnes() throws {
        let speech = try TestAudio.speech()
        let jobs: [TranscriptionOptions] = (0..<6).map { index in
            var options = TranscriptionOptions(language: index % 2 == 0 ? "en" : nil, wordTimestamps: index == 4)
            options.whisper = WhisperOptions().with {
                ($0.beamSize, $0.temperatures, $0.seed) = (index < 3 ? 5 : 1, index == 5 ? [0.8] : [0], 3)
            }
            return options
        }
        let model = model
        @Sendable func run(_ index: Int) -> Result<Transcript, any Error> {
            let samples = Array(speech[(index * 16_000)...])
            return Result { try model.transcribe(ArraySampleSource(samples), options: jobs[index]) }
        }
        let alone = try jobs.indices.map { try run($0).get() }
        #expect(alone.allSatisfy { !$0.segments.isEmpty })
        let together = Recorder<(job: Int, result: Result<Transcript, any Error>)>()
        DispatchQueue.concurrentPerform(iterations: 2 * jobs.count) { index in
            together.add((index % jobs.count, run(index % jobs.count)))
        }
        #expect(together.all.count == 2 * jobs.count)
        for (job, result) in together.all { #expect(try result.get() == alone[job]) }
    }

    @Test func audioContextLimits() throws {
        for positions in [499, 1501, 0, -500] {
            #expect(throws: StenoError.self) { try AudioContext.positions(positions).windowFrames(for: model) }
        }
        #expect(try AudioContext.positions(500).windowFrames(for: model) == 1000)
        #expect(try AudioContext.full.windowFrames(for: model) == 3000)
        #expect(try AudioContext.automatic.windowFrames(for: model) == 3000)
        #expect(AudioContext.full.positions(frames: 10, for: model) == 1500)
        // The audio and one more second, but at least ten seconds and at most the whole window.
        for (frames, positions) in [
            (0, 500), (100, 500), (900, 500), (901, 501), (2000, 1050), (2900, 1500), (3000, 1500),
        ] {
            #expect(AudioContext.automatic.positions(frames: frames, for: model) == positions)
        }
    }

    /// A short window costs less, and windows of ten seconds still cover the audio.
    @Test func lessContextStillCoversTheAudio() throws {
        let speech = try TestAudio.speech()
        for context in [AudioContext.positions(500), .automatic, .positions(1500)] {
            let options = TranscriptionOptions(language: "en").with { $0.whisper.audioContext = context }
            var progress: [Double] = []
            let transcript = try model.transcribe(
                ArraySampleSource(speech), options: options,
                onEvent: { if case .progress(let processed, _) = $0 { progress.append(processed) } })
            #expect(abs((progress.last ?? 0) - transcript.duration) < 0.02)
            if context == .positions(500) { #expect(Double(progress.count) >= transcript.duration / 10) }
        }
    }

    #if os(Linux) || os(macOS)
        /// An hour of audio from a pipe: a separate process does not grow after its first minutes.
        ///
        /// `STENO_LONG=1` runs it.
        @Test(.enabled(if: isLong, "STENO_LONG is not set"), arguments: [1, 6])
        func anHourInFlatMemory(batchSize: Int) throws {
            let report = try BuiltTool.report(["hour", "\(batchSize)"])
            print("an hour in \(batchSize) lanes: \(report.sorted { $0.key < $1.key })")
            #expect(report["seconds"] == 3600)
            // The transcript itself, and memory that the allocator keeps.
            if report["instrumented"] == 0 { #expect(try #require(report["growth"]) < 16 << 20) }
        }
    #endif
}
