import StenoCore
import StenoTestSupport
import Testing

@testable import StenoMoonshine

/// Transcription of recordings with scripted texts; everything but digital silence is speech.
struct FileTranscriptionTests {
    private static let english = LanguageDetection(language: "en", probability: 1)

    private func transcribe(
        _ source: any SampleSource, _ recognizer: ScriptedRecognizer,
        _ options: TranscriptionOptions = TranscriptionOptions()
    ) throws -> (transcript: Transcript, events: [TranscriptionProgressEvent]) {
        var events: [TranscriptionProgressEvent] = []
        let transcript = try FileTranscription(
            source, recognizer, options, language: Self.english, makeDetector: SoundDetector.init,
            onEvent: { events.append($0) }
        ).run()
        return (transcript, events)
    }

    private func transcribe(
        _ samples: [Float], _ recognizer: ScriptedRecognizer, _ options: TranscriptionOptions = TranscriptionOptions()
    ) throws -> Transcript {
        try transcribe(ArraySampleSource(samples), recognizer, options).transcript
    }

    @Test func sentencesOfUtterancesBecomeSegments() throws {
        let audio = sound((1, 0), (2, 0.1), (3, 0), (1, 0.1), (1, 0))
        let recognizer = ScriptedRecognizer("Good morning. How are you?", "Fine!")
        let transcript = try transcribe(audio, recognizer)
        #expect(transcript.segments.map(\.text) == [" Good morning.", " How are you?", " Fine!"])
        #expect(transcript.segments.map(\.id) == [0, 1, 2])
        #expect(transcript.text == "Good morning. How are you? Fine!")
        #expect(transcript.segments.allSatisfy { $0.words == nil })
        #expect(transcript.duration == 8)
        #expect(transcript.language == "en" && transcript.languageProbability == 1)
        // With 0.3 s around them: windows of 32 ms decide.
        #expect(zip(recognizer.seconds, [2.6, 1.6]).allSatisfy { abs($0 - $1) < 0.07 })
        #expect(abs(transcript.segments[0].start - 0.7) < 0.07 && abs(transcript.segments[2].start - 5.7) < 0.07)
        #expect(transcript.warnings == nil)
    }

    @Test func wordsAreGivenOnRequest() throws {
        let audio = sound((1, 0.1))
        let transcript = try transcribe(
            audio, ScriptedRecognizer("Good morning."), TranscriptionOptions(wordTimestamps: true))
        #expect(transcript.words.map(\.rawText) == [" Good", " morning."])
        #expect(transcript.words.map(\.start) == [0, 0.5])
    }

    @Test func longSpeechIsCutAtItsQuietestPlaces() throws {
        let audio = sound((14, 0.1), (0.3, 0.01), (15, 0.1), (0.3, 0.01), (16, 0.1))
        let recognizer = ScriptedRecognizer("One.", "Two.", "Three.")
        let transcript = try transcribe(audio, recognizer)
        #expect(transcript.text == "One. Two. Three.")
        #expect(zip(recognizer.seconds, [14.15, 15.3, 16.15]).allSatisfy { abs($0 - $1) < 0.1 })
        #expect(recognizer.heard.flatMap(\.self) == audio)
    }

    /// Without any place to cut it, speech is cut at the limit.
    @Test func noUtteranceIsTooLong() throws {
        let recognizer = ScriptedRecognizer()
        _ = try transcribe(TestSources.Pipe(sound((50, 0.1))), recognizer)
        #expect(recognizer.seconds.allSatisfy { $0 <= 20 })
        #expect(recognizer.seconds.reduce(0, +) == 50)
    }

    @Test func shortPausesStayWithinAnUtterance() throws {
        let recognizer = ScriptedRecognizer("One.")
        _ = try transcribe(sound((1, 0.1), (0.5, 0), (1, 0.1)), recognizer)
        #expect(recognizer.seconds == [2.5])
    }

    // MARK: Without text

    @Test func silenceIsNotDecoded() throws {
        let recognizer = ScriptedRecognizer()
        let transcript = try transcribe(sound((5, 0)), recognizer)
        #expect(recognizer.heard.isEmpty && transcript.segments.isEmpty)
        #expect(transcript.warnings?.map(\.code) == [.noSpeech])
        #expect(transcript.duration == 5 && transcript.durationAfterVoiceActivity == 0)
    }

    @Test func audioWithoutSamplesIsReported() throws {
        let transcript = try transcribe([], ScriptedRecognizer())
        #expect(transcript.warnings?.map(\.code) == [.audioEmpty])
        #expect(transcript.duration == 0)
    }

    /// The model writes “You” for audio without speech.
    @Test func theTextOfSilenceIsRemovedAndReported() throws {
        let transcript = try transcribe(sound((1, 0.1), (2, 0), (1, 0.1)), ScriptedRecognizer("You", "You."))
        #expect(transcript.text == "You.")
        #expect(transcript.guards?.map(\.text) == [" You"])
        #expect(transcript.guards?.map(\.kind) == [.noSpeech])
    }

    // MARK: Implausible texts

    @Test func anImplausibleTextIsDecodedInTwoParts() throws {
        let recognizer = ScriptedRecognizer { samples, number in
            .spread(["Me me me me", "One two.", "Three four."][number], over: samples, isComplete: number > 0)
        }
        let audio = sound((3, 0.1), (0.3, 0.01), (3, 0.1))
        #expect(try transcribe(audio, recognizer).text == "One two. Three four.")
        #expect(recognizer.seconds.count == 3 && abs(recognizer.seconds[1] - 3.15) < 0.1)
    }

    @Test func aTextThatStaysImplausibleLosesItsLoop() throws {
        let recognizer = ScriptedRecognizer { samples, _ in
            .spread("So and" + String(repeating: " then", count: 20), over: samples, isComplete: false)
        }
        let transcript = try transcribe(sound((5, 0.1)), recognizer)
        #expect(transcript.text == "So and then")
        #expect(transcript.guards?.map(\.kind) == [.repetition])
    }

    // MARK: Clips

    @Test func onlyClipsAreTranscribed() throws {
        let recognizer = ScriptedRecognizer("One.", "Two.")
        let audio = sound((10, 0.1))
        let options = TranscriptionOptions().with { $0.clips = [1..<3, 6..<7.5] }
        let transcript = try transcribe(audio, recognizer, options)
        #expect(recognizer.heard == [Array(audio[16_000..<48_000]), Array(audio[96_000..<120_000])])
        #expect(transcript.segments.map(\.start) == [1, 6])
        #expect(transcript.segments.map(\.end) == [3, 7.5])
    }

    /// Even on a pipe.
    @Test func clipsMayGoBackAndOverlap() throws {
        let recognizer = ScriptedRecognizer("One.", "Two.", "Three.")
        let audio = sound((10, 0.1))
        let options = TranscriptionOptions().with { $0.clips = [6..<8, 1..<2, 1.5..<7] }
        let (transcript, events) = try transcribe(TestSources.Pipe(audio), recognizer, options)
        #expect(
            recognizer.heard == [
                Array(audio[96_000..<128_000]), Array(audio[16_000..<32_000]), Array(audio[24_000..<112_000]),
            ])
        #expect(transcript.segments.map(\.start) == [6, 1, 1.5])
        #expect(progress(events).map(\.processed) == progress(events).map(\.processed).sorted())
    }

    @Test func aClipBeyondTheEndIsReported() throws {
        let transcript = try transcribe(
            sound((2, 0.1)), ScriptedRecognizer("One."), TranscriptionOptions().with { $0.clips = [0..<1, 5..<6] })
        #expect(transcript.warnings?.map(\.code) == [.audioEmpty])
        #expect(transcript.text == "One.")
    }

    // MARK: Events

    private func progress(_ events: [TranscriptionProgressEvent]) -> [(processed: Double, total: Double?)] {
        events.compactMap { if case .progress(let processed, let total) = $0 { (processed, total) } else { nil } }
    }

    @Test(arguments: [true, false]) func eventsAreInOrder(isFile: Bool) throws {
        let audio = sound((3, 0.1), (9, 0), (3, 0.1))
        let source: any SampleSource = isFile ? ArraySampleSource(audio) : TestSources.Pipe(audio)
        let (transcript, events) = try transcribe(source, ScriptedRecognizer("One.", "Two."))
        guard case .language(let language)? = events.first else {
            Issue.record("the language comes first")
            return
        }
        #expect(language == Self.english)
        let segments = events.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
        #expect(segments == transcript.segments)
        let progress = progress(events)
        #expect(progress.last?.processed == 15)
        // Also while there is only silence.
        #expect(zip(progress, progress.dropFirst()).allSatisfy { (0.01...4).contains($1.processed - $0.processed) })
        #expect(progress.dropLast().allSatisfy { $0.total == (isFile ? 15 : nil) })
    }

    @Test func cancellationEndsTheWork() {
        for question in [1, 3, 8] {
            let recognizer = ScriptedRecognizer("One.")
            recognizer.isCancelled = Questions(yesFrom: question).ask
            expectError(.cancelled) { try transcribe(sound((3, 0.1)), recognizer).text }
        }
    }

    // MARK: Unusual audio

    /// One such sample would otherwise spoil its whole utterance.
    @Test func samplesThatAreNoneBecomeSilence() throws {
        var audio = sound((1, 0.1))
        (audio[10], audio[11], audio[12], audio[13]) = (.nan, .infinity, -7, 3e38)
        let recognizer = ScriptedRecognizer("One.")
        _ = try transcribe(audio, recognizer)
        #expect(Array(recognizer.heard[0][10...13]) == [0, 0, -1, 1])
    }

    @Test func aSourceThatChangesWhileItIsReadIsAnError() throws {
        final class Once: SampleSource {
            private var rewinds = 0
            func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int { 0 }
            func rewind() -> Bool {
                rewinds += 1
                return rewinds == 1
            }
        }
        expectError(.audioUnreadable) { try transcribe(Once(), ScriptedRecognizer()).transcript }
    }
}
