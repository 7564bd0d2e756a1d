import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Decoding an utterance while it grows, on a random model, whose text is meaningless but reproducible.
struct UtteranceDecoderTests {
    let model: WhisperModel
    let decoder: UtteranceDecoder
    /// Two seconds, as much as the model's window holds.
    let audio = TestAudio.noise(seed: 5, count: 32_000, gain: 0.2)

    init() throws {
        model = try SmallModel.load()
        decoder = try UtteranceDecoder(model, LiveDecoderOptions(beamSize: 3))
    }

    private func request() -> UtteranceSearch { UtteranceSearch(language: "en") }

    private func tokens(_ hypothesis: UtteranceHypothesis) -> [Int] { hypothesis.words.flatMap(\.handle) }

    // MARK: Words

    /// The certainties of the words and the probability of the end make up the probability of the text.
    @Test func wordCertaintyCombinesItsTokens() throws {
        let free = try decoder.decode(audio, request())
        let words = free.words
        try #require(words.count > 1 && words.contains { $0.handle.count > 1 })
        let logCertainty = words.reduce(0) { $0 + log($1.certainty) }
        let logProbability = free.logProbability * Double(tokens(free).count + 1)
        #expect(logProbability <= logCertainty + 1e-3)
        #expect(words.allSatisfy { $0.certainty > 0 && $0.certainty <= 1 })
    }

    // MARK: Drafts

    /// The hypothesis with a draft, and the number of checks for cancellation: one per pass.
    private func decode(
        _ request: UtteranceSearch, _ samples: [Float]? = nil, by decoder: UtteranceDecoder? = nil
    ) throws -> (hypothesis: UtteranceHypothesis, questions: Int) {
        let decoder = try decoder ?? UtteranceDecoder(model, LiveDecoderOptions(beamSize: 3))
        let questions = Questions()
        decoder.isCancelled = questions.ask
        defer { decoder.isCancelled = { false } }
        let hypothesis = try decoder.decode(samples ?? audio, request)
        return (hypothesis, questions.count)
    }

    /// A draft that is right, ends early or is too long saves passes and changes nothing.
    @Test func aRightDraftSavesPasses() throws {
        let (plain, passes) = try decode(request())
        let text = tokens(plain)
        try #require(text.count > 12)
        var asked = request()
        for count in 0...text.count {
            asked.draft = Array(text.prefix(count))
            let (drafted, questions) = try decode(asked)
            #expect(drafted == plain, "a draft of \(count) tokens")
            // Each right token saves a pass; every eight of them take one more product of logits.
            let verified = min(count, text.count - 1)
            #expect(passes - questions >= verified - (verified + 7) / 8, "a draft of \(count) tokens")
        }
        asked.draft = text + text + text
        #expect(try decode(asked).hypothesis == plain)
    }

    /// A draft is followed up to the first difference.
    @Test func aWrongDraftChangesNothing() throws {
        let (plain, passes) = try decode(request())
        let text = tokens(plain)
        for index in text.indices {
            for wrong in [70, text[(index + 1) % text.count], 0] where wrong != text[index] {
                var asked = request()
                asked.draft = text
                asked.draft[index] = wrong
                let (drafted, questions) = try decode(asked)
                #expect(drafted == plain, "\(wrong) at \(index)")
                #expect(passes - questions <= index, "nothing after the difference is used")
            }
        }
    }

    /// Special tokens and numbers that are not tokens end a draft.
    @Test func nonTextEndsADraft() throws {
        let plain = try decoder.decode(audio, request())
        let text = tokens(plain), special = model.tokenizer.specialTokens
        let strange = [
            special.endOfText, special.startOfTranscript, special.noTimestamps, special.timestampBegin, -1, .min, .max,
            model.shape.vocabularySize,
        ]
        for token in strange {
            for index in [0, 1, 9, text.count] {
                var asked = request()
                asked.draft = text.prefix(index) + [token] + text.dropFirst(index)
                #expect(try decoder.decode(audio, asked) == plain, "\(token) at \(index)")
            }
        }
    }

    /// The token limit and the model's context end drafts as they end text.
    @Test(arguments: [0, 1600, 8000, 16_000, 32_000]) func limitsEndADraft(samples: Int) throws {
        let audio = Array(audio.prefix(samples))
        for context in [[], [Int](repeating: 71, count: 500)] {
            let asked = UtteranceSearch(context: context, language: "en")
            let plain = try decoder.decode(audio, asked)
            for draft in [tokens(plain), tokens(plain) + [Int](repeating: 72, count: 100)] {
                var drafted = asked
                drafted.draft = draft
                #expect(try decoder.decode(audio, drafted) == plain)
            }
        }
    }

    /// Only greedy search follows a draft; later searches start as if there had been none.
    @Test func otherSearchesIgnoreDrafts() throws {
        for (beams, temperatures) in [
            (3, [0.0]), (1, [0.9]), (1, [0.0, 0.4, 0.8]), (1, [0.4, 0.0]), (3, [0.0, 0.4]),
        ] {
            var asked = request()
            (asked.beamSize, asked.temperatures) = (beams, temperatures)
            let plain = try decoder.decode(audio, asked)
            for draft in [tokens(plain), tokens(try decoder.decode(audio, request())), [70, 71, 72]] {
                asked.draft = draft
                #expect(try decoder.decode(audio, asked) == plain)
            }
        }
    }

    // MARK: The limit of tokens

    /// Sixty tokens a second plus twelve, but at most half of the context (64 tokens here).
    private static let limit = 32

    @Test(arguments: [(0, 12), (1600, 18), (8000, 32), (16_000, 32), (32_000, 32)])
    func textLengthIsLimited(samples: Int, limit: Int) throws {
        let words = try decoder.decode(Array(audio.prefix(samples)), request()).words
        #expect(words.flatMap(\.handle).count <= limit)
        #expect(words.isEmpty == (samples == 0), "without audio there are no words")
        // This model does not end its text on its own.
        if samples == 32_000 { #expect(words.flatMap(\.handle).count == limit) }
        #expect(limit == min(Self.limit, UtteranceDecoder.maximumTokens(seconds: Double(samples) / 16_000)))
    }

    /// No sentence is cut off, even if spoken twice as fast as in the given seconds.
    ///
    /// In scripts with few or no words in the vocabulary, a character takes two to three tokens.
    @Test(arguments: [
        ("te", 6.0, "నేను రేపు ఉదయం మా అమ్మతో కలిసి మార్కెట్‌కు వెళ్లి కూరగాయలు కొని తీసుకువస్తాను అని చెప్పాడు."),
        ("bn", 6.0, "আমি আগামীকাল সকালে আমার মায়ের সঙ্গে বাজারে গিয়ে শাকসবজি কিনে আনব বলে সে জানিয়েছে।"),
        ("ka", 6.0, "მან თქვა, რომ ხვალ დილით დედასთან ერთად ბაზარში წავა და ბოსტნეულს იყიდის."),
        ("th", 6.0, "เขาบอกว่าพรุ่งนี้เช้าเขาจะไปตลาดกับแม่เพื่อซื้อผักกลับมาทำอาหารที่บ้าน"),
        ("en", 6.0, "He said that tomorrow morning he would go to the market with his mother and buy some vegetables."),
    ])
    func theLimitCutsNoLanguage(language: String, seconds: Double, text: String) throws {
        let count = try TokenizerGoldens.multilingual().encode(" " + text).count
        #expect(count <= UtteranceDecoder.maximumTokens(seconds: seconds / 2), "\(language): \(count) tokens")
    }

    /// An empty text only wins over words that were not heard.
    @Test func anEmptyTextReplacesImprobableWords() {
        func evidence(_ probabilities: Double...) -> Double {
            probabilities.map { UtteranceWord(text: " w", start: 0, end: 1, probability: $0) }.evidence
        }
        #expect(evidence() > evidence(0.01) && evidence() > evidence(0.001, 0.2))
        // A doubtful start does not remove the rest.
        #expect(evidence() < evidence(0.02, 0.9, 0.9) && evidence() < evidence(0.3))
    }

    /// Audio beyond the window is left out.
    @Test func longAudioIsTruncated() throws {
        let long = TestAudio.noise(seed: 5, count: 80_000, gain: 0.2)
        let words = try decoder.decode(long, request()).words
        #expect(words.flatMap(\.handle).count == Self.limit)
        #expect(words.allSatisfy { $0.start >= 0 && $0.end <= 2 })
    }

    // MARK: Minimum audio

    /// For half a second, the model sees at least the requested audio, and always a second of silence after it.
    @Test func minimumAudioContext() throws {
        let short = Array(audio.prefix(8000))
        func decode(_ seconds: Double?) throws -> UtteranceHypothesis {
            var asked = request()
            asked.minimumEncodedSeconds = seconds
            return try decoder.decode(short, asked)
        }
        let whole = try decode(nil)
        for all in [2, 30, 1e300, .infinity] { #expect(try decode(all) == whole) }
        let least = try decode(1.5)
        #expect(least.logProbability != whole.logProbability)
        for less in [1.4999, 1, 0, -1, -.infinity, .nan] { #expect(try decode(less) == least) }
        #expect(try decode(1.8).logProbability != least.logProbability)
        #expect(try decode(nil) == whole)
    }

    // MARK: Audio decoded before

    /// The same audio is not encoded again, and the result always equals a new decoder's.
    ///
    /// The encoder asks for cancellation once before it starts, and before each layer.
    @Test func theSameAudioIsEncodedOnce() throws {
        let other = TestAudio.noise(seed: 6, count: 32_000, gain: 0.2)
        let louder = audio.map { 2 * $0 }
        var beams = request()
        beams.beamSize = 3
        var last: [Float]?
        for audio in [audio, audio, audio, other, audio, Array(audio.prefix(16_000)), audio, audio, louder, audio, []] {
            for request in [request(), beams, UtteranceSearch()] {
                let (expected, all) = try decode(request, audio)
                let (found, questions) = try decode(request, audio, by: decoder)
                #expect(found == expected)
                // Without text to align, the prompt's cache is still there too.
                #expect(audio.isEmpty || questions == (last == audio ? all - 2 : all))
                last = audio
            }
        }
    }

    /// A cancelled encoding does not count.
    @Test func aCancelledEncodingIsRepeated() throws {
        let whole = try decoder.decode(audio, request())
        let other = TestAudio.noise(seed: 6, count: 32_000, gain: 0.2)
        for last in 1...3 {
            let questions = Questions(yesFrom: last)
            decoder.isCancelled = questions.ask
            #expect(throws: StenoError.self) { try decoder.decode(other, request()) }
            #expect(questions.count == last)
            decoder.isCancelled = { false }
            #expect(try decoder.decode(audio, request()) == whole)
        }
    }

    // MARK: The prompt

    /// All parts of the request do.
    @Test func promptsReachTheDecoder() throws {
        func probability(_ change: (inout UtteranceSearch) -> Void) throws -> Double {
            var asked = request()
            change(&asked)
            return try decoder.decode(audio, asked).logProbability
        }
        let all = [
            try probability { _ in }, try probability { $0.context = decoder.tokens(of: "before") },
            try probability { $0.hotwords = "Steno" }, try probability { $0.task = .translate },
            try probability { $0.language = "de" },
        ]
        #expect(Set(all).count == all.count)
        #expect(decoder.tokens(of: "before") == model.tokenizer.encode(" before"))
        // A context of any length is cut to the decoder's room.
        let long = try decoder.decode(audio, UtteranceSearch(context: [Int](repeating: 70, count: 500), language: "en"))
        #expect(!long.words.isEmpty)
    }

    /// The text that the audio explains better is taken.
    ///
    /// For a random model, all text is improbable.
    @Test func improbableTextIsDecodedWithoutContext() throws {
        var taken: [Bool] = []
        let alone = try decoder.decode(audio, request())
        for token in 60..<100 {
            var asked = request()
            asked.context = [Int](repeating: token, count: 20)
            let found = try decoder.decode(audio, asked)
            taken.append(found == alone)
            #expect(found == alone || found.words.evidence >= alone.words.evidence)
            // Text suggested by the context is no draft without it, and the context has no later effect.
            asked.draft = tokens(found)
            #expect(try decoder.decode(audio, asked) == found)
            #expect(try decoder.decode(audio, request()) == alone)
        }
        #expect(taken.contains(true))
    }

    /// A single improbable word is a rare word; if the first or most are improbable, they were not heard.
    @Test(arguments: [
        ([], false), ([0.9, 0.8], false), ([0.9, 0.01, 0.9], false), ([0.01, 0.9, 0.9], true), ([0.04], true),
        ([0.06], false), ([0.9, 0.01], false), ([0.9, 0.01, 0.02], true),
    ])
    func improbableWordsAreUnheard(probabilities: [Double], isUnheard: Bool) {
        let words = probabilities.map { UtteranceWord(text: " word", start: 0, end: 1, probability: $0) }
        #expect(words.isUnheard == isUnheard)
        #expect(words.evidence <= 0 && words.evidence.isFinite)
    }

    // MARK: The language

    @Test func languages() throws {
        #expect(try decoder.decode(audio, request()).language == LanguageDetection(language: "en", probability: 1))
        let detected = try decoder.decode(audio, UtteranceSearch()).language
        #expect(model.languages.contains(detected.language) && detected.probability < 1)
        // The same as decoding in that language from the start.
        let asked = try decoder.decode(audio, UtteranceSearch(language: detected.language))
        #expect(try decoder.decode(audio, UtteranceSearch()).words == asked.words)
        expectError(.unknownLanguage) { try decoder.decode(audio, UtteranceSearch(language: "xx")) }
    }

    // MARK: Temperatures

    /// A random model's text passes no threshold, so every temperature is tried.
    @Test func theMostProbableFailingTextWins() throws {
        let temperatures = [0, 0.4, 0.8, 1.2]
        var best: UtteranceHypothesis?
        for count in 1...temperatures.count {
            var asked = request()
            asked.temperatures = Array(temperatures.prefix(count))
            let found = try decoder.decode(audio, asked)
            #expect(found.isImplausible)
            #expect(temperatures.prefix(count).contains(found.temperature ?? -1))
            if let best, best.temperature == found.temperature {
                #expect(found == best)
            } else if let best {
                #expect(found.logProbability > best.logProbability)
            }
            best = found
        }
    }

    @Test func noTemperature() {
        var asked = request()
        asked.temperatures = []
        expectError(.invalidOption) { try decoder.decode(audio, asked) }
    }

    // MARK: Cancellation

    /// Before the encoder, each of its layers, every token and the alignment; the next utterance is unaffected.
    @Test(arguments: [false, true]) func cancellationAtEveryPoint(hasDraft: Bool) throws {
        var asked = request()
        if hasDraft { asked.draft = tokens(try decoder.decode(audio, asked)) }
        let whole = try decode(asked)
        #expect(hasDraft || whole.questions >= tokens(whole.hypothesis).count)
        for last in 1...whole.questions {
            let decoder = try UtteranceDecoder(model, LiveDecoderOptions(beamSize: 3))
            let questions = Questions(yesFrom: last)
            decoder.isCancelled = questions.ask
            let error = #expect(throws: StenoError.self) { try decoder.decode(audio, asked) }
            #expect(error?.code == .cancelled && questions.count == last)
            decoder.isCancelled = { false }
            #expect(try decoder.decode(audio, asked) == whole.hypothesis)
        }
    }
}

extension UtteranceHypothesis {
    fileprivate var logProbability: Double { whisper?.averageLogProbability ?? .nan }
    fileprivate var temperature: Double? { whisper?.temperature }
}

/// Tests that need a model that knows a language.
struct NanoUtteranceTests {
    /// A text that passes the thresholds is not decoded again.
    @Test func speech() throws {
        let model = try WhisperModel.load(folder: Fixtures.nano, threads: 2)
        let decoder = try UtteranceDecoder(model, LiveDecoderOptions(beamSize: 1))
        let audio = Array(try TestAudio.speech().prefix(4 * 16_000))
        let questions = Questions()
        decoder.isCancelled = questions.ask
        let once = try decoder.decode(audio, UtteranceSearch(language: "en"))
        let asked = questions.count
        #expect(!once.isImplausible && !once.isSilence && once.words.count > 3)
        let again = try decoder.decode(audio, UtteranceSearch(language: "en", temperatures: [0, 0.4, 0.8]))
        let askedAgain = questions.count - asked
        #expect(again == once && askedAgain == asked - 1 - model.shape.encoderLayers, "it is encoded, and that is all")
        #expect(try decoder.decode(audio, UtteranceSearch()).language.language == "en")
    }

    /// While speech grows, each hypothesis is the draft of the next, and the results are those of a new decoder without
    /// drafts to the last digit, in both formats of numbers.
    @Test(arguments: [Fixtures.nano] + (isLong ? [EngineModels.bundledBase] : []), [Precision.int8, .float32])
    func draftsOfGrowingSpeech(folder: URL, precision: Precision) throws {
        let model = try WhisperModel.load(folder: folder, precision: precision, threads: 2)
        let decoder = try UtteranceDecoder(model, LiveDecoderOptions(beamSize: 1))
        let audio = try TestAudio.speech()
        let context = decoder.tokens(of: "Vice President Johnson, Mr. Speaker, Mr. Chief Justice.")
        var asked = UtteranceSearch(context: context, language: "en")
        var verified = 0
        for samples in stride(from: 24_000, through: 72_000, by: 8000) {
            let grown = Array(audio.prefix(samples))
            var plain = asked
            plain.draft = []
            let expected = try UtteranceDecoder(model, LiveDecoderOptions(beamSize: 1)).decode(grown, plain)
            let found = try decoder.decode(grown, asked)
            #expect(found == expected, "\(samples) samples")
            let text = found.words.flatMap(\.handle)
            verified += zip(text, asked.draft).prefix { $0 == $1 }.count
            asked.draft = text
        }
        #expect(verified > 5, "drafts were right")
    }
}
