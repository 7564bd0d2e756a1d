import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// The loop over windows, on a model of two-second windows that takes milliseconds.
struct TranscriptionTests {
    let model: WhisperModel

    init() throws { model = try SmallModel.load() }

    /// Greedy search for few tokens, without quality thresholds.
    static func options(_ change: (inout TranscriptionOptions) -> Void = { _ in }) -> TranscriptionOptions {
        var options = TranscriptionOptions(language: "en")
        options.whisper = WhisperOptions().with {
            ($0.beamSize, $0.bestOf, $0.temperatures) = (1, 2, [0])
            ($0.compressionRatioThreshold, $0.logProbabilityThreshold, $0.noSpeechThreshold) = (nil, nil, nil)
            ($0.conditionOnPreviousText, $0.maxNewTokens) = (false, 20)
        }
        return options.with(change)
    }

    static func noise(seconds: Double, seed: UInt64 = 1) -> [Float] {
        TestAudio.noise(seed: seed, count: Int(seconds * 16000), gain: 0.3)
    }

    func transcribe(_ samples: [Float], _ change: (inout TranscriptionOptions) -> Void = { _ in }) throws -> Transcript
    {
        try model.transcribe(ArraySampleSource(samples), options: Self.options(change))
    }

    // MARK: Recordings

    @Test(arguments: [0, 1, 159, 160, 320, 399, 400, 16000, 31_999, 32_000, 32_001])
    func recordingsOfAnyLength(samples: Int) throws {
        for language in ["en", nil] {
            let audio = TestAudio.noise(seed: 2, count: samples, gain: 0.3)
            let transcript = try transcribe(audio) { $0.language = language }
            #expect(transcript.duration == Double(samples) / 16000)
            // Audio shorter than any word is not decoded.
            #expect(transcript.segments.isEmpty == (samples < 1600))
            #expect(model.languages.contains(transcript.language) || samples < 160 && transcript.language == "und")
            for segment in transcript.segments {
                #expect(segment.start <= segment.end)
                #expect(!segment.text.isEmpty)
            }
        }
    }

    @Test func silenceAndSamplesThatAreNotNumbers() throws {
        func text(_ value: Float) throws -> Transcript {
            try transcribe([Float](repeating: value, count: 50_000)) { $0.whisper.skipsSilence = false }
        }
        for value in [Float.nan, .infinity, -.infinity] {
            let error = #expect(throws: StenoError.self) { try text(value) }
            #expect(error?.code == .audioDamaged)
            #expect(error?.message == "Sample 0 is not a finite number. Samples must be from −1 to 1.")
        }
        let later = [Float](repeating: 0.1, count: 40_000) + [.nan]
        let error = #expect(throws: StenoError.self) { try transcribe(later) }
        #expect(error?.message.hasPrefix("Sample 40000 ") == true)
        let silence = try text(0)
        for value in [0, 1e-30, -Float.greatestFiniteMagnitude] as [Float] {
            let transcript = try text(value)
            if value >= 0 { #expect(transcript == silence, "\(value)") }
            #expect(transcript.duration == 3.125)
            #expect(transcript.segments.allSatisfy { $0.averageLogProbability.isFinite && $0.start <= $0.end })
        }
    }

    @Test func silenceIsSkippedWhenTheModelSaysSo() throws {
        let audio = Self.noise(seconds: 5)
        // Every window's no-speech probability is above 0, and no text is certain.
        let skipped = try transcribe(audio) {
            ($0.whisper.noSpeechThreshold, $0.whisper.logProbabilityThreshold) = (0, 0)
        }
        #expect(skipped.segments.isEmpty)
        #expect(skipped.text.isEmpty)
        // A probable text overrides it.
        let kept = try transcribe(audio) {
            ($0.whisper.noSpeechThreshold, $0.whisper.logProbabilityThreshold, $0.whisper.skipsSilence) = (
                0, -1000, false
            )
        }
        #expect(!kept.segments.isEmpty)
    }

    /// A pipe that is loudest at its start is clamped like a file.
    @Test func aPipeIsReadOnce() throws {
        let audio = TestAudio.noise(seed: 1, count: 16000, gain: 0.9) + Self.noise(seconds: 6)
        let pipe = TestSources.Pipe(audio)
        var totals: [Double?] = []
        let transcript = try model.transcribe(
            pipe, options: Self.options(),
            onEvent: { if case .progress(_, let total) = $0 { totals.append(total) } })
        #expect(try transcript == transcribe(audio))
        #expect(totals.first == .some(nil))
        #expect(totals.last == 7)
    }

    /// Audio after the last clip may never arrive, so a pipe is not read to its end.
    @Test func clipsOfAPipeAreThoseOfAFile() throws {
        let audio = TestAudio.noise(seed: 1, count: 16000, gain: 0.9) + Self.noise(seconds: 6)
        let clips = [0.5..<1.25, 3..<4.5]
        let file = try transcribe(audio) { $0.clips = clips }
        #expect(Set(file.segments.map(\.seek)).isSubset(of: Array(50..<125) + Array(300..<450)))
        #expect(file.duration == 7)
        let piped = try model.transcribe(TestSources.Pipe(audio), options: Self.options { $0.clips = clips })
        #expect(piped.segments == file.segments)
        #expect((4.5..<7).contains(piped.duration))
    }

    @Test func shorterWindowsAreDecodedInPlace() throws {
        var progress: [Double] = []
        _ = try model.transcribe(
            ArraySampleSource(Self.noise(seconds: 3)),
            options: Self.options { ($0.whisper.chunkLength, $0.whisper.withoutTimestamps) = (1, true) },
            onEvent: { if case .progress(let processed, _) = $0 { progress.append(processed) } })
        #expect(progress == [1, 2, 3])
    }

    /// Every window has the language that is detected for its audio alone.
    @Test func eachWindowHasItsLanguage() throws {
        let recordings: [[Float]] = (0..<6).map { (index: Int) -> [Float] in
            TestAudio.noise(seed: UInt64(index), count: 32_000, gain: 0.02 * Double(index * index + 1))
        }
        let transcript = try transcribe(recordings.flatMap { $0 }) {
            ($0.whisper.multilingual, $0.whisper.withoutTimestamps) = (true, true)
        }
        #expect(transcript.language == "en")
        #expect(Set(transcript.segments.map(\.language)).count > 1)
        let clips: [Range<Double>] = stride(from: 0.0, to: 12, by: 2).map { $0..<$0 + 2 }
        for clip in clips {
            let segment = try #require(transcript.segments.first { Double($0.seek) / 100 == clip.lowerBound })
            let alone = try transcribe(recordings.flatMap { $0 }) {
                ($0.whisper.multilingual, $0.whisper.withoutTimestamps, $0.clips) = (true, true, [clip])
            }
            #expect(alone.segments.first?.language == segment.language)
        }
        #expect(try transcribe(recordings[0]).segments.allSatisfy { $0.language == nil })
    }

    @Test func sourceErrorsArePassedOn() throws {
        for (limit, pass) in [(0, 1), (30_000, 1), (100_000, 2)] {
            var segments = 0
            #expect(throws: BrokenAudio.self) {
                try model.transcribe(
                    BreakingSource(after: limit, pass: pass), options: Self.options(),
                    onEvent: { if case .segment = $0 { segments += 1 } })
            }
            // Earlier text is reported first.
            #expect((segments > 0) == (pass == 2))
        }
    }

    // MARK: Events

    @Test func eventsComeInOrder() throws {
        let audio = Self.noise(seconds: 9)
        var events: [TranscriptionProgressEvent] = []
        let transcript = try model.transcribe(
            ArraySampleSource(audio), options: Self.options { $0.language = nil }, onEvent: { events.append($0) })
        guard case .language(let detection) = events.first else {
            Issue.record("the language comes first")
            return
        }
        #expect(detection.language == transcript.language)
        #expect(detection.probability == transcript.languageProbability)
        #expect(Set(detection.probabilities.keys) == ["en", "de", "fr", "es"])
        let sum: Double = detection.probabilities.values.reduce(0, +)
        #expect(abs(sum - 1) < 1e-5)

        var segments: [Segment] = [], progress: [Double] = []
        for event in events.dropFirst() {
            switch event {
            case .language: Issue.record("the language comes once")
            case .segment(let segment): segments.append(segment)
            case .progress(let processed, let total):
                progress.append(processed)
                #expect(total == 9)
                #expect(segments.allSatisfy { Double($0.seek) / 100 < processed })
            }
        }
        #expect(segments == transcript.segments)
        #expect(segments.map(\.id) == Array(segments.indices))
        #expect(progress == progress.sorted())
        #expect(progress.last == 9)
        #expect(transcript.text == String(segments.map(\.text).joined().drop { $0 == " " }))
    }

    @Test func detectingALanguageIsPartOfATranscription() throws {
        let audio = Self.noise(seconds: 3)
        let detection = try model.detectLanguage(
            ArraySampleSource(audio), TranscriptionOptions(), isCancelled: { false })
        let transcript = try transcribe(audio) { $0.language = nil }
        #expect(detection.language == transcript.language)
        #expect(detection.probability == transcript.languageProbability)
    }

    @Test func detectingALanguageNeedsNoWords() throws {
        let options = Self.options {
            ($0.whisper.guards, $0.whisper.hallucinationSilenceThreshold) = (GuardOptions(), 2)
        }
        let detection = try model.detectLanguage(ArraySampleSource(Self.noise(seconds: 3)), options) { false }
        #expect(model.languages.contains(detection.language))
    }

    // MARK: Cancellation

    /// At any point; cancellation is checked at every token.
    @Test func cancellationIsPrompt() throws {
        let audio = Self.noise(seconds: 7)
        let options = Self.options { $0.language = nil }
        let all = Questions()
        let whole = try model.transcribe(ArraySampleSource(audio), options: options, isCancelled: all.ask)
        let tokens = whole.segments.reduce(0) { $0 + $1.tokens.count }
        #expect(tokens > 10)
        #expect(all.count >= tokens)
        for limit in 1...all.count {
            let questions = Questions(yesFrom: limit)
            var eventsAfterwards = 0
            let error = #expect(throws: StenoError.self) {
                try model.transcribe(
                    ArraySampleSource(audio), options: options, isCancelled: questions.ask,
                    onEvent: { _ in if questions.count >= limit { eventsAfterwards += 1 } })
            }
            #expect(error?.code == .cancelled && questions.count == limit && eventsAfterwards == 0)
        }
        #expect(throws: StenoError.self) {
            try model.detectLanguage(ArraySampleSource(audio), TranscriptionOptions()) { true }
        }
    }

    // MARK: Sampling, prefixes

    @Test func theSameSeedGivesTheSameText() throws {
        let audio = Self.noise(seconds: 5)
        func text(seed: UInt64) throws -> [[Int]] {
            try transcribe(audio) { ($0.whisper.temperatures, $0.whisper.seed) = ([0.8], seed) }.segments.map(\.tokens)
        }
        let first = try text(seed: 1)
        #expect(try text(seed: 1) == first)
        #expect(try text(seed: 2) != first)
    }

    @Test(arguments: [1, nil]) func longPrefixesLeaveRoomForText(limit: Int?) throws {
        let transcript = try transcribe(Self.noise(seconds: 2)) {
            ($0.whisper.prefix, $0.whisper.maxNewTokens) = (String(repeating: "q", count: 60), limit)
        }
        #expect(transcript.text.hasPrefix(String(repeating: "q", count: 20)))
    }

    @Test func aPrefixBeginsTheFirstWindowOnly() throws {
        let transcript = try transcribe(Self.noise(seconds: 6)) { $0.whisper.prefix = "Hello" }
        let first = try #require(transcript.segments.first)
        #expect(first.text.hasPrefix(" Hello"))
        #expect(first.tokens.first == model.tokenizer.specialTokens.timestampBegin)
        #expect(transcript.segments.filter { $0.text.contains(" Hello") }.count == 1)
    }

    /// Parts that are too long together are shortened; each alone has at most half of the context.
    @Test func promptsOfAnyLengthLeaveRoom() throws {
        let words = String(repeating: "q", count: 60)
        for change: (inout TranscriptionOptions) -> Void in [
            { ($0.prompt, $0.whisper.prefix, $0.whisper.maxNewTokens) = (words, words, nil) },
            { ($0.prompt, $0.vocabulary, $0.whisper.maxNewTokens) = (words, [words], nil) },
        ] {
            #expect(try transcribe(Self.noise(seconds: 2), change).duration == 2)
        }
        expectError(.invalidOption) {
            try transcribe(Self.noise(seconds: 2)) { ($0.whisper.prefix, $0.whisper.maxNewTokens) = (words, 60) }
        }
    }

    /// Without rules, a model may write the same timestamp twice at the start of every window.
    @Test func theLoopMovesOnWithoutTimestampRules() throws {
        let begin = model.tokenizer.specialTokens.timestampBegin
        var windows = 0
        _ = try model.transcribe(
            ArraySampleSource(Self.noise(seconds: 6)),
            options: Self.options {
                $0.whisper.withoutTimestamps = true
                // Only 0.00 s is left.
                $0.whisper.suppressTokens = (0..<model.shape.vocabularySize).filter { $0 != begin }
                $0.whisper.suppressBlank = false
            }, isCancelled: { windows > 50 }, onEvent: { if case .progress = $0 { windows += 1 } })
        #expect(windows == 3)
    }
}
