import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

struct InvalidOptionTests {
    private typealias Change = @Sendable (inout TranscriptionOptions) -> Void

    private static func each<Value: Sendable>(
        _ option: any WritableKeyPath<WhisperOptions, Value> & Sendable, _ values: [Value]
    ) -> [Change] {
        values.map { value in { $0.whisper[keyPath: option] = value } }
    }

    /// What the message names, and the changes of which each is refused.
    private static let cases: [(word: String, changes: [Change])] = [
        ("beam size", each(\.beamSize, [0, 65])),
        ("best of", each(\.bestOf, [0, .max])),
        ("patience", each(\.patience, [0, -1, .nan, .infinity])),
        ("length penalty", each(\.lengthPenalty, [.nan])),
        ("repetition penalty", each(\.repetitionPenalty, [0, .infinity, 1e-300])),
        ("n-gram", each(\.noRepeatNGramSize, [-1])),
        (
            "temperature",
            each(\.temperatures, [[], [0, -0.1], [.nan], [1e40], [.infinity]])
        ), ("first timestamp", each(\.maxInitialTimestamp, [-1, 31, .nan])),
        ("new tokens", each(\.maxNewTokens, [0])),
        ("reserved for the text", each(\.maxNewTokens, [.max])),
        ("token -2", each(\.suppressTokens, [[-2]])),
        ("token 1000000", each(\.suppressTokens, [[-1, 1_000_000]])),
        ("audio context", each(\.audioContext, [.positions(99), .positions(101), .positions(.min)])),
        ("hallucination", each(\.hallucinationSilenceThreshold, [2])),
        ("clip", [{ $0.clips = [-1..<2] }, { $0.clips = [.infinity..<(.infinity)] }]),
        ("give only one", [{ ($0.clips, $0.whisper.voiceActivity) = ([0..<1], VoiceActivityOptions()) }]),
        ("chunk length", each(\.chunkLength, [0.5, 2.1, .nan])),
        ("1 window", each(\.languageDetectionSegments, [0])),
        ("detection threshold", each(\.languageDetectionThreshold, [1.5])),
        ("initial prompt's tokens", each(\.initialPromptTokens, [[5, 1_000_000], [-1]])),
    ]

    /// The message names the problem, and nothing is read before it is found.
    @Test func eachHasItsMessage() throws {
        let model = try SmallModel.load(.int8)
        func expect(_ code: StenoError.Code, _ word: String, _ change: Change) {
            let options = TranscriptionOptions(language: "en").with(change)
            expectError(code, "\(word)", says: word) {
                try model.transcribe(ArraySampleSource([Float](repeating: 0.1, count: 8000)), options: options)
            }
        }
        for (word, changes) in Self.cases { for change in changes { expect(.invalidOption, word, change) } }
        for language in ["xx", "Japanese"] { expect(.unknownLanguage, language) { $0.language = language } }
    }

    /// Unusual, but valid.
    @Test func allowedExtremes() throws {
        let model = try SmallModel.load(.int8)
        let changes: [(inout TranscriptionOptions) -> Void] = [
            { ($0.whisper.beamSize, $0.whisper.patience) = (64, 1e300) }, { $0.whisper.patience = 1e-300 },
            { $0.whisper.lengthPenalty = -1e6 },
            { $0.whisper.lengthPenalty = 1e6 }, { $0.whisper.repetitionPenalty = 1000 },
            { $0.whisper.repetitionPenalty = 0.001 },
            { $0.whisper.noRepeatNGramSize = .max },
            { ($0.whisper.temperatures, $0.whisper.bestOf) = ([1e-300, 100], 64) },
            { $0.whisper.temperatures = [Double](repeating: 0.5, count: 300) }, { $0.whisper.maxInitialTimestamp = 30 },
            { ($0.whisper.suppressTokens, $0.whisper.suppressBlank) = ([], false) },
            { $0.whisper.audioContext = .positions(100) },
            { $0.whisper.audioContext = .automatic }, { ($0.prompt, $0.vocabulary) = ("", [" "]) },
            { $0.whisper.suppressTokens = Array(0..<model.shape.vocabularySize) }, { $0.wordTimestamps = true },
            { ($0.wordTimestamps, $0.whisper.hallucinationSilenceThreshold) = (true, 0) },
            { $0.clips = [1e300..<(.infinity), 0..<0, 2.5..<1e300] }, { $0.whisper.chunkLength = 1 },
            { $0.whisper.chunkLength = 2 },
            {
                ($0.language, $0.whisper.languageDetectionSegments, $0.whisper.languageDetectionThreshold) = (
                    nil, .max, 1
                )
            },
            { ($0.language, $0.clips) = (nil, [1e300..<(.infinity)]) },
            { ($0.whisper.prefix, $0.vocabulary) = ("", [""]) },
            { $0.whisper.initialPromptTokens = [] },
        ]
        for change in changes {
            let options = TranscriptionOptions(language: "en").with { $0.whisper.maxNewTokens = 8 }.with(change)
            let audio = TestAudio.noise(seed: 1, count: 40_000, gain: 0.3)
            let transcript = try model.transcribe(ArraySampleSource(audio), options: options)
            #expect(transcript.duration == 2.5)
            #expect(model.languages.contains(transcript.language))
            #expect(transcript.segments.map(\.id) == Array(transcript.segments.indices))
            for segment in transcript.segments {
                #expect(segment.start <= segment.end && segment.end <= 4)
                #expect(segment.tokens.allSatisfy { (0..<model.shape.vocabularySize).contains($0) })
                #expect(segment.averageLogProbability <= 0 && segment.averageLogProbability.isFinite)
            }
        }
    }
}

struct MemoryEstimateTests {
    private static let largeV3 = ModelShape(
        melCount: 128, audioContext: 1500, textContext: 448, width: 1280, encoderHeads: 20, decoderHeads: 20,
        encoderLayers: 32, decoderLayers: 32, vocabularySize: 51866)

    private func estimate(
        _ precision: Precision = .float32, _ change: (inout TranscriptionOptions) -> Void = { _ in }
    ) -> MemoryEstimate {
        MemoryEstimate(Self.largeV3, precision: precision, options: TranscriptionOptions().with(change))
    }

    @Test(arguments: [Precision.float32, .int8]) func manyLanesOfManyBeamsAreRefused(precision: Precision) {
        let request = estimate(precision) { ($0.batchSize, $0.whisper.beamSize) = (64, 64) }
        expectError(.invalidOption, says: "25 GB", "batch size", "beam size", "best of") {
            try request.check(available: 24 << 30)
        }
        #expect(throws: Never.self) { try request.check(available: UInt64(request.bytes)) }
        #expect(throws: StenoError.self) { try request.check(available: UInt64(request.bytes) - 1) }
    }

    @Test(arguments: [Precision.float32, .int8]) func theDefaultsFit(precision: Precision) throws {
        try estimate(precision).check(available: 24 << 30)
        try estimate(precision) { $0.batchSize = 8 }.check(available: 24 << 30)
        try estimate(precision).check(available: 2 << 30)
    }

    @Test func theEstimateGrowsWithEachCost() {
        let usual = estimate().bytes
        #expect(estimate { $0.batchSize = 2 }.bytes > usual)
        #expect(estimate { $0.whisper.beamSize = 10 }.bytes > usual)
        #expect(estimate { $0.whisper.bestOf = 10 }.bytes > usual)
        #expect(estimate(.int8).bytes < usual)
        // The largest shape that can be loaded, with the most lanes and beams.
        let shape = ModelShape(
            melCount: 512, audioContext: 10_000, textContext: 512, width: 16_384, encoderHeads: 256, decoderHeads: 256,
            encoderLayers: 128, decoderLayers: 128, vocabularySize: 1_000_000)
        let options = TranscriptionOptions().with {
            ($0.batchSize, $0.whisper.beamSize, $0.whisper.bestOf) = (64, 64, 64)
        }
        #expect(throws: StenoError.self) {
            try MemoryEstimate(shape, precision: .float32, options: options).check(available: 1 << 40)
        }
    }

    /// At least the decoder's buffers, which are measured in elements.
    @Test func itCoversTheAllocations() throws {
        let model = try SmallModel.load()
        for (lanes, beams) in [(1, 1), (1, 5), (4, 2), (16, 8)] {
            let options = TranscriptionOptions().with {
                $0.batchSize = lanes
                ($0.whisper.beamSize, $0.whisper.bestOf) = (beams, 1)
            }
            let state = try DecoderState(
                shape: model.shape, decoder: model.decoder, precision: .float32, hypotheses: options.whisper.hypotheses,
                lanes: lanes, context: ComputeContext(pool: model.pool))
            let encoder = try EncoderState(
                shape: model.shape, encoder: model.encoder, precision: .float32,
                context: ComputeContext(pool: model.pool))
            let slots = lanes * DecoderState.slots(shape: model.shape, hypotheses: options.whisper.hypotheses)
            let cache = slots * model.shape.width * 2 * model.shape.decoderLayers
            let crossAttention = lanes * model.shape.audioContext * model.shape.width * 2 * model.shape.decoderLayers
            let floats =
                state.logits.count + state.x.count + state.y.count + state.wide.count + state.crossProjection.count
                + encoder.mel.count + cache + crossAttention
            let estimate = MemoryEstimate(model.shape, precision: .float32, options: options).bytes
            #expect(estimate >= 4 * floats, "\(lanes) lanes of \(beams) beams")
            #expect(estimate < 8 * floats, "\(lanes) lanes of \(beams) beams")
        }
    }
}
