import StenoTestSupport
import Testing

@testable import StenoWhisper
@testable import StenoCore
@testable import StenoVoice

/// Guards in the loop over windows, on a model that writes nonsense into any sound within milliseconds.
struct GuardedTranscriptionTests {
    let model: WhisperModel

    init() throws {
        model = try SmallModel.with { try WhisperModel.load(folder: $0, precision: .float32, threads: 2) }
    }

    private static let guards = options { _ in }
    /// Guards that find a loop in any two equal words.
    private static let strict = options { ($0.repeats, $0.repeatedWords) = (2, 1) }

    /// Guards that look for nothing.
    private static let idle = options { ($0.repetition, $0.silence, $0.echoes) = (false, false, false) }

    private static func options(_ change: (inout GuardOptions) -> Void) -> GuardOptions {
        var options = GuardOptions()
        options.detector = .energy
        change(&options)
        return options
    }

    private static let clips: [Range<Double>] = [0..<1, 1..<3.7, 4.5..<9, 9..<9.3, 11..<(.infinity)]
    /// Bursts of noise with silence between them.
    private static let sounds: [[Float]] = (0..<3).map { number in
        var sound: [Float] = []
        for index in 0..<5 {
            sound += TestSounds.noise(seed: UInt64(10 * number + index), count: 9000 * (index + 1), gain: 0.3)
            sound += [Float](repeating: 0, count: 14_000 * (number + 1))
        }
        return sound
    }

    private func transcribe(_ sound: [Float], _ change: (inout DecodingOptions) -> Void) throws -> Transcript {
        try model.transcribe(ArraySampleSource(sound), options: TranscriptionTests.options(change))
    }

    /// All that was written is told to be gone, and none of it was in a prompt: it is what is written without any.
    @Test func whatIsTakenOutOfSilenceIsNoContext() throws {
        let silence = [Float](repeating: 0, count: 120_000)
        var guards = Self.guards
        guards.repetition = false
        let guarded = try transcribe(silence) { ($0.guards, $0.conditionOnPreviousText) = (guards, true) }
        let alone = try transcribe(silence) { $0.guards = Self.idle }
        let withContext = try transcribe(silence) { ($0.guards, $0.conditionOnPreviousText) = (Self.idle, true) }
        #expect(guarded.segments.allSatisfy { $0.words?.isEmpty != false })
        let actions = try #require(guarded.guards)
        #expect(actions.allSatisfy { $0.kind == .noSpeech })
        let words = alone.segments.flatMap { $0.words ?? [] }
        #expect(actions.map(\.text).joined() == words.map(\.word).joined() && !words.isEmpty)
        #expect(withContext.text != alone.text, "context changes nothing, so this shows nothing")
    }

    /// Alignment may find no time for words; guards, which asked for it, lose no text because of that.
    @Test func wordsAtOneMomentAreSpreadOverTheirSegment() {
        var draft = SegmentDraft(startFrame: 100, endFrame: 220, tokens: [])
        let stamped = draft
        (draft.start, draft.end) = (2.4, 2.4)
        draft.words = ["Tomorrow", " is", " Friday."].map { Word(word: $0, start: 2.4, end: 2.4, probability: 1) }
        draft.spreadWords(ifAtOneMomentOver: stamped)
        #expect(draft.start == 1 && draft.end == 2.2)
        #expect(draft.words?.map(\.start) == [1, 1.4, 1.8] && draft.words?.map(\.end) == [1.4, 1.8, 2.2])
        let spread = draft
        draft.spreadWords(ifAtOneMomentOver: stamped)
        #expect(draft == spread)
    }

    @Test func withoutGuardsNothingIsTold() throws {
        let transcript = try transcribe(Self.sounds[0]) { $0.wordTimestamps = true }
        #expect(transcript.guards == nil)
        let idle = try transcribe(Self.sounds[0]) { $0.guards = Self.idle }
        #expect(!idle.segments.isEmpty && idle.segments.allSatisfy { $0.start < $0.end })
        #expect(idle.guards == [])
    }

    @Test(arguments: [2, 3, 8]) func aSpanIsWhatItIsAlone(batchSize: Int) throws {
        let changes: [(inout DecodingOptions) -> Void] = [
            { $0.guards = Self.guards },
            { ($0.guards, $0.conditionOnPreviousText, $0.hotwords) = (Self.strict, true, "hello") },
            { ($0.guards, $0.temperatures, $0.logProbabilityThreshold) = (Self.strict, [0, 0.5], -4.4) },
        ]
        for change in changes {
            var options = TranscriptionTests.options(change)
            options.clips = Self.clips
            let outcome = try BatchRun(model: model, options: options).together(Self.sounds, batchSize: batchSize)
            for (number, sound) in Self.sounds.enumerated() {
                let together = try #require(try outcome.transcripts[number]?.get())
                var (segments, actions): ([Segment], [GuardAction]) = ([], [])
                for clip in Self.clips {
                    options.clips = [clip]
                    let alone = try model.transcribe(ArraySampleSource(sound), options: options)
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

    @Test func aPipeIsJudgedAsAFileIs() throws {
        // The loudest moment comes first, so that the features are the same.
        let sound = TestSounds.noise(seed: 1, count: 16000, gain: 0.9) + Self.sounds[1]
        let options = TranscriptionTests.options { ($0.guards, $0.conditionOnPreviousText) = (Self.strict, true) }
        let file = try model.transcribe(ArraySampleSource(sound), options: options)
        #expect(try model.transcribe(TestSources.Pipe(sound), options: options) == file)
        #expect(file.guards?.isEmpty == false)
    }

    /// Where speech alone is decoded, the times are those of the sound: of the words that are gone.
    @Test(arguments: [1, 3]) func timesAreThoseOfTheSound(batchSize: Int) throws {
        var voice = VoiceActivityOptions()
        (voice.detector, voice.speechPadMilliseconds, voice.minSilenceMilliseconds) = (.energy, 200, 100)
        func run(_ change: (inout DecodingOptions) -> Void) throws -> Transcript {
            let options = TranscriptionTests.options {
                $0.voiceActivity = voice
                change(&$0)
            }
            let outcome = try BatchRun(model: model, options: options).together([Self.sounds[2]], batchSize: batchSize)
            return try #require(try outcome.transcripts[0]?.get())
        }
        let plain = try run { $0.guards = Self.idle }
        let guarded = try run { $0.guards = Self.strict }
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

    /// The network that listens comes with the library: nobody has to pass one.
    @Test func guardsHaveTheirNetwork() throws {
        let guarded = try transcribe(Self.sounds[0]) { $0.guards = GuardOptions() }
        #expect(guarded.guards?.allSatisfy { $0.kind == .noSpeech } == true, "noise is no speech")
        #expect(guarded.text.isEmpty)
    }

    @Test func wrongGuardOptionsAreRefused() throws {
        let wrong = #expect(throws: StenoError.self) {
            try transcribe(Self.sounds[0]) {
                $0.guards = GuardOptions()
                $0.guards?.repeats = 1
            }
        }
        #expect(wrong?.code == .invalidOption && wrong?.message.contains("2 repeats") == true)
    }
}
