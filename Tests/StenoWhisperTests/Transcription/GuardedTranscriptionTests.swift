import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

/// Guards in the loop over windows, on a model that writes meaningless text for any audio within milliseconds.
///
/// Where there has to be text to guard, silence is decoded (`skipsSilence`).
struct GuardedTranscriptionTests {
    let model: WhisperModel

    init() throws { model = try SmallModel.load(threads: 2) }

    private static let guards = options { _ in }
    /// Guards that treat any two equal words as a loop.
    private static let strict = options { ($0.repeats, $0.repeatedWords) = (2, 1) }

    /// Guards with every check turned off.
    private static let idle = options { ($0.repetition, $0.silence, $0.promptRepetition) = (false, false, false) }

    private static func options(_ change: (inout GuardOptions) -> Void) -> GuardOptions {
        GuardOptions().with { $0.detector = .energy }.with(change)
    }

    private static let clips: [Range<Double>] = [0..<1, 1..<3.7, 4.5..<9, 9..<9.3, 11..<(.infinity)]
    /// Bursts of noise separated by silence.
    private static let recordings: [[Float]] = (0..<3).map { number in
        var audio: [Float] = []
        for index in 0..<5 {
            audio += TestAudio.noise(seed: UInt64(10 * number + index), count: 9000 * (index + 1), gain: 0.3)
            audio += [Float](repeating: 0, count: 14_000 * (number + 1))
        }
        return audio
    }

    private func transcribe(_ audio: [Float], _ change: (inout TranscriptionOptions) -> Void) throws -> Transcript {
        try model.transcribe(ArraySampleSource(audio), options: TranscriptionTests.options(change))
    }

    /// All removed text is reported, and none of it was in a prompt: the text equals that decoded without context.
    @Test func textRemovedFromSilenceIsNotUsedAsContext() throws {
        let silence = [Float](repeating: 0, count: 120_000)
        var guards = Self.guards
        guards.repetition = false
        func decode(_ guards: GuardOptions, context: Bool) throws -> Transcript {
            try transcribe(silence) {
                ($0.whisper.guards, $0.whisper.conditionOnPreviousText, $0.whisper.skipsSilence) = (
                    guards, context, false
                )
            }
        }
        let guarded = try decode(guards, context: true)
        let alone = try decode(Self.idle, context: false)
        let withContext = try decode(Self.idle, context: true)
        #expect(guarded.segments.allSatisfy { $0.words?.isEmpty != false })
        let actions = try #require(guarded.guards)
        #expect(actions.allSatisfy { $0.kind == .noSpeech })
        let words = alone.segments.flatMap { $0.words ?? [] }
        #expect(actions.map(\.text).joined() == words.map(\.rawText).joined() && !words.isEmpty)
        #expect(withContext.text != alone.text, "context changes nothing, so this test proves nothing")
    }

    /// Alignment may find no times for words; no text is lost because of that when guards requested the alignment.
    @Test func simultaneousWordsAreSpreadOverTheirSegment() {
        var draft = SegmentDraft(startFrame: 100, endFrame: 220, tokens: [])
        let stamped = draft
        (draft.start, draft.end) = (2.4, 2.4)
        draft.words = ["Tomorrow", " is", " Friday."].map { Word(rawText: $0, start: 2.4, end: 2.4, probability: 1) }
        draft.spreadWords(ifAtOneMomentOver: stamped)
        #expect(draft.start == 1 && draft.end == 2.2)
        #expect(draft.words?.map(\.start) == [1, 1.4, 1.8] && draft.words?.map(\.end) == [1.4, 1.8, 2.2])
        let spread = draft
        draft.spreadWords(ifAtOneMomentOver: stamped)
        #expect(draft == spread)
    }

    @Test func withoutGuardsNothingIsReported() throws {
        #expect(try transcribe(Self.recordings[0]) { $0.wordTimestamps = true }.guards == nil)
        let idle = try transcribe(Self.recordings[0]) { $0.whisper.guards = Self.idle }
        #expect(!idle.segments.isEmpty && idle.segments.allSatisfy { $0.start < $0.end })
        #expect(idle.guards == [])
        // Invalid guard options are rejected.
        expectError(.invalidOption, says: "2 repeats") {
            try transcribe(Self.recordings[0]) {
                $0.whisper.guards = GuardOptions()
                $0.whisper.guards?.repeats = 1
            }
        }
    }

    @Test(arguments: [2, 3, 8]) func spansDoNotDependOnTheBatch(batchSize: Int) throws {
        let changes: [(inout TranscriptionOptions) -> Void] = [
            { $0.whisper.guards = Self.guards },
            { ($0.whisper.guards, $0.whisper.conditionOnPreviousText, $0.vocabulary) = (Self.strict, true, ["hello"]) },
            {
                ($0.whisper.guards, $0.whisper.temperatures, $0.whisper.logProbabilityThreshold) = (
                    Self.strict, [0, 0.5], -4.4
                )
            },
        ]
        for change in changes {
            var options = TranscriptionTests.options(change)
            options.clips = Self.clips
            options.whisper.skipsSilence = false
            let outcome = try BatchRun(model: model, options: options).together(Self.recordings, batchSize: batchSize)
            for (number, audio) in Self.recordings.enumerated() {
                let together = try #require(try outcome.transcripts[number]?.get())
                var (segments, actions): ([Segment], [GuardAction]) = ([], [])
                for clip in Self.clips {
                    options.clips = [clip]
                    let alone = try model.transcribe(ArraySampleSource(audio), options: options)
                    segments += alone.segments
                    actions += alone.guards ?? []
                }
                #expect(together.segments.map(\.text) == segments.map(\.text))
                #expect(together.segments.map(\.words) == segments.map(\.words))
                #expect(together.guards == actions)
                #expect(!actions.isEmpty)
            }
        }
    }

    @Test func guardsTreatAPipeLikeAFile() throws {
        // The loudest moment comes first, so that the features are equal.
        let audio = TestAudio.noise(seed: 1, count: 16000, gain: 0.9) + Self.recordings[1]
        let options = TranscriptionTests.options {
            ($0.whisper.guards, $0.whisper.conditionOnPreviousText) = (Self.strict, true)
        }
        let file = try model.transcribe(ArraySampleSource(audio), options: options)
        #expect(try model.transcribe(TestSources.Pipe(audio), options: options) == file)
        #expect(file.guards?.isEmpty == false)
    }

    /// If only speech is decoded, times are those of the original audio, including those of removed words.
    @Test(arguments: [1, 3]) func timesReferToTheAudio(batchSize: Int) throws {
        var voice = VoiceActivityOptions()
        (voice.detector, voice.speechPadSeconds, voice.minSilenceSeconds) = (.energy, 0.2, 0.1)
        func run(_ change: (inout TranscriptionOptions) -> Void) throws -> Transcript {
            let options = TranscriptionTests.options {
                $0.whisper.voiceActivity = voice
                change(&$0)
            }
            let outcome = try BatchRun(model: model, options: options).together(
                [Self.recordings[2]], batchSize: batchSize)
            return try #require(try outcome.transcripts[0]?.get())
        }
        let plain = try run { $0.whisper.guards = Self.idle }
        let guarded = try run { $0.whisper.guards = Self.strict }
        let words = plain.segments.flatMap { $0.words ?? [] }
        let actions = try #require(guarded.guards)
        #expect(!actions.isEmpty)
        for action in actions {
            #expect(action.start <= action.end)
            #expect(words.contains { $0.start == action.start } && words.contains { $0.end == action.end })
        }
        let kept = guarded.segments.flatMap { $0.words ?? [] }
        #expect(kept.allSatisfy(words.contains))
        #expect(kept.count < words.count)
        #expect(guarded.durationAfterVoiceActivity == plain.durationAfterVoiceActivity)
    }

    /// The bundled network is used by default.
    @Test func guardsUseTheBundledNetwork() throws {
        let guarded = try transcribe(Self.recordings[0]) { $0.whisper.guards = GuardOptions() }
        #expect(guarded.guards?.allSatisfy { $0.kind == .noSpeech } == true, "noise is no speech")
        #expect(guarded.text.isEmpty)
    }
}
