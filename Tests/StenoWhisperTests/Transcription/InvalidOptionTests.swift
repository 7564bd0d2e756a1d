import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

struct InvalidOptionTests {
    struct Case: Sendable {
        var word: String
        var code = StenoError.Code.invalidOption
        var change: @Sendable (inout TranscriptionOptions) -> Void
    }

    static let cases: [Case] = [
        Case(word: "beam size") { $0.whisper.beamSize = 0 }, Case(word: "beam size") { $0.whisper.beamSize = 65 },
        Case(word: "best of") { $0.whisper.bestOf = 0 }, Case(word: "best of") { $0.whisper.bestOf = .max },
        Case(word: "patience") { $0.whisper.patience = 0 }, Case(word: "patience") { $0.whisper.patience = -1 },
        Case(word: "patience") { $0.whisper.patience = .nan },
        Case(word: "patience") { $0.whisper.patience = .infinity },
        Case(word: "length penalty") { $0.whisper.lengthPenalty = .nan },
        Case(word: "repetition penalty") { $0.whisper.repetitionPenalty = 0 },
        Case(word: "repetition penalty") { $0.whisper.repetitionPenalty = .infinity },
        Case(word: "repetition penalty") { $0.whisper.repetitionPenalty = 1e-300 },
        Case(word: "n-gram") { $0.whisper.noRepeatNGramSize = -1 },
        Case(word: "temperature") { $0.whisper.temperatures = [] },
        Case(word: "temperature") { $0.whisper.temperatures = [0, -0.1] },
        Case(word: "temperature") { $0.whisper.temperatures = [.nan] },
        Case(word: "temperature") { $0.whisper.temperatures = [1e40] },
        Case(word: "temperature") { $0.whisper.temperatures = [.infinity] },
        Case(word: "first timestamp") { $0.whisper.maxInitialTimestamp = -1 },
        Case(word: "first timestamp") { $0.whisper.maxInitialTimestamp = 31 },
        Case(word: "first timestamp") { $0.whisper.maxInitialTimestamp = .nan },
        Case(word: "new tokens") { $0.whisper.maxNewTokens = 0 },
        Case(word: "reserved for the text") { $0.whisper.maxNewTokens = .max },
        Case(word: "token -2") { $0.whisper.suppressTokens = [-2] },
        Case(word: "token 1000000") { $0.whisper.suppressTokens = [-1, 1_000_000] },
        Case(word: "audio context") { $0.whisper.audioContext = .positions(99) },
        Case(word: "audio context") { $0.whisper.audioContext = .positions(101) },
        Case(word: "audio context") { $0.whisper.audioContext = .positions(.min) },
        Case(word: "hallucination") { $0.whisper.hallucinationSilenceThreshold = 2 },
        Case(word: "clip") { $0.clips = [-1..<2] }, Case(word: "clip") { $0.clips = [.infinity..<(.infinity)] },
        Case(word: "give only one") { ($0.clips, $0.whisper.voiceActivity) = ([0..<1], VoiceActivityOptions()) },
        Case(word: "chunk length") { $0.whisper.chunkLength = 0.5 },
        Case(word: "chunk length") { $0.whisper.chunkLength = 2.1 },
        Case(word: "chunk length") { $0.whisper.chunkLength = .nan },
        Case(word: "1 window") { $0.whisper.languageDetectionSegments = 0 },
        Case(word: "detection threshold") { $0.whisper.languageDetectionThreshold = 1.5 },
        Case(word: "initial prompt's tokens") { $0.whisper.initialPromptTokens = [5, 1_000_000] },
        Case(word: "initial prompt's tokens") { $0.whisper.initialPromptTokens = [-1] },
        Case(word: "xx", code: .unknownLanguage) { $0.language = "xx" },
        Case(word: "Japanese", code: .unknownLanguage) { $0.language = "Japanese" },
    ]

    /// The message names the problem, and nothing is read before it is found.
    @Test func eachHasItsMessage() throws {
        let model = try SmallModel.load(.int8)
        for it in Self.cases {
            let options = TranscriptionOptions(language: "en").with(it.change)
            expectError(it.code, "\(it.word)", says: it.word) {
                try model.transcribe(ArraySampleSource([Float](repeating: 0.1, count: 8000)), options: options)
            }
        }
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
    }

    /// The largest shape that can be loaded, with the most lanes and beams.
    @Test func theLargestRequestIsANumber() {
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
