import Foundation
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

    /// Bit for bit, in chunks of up to 3 s and with any tail, at every look-ahead that the model has.
    @Test(arguments: ["nemotron", "nemotron-prompts"], [Precision.float32, .int8]) func chunksOfAnyLength(
        name: String, precision: Precision
    ) throws {
        let tested = try GoldenModel(name, precision: precision)
        let state = try tested.model.makeState()
        var random = SplitMix64(seed: 11)
        let lookAheads = try #require(tested.model.configuration.streaming).lookAheads
        #expect(lookAheads.count > 1)
        for lookAhead in lookAheads {
            var found = 0
            for longest in [700, 5_000, 20_000, 48_000, 48_000, 48_000] {
                let samples = tested.audio(Int.random(in: 20_000...110_000, using: &random))
                let whole = try state.transcribe(samples, lookAhead: lookAhead)
                found += whole.count
                try state.begin(lookAhead: lookAhead)
                #expect(try state.hear(samples, inPiecesTo: longest, using: &random) == whole)
            }
            #expect(found > 0 || name != "nemotron")
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
        state.isCancelled = Questions(yesFrom: 3).ask
        expectError(.cancelled) { try state.transcribe(samples) }
        state.isCancelled = { false }
        #expect(try state.transcribe(samples) == whole)
    }
}

/// Real speech against transformers: tokens, times and encoder frames of twenty recordings with each kind of model.
///
/// `Tools/goldens/make_fastconformer_recordings.py` made the results.
struct FastConformerRecordingTests {
    private struct Goldens: Decodable {
        struct Piece: Decodable {
            var file: String
            var start: Int
            var count: Int
        }

        struct Result: Decodable {
            var tokens: [[Int]]
            var frames: Int
            var values: FastConformerGoldens.Part
        }

        struct Model: Decodable {
            /// Added to the bias of a transducer's blank.
            var blank: Float
            var results: [Result]
        }

        /// The distance between the numbers that are kept.
        var step: Int
        var pieces: [Piece]
        var models: [String: Model]
    }

    private static let goldens = Result {
        try JSONDecoder().decode(Goldens.self, from: Data(contentsOf: Fixtures.file("fastconformer/recordings.json")))
    }
    private static let values = Result {
        try Data(contentsOf: Fixtures.file("fastconformer/recordings.bin")).withUnsafeBytes {
            $0.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    private static func samples(_ piece: Goldens.Piece) throws -> [Float] {
        let file =
            piece.file.hasPrefix("inaugural")
            ? Fixtures.bundledSample(piece.file) : Fixtures.file("real-speech/\(piece.file)")
        return Array(try TestAudio.samplesOfPlainWAV(file).dropFirst(piece.start).prefix(piece.count))
    }

    @Test(arguments: ["ctc", "ctc-wide", "rnnt", "tdt", "tdt-biased", "nemotron"]) func equalTransformers(
        name: String
    ) throws {
        let goldens = try Self.goldens.get(), values = try Self.values.get()
        let expected = try #require(goldens.models[name])
        let tested = try GoldenModel(name) { model in
            guard let bias = model.tensors["joint.head.bias"], var values = bias.values else { return }
            values[32] += expected.blank
            model.tensors["joint.head.bias"] = FastConformerGoldens.Tensor(shape: bias.shape, values: values)
        }
        #expect(expected.results.count == 20)
        let state = try tested.model.makeState()
        // transformers has no limit for TDT.
        state.limitsSymbols = false
        var worst: Float = 0
        for (piece, golden) in zip(goldens.pieces, expected.results) {
            let samples = try Self.samples(piece)
            #expect(try state.transcribe(samples, lookAhead: 6).plain == golden.tokens, "\(piece.file) \(piece.start)")
            let frames = try tested.encode(samples)
            #expect(frames.count == golden.frames * tested.model.configuration.width)
            let kept = stride(from: 0, to: frames.count, by: goldens.step).map { frames[$0] }
            let reference = values[golden.values.offset..<golden.values.offset + golden.values.shape[0]]
            worst = max(worst, zip(kept, reference).map { abs($0 - $1) }.max() ?? .infinity)
        }
        #expect(worst <= 1e-4)
        if ProcessInfo.processInfo.environment["STENO_SHOW_DEVIATIONS"] != nil { print("\(name): \(worst)") }
    }
}

extension GoldenModel {
    fileprivate func encode(_ samples: [Float]) throws -> [Float] {
        var rows: [Float] = []
        var features = FeatureStream(model.features)
        try samples.withUnsafeBufferPointer { try features.append($0, isLast: true, to: &rows) }
        let layers = model.configuration.layers
        guard model.configuration.streaming == nil else { return try stream(rows, lookAhead: 6, layers: layers) }
        if model.configuration.normalizesFeatures { FastConformerFeatures.normalize(&rows, bands: bands) }
        return try encode(rows, layers: layers)
    }
}
