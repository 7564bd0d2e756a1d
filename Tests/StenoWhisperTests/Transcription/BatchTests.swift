import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

/// Batches of windows, on a model of two-second windows that takes milliseconds.
struct BatchTests {
    let model: WhisperModel

    init() throws { model = try SmallModel.load(threads: 2) }

    private static let clips: [Range<Double>] = [0..<1, 1..<1.7, 2.5..<7, 7..<7.3, 9..<11, 11..<(.infinity)]
    private static let recordings = (0..<4).map {
        TestAudio.noise(seed: UInt64($0), count: [200_000, 30_000, 160, 190_123][$0], gain: 0.3)
    }

    private func run(_ change: (inout TranscriptionOptions) -> Void = { _ in }) -> BatchRun {
        BatchRun(
            model: model,
            options: TranscriptionTests.options {
                $0.clips = Self.clips
                change(&$0)
            })
    }

    // MARK: The same text

    @Test(arguments: [2, 3, 8]) func spansDoNotDependOnTheBatch(batchSize: Int) throws {
        let changes: [(inout TranscriptionOptions) -> Void] = [
            { _ in },
            { ($0.whisper.beamSize, $0.whisper.conditionOnPreviousText, $0.prompt) = (3, true, "abc") },
            { ($0.whisper.temperatures, $0.whisper.bestOf) = ([0.7], 3) },
            // Some windows pass at once, some at a higher temperature, some never.
            {
                ($0.whisper.temperatures, $0.whisper.logProbabilityThreshold, $0.whisper.beamSize) = (
                    [0, 0.5, 1], -4.4, 2
                )
            },
            { ($0.wordTimestamps, $0.vocabulary) = (true, ["hello"]) },
            { ($0.whisper.withoutTimestamps, $0.whisper.multilingual, $0.whisper.prefix) = (true, true, "q") },
        ]
        for change in changes {
            let run = run(change)
            let outcome = try run.together(Self.recordings, batchSize: batchSize)
            for (number, audio) in Self.recordings.enumerated() {
                let transcript = try #require(try outcome.transcripts[number]?.get())
                #expect(try transcript.segments == run.alone(audio))
                #expect(transcript.duration == Double(audio.count) / 16000)
            }
        }
    }

    @Test func windowsOfOneBatchMayNeedDifferentTemperatures() throws {
        let run = run {
            (
                $0.whisper.temperatures, $0.whisper.logProbabilityThreshold, $0.whisper.beamSize,
                $0.whisper.skipsSilence
            ) = ([0, 0.5, 1], -4.4, 2, false)
        }
        let segments = try run.together(Self.recordings, batchSize: 4).transcripts.values.flatMap {
            try $0.get().segments
        }
        #expect(Set(segments.map(\.temperature)).count > 1)
    }

    /// Sequential clips do not see each other's text either if conditioning is turned off.
    @Test func batchedClipsEqualSequentialClipsWithoutContext() throws {
        let sequence = try model.transcribe(ArraySampleSource(Self.recordings[0]), options: run().options)
        #expect(try run().together([Self.recordings[0]], batchSize: 5).transcripts[0]?.get() == sequence)
        // Wrong options are refused for all.
        for size in [0, 65, -1] {
            expectError(says: "batch size") { try run().together([Self.recordings[0]], batchSize: size) }
        }
    }

    @Test func theOrderOfRecordingsDoesNotMatter() throws {
        let forward = try run().together(Self.recordings, batchSize: 3)
        let backward = try run().together(Self.recordings.reversed(), batchSize: 3)
        for number in Self.recordings.indices {
            #expect(
                try forward.transcripts[number]?.get()
                    == backward.transcripts[Self.recordings.count - 1 - number]?.get())
        }
    }

    @Test func eachRecordingHasItsLanguage() throws {
        let run = run { $0.language = nil }
        let outcome = try run.together(Self.recordings, batchSize: 3)
        for (number, audio) in Self.recordings.enumerated() {
            let alone = try model.transcribe(ArraySampleSource(audio), options: run.options)
            #expect(try outcome.transcripts[number]?.get().language == alone.language)
            #expect(try outcome.transcripts[number]?.get().languageProbability == alone.languageProbability)
        }
    }

    /// The detector finds the same speech on a pipe; the loudest moment comes first, so the features are equal too.
    @Test func speechIsPackedIntoSpansOnAPipeToo() throws {
        let loud = TestAudio.noise(seed: 9, count: 16_000, gain: 0.9)
        let silence = [Float](repeating: 0, count: 24_000)
        var audio: [Float] = loud + silence
        for index in 0..<8 {
            audio += TestAudio.noise(seed: UInt64(index), count: 5000 * (index + 1), gain: 0.5)
            audio += silence
        }
        var voice = VoiceActivityOptions.batched
        (voice.detector, voice.speechPadSeconds) = (.energy, 0.05)
        let run = run { ($0.clips, $0.whisper.voiceActivity) = ([], voice) }
        let file = try #require(try run.together([audio], batchSize: 4).transcripts[0]?.get())
        let pipe = try #require(try run.together([{ TestSources.Pipe(audio) }], batchSize: 4).transcripts[0]?.get())
        #expect(!file.segments.isEmpty)
        #expect(pipe == file)
        #expect(try #require(file.durationAfterVoiceActivity) < file.duration - 5)

        // The same spans of the joined speech, decoded sequentially.
        var (sequence, joined) = (run.options, [Float]())
        let speech = try SpeechSource(
            ArraySampleSource(audio), detector: EnergyDetector(), options: run.options.batchedVoice(2))
        var buffer = [Float](repeating: 0, count: 1000)
        while case let count = try buffer.withUnsafeMutableBufferPointer({ try speech.read(into: $0) }), count > 0 {
            joined += buffer[..<count]
        }
        sequence.whisper.voiceActivity = nil
        sequence.clips = SpeechGroup.collect(speech.chunks, maxSeconds: 2).map {
            Double($0.offset / 160) / 100..<Double(($0.offset + $0.sampleCount) / 160) / 100
        }
        #expect(sequence.clips.count > 3)
        let expected = try model.transcribe(ArraySampleSource(joined), options: sequence).segments
        #expect(expected.map(\.tokens) == file.segments.map(\.tokens))
        #expect(expected.map(speech.restore) == file.segments)
    }

    /// Batches decode only speech, detected by the bundled network.
    @Test func withoutClipsSpeechIsDetected() throws {
        let run = run { ($0.clips, $0.whisper.voiceActivity) = ([], nil) }
        let transcript = try #require(try run.together([Self.recordings[0]], batchSize: 2).transcripts[0]?.get())
        #expect(transcript.durationAfterVoiceActivity == 0, "noise is no speech")
        #expect(transcript.segments.isEmpty)
        let sequential = try model.transcribe(ArraySampleSource(Self.recordings[0]), options: run.options)
        #expect(sequential.durationAfterVoiceActivity == nil && !sequential.segments.isEmpty)
    }

    // MARK: Events, errors, memory

    @Test func eventsComeInTheOrderOfEachRecording() throws {
        let run = run { $0.language = nil }
        let outcome = try run.together(Self.recordings, batchSize: 4)
        #expect(outcome.ended.sorted() == Array(Self.recordings.indices))
        for (number, events) in outcome.events {
            guard case .language = events.first else {
                Issue.record("the language comes first")
                continue
            }
            var segments: [Segment] = [], progress: [Double] = []
            for event in events.dropFirst() {
                switch event {
                case .language: Issue.record("the language comes once")
                case .segment(let segment): segments.append(segment)
                case .progress(let processed, _): progress.append(processed)
                }
            }
            #expect(try segments == outcome.transcripts[number]?.get().segments)
            #expect(segments.map(\.seek) == segments.map(\.seek).sorted())
            #expect(progress == Array(Set(progress)).sorted())
            #expect(abs((progress.last ?? 0) - Double(Self.recordings[number].count) / 16000) < 0.02)
        }
    }

    @Test func failingAudioDoesNotStopTheOthers() throws {
        let good = Self.recordings[0]
        let recordings: [WhisperModel.AudioOpener] = [
            { throw BrokenAudio() }, { ArraySampleSource(good) }, { BreakingSource(after: 0) },
            { BreakingSource(after: 70_000) }, { ArraySampleSource(good) }, { throw BrokenAudio() },
        ]
        let outcome = try run().together(recordings, batchSize: 3)
        let alone = try run().alone(good)
        for (number, result) in outcome.transcripts {
            if [1, 4].contains(number) {
                #expect(try result.get().segments == alone)
            } else {
                #expect(throws: BrokenAudio.self) { try result.get() }
            }
        }
        #expect(outcome.ended.sorted() == Array(0..<6))
    }

    @Test func cancellationIsPrompt() throws {
        let run = run { $0.language = nil }
        let (recordings, whole) = (Array(Self.recordings[1...2]), Questions())
        _ = try run.together(recordings, batchSize: 3, isCancelled: whole.ask)
        for limit in stride(from: 1, through: whole.count, by: 3) {
            let questions = Questions(yesFrom: limit)
            let error = #expect(throws: StenoError.self) {
                try run.together(recordings, batchSize: 3, isCancelled: questions.ask)
            }
            #expect(error?.code == .cancelled && questions.count == limit)
        }
    }

    /// A recording is opened when there is room for its windows, and released when it is finished.
    @Test func noMoreRecordingsAreOpenThanThereAreLanes() throws {
        final class Watched: SampleSource {
            static nonisolated(unsafe) var open = 0
            static nonisolated(unsafe) var most = 0
            private let base = ArraySampleSource(BatchTests.recordings[1])

            init() {
                Self.open += 1
                Self.most = max(Self.most, Self.open)
            }

            deinit { Self.open -= 1 }
            func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int { base.read(into: buffer) }
            func rewind() -> Bool { base.rewind() }
        }
        _ = try run { $0.clips = [0..<(.infinity)] }.together((0..<9).map { _ in { Watched() } }, batchSize: 3)
        #expect(Watched.most == 3)
        #expect(Watched.open == 0)
    }

    /// Ten minutes from a pipe: the features kept in memory depend on the number of lanes, not on the length.
    @Test(arguments: [2, 6]) func featuresAreKeptForTheBatchOnly(batchSize: Int) throws {
        var options = run().options
        (options.batchSize, options.whisper.maxNewTokens) = (batchSize, 2)
        options.clips = stride(from: 0.0, to: 600, by: 1.5).map { $0..<$0 + 1.5 }
        let plan = try TranscriptionPlan(model, options)
        var most = 0
        var audio: Transcription?
        // The object holds a closure that holds the object.
        defer { audio = nil }
        let second = TestAudio.noise(seed: 1, count: 16_000, gain: 0.3)
        let loop = try TranscriptionLoop(plan, isCancelled: { false }) { _ in
            guard audio == nil else { return nil }
            let pipe = TestSources.Pipe((0..<600).flatMap { _ in second })
            let opened = try Transcription(plan, pipe, silero: nil, isCancelled: { false }) { _ in
                most = max(most, audio?.features.bufferedFrames ?? 0)
            }
            audio = opened
            return opened
        } end: { _, error in
            #expect(error == nil)
        }
        try loop.run()
        // The lanes' windows, and the blocks in which the audio is read.
        #expect((1...2500).contains(most), "\(most)")
    }
}

extension TranscriptionOptions {
    /// The batch's detection options for windows of this many seconds.
    fileprivate func batchedVoice(_ seconds: Double) -> VoiceActivityOptions {
        var options = self
        options.batchSize = 2
        return options.voiceActivity(windowSeconds: seconds) ?? .batched
    }
}

/// Tests that need a model that knows a language.
struct NanoBatchTests {
    /// Several files, in float32 and int8, with fallback and sampling: every span is bit-identical to its own decoding.
    @Test(arguments: [Precision.float32, .int8]) func textDoesNotDependOnTheBatch(precision: Precision) throws {
        let model = try WhisperModel.load(folder: Fixtures.nano, precision: precision, threads: 2)
        var long: [Float] = []
        for name in [
            "sounds/norway.wav", "speech/languages/es-pangrama.wav", "sounds/tomorrow.wav",
            "speech/languages/es-conteo.wav",
        ] {
            long += try TestAudio.wav(name)
        }
        let recordings = [
            long, try TestAudio.wav("sounds/tomorrow.wav"), try TestAudio.speech(),
            try TestAudio.wav("sounds/norway.wav"),
        ]
        var options = TranscriptionOptions(language: "en")
        (options.whisper.beamSize, options.whisper.bestOf, options.whisper.temperatures) = (3, 3, [0, 0.4, 1])
        (options.whisper.logProbabilityThreshold, options.wordTimestamps) = (-0.6, true)
        options.clips = [0..<2.4, 2.4..<6, 6..<(.infinity)]
        let run = BatchRun(model: model, options: options)
        let alone = try recordings.map(run.alone)
        #expect(Set(alone.joined().map(\.temperature)).count > 1)
        for batchSize in isLong ? [2, 5, 16] : [5] {
            let outcome = try run.together(recordings, batchSize: batchSize)
            for number in recordings.indices {
                #expect(try outcome.transcripts[number]?.get().segments == alone[number], "\(batchSize)")
            }
        }
    }
}
