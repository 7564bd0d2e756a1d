import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct FastConformerLoadingTests {
    /// The error of loading a model after a change; nil if it loads.
    private static func failure(
        _ name: String = "tdt", pieces: Int = 33, files: [String: String] = [:],
        change: (inout FastConformerGoldens.Model) -> Void = { _ in }
    ) throws -> StenoError? {
        let goldens = try FastConformerGoldens.shared.get()
        var golden = try #require(goldens.models[name])
        change(&golden)
        let folder = try TemporaryFolder()
        try golden.write(to: folder.url, pieces: pieces)
        for (name, text) in files { try folder.write(text, to: name) }
        do {
            _ = try FastConformerModel.load(folder: folder.url)
            return nil
        } catch let error as StenoError {
            return error
        }
    }

    @Test func informationOfAModel() throws {
        let tested = try GoldenModel("tdt", precision: .automatic, threads: 1) { _ in }
        let model = tested.model, configuration = model.configuration
        #expect(model.precision == .int8)
        #expect(model.threads == 1)
        #expect(model.source.format == "Hugging Face safetensors")
        #expect(model.source.storedPrecision == "float32")
        #expect(model.parameterCount == tested.golden.tensors.values.reduce(0) { $0 + $1.shape.reduce(1, *) })
        #expect(configuration.transducer?.durations == [0, 1, 2, 3, 4])
        #expect(configuration.streaming == nil)
        #expect(configuration.blank == 32)
        #expect(!configuration.scalesInput)
        #expect(configuration.subsampledBands == [64, 32, 16])
    }

    @Test func informationOfAStreamingModel() throws {
        let configuration = try GoldenModel("nemotron").model.configuration
        #expect(configuration.streaming == .init(left: 14, lookAheads: [6, 13, 1, 0]))
        #expect(configuration.convolutionNorm == .layer)
        #expect(!configuration.normalizesFeatures)
        #expect(configuration.subsampledBands == [65, 33, 17])
    }

    @Test func knowsThePublishedPrompts() throws {
        let tested = try GoldenModel("nemotron-prompts") { model in
            model.config = model.config.replacingOccurrences(of: "\"num_prompts\": 8", with: "\"num_prompts\": 128")
            model.tensors["prompt_projector.linear_1.weight"]?.shape = [48, 64 + 128]
        }
        let prompts = try #require(tested.model.configuration.prompts)
        #expect(prompts.ids["de-DE"] == 9)
        #expect(prompts.ids["auto"] == 101)
        #expect(prompts.automatic == 5)
    }

    @Test(arguments: [
        ("model_type", "\"parakeet_tdt\"", "\"wav2vec2\""), ("hidden_size", "64", "40"),
        ("num_attention_heads", "4", "3"), ("num_hidden_layers", "2", "0"), ("subsampling_factor", "8", "4"),
        ("blank_token_id", "32", "0"), ("hidden_act", "\"relu\"", "\"tanh\""), ("conv_kernel_size", "9", "8"),
        ("decoder_hidden_size", "32", "40"), ("max_symbols_per_step", "10", "0"),
    ])
    func refusesOtherConfigurations(key: String, value: String, other: String) throws {
        #expect(try failure(key, value, other)?.code == .modelUnsupported)
    }

    private func failure(_ key: String, _ value: String, _ other: String) throws -> StenoError? {
        let field = "\"\(key)\": \(value)"
        var found = false
        let error = try Self.failure { model in
            found = model.config.contains(field)
            model.config = model.config.replacingOccurrences(of: field, with: "\"\(key)\": \(other)")
        }
        #expect(found)
        return error
    }

    /// Without the last layers, a model hallucinates.
    @Test(arguments: [("num_hidden_layers", "2"), ("num_decoder_layers", "2")])
    func refusesLayersThatTheConfigurationLacks(key: String, value: String) throws {
        let error = try failure(key, value, "1")
        #expect(error?.code == .modelDamaged && error?.message.contains("more layers") == true, "\(error as Any)")
    }

    @Test func refusesOtherFeatures() throws {
        #expect(try Self.failure(files: ["preprocessor_config.json": #"{"feature_size": 128, "n_fft": 512}"#]) == nil)
        let error = try Self.failure(files: ["preprocessor_config.json": #"{"hop_length": 200}"#])
        #expect(error?.code == .modelUnsupported)
    }

    @Test(arguments: [
        "encoder.subsampling.linear.weight", "encoder.layers.1.conv.norm.running_var", "decoder.embedding.weight",
        "encoder.layers.0.self_attn.bias_u", "joint.head.weight", "encoder.layers.1.norm_out.bias",
    ])
    func refusesAModelWithoutATensor(name: String) throws {
        let error = try Self.failure { $0.tensors[name] = nil }
        #expect(error?.code == .modelDamaged)
        #expect(error?.message.contains(name) == true)
    }

    @Test func refusesDamagedTensors() throws {
        let name = "encoder.layers.0.conv.norm.running_var"
        for value in [-1, Float.nan] {
            let error = try Self.failure {
                $0.tensors[name] = .init(shape: [64], values: [Float](repeating: value, count: 64))
            }
            #expect(error?.code == .modelDamaged)
        }
        let error = try Self.failure { $0.tensors["encoder.layers.0.self_attn.q_proj.weight"]?.shape = [64, 32] }
        #expect(error?.code == .modelDamaged)
        // Refuses another vocabulary.
        #expect(try Self.failure(pieces: 31)?.code == .modelDamaged)
        #expect(try Self.failure(pieces: 32) == nil)
    }

    @Test func loadingCanBeCancelled() throws {
        let goldens = try FastConformerGoldens.shared.get()
        let folder = try TemporaryFolder()
        try #require(goldens.models["ctc"]).write(to: folder.url)
        expectError(.cancelled) {
            try FastConformerModel.load(folder: folder.url, isCancelled: { true })
        }
    }
}

/// Folders of Hugging Face with a few wrong bytes: a ``StenoError`` or a model, never a crash.
///
/// STENO_FUZZ_COUNT sets the number of files.
struct DamagedFileTests {
    private static var count: Int {
        ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"].flatMap { Int($0) } ?? 40
    }

    /// Wrong bits, bytes and numbers, missing and repeated parts; mostly within `table`, which has names and sizes.
    private static func damaged(_ bytes: Data, _ table: Range<Int>, _ random: inout SplitMix64) -> Data {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            guard !bytes.isEmpty else { break }
            let everywhere = Int.random(in: 0..<4, using: &random) == 0
            let range = everywhere ? 0..<bytes.count : table.clamped(to: 0..<bytes.count)
            let place = Int.random(in: range, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4...5: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 6...7 where place + 4 <= bytes.count:
                let numbers: [UInt32] = [0, 1, 2, 63, 65, 10_000, .max, .max / 2, 0x7FC0_0000, 0x7F80_0000]
                let number = numbers[Int.random(in: 0..<numbers.count, using: &random)]
                withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
            case 8: bytes.removeSubrange(place..<min(bytes.count, place + 9))
            default: bytes = bytes.prefix(max(place, 1))
            }
        }
        return bytes
    }

    private static func load(
        _ file: URL, table: Range<Int>, name: String, open: (Precision) throws -> FastConformerModel
    ) throws {
        let whole = try Data(contentsOf: file), noise = [Float](SpeechModels.noise.prefix(8_000))
        var models = 0
        for round in 0..<count {
            var random = SplitMix64(seed: UInt64(round), name: name)
            try damaged(whole, table, &random).write(to: file)
            do {
                let model = try open(round.isMultiple(of: 2) ? .int8 : .float32)
                _ = try model.makeState().transcribe(noise)
                models += 1
            } catch let error {
                #expect(error is StenoError, "round \(round): \(error)")
            }
        }
        try whole.write(to: file)
        print("damaged \(name): \(models) of \(count) are models")
        #expect(models < count)
    }

    @Test(arguments: ["model.safetensors", "config.json", "tokenizer.json"]) func huggingFaceFolders(
        name: String
    ) throws {
        let folder = try TemporaryFolder()
        try #require(try FastConformerGoldens.shared.get().models["tdt"]).write(to: folder.url)
        try Self.load(folder.url.appendingPathComponent(name), table: 0..<6_000, name: name) {
            try FastConformerModel.load(folder: folder.url, precision: $0, threads: 1)
        }
    }
}
