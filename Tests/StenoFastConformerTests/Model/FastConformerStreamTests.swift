import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct FastConformerStreamTests {
    /// A language for each prompt of the small multilingual model.
    private static let processor = #"{"prompt_dictionary": {"auto": 5, "de-DE": 2, "en-US": 0, "en": 0}}"#

    private static func multilingual() throws -> FastConformerModel {
        let goldens = try FastConformerGoldens.shared.get()
        let folder = try TemporaryFolder()
        try #require(goldens.models["nemotron-prompts"]).write(to: folder.url)
        try folder.write(processor, to: "processor_config.json")
        return try FastConformerModel.load(folder: folder.url, precision: .float32)
    }

    @Test func equalsTransformers() throws {
        let tested = try GoldenModel("nemotron")
        let state = try tested.model.makeState()
        for golden in try #require(tested.golden.audio) {
            let samples = tested.audio(try #require(golden.samples))
            #expect(try state.transcribe(samples, lookAhead: golden.look_ahead).plain == golden.tokens)
        }
    }

    @Test func promptsTellTheLanguage() throws {
        let goldens = try FastConformerGoldens.shared.get(), golden = try #require(goldens.models["nemotron-prompts"])
        let state = try Self.multilingual().makeState()
        for expected in try #require(golden.audio) {
            let samples = FastConformerGoldens.audio(seed: golden.seed, count: try #require(expected.samples))
            let language = expected.prompt == 5 ? nil : "de-DE"
            let tokens = try state.transcribe(samples, lookAhead: expected.look_ahead, language: language)
            #expect(tokens.plain == expected.tokens)
        }
        #expect(try state.transcribe([0], language: "DE-de").isEmpty)
        let error = try #require(throws: StenoError.self) { try state.begin(lookAhead: 6, language: "xx") }
        #expect(error.code == .unknownLanguage)
        #expect(error.message.contains("de-DE"))
    }

    /// Bit for bit, with any tail.
    @Test(arguments: [Precision.float32, .int8], [0, 1, 6]) func piecesDoNotChangeTheTokens(
        precision: Precision, lookAhead: Int
    ) throws {
        let tested = try GoldenModel("nemotron", precision: precision)
        let state = try tested.model.makeState()
        var random = SplitMix64(seed: UInt64(lookAhead))
        for longest in [700, 5_000, 40_000] {
            let samples = tested.audio(50_000 + Int.random(in: 0..<1_280, using: &random))
            let whole = try state.transcribe(samples, lookAhead: lookAhead)
            #expect(!whole.isEmpty)
            try state.begin(lookAhead: lookAhead)
            #expect(try state.hear(samples, inPiecesTo: longest, using: &random) == whole)
        }
    }

    /// Chunks from 10 ms to 3 s, at every look-ahead that the model has.
    @Test(arguments: ["nemotron", "nemotron-prompts"], [Precision.float32, .int8]) func chunksOfAnyLength(
        name: String, precision: Precision
    ) throws {
        let tested = try GoldenModel(name, precision: precision)
        let state = try tested.model.makeState()
        var random = SplitMix64(seed: 11)
        let lookAheads = try #require(tested.model.configuration.streaming).lookAheads
        #expect(lookAheads.count > 1)
        for lookAhead in lookAheads {
            for _ in 0..<6 {
                let samples = tested.audio(Int.random(in: 20_000...110_000, using: &random))
                let whole = try state.transcribe(samples, lookAhead: lookAhead)
                try state.begin(lookAhead: lookAhead)
                var tokens: [FastConformerToken] = [], start = 0
                while start < samples.count {
                    let end = min(start + Int.random(in: 160...48_000, using: &random), samples.count)
                    tokens += try state.hear(Array(samples[start..<end]), isLast: end == samples.count)
                    start = end
                }
                #expect(tokens == whole)
            }
        }
    }

    /// Tokens come as soon as the chunk of their frame is complete.
    @Test func tokensDoNotWait() throws {
        let tested = try GoldenModel("nemotron")
        let state = try tested.model.makeState()
        let samples = tested.audio(80_717)
        let whole = try state.transcribe(samples, lookAhead: 1)
        try state.begin(lookAhead: 1)
        var tokens: [FastConformerToken] = []
        for start in stride(from: 0, to: samples.count, by: 80) {
            let end = min(start + 80, samples.count)
            tokens += try state.hear(Array(samples[start..<end]), isLast: false)
            // Frame e exists once 1280 e + 200 samples have arrived.
            let frames = end < 200 ? 0 : (end - 200) / 1_280 + 1
            #expect(tokens == whole.filter { $0.frame < frames / 2 * 2 })
        }
        tokens += try state.hear([], isLast: true)
        #expect(tokens == whole)
    }

    @Test func aStreamMustBegin() throws {
        let state = try GoldenModel("nemotron").model.makeState()
        func code(_ body: () throws -> Void) -> StenoError.Code? {
            do { try body() } catch let error as StenoError { return error.code } catch {}
            return nil
        }
        #expect(code { _ = try state.hear([0], isLast: false) } == .engineState)
        #expect(code { try state.begin(lookAhead: 5) } == .invalidOption)
        #expect(code { try state.begin(lookAhead: 0) } == nil)
        #expect(code { _ = try state.hear([.nan], isLast: false) } == .audioDamaged)
        #expect(code { _ = try state.hear([0], isLast: false) } == .engineState)
        try state.begin(lookAhead: 0)
        #expect(try state.hear([], isLast: true).isEmpty)
        #expect(code { _ = try state.hear([0], isLast: false) } == .engineState)
        let parakeet = try GoldenModel("tdt").model.makeState()
        #expect(code { try parakeet.begin(lookAhead: 0) } == .invalidOption)
    }

    @Test(arguments: ["nemotron", "tdt", "ctc"]) func workCanBeCancelled(name: String) throws {
        let tested = try GoldenModel(name)
        let state = try tested.model.makeState()
        let samples = tested.audio(30_000)
        let whole = try state.transcribe(samples)
        var calls = 0
        state.isCancelled = {
            calls += 1
            return calls > 2
        }
        let error = try #require(throws: StenoError.self) { _ = try state.transcribe(samples) }
        #expect(error.code == .cancelled)
        state.isCancelled = { false }
        #expect(try state.transcribe(samples) == whole)
    }
}
