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

/// With any options, words are in order of time and make up the text.
struct WordPropertyTests {
    private static let model = Result { try WhisperModel.load(folder: Fixtures.nano, threads: 1) }

    /// Alternating sentences, pauses and noise.
    private static func audio(_ random: inout SplitMix64) throws -> [Float] {
        let names = ["sounds/tomorrow.wav", "sounds/norway.wav", "speech/languages/es-pangrama.wav"]
        var samples: [Float] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: samples += [Float](repeating: 0, count: Int.random(in: 0...80_000, using: &random))
            case 1: samples += TestAudio.noise(seed: random.next(), count: 16_000, gain: 0.02)
            default:
                samples += try TestAudio.wav(names.randomElement(using: &random) ?? "")
            }
        }
        return samples
    }

    private static func options(_ random: inout SplitMix64) -> TranscriptionOptions {
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        var options = TranscriptionOptions(
            language: one(["en", "de", "es", nil]), task: one([.transcribe, .translate]))
        options.wordTimestamps = true
        (options.whisper.beamSize, options.whisper.bestOf) = (one([1, 2, 5]), one([1, 3]))
        options.whisper.temperatures = one([[0], [0, 0.6], [0.4], [1]])
        options.whisper.seed = random.next()
        options.whisper.withoutTimestamps = one([false, false, true])
        options.whisper.multilingual = one([false, true])
        options.whisper.conditionOnPreviousText = one([false, true])
        options.prompt = one([nil, "Tomorrow."])
        options.whisper.prefix = one([nil, nil, "It is"])
        options.whisper.suppressTokens = one([[-1], []])
        options.whisper.prependedPunctuation = one([options.whisper.prependedPunctuation, "", ".,"])
        options.whisper.appendedPunctuation = one([options.whisper.appendedPunctuation, "", " "])
        options.whisper.hallucinationSilenceThreshold = one([nil, 0, 0.3, 2])
        (options.whisper.noSpeechThreshold, options.whisper.logProbabilityThreshold) = one([(nil, nil), (0.6, -1)])
        options.whisper.chunkLength = one([nil, nil, 2, 4.5])
        options.clips = one([[], [], [0.5..<3, 3..<7.5], [2..<(.infinity)]])
        options.whisper.maxNewTokens = one([nil, nil, 7])
        return options
    }

    @Test(arguments: 0..<6) func wordsAreInOrderAndMakeUpTheText(batch: Int) throws {
        let model = try Self.model.get()
        for run in 0..<8 {
            var random = SplitMix64(seed: UInt64(100 * batch + run))
            let (audio, options) = (try Self.audio(&random), Self.options(&random))
            let transcript = try model.transcribe(ArraySampleSource(audio), options: options)
            expectOrder(transcript, "\(batch) \(run)")
            expectText(transcript, "\(batch) \(run)")
        }
    }

    private func expectOrder(_ transcript: Transcript, _ name: Comment) {
        var end = 0.0
        for segment in transcript.segments {
            let words = segment.words ?? []
            #expect(!words.isEmpty, name)
            // If a word is implausibly long, the segment keeps its own, narrower times.
            #expect(words.first.map { $0.start <= segment.start } == true, name)
            #expect(words.last.map { segment.end <= $0.end } == true, name)
            #expect(segment.start <= segment.end, name)
            for word in words {
                #expect(word.start <= word.end, name)
                #expect(end <= word.start, "\(name): \(end) \(word)")
                #expect((0...1).contains(word.probability), name)
                end = word.end
            }
        }
        #expect(end <= transcript.duration + 0.02, name)
    }

    /// The words of a segment make up its text; a word that continues in the next segment belongs entirely to the
    /// first, as in faster-whisper.
    private func expectText(_ transcript: Transcript, _ name: Comment) {
        var borrowed = "", window = -1
        for segment in transcript.segments {
            if segment.seek != window { (borrowed, window) = ("", segment.seek) }
            let own = segment.text.hasPrefix(borrowed) ? segment.text.dropFirst(borrowed.count) : segment.text[...]
            let words = (segment.words ?? []).map(\.rawText).joined()
            #expect(words.hasPrefix(own), "\(name): \(words) \(segment.text)")
            borrowed = String(words.dropFirst(own.count))
            #expect(!borrowed.hasPrefix(" "), "\(name): \(words) \(segment.text)")
        }
    }
}
